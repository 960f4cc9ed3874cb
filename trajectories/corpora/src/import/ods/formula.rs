//! OpenFormula texts in Excel's notation.

/// The text of a formula as Excel spells it: `of:=SUM([.A1:.B2];[$'My sheet'.C3])` as `=SUM(A1:B2,'My sheet'!C3)`.
pub(super) fn to_excel(formula: &str) -> String {
    let body = formula
        .find('=')
        .map_or(formula, |at| formula.get(at + 1..).unwrap_or_default());
    let mut text = String::with_capacity(formula.len());
    text.push('=');
    let mut chars = body.chars();
    let mut in_array = false;
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                text.push('"');
                for c in chars.by_ref() {
                    text.push(c);
                    if c == '"' {
                        break;
                    }
                }
            }
            '[' => {
                let mut quoted = false;
                let reference: String = chars
                    .by_ref()
                    .take_while(|c| {
                        quoted ^= *c == '\'';
                        quoted || *c != ']'
                    })
                    .collect();
                push_reference(&reference, &mut text);
            }
            '{' | '}' => {
                in_array = c == '{';
                text.push(c);
            }
            ';' | '~' => text.push(','),
            '|' if in_array => text.push(';'),
            other => text.push(other),
        }
    }
    text
}

/// Appends a reference such as `.A1:.B2` or `$Sheet2.A1:$Sheet2.B2`.
fn push_reference(reference: &str, text: &mut String) {
    let mut parts = split(reference, ':').into_iter();
    let Some(first) = parts.next() else { return };
    let (sheet, cell) = sheet_and_cell(first);
    if !sheet.is_empty() {
        text.push_str(sheet);
        text.push('!');
    }
    text.push_str(cell);
    for part in parts {
        text.push(':');
        text.push_str(sheet_and_cell(part).1);
    }
}

/// The pieces of a reference between marks that are not within a quoted name.
fn split(reference: &str, mark: char) -> Vec<&str> {
    let mut quoted = false;
    let outside = |c: char| {
        quoted ^= c == '\'';
        !quoted && c == mark
    };
    reference.split(outside).collect()
}

/// The sheet's name without its `$`, empty where there is none, and the cell.
fn sheet_and_cell(reference: &str) -> (&str, &str) {
    let mut quoted = false;
    let dot = reference.char_indices().filter_map(|(at, c)| {
        quoted ^= c == '\'';
        (!quoted && c == '.').then_some(at)
    });
    match dot
        .last()
        .and_then(|at| Some((reference.get(..at)?, reference.get(at + 1..)?)))
    {
        Some((sheet, cell)) => (sheet.trim_start_matches('$'), cell),
        None => ("", reference),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_those_of_excel() {
        let check = |formula: &str, expect: &str| assert_eq!(to_excel(formula), expect);
        check("of:=SUM([.A1:.B2];3)", "=SUM(A1:B2,3)");
        check("of:=[$Sheet2.$A$1]+[.B1]", "=Sheet2!$A$1+B1");
        check("of:=[$'It''s; [a] sheet.x'.C3:.D4]", "='It''s; [a] sheet.x'!C3:D4");
        check(
            "of:=IF([.A1]=\"a;[b]\";{1;2|3;4};\"\")",
            "=IF(A1=\"a;[b]\",{1,2;3,4},\"\")",
        );
        check("oooc:=[.A1:Sheet1.B1]", "=A1:B1");
        check("msoxl:=A1", "=A1");
        check("of:=SUM([.#REF!])", "=SUM(#REF!)");
    }
}
