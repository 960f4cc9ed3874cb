//! Tests of the container.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn sample() -> Model {
    let mut card = Card::new(ModelKind::Ngram, 3, "0.1.0", "2026-01-02", 7);
    card.settings.insert("max_n".to_owned(), json!(5));
    card.settings.insert("a".to_owned(), json!({"z": 1, "b": [1.5, "x"]}));
    card.metrics.insert("right".to_owned(), json!(0.25));
    card.data.push(DataSource {
        name: "plans.jsonl".to_owned(),
        ..DataSource::default()
    });
    let sections = vec![
        Section::plain("names", b"INPUT MERGE".to_vec()),
        Section::compressed("tables", vec![7; 5000]),
        Section::compressed("nothing", Vec::new()),
    ];
    Model::new(card, sections)
}

fn sample_bytes() -> Vec<u8> {
    sample().to_bytes().unwrap()
}

fn error(bytes: &[u8]) -> String {
    Model::read(bytes).unwrap_err().to_string()
}

/// The sample with a changed header, hash and length of which are right again.
fn with_header(from: &str, to: &str) -> Vec<u8> {
    let bytes = sample_bytes();
    let first_end = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let first = String::from_utf8(bytes[..first_end].to_vec()).unwrap();
    let length: usize = first.split(' ').nth(1).unwrap().parse().unwrap();
    let header = String::from_utf8(bytes[first_end..first_end + length].to_vec()).unwrap();
    assert!(header.contains(from), "{header}");
    let header = header.replacen(from, to, 1);
    let mut changed = format!("napsim-model/1 {} {}\n", header.len(), hex_sha256(header.as_bytes())).into_bytes();
    changed.extend_from_slice(header.as_bytes());
    changed.extend_from_slice(&bytes[first_end + length..]);
    changed
}

#[test]
fn what_is_written_is_read() {
    let bytes = sample_bytes();
    assert!(Model::is_model(&bytes) && bytes.len() < 2000);
    let read = Model::read(&bytes).unwrap();
    assert_eq!(read, sample());
    assert_eq!(read.to_bytes().unwrap(), bytes);
    assert_eq!(read.section("names"), Ok(b"INPUT MERGE".as_slice()));
    let missing = read.section("trees").unwrap_err();
    assert_eq!(missing.to_string(), "section `trees` is missing");
}

#[test]
fn fingerprints_overlook_what_makes_no_difference() {
    let fingerprint = |change: fn(&mut Card), sections: Vec<Section>| {
        let mut card = sample().card().clone();
        change(&mut card);
        Model::new(card, sections).card().fingerprint.clone()
    };
    let sections = || sample().sections().to_vec();
    let same = sample().card().fingerprint.clone();
    assert_eq!(same.len(), 64);
    assert_eq!(fingerprint(|card| card.date.push('x'), sections()), same);
    assert_eq!(fingerprint(|card| card.data.clear(), sections()), same);
    assert_eq!(fingerprint(|card| card.metrics.clear(), sections()), same);
    let reordered = fingerprint(
        |card| card.settings = card.settings.clone().into_iter().rev().collect(),
        sections(),
    );
    assert_eq!(reordered, same);
    assert_ne!(fingerprint(|card| card.kind_version += 1, sections()), same);
    assert_ne!(fingerprint(|card| card.settings.clear(), sections()), same);
    assert_ne!(fingerprint(|_| (), sections()[..2].to_vec()), same);
}

#[test]
fn other_files_and_versions_are_named() {
    assert_eq!(
        error(b"INPUT | A1 | 1\n"),
        "it is no model file (its first line does not begin with `napsim-model/`)"
    );
    assert_eq!(
        error(b"napsim-model/2 10\nxxxx"),
        "it is a model file of version 2, and this program reads version 1"
    );
    assert_eq!(
        error(&with_header("\"ngram\"", "\"forest\"")),
        "it is a model of the unknown kind `forest`; this program knows ngram, xgboost, lstm"
    );
    assert_eq!(
        error(&with_header(FEATURES, "napsim-features/9")),
        format!("it was trained on the features napsim-features/9, and this program makes {FEATURES}")
    );
    assert!(
        error(&with_header("\"card\"", "\"cord\""))
            .starts_with("its header cannot be understood: missing field `card`")
    );
    // A fingerprint that does not go with the rest.
    assert!(error(&with_header("\"kind_version\":3", "\"kind_version\":4")).starts_with("it is damaged"));
}

#[test]
fn a_model_of_another_kind_is_refused() {
    let refused = |kind, version| sample().expect(kind, version).unwrap_err().to_string();
    assert_eq!(sample().expect(ModelKind::Ngram, 3), Ok(()));
    assert_eq!(
        refused(ModelKind::Xgboost, 3),
        "it is a model of the kind ngram, where one of the kind xgboost is needed"
    );
    assert_eq!(
        refused(ModelKind::Ngram, 1),
        "it is a model of the kind ngram, version 3, and this program reads version 1"
    );
}

#[test]
fn every_missing_and_every_changed_byte_is_noticed() {
    let bytes = sample_bytes();
    for end in 0..bytes.len() {
        assert!(Model::read(&bytes[..end]).is_err(), "cut off at {end}");
    }
    let cut = error(&bytes[..bytes.len() - 1]);
    let (there, expected) = (bytes.len() - 1, bytes.len());
    assert_eq!(
        cut,
        format!("it has {there} bytes where its header expects {expected}: the end is missing")
    );
    for idx in 0..bytes.len() {
        for bit in [1, 128] {
            let mut changed = bytes.clone();
            changed[idx] ^= bit;
            assert!(Model::read(&changed).is_err(), "bit {bit} of byte {idx}");
        }
    }
    let longer = [bytes.as_slice(), b"x"].concat();
    assert!(error(&longer).ends_with("something follows the end"));
    let mut damaged = bytes.clone();
    let names = bytes.windows(11).position(|window| window == b"INPUT MERGE").unwrap();
    damaged[names] = b'O';
    assert_eq!(
        error(&damaged),
        "it is damaged: section `names` is not what was written"
    );
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300), header in ".{0,80}") {
        let _ = Model::read(&bytes);
        let mut file = format!("napsim-model/1 {} {}\n{header}", header.len(), hex_sha256(header.as_bytes())).into_bytes();
        file.extend_from_slice(&bytes);
        prop_assert!(Model::read(&file).is_err());
    }

    #[test]
    fn no_change_of_the_header_makes_the_reader_panic(bytes in 0..u64::MAX, content_bytes in 0..u64::MAX) {
        let from = "\"packing\":\"plain\",\"bytes\":11,\"content_bytes\":11";
        let to = format!("\"packing\":\"deflate\",\"bytes\":{bytes},\"content_bytes\":{content_bytes}");
        prop_assert!(Model::read(&with_header(from, &to)).is_err());
    }
}
