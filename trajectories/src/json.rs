//! JSON as the notation reads and writes it (spec 1.5 and 1.6).
//!
//! The reader is permissive about numbers (`NaN`, `Infinity`, integers of up to 4300 digits) and strict about all
//! else; it keeps integers and floats apart. The writer emits ASCII only.
//!
//! A text may hold a lone surrogate, which a Rust string cannot. Within a [`Value`](crate::Value) the surrogate
//! U+Dxxx is therefore kept as the private-use code point U+10Dxxx: [`read`] makes it from the escape `\udxxx`, and
//! [`write()`] turns it into that escape again. The genuine code points U+10D800 to U+10DFFF are the price: they are
//! read as they are, and written as lone surrogates.

mod members;
mod reader;
mod scanner;
mod writer;

pub use reader::{JsonError, read};
pub use writer::{write, write_sorted};

/// The distance from a lone surrogate to the private-use code point that stands for it.
const SURROGATE_SHIFT: u32 = 0x10_0000;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Value;

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::Bool),
            any::<i64>().prop_map(Value::Int),
            any::<i128>().prop_map(|integer| Value::from_bigint(integer.into())),
            any::<u64>().prop_map(|bits| Value::Float(f64::from_bits(bits))),
            any::<String>().prop_map(Value::text),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::list),
                prop::collection::btree_map(any::<String>(), inner, 0..6)
                    .prop_map(|entries| Value::Object(entries.into_iter().map(|(k, v)| (k.into(), v)).collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(value in values()) {
            let text = write(&value);
            prop_assert!(text.is_ascii());
            let again = read(&text).unwrap();
            prop_assert!(again.strictly_equals(&value), "{text}");
            prop_assert_eq!(write(&again), text);
        }

        #[test]
        fn reading_never_panics(text in any::<String>()) {
            let _ = read(&text);
        }

        #[test]
        fn reading_json_like_text_never_panics(text in r#"[\[\]{}",:0-9eE.\\u+NaIn -]{0,40}"#) {
            if let Ok(value) = read(&text) {
                prop_assert!(read(&write(&value)).unwrap().strictly_equals(&value));
            }
        }
    }

    #[test]
    fn lone_surrogates_survive() {
        let text = r#""\ud83d \udc00\ud800 \ud83d\ude00""#;
        let value = read(text).unwrap();
        assert_eq!(value.as_text(), Some("\u{10D83D} \u{10DC00}\u{10D800} \u{1F600}"));
        assert_eq!(write(&value), text);
    }
}
