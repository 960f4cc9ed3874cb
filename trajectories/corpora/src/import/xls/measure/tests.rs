//! Tests of the measuring of `.xls` workbooks.

use super::*;

fn record(kind: u16, data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len()).unwrap();
    [&kind.to_le_bytes(), &length.to_le_bytes(), data].concat()
}

fn shorts(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// A workbook stream whose list names its only sheet so many times.
fn stream(n_listed: usize, texts: &[Vec<u8>], sheet: &[u8]) -> Vec<u8> {
    let head = |at: u32| {
        let listed = record(0x0085, &[at.to_le_bytes().as_slice(), &[0, 0, 1, 0, b'S']].concat());
        [
            record(BOF, &[0; 16]),
            listed.repeat(n_listed),
            texts.concat(),
            record(END, &[]),
        ]
        .concat()
    };
    let at = u32::try_from(head(0).len()).unwrap();
    [head(at), record(BOF, &[0; 16]), sheet.to_vec(), record(END, &[])].concat()
}

fn outcome(stream: &[u8]) -> String {
    check(stream, &Limits::default())
        .err()
        .map(|error| error.to_string())
        .unwrap_or_default()
}

#[test]
fn grids_are_measured() {
    let number = |row, col| record(0x0203, &[shorts(&[row, col, 0]), vec![0; 8]].concat());
    assert_eq!(outcome(&stream(1, &[], &[number(0, 0), number(9, 9)].concat())), "");
    let corners = [number(0, 0), number(65_535, 255)].concat();
    assert!(outcome(&stream(1, &[], &corners)).contains("cells between the corners"));
    let wide = [number(0, 0), number(200, 200)].concat();
    assert_eq!(outcome(&stream(1, &[], &wide)), "");
    assert!(outcome(&stream(100, &[], &wide)).contains("cells between the corners"));
    let dimensions = record(0x0200, &[5, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
    assert!(outcome(&stream(1, &[], &dimensions)).contains("dimensions"));
}

#[test]
fn shared_texts_are_measured() {
    let text = |length: u16| [shorts(&[length]), vec![0], vec![b'x'; usize::from(length)]].concat();
    // The second text runs on into a continuation, which says anew how wide its characters are.
    let first = [vec![0; 8], text(3), shorts(&[4]), vec![0, b'a', b'b']].concat();
    let rest = [vec![1], shorts(&[7, 7]), text(8_000)].concat();
    let texts = [record(0x00FC, &first), record(0x003C, &rest)];
    let shows = |index: u32| record(0x00FD, &[shorts(&[0, 0, 0]), index.to_le_bytes().to_vec()].concat());
    assert_eq!(outcome(&stream(1, &texts, &shows(2).repeat(8_000))), "");
    assert!(outcome(&stream(1, &texts, &shows(2).repeat(9_000))).contains("bytes of expanded texts"));
    assert_eq!(outcome(&stream(1, &texts, &shows(1).repeat(9_000))), "");
    assert!(outcome(&stream(1, &texts, &shows(9).repeat(9_000))).contains("bytes of expanded texts"));
}

#[test]
fn passwords_are_noticed() {
    let stream = [record(BOF, &[0; 16]), record(0x002F, &[1, 0])].concat();
    assert!(matches!(
        check(&stream, &Limits::default()),
        Err(ImportError::Encrypted)
    ));
}
