//! The inverse of an action: reset to the default, not restore what was there (spec chapter 01, section 4.3).

use crate::Value;
use crate::action::{Action, BorderLine, Edit};

impl Action {
    /// The action that resets what this one sets; its inverse flag is set.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let cleared = || Edit::Value {
            value: Value::Null,
            datatype: None,
        };
        let edit = match self.edit() {
            Edit::Input { .. } => Edit::Input { value: Value::Null },
            Edit::NumberFormat { .. } => Edit::NumberFormat {
                format: "General".into(),
            },
            Edit::Fill { .. } => Edit::Fill { color: None },
            Edit::Font { property, .. } => Edit::Font {
                property: *property,
                value: property.default_value(),
            },
            Edit::Align { axis, .. } => Edit::Align {
                axis: *axis,
                value: axis.default_alignment().into(),
            },
            Edit::Wrap { .. } => Edit::Wrap { on: false },
            Edit::Orientation { .. } => Edit::Orientation { degrees: Value::Int(0) },
            Edit::Border { side, .. } => Edit::Border {
                side: *side,
                line: BorderLine::cleared(),
            },
            Edit::Merge { on } => Edit::Merge { on: !on },
            Edit::Paste { mode, .. } if mode.to_lowercase() == "formulas" => Edit::Formula { text: None },
            // The inverse of a formula clears the value and leaves the formula in place.
            Edit::Value { .. } | Edit::Formula { .. } | Edit::Paste { .. } => cleared(),
            Edit::Autofill { source } => Edit::Autofill { source: source.clone() },
        };
        Action::new(self.range().clone(), edit).with_inverse(true)
    }
}
