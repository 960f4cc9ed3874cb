use super::*;

fn number(code: &str, number: f64, expect: &str) {
    let (text, _) = NumberFormat::parse(code).of_number(number);
    assert_eq!(text, expect, "{number} under {code}");
}

fn text(code: &str, text: &str, expect: &str) {
    let format = NumberFormat::parse(code);
    let moment = Moment::from_iso(text).and_then(|moment| format.of_moment(&moment));
    let (shown, _) = moment.unwrap_or_else(|| format.of_text(text));
    assert_eq!(shown, expect, "{text} under {code}");
}

#[test]
fn digits_stand_in_their_places() {
    number("0", 2.5, "3");
    number("0", -0.4, "0");
    number("0", -2.0, "-2");
    number("#", 0.0, "");
    number("#.", 12.0, "12.");
    number("0.00", 1234.5, "1234.50");
    number("#,##0", 1_234_567.0, "1,234,567");
    number("#,##0.00", 0.005, "0.01");
    number("#,##0.0#", 1234.0, "1,234.0");
    number("#.##", 0.5, ".5");
    number(".00", 12.0, "12.00");
    number("0000", 7.0, "0007");
    number("0,000", 7.0, "0,007");
    number("00-00", 1234.0, "12-34");
    number("0-0", 1234.0, "123-4");
    number("???.?", 1.5, "  1.5");
    number("0.0??", 1.25, "1.25 ");
    number("###,###", 1_234.0, "1,234");
}

#[test]
fn percent_and_commas_scale() {
    number("0%", 0.125, "13%");
    number("0.0%", 0.125, "12.5%");
    number("0.0,", 12_345.0, "12.3");
    number("#,##0,,\"M\"", 1_234_567_890.0, "1,235M");
    number("#.000,", 1234.0, "1.234");
    number("0.00%", -0.01, "-1.00%");
}

#[test]
fn sections_are_for_signs_and_conditions() {
    number("#,##0;(#,##0);\"-\"", 5.0, "5");
    number("#,##0;(#,##0);\"-\"", -1234.0, "(1,234)");
    number("#,##0;(#,##0);\"-\"", 0.0, "-");
    number("0;;", 5.0, "5");
    number("0;;", -5.0, "");
    number("0;;", 0.0, "");
    number("+0;-0;0", 3.0, "+3");
    number("+0;-0;0", -3.0, "-3");
    number("+0%;-0%", 0.25, "+25%");
    number("[=0.5]\"½\";0", 0.5, "½");
    number("[=0.5]\"½\";0", 3.0, "3");
    number("[<1]\"low\";[<10]\"mid\";\"high\"", 0.0, "low");
    number("[<1]\"low\";[<10]\"mid\";\"high\"", 5.0, "mid");
    number("[<1]\"low\";[<10]\"mid\";\"high\"", 50.0, "high");
    number("_-* #,##0_-;\\-* #,##0_-;_-* \"-\"??_-;_-@_-", 1234.0, " 1,234 ");
    number("_-* #,##0_-;\\-* #,##0_-;_-* \"-\"??_-;_-@_-", -1234.0, "-1,234 ");
    number("_-* #,##0_-;\\-* #,##0_-;_-* \"-\"??_-;_-@_-", 0.0, " -   ");
    number("dd/mm/yy;@", 45_292.0, "01/01/24");
    number("#,##0.0_);\\(#,##0.0\\);\\-_)", -2.0, "(2.0)");
}

#[test]
fn literals_currencies_and_colors_are_shown() {
    number("[$£-809]#,##0.00", 12.5, "£12.50");
    number("[$€-2] #,##0", 12.0, "€ 12");
    number("\"€\" #,##0", 1200.0, "€ 1,200");
    number("0.00\\ \"Hours\"", 1.5, "1.50 Hours");
    number("0%\" Over\";0%\" Under\"", -0.25, "25% Under");
    number("\"(\"0\")\"", 3.0, "(3)");
    number("\"text\"", -3.0, "-text");
    number("General\" kg\"", 1.5, "1.5 kg");
    number("@", 1.5, "1.5");
    let format = NumberFormat::parse("0;[Red]-0");
    assert_eq!(format.of_number(-1.0), ("-1".to_owned(), Some("#FF0000")));
    assert_eq!(format.of_number(1.0), ("1".to_owned(), None));
}

#[test]
fn exponents_and_fractions_are_written() {
    number("0.00E+00", 12_345.0, "1.23E+04");
    number("0.00E+00", 0.0, "0.00E+00");
    number("0.0E+0", 99_999.0, "1.0E+5");
    number("##0.0E+0", 12_345.0, "12.3E+3");
    number("0E-0", 0.001, "1E-3");
    number("# ?/8", 2.375, "2 3/8");
    number("# ?/8", 2.0, "2");
    number("# ?/8", 0.999, "1");
    number("# ??/??", 0.333_333, " 1/3");
    number("?/?", 1.5, "3/2");
    number("# ?/?", 0.0, "0");
}

#[test]
fn dates_and_times_are_written() {
    number("yyyy-mm-dd", 45_292.0, "2024-01-01");
    number("d mmm yyyy", 45_292.0, "1 Jan 2024");
    number("dddd, mmmm dd, yyyy", 45_292.0, "Monday, January 01, 2024");
    number(
        "[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy",
        45_292.0,
        "Monday, January 01, 2024",
    );
    number("mmmmm d", 45_292.0, "J 1");
    number("h:mm", 0.75, "18:00");
    number("h:mm AM/PM", 0.0, "12:00 AM");
    number("hh:mm A/P", 0.75, "06:00 P");
    number("[h]:mm", 1.5, "36:00");
    number("[mm]:ss", 0.0625, "90:00");
    number("mm:ss.0", 0.000_01, "00:00.9");
    number("h:mm:ss", 0.999_999_9, "0:00:00");
    number("d/m/yy h:mm", 45_292.5, "1/1/24 12:00");
    number("yyyy-mm-dd", -1.0, "########");
    text("dd/mm/yyyy", "2024-03-05 00:00:00", "05/03/2024");
    text("h:mm", "07:30:00", "7:30");
    text("mmm-yy", "2024-03-05", "Mar-24");
    text("dd/mm/yyyy", "tomorrow", "tomorrow");
}

#[test]
fn texts_take_the_section_for_texts() {
    text("@", "abc", "abc");
    text("0;-0;0;\"<\"@\">\"", "abc", "<abc>");
    text("_(* #,##0_);_(* \\(#,##0\\);_(* \"-\"_);_(@_)", "abc", " abc ");
    text("0.00", "abc", "abc");
    text("0;0;0;", "abc", "");
}

proptest::proptest! {
    #[test]
    fn no_code_and_no_number_makes_it_fail(
        code in "[0#?.,%;@_*\"\\\\\\[\\]$hmsdyeE+/AMPG<>=a-c1-9 -]{0,24}",
        bits in proptest::num::u64::ANY,
        any in proptest::prelude::any::<String>(),
    ) {
        let value = f64::from_bits(bits);
        let format = NumberFormat::parse(&code);
        if value.is_finite() {
            let _ = format.of_number(value);
        }
        let _ = format.of_number(45_000.25);
        let _ = format.of_text(&any);
        let _ = NumberFormat::parse(&any).of_number(-1.5);
    }
}
