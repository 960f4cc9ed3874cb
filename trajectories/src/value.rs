//! Values that an action carries or a cell holds (spec chapter 01, section 1.1).

use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive, Zero};

/// A value as the notation knows it: the JSON types, with integers and floats kept apart.
///
/// Cloning is cheap: everything that can be large sits behind an [`Arc`].
#[derive(Clone, Debug)]
pub enum Value {
    /// The JSON `null`; in an action it means "clear".
    Null,
    /// A truth value; loosely equal to the integers 0 and 1.
    Bool(bool),
    /// An integer within 64 bits.
    Int(i64),
    /// An integer outside 64 bits; [`Value::from_bigint`] keeps the two apart.
    BigInt(Arc<BigInt>),
    /// An IEEE double, possibly infinite or NaN.
    Float(f64),
    /// A text.
    Text(Arc<str>),
    /// A list.
    List(Arc<[Value]>),
    /// An object in insertion order, without duplicate keys.
    Object(Arc<[(Arc<str>, Value)]>),
}

impl Value {
    /// A text value.
    pub fn text(text: impl Into<Arc<str>>) -> Self {
        Self::Text(text.into())
    }

    /// A list value.
    pub fn list(items: impl Into<Arc<[Value]>>) -> Self {
        Self::List(items.into())
    }

    /// The smallest representation of an integer of any size.
    pub fn from_bigint(integer: BigInt) -> Self {
        integer
            .to_i64()
            .map_or_else(|| Self::BigInt(Arc::new(integer)), Self::Int)
    }

    /// The text, if this is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The entry of an object under `key`.
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Self::Object(entries) => entries.iter().find(|(k, _)| &**k == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The number as a double where the value is one; booleans count as 0 and 1.
    ///
    /// Integers beyond the range of a double become infinite.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Bool(flag) => Some(f64::from(u8::from(*flag))),
            #[expect(clippy::cast_precision_loss, reason = "the spec converts integers to doubles here")]
            Self::Int(integer) => Some(*integer as f64),
            Self::BigInt(integer) => integer.to_f64(),
            Self::Float(float) => Some(*float),
            _ => None,
        }
    }

    /// False for null, false, zero and the empty text, list and object (spec 1.1, "empty").
    pub fn is_truthy(&self) -> bool {
        match self {
            Self::Null => false,
            Self::Bool(flag) => *flag,
            Self::Int(integer) => *integer != 0,
            Self::BigInt(integer) => !integer.is_zero(),
            Self::Float(float) => float.classify() != std::num::FpCategory::Zero,
            Self::Text(text) => !text.is_empty(),
            Self::List(items) => !items.is_empty(),
            Self::Object(entries) => !entries.is_empty(),
        }
    }

    /// Loose equality (spec 1.1): numbers by mathematical value across types, booleans as 0 and 1,
    /// lists element by element, objects whatever their key order.
    ///
    /// A NaN equals a NaN, since the notation's reader hands out one shared NaN (spec 4.2).
    pub fn loosely_equals(&self, other: &Value) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Text(a), Self::Text(b)) => Arc::ptr_eq(a, b) || a == b,
            (Self::List(a), Self::List(b)) => {
                Arc::ptr_eq(a, b) || (a.len() == b.len() && a.iter().zip(b.iter()).all(|(x, y)| x.loosely_equals(y)))
            }
            (Self::Object(a), Self::Object(b)) => {
                Arc::ptr_eq(a, b)
                    || (a.len() == b.len()
                        && a.iter()
                            .all(|(key, value)| other.get(key).is_some_and(|found| value.loosely_equals(found))))
            }
            _ => self.numerically_equals(other),
        }
    }

    fn numerically_equals(&self, other: &Value) -> bool {
        match (self.as_integer(), other.as_integer()) {
            (Some(a), Some(b)) => a == b,
            _ => match (self, other) {
                (Self::BigInt(a), Self::BigInt(b)) => a == b,
                #[expect(clippy::float_cmp, reason = "equal numbers are meant exactly")]
                (Self::Float(a), Self::Float(b)) => a == b || (a.is_nan() && b.is_nan()),
                (Self::Float(float), integer) | (integer, Self::Float(float)) => integer.equals_float(*float),
                _ => false,
            },
        }
    }

    fn as_integer(&self) -> Option<i64> {
        match self {
            Self::Bool(flag) => Some(i64::from(*flag)),
            Self::Int(integer) => Some(*integer),
            _ => None,
        }
    }

    fn equals_float(&self, float: f64) -> bool {
        if !float.is_finite() || float.fract() != 0.0 {
            return false;
        }
        let Some(exact) = BigInt::from_f64(float) else {
            return false;
        };
        match self {
            Self::BigInt(integer) => **integer == exact,
            _ => self.as_integer().is_some_and(|integer| BigInt::from(integer) == exact),
        }
    }

    /// Strict equality: same type and same content, with order of object keys ignored.
    pub fn strictly_equals(&self, other: &Value) -> bool {
        match (self, other) {
            (Self::List(a), Self::List(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(x, y)| x.strictly_equals(y))
            }
            (Self::Object(a), Self::Object(b)) => {
                a.len() == b.len()
                    && a.iter()
                        .all(|(key, value)| other.get(key).is_some_and(|found| value.strictly_equals(found)))
            }
            (Self::Float(a), Self::Float(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
            _ => std::mem::discriminant(self) == std::mem::discriminant(other) && self.loosely_equals(other),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Bool(flag)
    }
}

impl From<i64> for Value {
    fn from(integer: i64) -> Self {
        Self::Int(integer)
    }
}

impl From<f64> for Value {
    fn from(float: f64) -> Self {
        Self::Float(float)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: impl Into<Value>, b: impl Into<Value>, expect: bool) {
        let (a, b) = (a.into(), b.into());
        assert_eq!(a.loosely_equals(&b), expect, "{a:?} against {b:?}");
        assert_eq!(b.loosely_equals(&a), expect, "{b:?} against {a:?}");
    }

    #[test]
    fn numbers_are_equal_across_types() {
        check(1, true, true);
        check(1, 1.0, true);
        check(0.0, -0.0, true);
        check(false, 0.0, true);
        check(1, 1.5, false);
        check(9_007_199_254_740_993, 9_007_199_254_740_992.0, false);
        check(1, "1", false);
        check(f64::NAN, f64::NAN, true);
    }

    #[test]
    fn strict_equality_keeps_types_apart() {
        assert!(!Value::Int(1).strictly_equals(&Value::Float(1.0)));
        assert!(!Value::Int(1).strictly_equals(&Value::Bool(true)));
        assert!(!Value::Float(0.0).strictly_equals(&Value::Float(-0.0)));
        assert!(Value::list([Value::Int(1)]).strictly_equals(&Value::list([Value::Int(1)])));
    }
}
