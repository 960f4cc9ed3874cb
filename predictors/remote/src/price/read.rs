//! The list of prices as a file.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Price, PriceError, Prices};
use crate::money::Money;

/// Greatest price of a million tokens, so that no sum of a run can overflow.
const PRICE_MAX: &str = "1000000000";

/// More decimals than that make a token's price inexact.
const DECIMALS_MAX: usize = 6;

const TOP: [&str; 3] = ["currency", "date", "models"];
const OF_MODEL: [&str; 3] = ["cached_input", "input", "output"];

pub(super) struct Reader<'a> {
    text: &'a str,
    file: &'a str,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str, file: &'a str) -> Self {
        Self { text, file }
    }

    pub(super) fn read(&self) -> Result<Prices, PriceError> {
        let document = DeTable::parse(self.text);
        let document = document.map_err(|error| self.error(error.span(), error.message().to_owned()))?;
        let top = document.get_ref();
        self.check_names(top, &TOP)?;
        let currency = self.required(top, 0..0, "currency")?;
        let Some(name) = currency.get_ref().as_str().filter(|name| !name.is_empty()) else {
            return Err(self.wrong(currency, "`currency` to be a text such as \"USD\""));
        };
        let date = self.date(self.required(top, 0..0, "date")?)?;
        let mut models = BTreeMap::new();
        if let Some(listed) = top.get("models") {
            let Some(table) = listed.get_ref().as_table() else {
                return Err(self.wrong(listed, "`models` to be tables such as [models.\"openai/gpt-5-mini\"]"));
            };
            for (name, value) in table {
                models.insert(
                    name.get_ref().to_string(),
                    self.model(name.get_ref(), name.span(), value)?,
                );
            }
        }
        Ok(Prices {
            currency: name.to_owned(),
            date,
            models,
        })
    }

    fn model(&self, name: &str, span: Range<usize>, value: &Spanned<DeValue<'_>>) -> Result<Price, PriceError> {
        if name.is_empty() || name.strip_suffix('*').unwrap_or(name).contains('*') {
            let reason =
                format!("the name `{name}` fits no model: expected `*`, which stands for any rest, at the end");
            return Err(self.error(Some(span), reason));
        }
        let Some(table) = value.get_ref().as_table() else {
            return Err(self.wrong(value, &format!("a table of prices for `{name}`")));
        };
        self.check_names(table, &OF_MODEL)?;
        let price = |key| self.price(key, self.required(table, span.clone(), key)?);
        let input = price("input")?;
        Ok(Price {
            input,
            cached_input: match table.get("cached_input") {
                Some(value) => self.price("cached_input", value)?,
                None => input,
            },
            output: price("output")?,
        })
    }

    /// The price of a token, of that of a million.
    fn price(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<Money, PriceError> {
        let spelling = match value.get_ref() {
            DeValue::Float(float) => float.as_str(),
            DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str(),
            _ => return Err(self.wrong(value, &format!("`{key}` to be a number"))),
        };
        let plain = spelling.trim_start_matches('+').replace('_', "");
        let amount = Money::parse(&plain, DECIMALS_MAX);
        match amount.filter(|amount| PRICE_MAX.parse().is_ok_and(|bound| *amount <= bound)) {
            Some(amount) => Ok(Money::from_millionths_of_millionths(
                amount.millionths_of_millionths() / 1_000_000,
            )),
            None => {
                let what =
                    format!("`{key}` to be a plain number from 0 to {PRICE_MAX} with at most {DECIMALS_MAX} decimals");
                Err(self.wrong(value, &what))
            }
        }
    }

    fn date(&self, value: &Spanned<DeValue<'_>>) -> Result<String, PriceError> {
        match value.get_ref().as_datetime() {
            Some(date) if date.date.is_some() && date.time.is_none() => Ok(date.to_string()),
            _ => Err(self.wrong(value, "`date` to be a day such as 2026-11-30, without quotes")),
        }
    }

    fn required<'t>(
        &self,
        table: &'t DeTable<'a>,
        place: Range<usize>,
        key: &str,
    ) -> Result<&'t Spanned<DeValue<'a>>, PriceError> {
        let missing = || self.error(Some(place), format!("`{key}` is missing"));
        table.get(key).ok_or_else(missing)
    }

    fn check_names(&self, table: &DeTable<'_>, known: &[&str]) -> Result<(), PriceError> {
        let is_unknown = |name: &&Spanned<_>| !known.contains(&AsRef::<str>::as_ref(name.get_ref()));
        let Some(name) = table.keys().find(is_unknown) else {
            return Ok(());
        };
        let found = name.get_ref();
        let nearest = known.iter().map(|name| (strsim::jaro_winkler(found, name), name));
        let nearest = nearest.max_by(|(one, _), (other, _)| one.total_cmp(other));
        let advice = match nearest {
            Some((similarity, name)) if similarity > 0.7 => format!("did you mean `{name}`?"),
            _ => format!("there are {}", known.join(", ")),
        };
        Err(self.error(Some(name.span()), format!("there is no key `{found}`; {advice}")))
    }

    fn wrong(&self, value: &Spanned<DeValue<'_>>, expected: &str) -> PriceError {
        let found = self
            .text
            .get(value.span())
            .unwrap_or_default()
            .lines()
            .next()
            .unwrap_or_default();
        self.error(Some(value.span()), format!("expected {expected}, found {found}"))
    }

    fn error(&self, span: Option<Range<usize>>, reason: String) -> PriceError {
        let before = self.text.get(..span.map_or(0, |span| span.start)).unwrap_or_default();
        PriceError {
            file: self.file.to_owned(),
            line: 1 + before.matches('\n').count(),
            reason,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::TokenUse;

    const LIST: &str = r#"currency = "USD"
date = 2026-11-30

[models."openai/gpt-5-mini"]
input = 0.25
cached_input = 0.025
output = 2.0

[models."openai/*"]
input = 1_000.000001
output = 3

[models."*"]
input = 0
output = 0.10
"#;

    fn money(text: &str) -> Money {
        text.parse().unwrap()
    }

    #[test]
    fn the_longest_name_that_fits_counts() {
        let prices = Prices::read(LIST, "prices.toml").unwrap();
        assert_eq!((prices.currency.as_str(), prices.date.as_str()), ("USD", "2026-11-30"));
        let input = |model| prices.of(model).unwrap().input;
        assert_eq!(input("openai/gpt-5-mini"), money("0.00000025"));
        assert_eq!(input("openai/gpt-5-mini-2"), money("0.001000000001"));
        assert_eq!(input("azure/gpt-5"), Money::ZERO);
        assert_eq!(prices.of("openai/x").unwrap().cached_input, money("0.001000000001"));
        assert_eq!(input("*"), Money::ZERO);
        assert_eq!(Prices::default().of("openai/gpt-5"), None);
    }

    #[test]
    fn costs_are_exact() {
        let price = Prices::read(LIST, "prices.toml")
            .unwrap()
            .of("openai/gpt-5-mini")
            .unwrap();
        let tokens = TokenUse {
            input: 1_234_567,
            cached_input: 1_000_000,
            output: 3,
            reasoning: 2,
        };
        // 234567 × 0.25 + 1000000 × 0.025 + 3 × 2, in millionths.
        assert_eq!(price.of(tokens), money("0.08364775"));
    }

    #[track_caller]
    fn check(change: (&str, &str), line: usize, part: &str) {
        let error = Prices::read(&LIST.replacen(change.0, change.1, 1), "my.toml")
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with(&format!("read the prices my.toml:{line}: ")),
            "{error}"
        );
        assert!(error.contains(part), "{error}");
    }

    #[test]
    fn errors_name_the_line() {
        check(
            ("cached_input", "cache_input"),
            6,
            "no key `cache_input`; did you mean `cached_input`?",
        );
        check(("currency", "colour"), 1, "no key `colour`");
        check(("0.25", "-0.25"), 5, "found -0.25");
        for wrong in [
            "nan",
            "inf",
            "1e3",
            "\"1\"",
            "0.0000001",
            "1000000001",
            "0x10",
            "[1]",
            "true",
        ] {
            check(("0.25", wrong), 5, &format!("found {wrong}"));
        }
        check(("output = 2.0\n", ""), 4, "`output` is missing");
        check(("date = 2026-11-30\n", ""), 1, "`date` is missing");
        check(("2026-11-30", "2026-13-30"), 2, "");
        check(("2026-11-30", "\"today\""), 2, "`date` to be a day");
        check(("2026-11-30", "2026-11-30T00:00:00Z"), 2, "`date` to be a day");
        check(("\"USD\"", "5"), 1, "`currency` to be a text");
        check(("openai/*", "open*ai"), 9, "`open*ai` fits no model");
        check(("output = 2.0", "output = "), 7, "");
        check(("openai/*", "openai/gpt-5-mini"), 9, "");
    }
}
