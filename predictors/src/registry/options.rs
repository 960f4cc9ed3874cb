//! The options in what a user typed.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::str::FromStr;

use napsim_remote::shown_address;

use super::SpecError;
use super::catalogue::{AS_TRAINED, OptionInfo, PredictorInfo};
use super::remote_model::BASE_URL;
use crate::context::Context;
use crate::feature::RangeMode;

/// How values are found, and actions with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Values {
    /// As published: the last value of the keyword.
    V1,
    /// By value models, for many candidates, of which the likeliest is proposed.
    V2,
}

/// Options with their values as typed.
#[derive(Clone, Debug)]
pub(super) struct Options {
    info: &'static PredictorInfo,
    name: String,
    given: BTreeMap<&'static str, String>,
}

impl Options {
    /// Reads `option=value&option=value` of the predictor that the user calls `name`; the empty text has no options.
    pub(super) fn parse(info: &'static PredictorInfo, name: &str, query: &str) -> Result<Self, SpecError> {
        let mut given = BTreeMap::new();
        for text in query.split('&').filter(|text| !text.is_empty()) {
            let malformed = || SpecError::MalformedOption {
                predictor: info.name,
                text: text.to_owned(),
            };
            let (name, value) = text.split_once('=').ok_or_else(malformed)?;
            let option = info.option(name)?;
            if given.insert(option.name, value.to_owned()).is_some() {
                return Err(SpecError::RepeatedOption {
                    predictor: info.name,
                    option: option.name,
                });
            }
        }
        Ok(Self {
            info,
            name: name.to_owned(),
            given,
        })
    }

    /// Sets an option where the user has not set it.
    ///
    /// # Errors
    /// [`SpecError::UnknownOption`] where the predictor does not have it.
    pub(super) fn set_default(&mut self, name: &str, value: &str) -> Result<(), SpecError> {
        let option = self.info.option(name)?;
        self.given.entry(option.name).or_insert_with(|| value.to_owned());
        Ok(())
    }

    /// A whole number within bounds in its plain spelling.
    pub(super) fn whole(&self, name: &str, bounds: RangeInclusive<u32>) -> Result<u32, SpecError> {
        self.read(name, |text| plain(text, &bounds))
    }

    /// A value of a type that says itself how it is written.
    pub(super) fn parsed<T: FromStr>(&self, name: &str) -> Result<T, SpecError> {
        self.read(name, |text| text.parse().ok())
    }

    /// A number in its plain spelling: `05` and `+5` would be other ids of the same predictor.
    pub(super) fn number(&self, name: &str) -> Result<usize, SpecError> {
        self.read(name, |text| {
            (1..=1000).find(|number: &usize| number.to_string() == text)
        })
    }

    pub(super) fn flag(&self, name: &str) -> Result<bool, SpecError> {
        self.read(name, |text| text.parse().ok())
    }

    pub(super) fn context(&self, name: &str) -> Result<Context, SpecError> {
        self.read(name, |text| text.parse().ok())
    }

    pub(super) fn range_mode(&self, name: &str) -> Result<RangeMode, SpecError> {
        self.read(name, RangeMode::from_name)
    }

    /// The mode, or none where it is that of the model.
    pub(super) fn range_mode_or_as_trained(&self, name: &str) -> Result<Option<RangeMode>, SpecError> {
        self.read(name, |text| match text {
            AS_TRAINED => Some(None),
            text => RangeMode::from_name(text).map(Some),
        })
    }

    /// The value models and the decoding that goes with them.
    pub(super) fn values(&self, name: &str) -> Result<Values, SpecError> {
        self.read(name, |text| match text {
            "v1" => Some(Values::V1),
            "v2" => Some(Values::V2),
            _ => None,
        })
    }

    /// A probability in its plain spelling, or none where it is that of the model.
    pub(super) fn confidence(&self, name: &str) -> Result<Option<f32>, SpecError> {
        self.read(name, |text| match text {
            AS_TRAINED => Some(None),
            text => plain(text, &(0.0..=1.0)).map(Some),
        })
    }

    /// A probability in its plain spelling.
    pub(super) fn probability(&self, name: &str) -> Result<f64, SpecError> {
        self.read(name, |text| plain(text, &(0.0..=1.0)))
    }

    /// A number within bounds in its plain spelling.
    pub(super) fn decimal(&self, name: &str, bounds: RangeInclusive<f32>) -> Result<f32, SpecError> {
        self.read(name, |text| plain(text, &bounds))
    }

    /// One of several words.
    pub(super) fn choose<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<T, SpecError> {
        self.read(name, |text| {
            words
                .iter()
                .find(|(word, _)| *word == text)
                .map(|(_, meaning)| *meaning)
        })
    }

    /// The error of an option that needs another one.
    pub(super) fn needs(&self, option: &'static str, needed: &'static str) -> SpecError {
        SpecError::NeedsOption {
            predictor: self.info.name,
            option,
            needed,
        }
    }

    /// What the user calls the predictor; for a language model the name of the model.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The predictor's name.
    pub(super) fn predictor(&self) -> &'static str {
        self.info.name
    }

    /// The value as it was typed.
    pub(super) fn text(&self, name: &str) -> Result<&str, SpecError> {
        Ok(self.value(self.info.option(name)?))
    }

    fn read<T>(&self, name: &str, parse: impl Fn(&str) -> Option<T>) -> Result<T, SpecError> {
        let option = self.info.option(name)?;
        let value = self.value(option);
        parse(value).ok_or_else(|| SpecError::BadValue {
            predictor: self.info.name,
            option: option.name,
            value: self.shown(option),
            expected: option.expected,
        })
    }

    fn value(&self, option: &OptionInfo) -> &str {
        self.given.get(option.name).map_or(option.default, String::as_str)
    }

    /// The value as it may be printed and kept: an address may hold a key.
    fn shown(&self, option: &OptionInfo) -> String {
        let value = self.value(option);
        if option.name == BASE_URL {
            shown_address(value)
        } else {
            value.to_owned()
        }
    }

    /// `name`, the predictor's, with every option that differs from its default, in canonical order.
    pub(super) fn id(&self, name: &str) -> String {
        let changed: Vec<_> = self
            .info
            .options
            .iter()
            .filter(|option| self.value(option) != option.default)
            .map(|option| format!("{}={}", option.name, self.shown(option)))
            .collect();
        if changed.is_empty() {
            name.to_owned()
        } else {
            format!("{name}?{}", changed.join("&"))
        }
    }
}

/// A number within bounds in its plain spelling: others would be other ids of the same predictor.
fn plain<T: FromStr + PartialOrd + ToString>(text: &str, bounds: &RangeInclusive<T>) -> Option<T> {
    let number = text.parse().ok().filter(|number| bounds.contains(number));
    number.filter(|number: &T| number.to_string() == text)
}
