use std::path::Path;

use super::*;

const HEAD: &str = "# title: A title\n# plot: A plot\n";

#[track_caller]
fn check_line(line: &str, expect: Result<&[&str], &str>) {
    let expanded = expand(&format!("{HEAD}{line}\n"), Path::new("some/a draft.draft"));
    let got = expanded.map(|expanded| {
        let actions = expanded.trajectory.actions.iter();
        actions.map(ToString::to_string).collect::<Vec<_>>()
    });
    match (got, expect) {
        (Ok(got), Ok(expect)) => assert_eq!(got, expect, "{line}"),
        (Err(error), Err(part)) => {
            assert_eq!(error.line_no, 3, "{line}");
            assert!(error.message.contains(part), "{line}: {}", error.message);
        }
        (got, _) => panic!("{line}: {got:?}"),
    }
}

#[track_caller]
fn check_warnings(line: &str, expect: &[&str]) {
    let expanded = expand(&format!("{HEAD}{line}\n"), Path::new("a.draft")).unwrap();
    let got: Vec<&str> = expanded
        .warnings
        .iter()
        .map(|warning| warning.message.as_str())
        .collect();
    assert_eq!(got, expect, "{line}");
}

#[test]
fn typing_makes_one_action_a_cell() {
    check_line("A1 = Seed | log", Ok(&["INPUT | Sheet1!A1 | \"Seed | log\""]));
    check_line("A1 = =SUM(B1:B3)", Ok(&["INPUT | Sheet1!A1 | \"=SUM(B1:B3)\""]));
    check_line(
        "A3 > Lot | | 12.50 | true",
        Ok(&[
            "INPUT | Sheet1!A3 | \"Lot\"",
            "INPUT | Sheet1!C3 | 12.5",
            "INPUT | Sheet1!D3 | true",
        ]),
    );
    check_line(
        "A4 v g / piece | -3",
        Ok(&["INPUT | Sheet1!A4 | \"g / piece\"", "INPUT | Sheet1!A5 | -3"]),
    );
    check_line(
        "A4 >> a | 1 / b | | 3",
        Ok(&[
            "INPUT | Sheet1!A4 | \"a\"",
            "INPUT | Sheet1!B4 | 1",
            "INPUT | Sheet1!A5 | \"b\"",
            "INPUT | Sheet1!C5 | 3",
        ]),
    );
    check_line(
        "B4 vv 1 | 2 / 4",
        Ok(&[
            "INPUT | Sheet1!B4 | 1",
            "INPUT | Sheet1!B5 | 2",
            "INPUT | Sheet1!C4 | 4",
        ]),
    );
    check_line("B4:B5 = n/a", Ok(&["INPUT | Sheet1!B4:B5 | [[\"n/a\"], [\"n/a\"]]"]));
    check_line("A9 clear", Ok(&["INPUT | Sheet1!A9 | clear"]));
}

#[test]
fn blocks_are_pasted_at_once() {
    check_line(
        "B4 @ 12 | x / 8 |",
        Ok(&["INPUT | Sheet1!B4:C5 | [[12, \"x\"], [8, \"\"]]"]),
    );
    check_line(
        "B4:C5 @ 1 | 2 / 3 | 4",
        Ok(&["INPUT | Sheet1!B4:C5 | [[1, 2], [3, 4]]"]),
    );
    check_line("B4 @ 1 | 2 / 3", Err("found 1 in row 2"));
    check_line("B4:C6 @ 1 | 2 / 3 | 4", Err("expected 3×2 values"));
    check_line("XFD1 @ 1 | 2", Err("found some at XFD1:XFE1"));
}

#[test]
fn quoted_items_may_hold_separators() {
    check_line(
        r#"A1 >> "a | b / c" | "5" / "say \"x\"""#,
        Ok(&[
            r#"INPUT | Sheet1!A1 | "a | b / c""#,
            r#"INPUT | Sheet1!B1 | "5""#,
            r#"INPUT | Sheet1!A2 | "say \"x\"""#,
        ]),
    );
    check_line(
        r#"A1 > "Owl" ward | b"#,
        Ok(&[r#"INPUT | Sheet1!A1 | "\"Owl\" ward""#, "INPUT | Sheet1!B1 | \"b\""]),
    );
    check_line(r#"A1 = "Owl" and "Fox""#, Err("expected a JSON text"));
}

#[test]
fn numbers_are_plain_decimals() {
    for (text, json) in [
        ("12.00", "12"),
        ("-0.5", "-0.5"),
        ("007", "\"007\""),
        ("1e5", "\"1e5\""),
        ("-", "\"-\""),
        ("5 %", "\"5 %\""),
        ("99999999999999999999", "1e+20"),
    ] {
        check_line(&format!("A1 = {text}"), Ok(&[&format!("INPUT | Sheet1!A1 | {json}")]));
    }
}

#[test]
fn formats_run_in_order_range_by_range() {
    check_line(
        "A3:D3 / A9 bold, fill #ddebf7",
        Ok(&[
            "FONT_BOLD | Sheet1!A3:D3 | true",
            "FILL_COLOR | Sheet1!A3:D3 | #DDEBF7",
            "FONT_BOLD | Sheet1!A9 | true",
            "FILL_COLOR | Sheet1!A9 | #DDEBF7",
        ]),
    );
    for (steps, expect) in [
        ("unwrap", "WRAP_TEXT | Sheet1!B2:C4 | false"),
        ("underline", "FONT_UNDERLINE | Sheet1!B2:C4 | single"),
        ("underline double", "FONT_UNDERLINE | Sheet1!B2:C4 | double"),
        ("size 10.5", "FONT_SIZE | Sheet1!B2:C4 | 10.5"),
        ("font Courier New", "FONT_NAME | Sheet1!B2:C4 | Courier New"),
        ("nofill", "FILL_COLOR | Sheet1!B2:C4 | clear"),
        ("middle", "ALIGN_VERTICAL | Sheet1!B2:C4 | center"),
        ("rotate -45", "TEXT_ORIENTATION | Sheet1!B2:C4 | -45"),
        (
            "format #,##0.00;(#,##0.00)",
            "NUMBER_FORMAT | Sheet1!B2:C4 | #,##0.00;(#,##0.00)",
        ),
        ("border all", "BORDER_ALL | Sheet1!B2:C4 | Thin, Continuous, #000000"),
        (
            "border bottom double #bfbfbf",
            "BORDER_BOTTOM | Sheet1!B2:C4 | Thin, Double, #BFBFBF",
        ),
        (
            "border inside-h #BFBFBF",
            "BORDER_INSIDE_HORIZONTAL | Sheet1!B2:C4 | Thin, Continuous, #BFBFBF",
        ),
        ("noborder outside", "BORDER_OUTSIDE | Sheet1!B2:C4 | clear"),
        ("unmerge", "MERGE | Sheet1!B2:C4 | false"),
        ("autofill B2:C2", "AUTOFILL | Sheet1!B2:C4 | Sheet1!B2:C2"),
        (
            "paste A1:B3 formats",
            "PASTE_FROM | Sheet1!B2:C4 | Sheet1!A1:B3 | formats",
        ),
        ("paste A1:B3", "PASTE_FROM | Sheet1!B2:C4 | Sheet1!A1:B3 | all"),
    ] {
        check_line(&format!("B2:C4 {steps}"), Ok(&[expect]));
    }
}

#[test]
fn mistakes_say_what_was_expected() {
    for (line, part) in [
        ("a3 = x", "expected a cell such as B4"),
        ("$A$1 = x", "expected a cell such as B4"),
        ("B2:A1 bold", "from its upper left"),
        ("A0 = x", "from its upper left"),
        ("A1048577 = x", "within A1:XFD1048576"),
        ("A1 =", "expected a value after `=`"),
        ("A1 > | |", "expected values between the bars"),
        ("A1:C1 > a | b", "expected 1×3 values"),
        ("A1", "expected `=`"),
        ("A1 clear it", "found `clear`"),
        ("A1 bald", "expected one of the steps"),
        ("A1 bold italic", "expected a comma after `bold`"),
        ("A1 bold,", "expected another step"),
        ("A1 / A2", "expected formatting steps after `A2`"),
        ("A1 color red", "expected a colour"),
        ("A1 size big", "expected a size"),
        ("A1 rotate 120", "expected degrees"),
        ("A1 border", "expected all, outside"),
        ("A1 border top wavy", "expected thin"),
        ("A1 underline twice", "expected single"),
        ("A1 format", "expected a number format"),
        ("A1 paste B1 everything", "expected all, values"),
        ("A1:B3 autofill A1", "extends its source along both axes"),
        ("#comment", "expected `# `"),
        ("# title: again", "found a second one"),
        ("# sheet: a!b", "expected a sheet name"),
    ] {
        check_line(line, Err(part));
    }
}

#[test]
fn the_head_is_required_and_said_once() {
    let (_, errors) = check("A1 = x\nA2 = y\nA3\n", Path::new("x.draft"));
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        errors,
        [
            "expand x.draft:1: expected a line `# title: …` before the first step",
            "expand x.draft:3: expected `=`, `>`, `v`, `>>`, `vv`, `@`, `clear` or a format after `A3`",
        ]
    );
    let error = expand(HEAD, Path::new("x.draft")).unwrap_err();
    assert_eq!(error.to_string(), "expand x.draft:2: the draft ends without a step");
}

#[test]
fn sheets_are_switched_by_a_comment() {
    let text = format!("{HEAD}# sheet: Price list\n# a note: nothing\nA1 = x\nA1:A2 autofill A1\n");
    let expanded = expand(&text, Path::new("x.draft")).unwrap();
    assert_eq!(
        write(&expanded.trajectory),
        "# title: A title\n# description: A plot\nINPUT | Price list!A1 | \"x\"\n\
         AUTOFILL | Price list!A1:A2 | Price list!A1\n"
    );
    assert_eq!(expanded.trajectory.lines.len(), 2);
    assert_eq!(expanded.trajectory.lines[1].line_no, 6);
    assert_eq!(expanded.trajectory.name, "x");
}

#[test]
fn clock_texts_are_doubted_unless_meant() {
    check_warnings("A1 = 2026-03-14", &[]);
    check_warnings("A1 = 07:15:00", &[]);
    check_warnings("A1 = 14 Mar", &[]);
    check_warnings("A1 = 2024", &[]);
    check_warnings("A1 > x | 07:15", &["typing `07:15` leaves `07:15:00` in the cell"]);
    check_warnings("A1 @ x | \"2024\"", &["typing `2024` leaves `20:24:00` in the cell"]);
    check_warnings(
        "A1 = 2020-21",
        &["typing `2020-21` leaves `20:20:00-21:00` in the cell"],
    );
    check_warnings(
        "A1 = 1,250",
        &["`1,250` stays a text; a number is written without separators"],
    );
    check_warnings(
        "A1 format 0.00, bold",
        &["`bold` is part of the number format, since a format ends its line"],
    );
    check_warnings("A1 bold, format #,##0", &[]);
}

#[test]
fn written_texts_read_back() {
    let text = format!("{HEAD}A1 = Größe | \"x\"\nA2 = 0.1\nA1 format \"a | b\" 0\nB1:B3 clear\n");
    let trajectory = expand(&text, Path::new("x.draft")).unwrap().trajectory;
    let written = write(&trajectory);
    let lines = written.lines().filter(|line| !line.starts_with('#'));
    let read: Vec<_> = lines
        .map(|line| napsim_trajectories::Action::parse(line).unwrap())
        .collect();
    assert_eq!(read, trajectory.actions);
}

#[test]
fn actions_without_effect_are_found() {
    let text =
        format!("{HEAD}A1 = x\nA1 = x\nA1 bold\nA1:B1 bold\nC1 unbold\nA1:B1 merge\nA1:B1 merge\nC9 clear\nC9 = 0\n");
    let actions = expand(&text, Path::new("x.draft")).unwrap().trajectory.actions;
    assert_eq!(actions_without_effect(&actions).unwrap(), [1, 4, 6, 7]);
}
