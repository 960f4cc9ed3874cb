//! Tests of reading trees.

use super::*;

#[test]
fn lines_are_those_of_the_file() {
    let toml = read("\n[base]\nb = [\n 1,\n 2,\n]\na = 3\n", Syntax::Toml).unwrap();
    let yaml = read("\nbase:\n  b:\n  - 1\n  - 2\n\n  a: 3\n", Syntax::Yaml).unwrap();
    for tree in [toml, yaml] {
        assert_eq!(tree[0].at, At::Line(2));
        let Kind::Table(entries) = &tree[0].value.kind else {
            panic!("no table")
        };
        let keys: Vec<&str> = entries.iter().map(|entry| entry.key.as_str()).collect();
        assert_eq!(keys, ["b", "a"]);
        let Kind::List(items) = &entries[0].value.kind else {
            panic!("no list")
        };
        assert_eq!(
            (items[0].at, items[1].at, entries[1].at),
            (At::Line(4), At::Line(5), At::Line(7))
        );
    }
}

/// What a tree says, as JSON.
fn json(kind: &Kind) -> serde_json::Value {
    match kind {
        Kind::Nothing => serde_json::Value::Null,
        Kind::Flag(flag) => (*flag).into(),
        Kind::Number(text) => serde_json::from_str(text).unwrap(),
        Kind::Text(text) => text.as_str().into(),
        Kind::List(items) => items.iter().map(|item| json(&item.kind)).collect(),
        Kind::Table(entries) => {
            let members = entries.iter().map(|entry| (entry.key.clone(), json(&entry.value.kind)));
            serde_json::Value::Object(members.collect())
        }
    }
}

/// The schema is otherwise only held against TOML (`tests/files.rs`).
#[test]
fn experiments_in_yaml_keep_to_the_schema() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let schema = std::fs::read_to_string(root.join("docs/schemas/napsim-experiment-1.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let [toml, yaml] = ["first.toml", "first.yaml"].map(|name| {
        let text = std::fs::read_to_string(root.join("experiments").join(name)).unwrap();
        json(&Kind::Table(
            read(&text, Syntax::of_file(Path::new(name)).unwrap()).unwrap(),
        ))
    });
    assert_eq!(toml, yaml);
    let errors: Vec<String> = validator.iter_errors(&yaml).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    for wrong in [
        "base: {strid: 1}",
        "grid: {stride: 1}",
        "variant: {name: a}",
        "repeats: 1.5",
        "x: ~",
    ] {
        let tree = json(&Kind::Table(read(wrong, Syntax::Yaml).unwrap()));
        assert!(!validator.is_valid(&tree), "the schema takes {wrong:?}");
    }
}

#[test]
fn byte_order_marks_are_passed_over() {
    for syntax in [Syntax::Toml, Syntax::Yaml] {
        assert_eq!(read("\u{feff}# nothing\n", syntax).unwrap().len(), 0);
    }
}

#[test]
fn endings_tell_the_syntax() {
    let of = |file: &str| Syntax::of_file(Path::new(file));
    assert_eq!(
        (of("a.TOML"), of("a.yml"), of("b.yaml")),
        (Some(Syntax::Toml), Some(Syntax::Yaml), Some(Syntax::Yaml))
    );
    assert_eq!((of("a.json"), of("toml")), (None, None));
}
