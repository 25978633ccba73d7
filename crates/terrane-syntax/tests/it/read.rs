//! Values read by serde: the same as by the `ron` crate, with parameters, and with positions of errors.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::Deserialize;
use terrane_syntax::{NoParameters, Parameters, Problem, ReadError, Tree, Value, Wrong, fill, read};

/// Parameters by name, each with a separate text.
struct Known(BTreeMap<&'static str, Tree>);

impl Known {
    fn new(all: &[(&'static str, &'static str)]) -> Self {
        Self(all.iter().map(|(name, text)| (*name, Tree::parse(*text))).collect())
    }
}

impl Parameters for Known {
    fn get(&self, name: &str) -> Result<Value<'_>, Problem> {
        let unknown = || Problem { message: format!("`${name}` is not known"), help: "mend it".to_owned() };
        self.0.get(name).and_then(Tree::value).ok_or_else(unknown)
    }
}

#[derive(Debug, Deserialize, PartialEq)]
enum Any {
    Unit,
    New(f64),
    Row(u8, String),
    Record {
        #[serde(default)]
        a: Option<i64>,
        #[serde(default)]
        b: Vec<(f64, bool)>,
    },
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Whole {
    any: Any,
    #[serde(default)]
    map: BTreeMap<String, f32>,
    #[serde(default)]
    letter: Option<char>,
    #[serde(default)]
    list: Vec<Any>,
}

fn one<T: serde::de::DeserializeOwned>(text: &str, parameters: &dyn Parameters) -> Result<T, ReadError> {
    let tree = Tree::parse(text);
    assert_eq!(tree.mistakes(), [], "{text}");
    read(tree.value().unwrap(), parameters)
}

fn by_ron<T: serde::de::DeserializeOwned>(text: &str) -> Option<T> {
    let options = ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
    options.from_str(text).ok()
}

#[test]
fn values_are_read_as_ron_reads_them() {
    for text in [
        "Whole(any: Unit)",
        "(any: New(2), map: { \"x\": 1.5, \"y\": -2 }, letter: 'x', list: [Unit, Row(3, \"a\"), Record(a: \
        Some(-7)), Record()])",
        "(any: Record(a: 9223372036854775807, b: [(1, true), (inf, false),]), letter: None)",
        "(any: Record(a: None, b: []), letter: Some('é'))",
        "(any: Row(256, \"a\"))",
        "(any: Row(1))",
        "(any: Row(1, \"a\", 2))",
        "(any: Unit())",
        "(any: Other)",
        "(any: Unit, none: 1)",
        "()",
        "Hole(any: Unit)",
        "(any: New(\"1\"))",
        "(any: New(0x10))",
        "(any: Row(1_0, r#\"\\\"#))",
        "[]",
        "{}",
        "1",
    ] {
        assert_eq!(one::<Whole>(text, &NoParameters).ok(), by_ron::<Whole>(text), "{text}");
    }
    assert_eq!(one::<u64>("18446744073709551615", &NoParameters).unwrap(), u64::MAX);
    assert_eq!(
        one::<f32>("16777217", &NoParameters).unwrap().to_bits(),
        by_ron::<f32>("16777217").unwrap().to_bits()
    );
    assert_eq!(
        one::<ron::Value>("[1, (a: 2.5), { \"b\": true }]", &NoParameters).ok(),
        by_ron("[1, (a: 2.5), { \"b\": true }]")
    );
}

#[test]
fn a_parameter_can_replace_any_value() {
    let known = Known::new(&[
        ("n", "3"),
        ("talus", "0.5"),
        ("row", "[(1, true)]"),
        ("way", "Unit"),
        ("text", "\"$$x\""),
        ("two words", "7"),
    ]);
    let get = |text: &str| one::<Whole>(text, &known).unwrap();
    assert_eq!(get("(any: \"$way\")").any, Any::Unit);
    assert_eq!(
        get("(any: Record(a: \"$n\", b: \"$row\"))").any,
        Any::Record { a: Some(3), b: vec![(1.0, true)] }
    );
    assert_eq!(
        get("(any: Record(a: \"-2 * ($n + 1)\", b: [(\"$talus * 2\", true)]))").any,
        Any::Record { a: Some(-8), b: vec![(1.0, true)] }
    );
    assert_eq!(get("(any: New(\"$two words\"))").any, Any::New(7.0));
    assert_eq!(get("(any: New(\"-$n\"))").any, Any::New(-3.0));
    assert_eq!(get("(any: New(\"900 / 2 - 1e2\"))").any, Any::New(350.0));
    assert_eq!(get("(any: Row(1, \"$$5\"))").any, Any::Row(1, "$5".to_owned()));
    assert_eq!(get("(any: Row(1, \"$text\"))").any, Any::Row(1, "$x".to_owned()));
    assert_eq!(get("(any: Row(1, \"a $ b\"))").any, Any::Row(1, "a $ b".to_owned()));
    let filled = |text: &str| fill(Tree::parse(text).value().unwrap(), &known);
    assert_eq!(
        filled("[\"$n\", /* \"$n\" */ \"$talus * 2\", \"$$n\", \"n\"]").unwrap(),
        "[3, /* \"$n\" */ 1, \"$$n\", \"n\"]"
    );
}

#[test]
fn values_that_do_not_fit_are_reported_at_their_position() {
    let known =
        Known::new(&[("n", "3.5"), ("bad", "[1, true]"), ("self", "\"$self\""), ("twice", "\"$twice * 2\"")]);
    let error = |text: &str| {
        let error = one::<Whole>(text, &known).unwrap_err();
        format!("{}: {error}", &text[error.span.clone().unwrap()])
    };
    for (text, expected) in [
        ("(any: New(true))", "true: expected a number, found `true`"),
        ("(any: Record(b: [(1, true), (2, 3)]))", "3: expected true or false, found `3`"),
        ("(any: Record(b: [(1, true), (2)]))", "(2): expected 2 values in ( ), found `(2)` with 1 value"),
        ("(any: Record(b: \"$bad\"))", "\"$bad\": expected 2 values in ( ), found `1`"),
        ("(any: Record(a: \"$n\"))", "\"$n\": expected a whole number, found `3.5`"),
        (
            "(any: Record(a: \"$n * 3\"))",
            "\"$n * 3\": expected a whole number, found `\"$n * 3\"`, which is 10.5",
        ),
        ("(any: New(\"$m * 2\"))", "\"$m * 2\": `$m` is not known"),
        ("(any: New(\"$n * (2\"))", "\"$n * (2\": a bracket in the arithmetic is not closed"),
        ("(any: New(\"$n * \"))", "\"$n * \": expected a number, found the end of the arithmetic"),
        ("(any: New(\"1 / 0\"))", "\"1 / 0\": \"1 / 0\" does not evaluate to a finite number"),
        ("(any: New(\"steep\"))", "\"steep\": expected a number, found `\"steep\"`"),
        ("(any: New(\"3\"))", "\"3\": expected a number, found `\"3\"`"),
        ("(any: New(\"$self\"))", "\"$self\": parameters refer to each other in a circle"),
        ("(any: New(\"$twice\"))", "\"$twice\": parameters refer to each other in a circle"),
        ("(any: Row(300, \"\"))", "300: expected a whole number, found `300`"),
        ("(any: Oter)", "Oter: expected one of Unit, New, Row, Record, found `Oter`"),
        ("(any: Unit, letter: \"x\")", "\"x\": expected a character, found `\"x\"`"),
    ] {
        assert_eq!(error(text), expected, "{text}");
    }
    let error = one::<Whole>("(any: Unit, lettr: 'x')", &known).unwrap_err();
    assert!(
        matches!(&error.wrong, Wrong::Other(message) if message.contains("unknown field `lettr`")),
        "{error}"
    );
    assert_eq!(error.span, Some(12..17));
}

#[test]
fn arithmetic_is_bounded() {
    let deep = format!("\"{}1{}\"", "(".repeat(10_000), ")".repeat(10_000));
    assert!(one::<f64>(&deep, &NoParameters).is_err());
    let long = format!("\"1{}\"", " + 1".repeat(100_000));
    assert_eq!(one::<f64>(&long, &NoParameters).unwrap(), 100_001.0);
}

proptest! {
    #[test]
    fn numbers_have_the_bits_that_ron_gives_them(number in any::<f64>(), whole in any::<i64>()) {
        let text = format!("({number:?}, {whole}, {number:e})");
        let ours: (f64, i64, f64) = one(&text, &NoParameters).unwrap();
        let rons: (f64, i64, f64) = by_ron(&text).unwrap();
        prop_assert_eq!(
            (ours.0.to_bits(), ours.1, ours.2.to_bits()),
            (rons.0.to_bits(), rons.1, rons.2.to_bits())
        );
    }

    #[test]
    fn any_arithmetic_is_evaluated_or_rejected(text in "[$a-c0-9+*/(). e-]{0,24}") {
        let known = Known::new(&[("a", "2"), ("b", "-0.5")]);
        let _any = one::<f64>(&format!("{text:?}"), &known);
    }
}
