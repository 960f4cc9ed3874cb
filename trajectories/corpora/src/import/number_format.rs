//! Number formats: the texts of the built-in ones, and which of them show dates and times.

/// What a number format makes of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Shown {
    /// A number, a text or anything else.
    #[default]
    Number,
    /// A date, with or without a time.
    Date,
    /// A time of day.
    Time,
    /// A length of time, counted beyond a day.
    Elapsed,
}

/// The text of a built-in format, as Excel writes it for the United States; none for unassigned numbers.
pub(crate) fn built_in(id: u32) -> Option<&'static str> {
    Some(match id {
        0 => "General",
        1 => "0",
        2 => "0.00",
        3 => "#,##0",
        4 => "#,##0.00",
        5 => "\"$\"#,##0_);(\"$\"#,##0)",
        6 => "\"$\"#,##0_);[Red](\"$\"#,##0)",
        7 => "\"$\"#,##0.00_);(\"$\"#,##0.00)",
        8 => "\"$\"#,##0.00_);[Red](\"$\"#,##0.00)",
        9 => "0%",
        10 => "0.00%",
        11 => "0.00E+00",
        12 => "# ?/?",
        13 => "# ??/??",
        14 => "mm-dd-yy",
        15 => "d-mmm-yy",
        16 => "d-mmm",
        17 => "mmm-yy",
        18 => "h:mm AM/PM",
        19 => "h:mm:ss AM/PM",
        20 => "h:mm",
        // Some are East Asian dates and times, which Excel shows like these elsewhere.
        21 | 32..=35 | 55 | 56 => "h:mm:ss",
        22 => "m/d/yy h:mm",
        27..=31 | 36 | 50..=54 | 57 | 58 => "m/d/yyyy",
        37 => "#,##0_);(#,##0)",
        38 => "#,##0_);[Red](#,##0)",
        39 => "#,##0.00_);(#,##0.00)",
        40 => "#,##0.00_);[Red](#,##0.00)",
        41 => "_(* #,##0_);_(* \\(#,##0\\);_(* \"-\"_);_(@_)",
        42 => "_(\"$\"* #,##0_);_(\"$\"* \\(#,##0\\);_(\"$\"* \"-\"_);_(@_)",
        43 => "_(* #,##0.00_);_(* \\(#,##0.00\\);_(* \"-\"??_);_(@_)",
        44 => "_(\"$\"* #,##0.00_);_(\"$\"* \\(#,##0.00\\);_(\"$\"* \"-\"??_);_(@_)",
        45 => "mm:ss",
        46 => "[h]:mm:ss",
        47 => "mmss.0",
        48 => "##0.0E+0",
        49 => "@",
        _ => return None,
    })
}

/// What a format shows, going by its section for positive numbers.
pub(crate) fn shown(code: &str) -> Shown {
    let plain = code.trim().to_lowercase();
    if plain == "general" || plain == "standard" {
        return Shown::Number;
    }
    let (mut date, mut time, mut month, mut elapsed) = (false, false, false, false);
    let mut chars = plain.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => while chars.next().is_some_and(|c| c != '"') {},
            '\\' | '_' | '*' => {
                chars.next();
            }
            '[' => {
                let inner: String = chars.by_ref().take_while(|c| *c != ']').collect();
                let counts = |unit: char| !inner.is_empty() && inner.chars().all(|c| c == unit);
                elapsed |= counts('h') || counts('m') || counts('s');
            }
            ';' => break,
            'y' | 'd' => date = true,
            'h' | 's' => time = true,
            'm' => month = true,
            // An exponent, not an era.
            'e' if matches!(chars.peek(), Some('+' | '-')) => return Shown::Number,
            'a' => {
                // AM/PM has an M that is no month.
                let marks: String = chars.clone().take(4).collect();
                if marks == "m/pm" {
                    chars.by_ref().take(4).for_each(drop);
                    time = true;
                }
            }
            _ => {}
        }
    }
    if date {
        Shown::Date
    } else if elapsed {
        Shown::Elapsed
    } else if time {
        Shown::Time
    } else if month {
        Shown::Date
    } else {
        Shown::Number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_show_dates_times_or_numbers() {
        let check = |code: &str, expect| assert_eq!(shown(code), expect, "{code}");
        for code in [
            "General",
            "0.00",
            "#,##0 \"days\"",
            "0.00E+00",
            "[Red]0",
            "@",
            "",
            "0\\d",
            "_d0",
            "\"h\"0",
            "[$-409]0",
        ] {
            check(code, Shown::Number);
        }
        for code in [
            "yyyy-mm-dd",
            "mmm",
            "d-mmm",
            "[$-409]d-mmm-yy;@",
            "m/d/yy h:mm",
            "mm-dd-yy",
            "yyyy\"年\"m\"月\"",
        ] {
            check(code, Shown::Date);
        }
        for code in ["h:mm", "mm:ss", "h:mm AM/PM", "[Blue]hh:mm"] {
            check(code, Shown::Time);
        }
        for code in ["[h]:mm:ss", "[mm]:ss", "[s]"] {
            check(code, Shown::Elapsed);
        }
    }
}
