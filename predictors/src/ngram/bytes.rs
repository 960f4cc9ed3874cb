//! Whole numbers in as few bytes as they need: seven bits a byte, lowest first, the eighth says that more follow.

/// Appends a number.
pub(super) fn push(out: &mut Vec<u8>, number: u32) {
    let mut rest = number;
    while rest >= 0x80 {
        out.push(rest.to_le_bytes()[0] | 0x80);
        rest >>= 7;
    }
    out.push(rest.to_le_bytes()[0]);
}

/// Takes a number from the front; none where the bytes end or the number is beyond 32 bits.
pub(super) fn take(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0_u64;
    for shift in (0..35).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return u32::try_from(number).ok();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_again() {
        let numbers = [0, 1, 127, 128, 300, 16_383, 16_384, u32::MAX];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|number| push(&mut bytes, *number));
        let mut rest = bytes.as_slice();
        for number in numbers {
            assert_eq!(take(&mut rest), Some(number));
        }
        assert_eq!(take(&mut rest), None);
        assert_eq!(take(&mut [0xFF; 5].as_slice()), None);
        assert_eq!(take(&mut [0x80].as_slice()), None);
    }
}
