//! Converts values of a [`Shape`] to JSON and to RON. JSON is for user interfaces that edit values without
//! knowing their types. RON is for files.
//!
//! | shape | JSON |
//! |---|---|
//! | bool, number, text | the same |
//! | choice | its name |
//! | list, tuple | an array |
//! | optional | `null`, or the value |
//! | record | `{"name": …, "fields": {…}}`, with the fields that are set |
//!
//! Numbers may also be JSON strings, since JSON readers may round numbers. Whole numbers beyond 2⁵³ are
//! always written as strings.

mod read;
mod write;

use serde_json::Value as Json;

use crate::model::param::Shape;

/// Up to this whole number, every JSON reader distinguishes neighbouring numbers.
const EXACT: u64 = 1 << 53;

/// Values of a shape as JSON and as RON.
pub trait Literal {
    /// A RON value as JSON. `None` if the value does not have this shape, or if JSON cannot express it, such
    /// as an infinity.
    fn json(&self, ron: &str) -> Option<Json>;

    /// A JSON value as RON on one line, for a graph. Text is quoted so that it is plain text for every
    /// reader, including one that resolves `"$name"`.
    ///
    /// # Errors
    /// If the value does not fit the shape: the position, what was expected there, and what was found.
    fn ron(&self, value: &Json) -> Result<String, String>;
}

impl Literal for Shape {
    fn json(&self, ron: &str) -> Option<Json> {
        read::json(self, ron)
    }
    fn ron(&self, value: &Json) -> Result<String, String> {
        write::ron(self, value)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::{Json, Literal as _};
    use crate::language::GraphText;
    use crate::model::origin::Slot;
    use crate::model::param::{ChoiceSpec, RecordField, RecordSpec, Shape, read_value};

    const CHOICES: &[ChoiceSpec] =
        &[ChoiceSpec { name: "None", docs: "" }, ChoiceSpec { name: "Wrap", docs: "" }];
    const RECORDS: &[RecordSpec] = &[
        RecordSpec {
            name: "Noise",
            docs: "",
            fields: &[
                RecordField { name: "weight", docs: "", kind: "number" },
                RecordField { name: "seed", docs: "", kind: "integer" },
                RecordField { name: "smooth", docs: "", kind: "boolean" },
                RecordField { name: "title", docs: "", kind: "string" },
            ],
        },
        RecordSpec { name: "Nothing", docs: "", fields: &[] },
    ];

    /// Any shape, a few levels deep.
    fn shapes() -> impl Strategy<Value = Shape> {
        let leaf = prop_oneof![
            Just(Shape::Bool),
            Just(Shape::Float),
            Just(Shape::Integer { min: i64::MIN.into(), max: u64::MAX.into() }),
            Just(Shape::Text),
            Just(Shape::NumberOrPlace),
            Just(Shape::NumberOrNamed("File")),
            Just(Shape::Choice(CHOICES)),
            Just(Shape::Record(RECORDS)),
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                inner.clone().prop_map(|item| Shape::List(Box::new(item))),
                // JSON has only one `null` for nested options.
                inner.clone().prop_map(|item| match item {
                    Shape::Optional(_) => item,
                    item => Shape::Optional(Box::new(item)),
                }),
                prop::collection::vec(inner, 2..4).prop_map(Shape::Tuple),
            ]
        })
    }

    /// Text with everything that could end a quotation, a value or a file.
    fn text() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            any::<char>().prop_map(String::from),
            prop::sample::select(vec![
                "\"", "\\", "$", "\"$k\"", "\n", "//", "/*", ")", "]", ",", "\u{0}", "é", "\u{2028}"
            ])
            .prop_map(str::to_owned),
        ];
        prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
    }

    fn integers() -> impl Strategy<Value = Json> {
        let encoded =
            |exact: bool, text: String, number: Json| if exact { number } else { Json::String(text) };
        prop_oneof![
            any::<i64>().prop_map(move |n| encoded(
                n.unsigned_abs() <= super::EXACT,
                n.to_string(),
                json!(n)
            )),
            any::<u64>().prop_map(move |n| encoded(n <= super::EXACT, n.to_string(), json!(n))),
            (-100_i64..100).prop_map(|n| json!(n)),
        ]
    }

    /// Any value of a shape.
    fn values(shape: &Shape) -> BoxedStrategy<Json> {
        match shape {
            Shape::Bool => any::<bool>().prop_map(Json::from).boxed(),
            Shape::Float => prop_oneof![any::<f64>(), -10.0..10.0]
                .prop_filter("JSON has only finite numbers", |n| n.is_finite())
                .prop_map(Json::from)
                .boxed(),
            Shape::Integer { .. } => integers().boxed(),
            Shape::Text | Shape::File => text().prop_map(Json::from).boxed(),
            Shape::Choice(choices) => {
                prop::sample::select(*choices).prop_map(|choice| json!(choice.name)).boxed()
            }
            Shape::Record(records) => prop::sample::select(*records)
                .prop_flat_map(|record| {
                    let fields: Vec<_> = record
                        .fields
                        .iter()
                        .map(|field| {
                            prop::option::of(values(&field.shape())).prop_map(|value| (field.name, value))
                        })
                        .collect();
                    fields.prop_map(move |fields| {
                        let given =
                            fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
                        json!({ "name": record.name, "fields": Json::Object(given.collect()) })
                    })
                })
                .boxed(),
            Shape::List(item) => prop::collection::vec(values(item), 0..4).prop_map(Json::from).boxed(),
            Shape::Tuple(items) => items.iter().map(values).collect::<Vec<_>>().prop_map(Json::from).boxed(),
            Shape::Optional(item) => prop_oneof![Just(Json::Null), values(item)].boxed(),
            Shape::Map => unreachable!("no parameter of a node is a map"),
            &Shape::NumberOrNamed(name) => {
                let named = text().prop_map(move |text| json!({ name: text }));
                prop_oneof![values(&Shape::Float), named].boxed()
            }
            Shape::NumberOrPlace => {
                let place = [values(&Shape::Float), values(&Shape::Float)];
                prop_oneof![any::<u32>().prop_map(Json::from), place.prop_map(|place| json!(place))].boxed()
            }
        }
    }

    fn shaped() -> impl Strategy<Value = (Shape, Json, Json)> {
        shapes().prop_flat_map(|shape| {
            let (one, other) = (values(&shape), values(&shape));
            (Just(shape), one, other)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

        /// A value that is set in a file reads back the same, whatever value it replaced. Every other byte of
        /// the file is kept.
        #[test]
        fn a_value_of_any_shape_survives_a_file(
            (shape, before, after) in shaped(),
            crlf in any::<bool>(),
        ) {
            let end = if crlf { "\r\n" } else { "\n" };
            let head = format!("Graph( // one{end}    nodes: {{ \"a\":  B( x: 1 , /* two */ y:  \
                ").replace("\n\n", "\n");
            let tail = format!(" /* three */, z: [1,2] ) }}, // four{end}){end}");
            let old = shape.ron(&before).unwrap();
            let new = shape.ron(&after).unwrap();
            let text = format!("{head}{old}{tail}");
            let slot = Slot::Field { node: "a".to_owned(), field: "y".to_owned() };
            let mut graph = GraphText::new(&text).unwrap();
            graph.set_slot(&slot, &new).unwrap();
            let changed = graph.text();
            let value = changed.strip_prefix(&head).and_then(|rest| rest.strip_suffix(&tail));
            let value =
                value.ok_or_else(|| TestCaseError::fail(format!("other bytes changed: {changed}")))?;
            prop_assert_eq!(shape.json(value), Some(after));
            prop_assert!(!value.contains("\"$"), "{} would be a binding", value);
        }

        #[test]
        fn no_value_of_another_shape_is_written(shape in shapes(), other in shaped()) {
            if let Ok(text) = shape.ron(&other.1) {
                prop_assert_eq!(shape.json(&text).map(|json| shape.ron(&json)), Some(Ok(text)));
            }
        }
    }

    #[test]
    fn text_never_becomes_a_binding_and_never_ends_early() {
        for text in ["$rough", "a\"$b\"", "\\", "\"), \"x\": Ramp(", "\n\u{7f}"] {
            let ron = Shape::Text.ron(&json!(text)).unwrap();
            assert!(!ron.contains("\"$"), "{ron}");
            assert_eq!(read_value::<String>(&ron).unwrap(), text);
        }
    }

    #[test]
    fn errors_state_the_position_and_what_was_expected() {
        let pairs = Shape::List(Box::new(Shape::Tuple(vec![Shape::Float, Shape::Text])));
        for (value, expected) in [
            (json!([[1, "a"], [true, "b"]]), "item 2, value 1: expected a number, found true"),
            (json!([[1]]), "item 1: expected (a number, quoted text), found [1]"),
            (
                json!({ "name": "x" }),
                "expected a list [...] of (a number, quoted text), found {\"name\":\"x\"}",
            ),
            (json!([["1e999", "a"]]), "item 1, value 1: expected a number, found \"1e999\""),
        ] {
            assert_eq!(pairs.ron(&value).unwrap_err(), expected);
        }
        let records = Shape::Record(RECORDS);
        let error = |value: Json| records.ron(&value).unwrap_err();
        assert!(
            error(json!({ "name": "Noize", "fields": {} })).contains("Noise(weight, seed, smooth, title)")
        );
        assert_eq!(
            error(json!({ "name": "Noise", "fields": { "seed": 0.5 } })),
            "field seed: expected a whole number, found 0.5"
        );
        assert_eq!(
            error(json!({ "name": "Noise", "fields": { "sede": 1 } })),
            "expected a field of Noise(weight, seed, smooth, title), found \"sede\""
        );
        let byte = Shape::Integer { min: 0, max: 255 };
        assert_eq!(byte.ron(&json!(256)).unwrap_err(), "expected a whole number from 0 to 255, found 256");
        assert_eq!(byte.json("None"), None, "only an option can be left out");
        assert_eq!(byte.ron(&json!("7")).as_deref(), Ok("7"));
    }

    #[test]
    fn depth_and_size_are_bounded() {
        let deep = (0..40).fold(Shape::Bool, |inner, _| Shape::List(Box::new(inner)));
        let value = (0..40).fold(json!(true), |inner, _| json!([inner]));
        assert!(deep.ron(&value).unwrap_err().contains("nested too deep"));
        let long = Json::from(vec![1.5; 40_000]);
        assert!(Shape::List(Box::new(Shape::Float)).ron(&long).unwrap_err().contains("too long"));
        assert!(Shape::Text.ron(&json!("x".repeat(70_000))).unwrap_err().contains("too long"));
    }

    #[test]
    fn hand_written_values_are_read() {
        let shape =
            Shape::Optional(Box::new(Shape::Tuple(vec![Shape::Float, Shape::Integer { min: 0, max: 9 }])));
        for text in ["(1, 2)", "Some((1.0, 2))", "( 1e0, /* two */ 2, )"] {
            assert_eq!(shape.json(text), Some(json!([1.0, 2])), "{text}");
        }
        assert_eq!(shape.json("None"), Some(Json::Null));
        for other in ["inf", "(inf, 2)", "(1.0, 2.5)", "(1.0)", "\"$x\""] {
            assert_eq!(shape.json(other), None, "{other}");
        }
        for (text, json) in
            [("7", json!(7)), ("(1, -2.5)", json!([1.0, -2.5])), ("( 1e0, 2, )", json!([1.0, 2.0]))]
        {
            assert_eq!(Shape::NumberOrPlace.json(text), Some(json), "{text}");
        }
        for other in ["-1", "1.5", "(1)", "(1, 2, 3)", "\"x\"", "4294967296"] {
            assert_eq!(Shape::NumberOrPlace.json(other), None, "{other}");
        }
        let named = Shape::NumberOrNamed("File");
        for (text, json) in [("7", json!(7.0)), ("0.1", json!(0.1)), ("File(\"a\")", json!({ "File": "a" }))]
        {
            assert_eq!(named.json(text), Some(json), "{text}");
        }
        for other in ["Other(\"a\")", "(\"a\")", "File(1)", "File", "\"a\""] {
            assert_eq!(named.json(other), None, "{other}");
        }
        let record = Shape::Record(RECORDS);
        assert_eq!(
            record.json("Noise(seed: 18446744073709551615)"),
            Some(json!({ "name": "Noise", "fields": { "seed": "18446744073709551615" } }))
        );
        assert_eq!(record.json("Noise(sede: 1)"), None);
    }
}
