//! The same experiment in TOML and in YAML is read alike.

use super::*;

/// Settings of which one value can be given. The first three are for the grid, the next two for zip, the others for
/// what varies alone.
const KEYS: [&str; 8] = [
    "predictor",
    "policy",
    "max_actions",
    "stride",
    "undo-max",
    "context",
    "step_limit",
    "confidence",
];

/// A value as both syntaxes can have it.
#[derive(Clone, Debug)]
enum Value {
    /// As it is written in both.
    Number(String),
    Text(String),
    List(Vec<Value>),
    Named(String, Box<Value>),
}

/// An experiment before it is written in either syntax.
#[derive(Clone, Debug)]
struct Draft {
    /// Names of the top with their values.
    top: Vec<(&'static str, Value)>,
    /// Tables with their settings.
    tables: Vec<(&'static str, Vec<(&'static str, Value)>)>,
    lenient: bool,
    variants: Vec<Vec<(&'static str, Value)>>,
    /// Whether YAML has its tables on one line.
    is_flow: bool,
}

impl Value {
    fn toml(&self) -> String {
        match self {
            Self::Number(text) => text.clone(),
            Self::Text(text) => quoted(text),
            Self::List(items) => format!("[{}]", items.iter().map(Self::toml).collect::<Vec<_>>().join(", ")),
            Self::Named(name, value) => format!("{{ name = {}, value = {} }}", quoted(name), value.toml()),
        }
    }

    fn yaml(&self) -> String {
        match self {
            Self::Number(text) => text.clone(),
            Self::Text(text) if is_plain(text) => text.clone(),
            // A single quote is all that such text cannot have as it is.
            Self::Text(text) if !text.contains('\n') => format!("'{}'", text.replace('\'', "''")),
            Self::Text(text) => quoted(text),
            Self::List(items) => format!("[{}]", items.iter().map(Self::yaml).collect::<Vec<_>>().join(", ")),
            Self::Named(name, value) => format!("{{name: {}, value: {}}}", quoted(name), value.yaml()),
        }
    }
}

/// Whether text means itself in YAML without quotes.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_lowercase()) && !matches!(text, "" | "null" | "true" | "false")
}

/// Text in double quotes, with escapes that both syntaxes know.
fn quoted(text: &str) -> String {
    format!(
        "\"{}\"",
        text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
    )
}

impl Draft {
    fn toml(&self) -> String {
        let line = |(key, value): &(&str, Value)| format!("{key} = {}\n", value.toml());
        let mut text: String = self.top.iter().map(line).collect();
        for (table, entries) in &self.tables {
            text.push_str(&format!("[{table}]\n"));
            if *table == "base" {
                text.push_str(&format!("lenient = {}\n", self.lenient));
            }
            text.extend(entries.iter().map(line));
        }
        for entries in &self.variants {
            text.push_str("[[variant]]\n");
            text.extend(entries.iter().map(line));
        }
        text
    }

    fn yaml(&self) -> String {
        let pair = |(key, value): &(&str, Value)| format!("{key}: {}", value.yaml());
        let mut text: String = self.top.iter().map(|entry| pair(entry) + "\n").collect();
        for (table, entries) in &self.tables {
            let mut pairs: Vec<String> = entries.iter().map(pair).collect();
            if *table == "base" {
                pairs.insert(0, format!("lenient: {}", self.lenient));
            }
            if self.is_flow {
                text.push_str(&format!("{table}: {{{}}}\n", pairs.join(", ")));
            } else {
                text.push_str(&format!("{table}:\n  {}\n", pairs.join("\n  ")));
            }
        }
        if !self.variants.is_empty() {
            text.push_str("variant:\n");
        }
        for entries in &self.variants {
            let pairs: Vec<String> = entries.iter().map(pair).collect();
            text.push_str(&format!("- {}\n", pairs.join("\n  ")));
        }
        text
    }
}

fn number() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        any::<i32>().prop_map(|number| number.to_string()),
        (0_u32..99, 0_u32..99).prop_map(|(whole, fraction)| format!("{whole}.{fraction:02}")),
        prop::sample::select(vec![
            "0x1F",
            "0o17",
            "+4",
            "1e-3",
            "2.50E+2",
            "-0.0",
            "170141183460469231731687303715884105727"
        ])
        .prop_map(str::to_owned),
    ];
    text.prop_map(Value::Number)
}

/// Text, most of it what one of the syntaxes takes for something else where it stands without quotes.
fn text() -> impl Strategy<Value = String> {
    let odd = [
        "true",
        "null",
        "~",
        "yes",
        "off",
        "1.5",
        "0x10",
        ".inf",
        "- a",
        "a: b",
        "a #b",
        "{x}",
        "[y]",
        "&a",
        "*a",
        "!t",
        "'q'",
        "\"",
        "\\n",
        "%",
        "@",
        "`",
        "a=b",
        "default",
        "none",
        "Grün 表",
    ];
    prop_oneof![
        "[a-z]{1,8}",
        "[ -~]{1,10}",
        prop::sample::select(odd.to_vec()).prop_map(str::to_owned)
    ]
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![number(), text().prop_map(Value::Text)]
}

/// A list of values of a sweep, no two of which go by the same name.
fn values(length: usize) -> impl Strategy<Value = Value> {
    let item = (value(), text(), any::<bool>());
    prop::collection::vec(item, length).prop_map(|items| {
        let item = |(idx, (value, text, is_named)): (usize, (Value, String, bool))| match value {
            _ if is_named => Value::Named(format!("{idx} {text}"), Box::new(value)),
            Value::Text(text) => Value::Text(format!("{idx}_{text}")),
            _ => Value::Number(idx.to_string()),
        };
        Value::List(items.into_iter().enumerate().map(item).collect())
    })
}

/// So many keys from a place on, each with a list of values.
fn axes(
    from: usize,
    keys: usize,
    lengths: std::ops::Range<usize>,
) -> impl Strategy<Value = Vec<(&'static str, Value)>> {
    lengths.prop_flat_map(move |length| {
        let axis = move |key: usize| (Just(KEYS[key]), values(length));
        (from..from + keys).map(axis).collect::<Vec<_>>()
    })
}

fn draft() -> impl Strategy<Value = Draft> {
    let settings = || {
        prop::collection::vec((0..KEYS.len(), value()), 0..4).prop_map(|entries| {
            let mut settings: Vec<(&'static str, Value)> = Vec::new();
            for (key, value) in entries {
                if settings.iter().all(|(known, _)| *known != KEYS[key]) {
                    settings.push((KEYS[key], value));
                }
            }
            settings
        })
    };
    let triggers = prop::collection::vec(text().prop_map(Value::Text), 0..3).prop_map(Value::List);
    let top = ("[ -~\n]{0,20}", 1_u32..=10_000, 1_u32..100);
    let tables = (
        settings(),
        axes(0, 3, 1..3),
        axes(3, 2, 1..4),
        axes(5, 3, 1..3),
        triggers,
    );
    let variants = prop::collection::vec(settings(), 0..3);
    (top, tables, variants, any::<(bool, bool, bool)>()).prop_map(
        |(
            (description, repeats, first),
            (mut base, grid, zip, alone, triggers),
            variants,
            (lenient, is_flow, dashes),
        )| {
            base.push(("trigger", triggers));
            let named = |(idx, settings): (usize, Vec<(&'static str, Value)>)| {
                let mut entries = vec![("name", Value::Text(format!("variant {idx}")))];
                entries.extend(settings);
                entries
            };
            Draft {
                top: vec![
                    ("name", Value::Text("mine".to_owned())),
                    ("description", Value::Text(description)),
                    ("repeats", Value::Number(repeats.to_string())),
                    ("first", Value::Number(first.to_string())),
                ],
                tables: vec![
                    ("base", base),
                    ("grid", grid),
                    ("zip", zip),
                    (if dashes { "one-at-a-time" } else { "one_at_a_time" }, alone),
                ],
                lenient,
                variants: variants.into_iter().enumerate().map(named).collect(),
                is_flow,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn both_syntaxes_read_to_the_same_experiment(draft in draft()) {
        let of = |text: &str, syntax| {
            let mut experiment = read_as(text, syntax, &[]).map_err(|error| format!("{error}\n{text}"))?;
            experiment.variants.iter_mut().for_each(|variant| variant.line = None);
            Ok::<_, String>(experiment)
        };
        let toml = of(&draft.toml(), Syntax::Toml);
        let yaml = of(&draft.yaml(), Syntax::Yaml);
        prop_assert!(toml.is_ok(), "{:?}", toml);
        prop_assert_eq!(toml, yaml);
    }
}
