//! Buckets of positions and steps for models with finite vocabularies (spec chapter 03, 1.5).

/// How many buckets there are.
pub const BUCKETS: u8 = 101;

const BUCKET_MAX: i64 = BUCKETS as i64 - 1;

/// Half the width of the buckets for steps.
const STEP_MAX: i64 = 50;

fn clamped(number: i64) -> u8 {
    u8::try_from(number.clamp(0, BUCKET_MAX)).unwrap_or_default()
}

/// The bucket of a row, column, height or width: 0 for 1, the last one for 101 and more.
pub fn absolute_bucket(quantity: i64) -> u8 {
    clamped(quantity.saturating_sub(1))
}

/// The row, column, height or width that a bucket stands for.
pub fn absolute_of_bucket(bucket: u8) -> i64 {
    i64::from(bucket) + 1
}

/// The bucket of a difference: 50 for none, the outermost ones for 50 and more either way.
pub fn delta_bucket(delta: i64) -> u8 {
    clamped(delta.saturating_add(STEP_MAX))
}

/// The difference that a bucket stands for.
pub fn delta_of_bucket(bucket: u8) -> i64 {
    i64::from(bucket) - STEP_MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_stands_for_itself() {
        for bucket in 0..BUCKETS {
            assert_eq!(absolute_bucket(absolute_of_bucket(bucket)), bucket);
            assert_eq!(delta_bucket(delta_of_bucket(bucket)), bucket);
        }
        assert_eq!(absolute_bucket(i64::MIN), 0);
        assert_eq!(delta_bucket(i64::MAX), 100);
    }
}
