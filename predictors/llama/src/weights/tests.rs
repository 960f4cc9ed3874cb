use super::*;

#[test]
fn half_precision_is_exact() {
    let cases = [
        (0x0000, 0.0),
        (0x3C00, 1.0),
        (0xC000, -2.0),
        (0x0001, 2f32.powi(-24)),
        (0x03FF, 1023.0 * 2f32.powi(-24)),
        (0x7BFF, 65504.0),
        (0x7C00, f32::INFINITY),
        (0x3555, 0.333_251_95),
    ];
    for (half, expected) in cases {
        assert_eq!(half_to_f32(half).to_bits(), f32::to_bits(expected), "{half:x}");
    }
    assert!(half_to_f32(0x7E00).is_nan());
}

/// A block of Q4_1: factor 0.5, summand -1, numbers 0 to 15 in the first half and 15 to 0 in the second.
fn block() -> Vec<u8> {
    let nibbles = (0..16u8).map(|idx| idx | (15 - idx) << 4);
    [0x00, 0x38, 0x00, 0xBC].into_iter().chain(nibbles).collect()
}

#[test]
fn blocks_of_nibbles_are_read() {
    let tensor = StoredTensor::new(vec![1, 32], Numbers::Q4_1(block()));
    let numbers = tensor.to_f32();
    assert_eq!(numbers.len(), 32);
    assert_eq!(numbers[..3], [-1.0, -0.5, 0.0]);
    assert_eq!(numbers[16..18], [6.5, 6.0]);
    assert_eq!(tensor.row(0), numbers);
    assert!(tensor.row(1).is_empty());
    let without = [0x00, 0x38].into_iter().chain(block().split_off(4)).collect();
    let numbers = StoredTensor::new(vec![1, 32], Numbers::Q4_0(without)).to_f32();
    assert_eq!(numbers[..2], [-4.0, -3.5]);
    let signed = [0x00, 0x38]
        .into_iter()
        .chain((0..32u8).map(|byte| byte.wrapping_sub(16)))
        .collect();
    let numbers = StoredTensor::new(vec![1, 32], Numbers::Q8_0(signed)).to_f32();
    assert_eq!(numbers[..2], [-8.0, -7.5]);
}
