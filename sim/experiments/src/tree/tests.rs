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
