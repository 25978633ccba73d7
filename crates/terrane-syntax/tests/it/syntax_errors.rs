//! Texts with syntax errors: all errors are reported at once, each at its position.

use terrane_syntax::{Bracket, Item, Tree, Value};

/// The mistakes of a text, each with the text that it points at.
fn mistakes(text: &str) -> Vec<String> {
    let tree = Tree::parse(text);
    let line = |at: usize| 1 + text[..at].matches('\n').count();
    tree.mistakes()
        .iter()
        .map(|mistake| {
            let span = mistake.span.clone();
            format!("{} {}: {}; {}", line(span.start), &text[span], mistake.message, mistake.help)
        })
        .collect()
}

#[test]
fn mistakes_are_reported_at_their_position() {
    let cases: &[(&str, &[&str])] = &[
        ("{ hills: Perlin() }", &["1 hills: names in { } need quotes; write \"hills\":"]),
        (
            "{ 'hills': Perlin() }",
            &["1 'hills': expected double quotes around text, found single quotes; \
            write \"hills\""],
        ),
        ("(a: 600,5)", &["1 5: expected a field name here; decimals follow a point: write 600.5, not 600,5"]),
        ("(a: $talus)", &["1 $talus: a graph parameter needs quotes; write \"$talus\""]),
        ("(a: 1\n b: 2)", &["1 1: expected a comma after this value; write a comma before b"]),
        (
            "{ \"a\": P(),\n \"b\": Q()\n \"c\": R() }",
            &["2 ): expected a comma after this value; write a comma before \"c\""],
        ),
        ("{ \"a\" P() }", &["1 \"a\": expected a colon after \"a\"; write \"a\": P"]),
        (
            "{ \"a\": P(), \"b\": Q(),\n\"f\" Clamp(input: \"a\") }",
            &["2 \"f\": expected a colon after \"f\"; write \"f\": Clamp"],
        ),
        ("P(octaves 3, b: 1)", &["1 octaves: expected a colon after octaves; write octaves: 3"]),
        (
            "{ \"a\": P(k: 1,\n \"b\": Q() }",
            &["1 (: this `(` is not closed before the name `\"b\"` on line 2; write `)` where it ends"],
        ),
        (
            "{ \"a\": P(k: 1 }",
            &["1 (: this `(` is not closed before the `}` on line 1; write `)` where it ends"],
        ),
        ("(a: 1))", &["1 ): this `)` closes nothing; remove it"]),
        ("{ \"a\": P(k: 1)), \"b\": Q() }", &["1 ): this `)` closes nothing; remove it"]),
        ("G(n: { \"a\": P(k: 1)), \"b\": Q() })", &["1 ): this `)` closes nothing; remove it"]),
        ("(a: [1, 2)", &["1 [: this `[` is not closed before the `)` on line 1; write `]` where it ends"]),
        (
            "(a: 1",
            &["1 (: this `(` is not closed; write `)` where it ends, or check whether the file is cut off"],
        ),
        (
            "G(\n    size: (65, 65,\n    seed: 1,\n    nodes: {},\n)",
            &["2 (: this `(` is not closed before the name `seed` on line 3; write `)` where it ends"],
        ),
        (
            "G(\n    nodes: {\n        \"a\": P(),\n    outputs: {},\n)",
            &["2 {: this `{` is not closed before the name `outputs` on line 4; write `}` where it ends"],
        ),
        ("P(octaves = 8)", &["1 =: expected a colon before the value, found `=`; write octaves: 8"]),
        (
            "P(\n    # my seed\n    seed: 1)",
            &["2 #: a comment begins with `//`, not with `#`; write // my seed"],
        ),
        (
            "P(a: 900.0 / 2, b: 1)",
            &["1 900.0 / 2: arithmetic needs quotes; write the result, or put it in quotes: \"900.0 / \
                2\""],
        ),
        (
            "P(a: 900m)",
            &["1 900m: expected a number without a unit; write 900: lengths and heights are in \
            world units"],
        ),
        ("P(a: 30%)", &["1 30%: expected a number without a unit; write 0.3, as a fraction of 1"]),
        (
            "P(a: 30deg)",
            &["1 30deg: expected a number without a unit; slopes are rise over run, such as 0.577 for 30°; \
                other \
                angles are in degrees: write 30"],
        ),
        (
            "P(a: “hills”)",
            &["1 “hills”: expected straight quotes around text, found curly quotes; write \"hills\""],
        ),
        (
            "P{\"wavelength\": 9}",
            &[
                "1 {: the fields of P belong in ( ), not in { }; write P(field: value, ...)",
                "1 \"wavelength\": field names have no quotes; write wavelength:",
            ],
        ),
        ("P(a: 1, /* hi\n)", &["1 /*: this comment is not closed; write `*/` where the comment ends"]),
        (
            "{\n    \"hills: P(w: 1, h: \"a\"),\n    \"eroded\": Q(h: \"hills\"),\n}",
            &["2 \": this quote is not closed; write the closing quote where the text ends"],
        ),
        (
            "T(height: \"hills, talus: \"$talus\", it: 3)",
            &["1 \": this quote is not closed; write the closing quote where the text ends"],
        ),
        (
            "{ \"a\": P(k: 1}, \"b\": Q(),\n \"c\": R(l: [1, 2), m: 3) }",
            &[
                "1 }: this `}` closes the `(` on line 1; write `)`",
                "2 [: this `[` is closed by the `)` on line 2; write `(`",
            ],
        ),
        (
            "G(params: ( \"a\": 1, \"b\": 2 ))",
            &["1 (: names in quotes belong in { }, not in ( ); write { \"name\": value, ... }"],
        ),
        (
            "G(nodes: [ \"a\": P(), \"b\": Q() ])",
            &["1 [: names in quotes belong in { }, not in [ ]; write { \"name\": value, ... }"],
        ),
        ("P(: 3)", &["1 :: expected a name before this `:`; write name: value"]),
        (
            "P(.5: 3)",
            &["1 .5: `.5` is not a valid field name; names consist of letters, digits and `_`, and begin \
                with a letter"],
        ),
        (
            "G(\n    nodes:\n        \"a\": P(),\n        \"b\": Q(),\n    },\n    outputs: {},\n)",
            &["2 nodes:: expected a `{` after `nodes:`; write nodes: {"],
        ),
        (
            "S(file: 1, inputs: \"a\": \"b\" }, params: {})",
            &["1 inputs:: expected a `{` after `inputs:`; write inputs: {"],
        ),
        (
            "P(a: 1 000, b: 2)",
            &["1 1 000: expected a number of digits, with a point for decimals and a hyphen for minus; \
                write 1000"],
        ),
        (
            "P(a: 1'000'000)",
            &["1 1'000'000: expected a number of digits, with a point for decimals and a hyphen for minus; \
                write \
                1000000"],
        ),
        (
            "P(a: −5)",
            &["1 −5: expected a number of digits, with a point for decimals and a hyphen for minus; write \
                -5"],
        ),
        (
            "P(a: 900 m, b: 2)",
            &["1 900 m: expected a number without a unit; write 900: lengths and heights are in world units"],
        ),
        ("P(a: [1 2])", &["1 1: expected a comma after this value; write a comma before 2"]),
        (
            "P(a: $n * 2)",
            &["1 $n * 2: arithmetic needs quotes; write the result, or put it in quotes: \"$n * 2\""],
        ),
        (
            "P(a: -(5), b: 1)",
            &["1 -(5): arithmetic needs quotes; write the result, or put it in quotes: \"-(5)\""],
        ),
        (
            "{ 'c': P(), x.png: 1 }",
            &[
                "1 'c': names in { } need quotes; write \"c\":",
                "1 x.png: names in { } need quotes; write \"x.png\":",
            ],
        ),
        (
            "P(a: ‘hills’, b: «x»)",
            &[
                "1 ‘hills’: expected straight quotes around text, found curly quotes; write \"hills\"",
                "1 «x»: expected straight quotes around text, found curly quotes; write \"x\"",
            ],
        ),
        ("{ a\": P(), \"b\": Q(h: \"a\") }", &["1 a\": expected a quote before this text; write \"a\""]),
        (
            "P(h: hills/b\", k: \"x\")\n",
            &["1 hills/b\": expected a quote before this text; write \"hills/b\""],
        ),
        (
            "{ \"a\": P(, \"b\": Q() }",
            &["1 (: this `(` is not closed before the name `\"b\"` on line 1; write `)` where it ends"],
        ),
        ("P{a: 1}", &["1 {: the fields of P belong in ( ), not in { }; write P(field: value, ...)"]),
        (
            "G(n: { \"a\": S(i: (\"b\": 1, \"c\": 2)) })",
            &["1 (: names in quotes belong in { }, not in ( ); write { \"name\": value, ... }"],
        ),
        (
            "P(a (): 1, b: 2)",
            &["1 a (): `a ()` is not a valid field name; names consist of letters, digits and `_`, and \
                    begin \
                with a letter"],
        ),
        ("P(a: 1; b: 2)", &["1 ;: expected a comma between entries, found `;`; replace it with a comma"]),
        ("P(a: , b: 2)", &["1 a: a has no value; write the value after `a:`, or leave a out"]),
        ("P(a: 1,, b: 2)", &["1 ,: expected an entry before this comma; remove the comma"]),
        ("P(\"a\": 1)", &["1 \"a\": field names have no quotes; write a:"]),
        (
            "[a: 1]",
            &["1 a: entries of a list have no names; write only the values, or use { } instead of [ \
            ]"],
        ),
        (
            "#![enable(implicit_some)]\nP()",
            &["1 #![enable(implicit_some)]: graphs do not take `#![...]`; remove it: `Some(...)` is not \
                needed anywhere"],
        ),
        (
            "P() Q()",
            &["1 Q(): unexpected text after the last bracket; remove it, or look for a bracket that \
                closes too early"],
        ),
    ];
    let mut wrong = String::new();
    for (text, expected) in cases {
        let found = mistakes(text);
        if found != *expected {
            wrong += &format!("{text}\n    found:    {found:#?}\n    expected: {expected:#?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn ten_syntax_errors_are_ten_mistakes() {
    let text = r#"Graph(
    size = (65, 65)
    seed: 3m,
    nodes: {
        "a" Perlin(octaves: 3),
        b: Perlin(wavelength: 600,5),
        "c": Clamp(input: 'ab', min 0, max: $top),
        "d": Clamp(input: "a", min: [1, 2),
        "e": Clamp(input: "a)),
    },
    outputs: { "x.png": "e", },
)"#;
    let tree = Tree::parse(text);
    let codes: Vec<&str> = tree.mistakes().iter().map(|mistake| mistake.code).collect();
    assert_eq!(
        codes,
        [
            "equals-sign",
            "missing-comma",
            "unit",
            "missing-colon",
            "unquoted-name",
            "decimal-comma",
            "single-quotes",
            "missing-colon",
            "bare-parameter",
            "open-bracket",
            "open-quote",
            "stray-bracket"
        ]
    );
    let file = tree.value().and_then(Value::call).unwrap().group();
    let nodes = file.get("nodes").and_then(Item::value).unwrap();
    let names: Vec<_> =
        nodes.group(Bracket::Curly).unwrap().items().map(|item| item.name().unwrap()).collect();
    assert_eq!(names, ["a", "b", "c", "d", "e"]);
    assert!(file.get("outputs").is_some());
}

#[test]
fn names_whose_opening_quote_is_missing_are_names() {
    let tree = Tree::parse("{ a\": P(), \"b\": Q(h: \"a\") }");
    let map = tree.value().unwrap().group(Bracket::Curly).unwrap();
    assert_eq!(map.items().map(|item| item.name().unwrap()).collect::<Vec<_>>(), ["a", "b"]);
    let fix = tree.mistakes()[0].fix.clone().unwrap();
    assert_eq!(terrane_syntax::apply(tree.text(), &[fix]), "{ \"a\": P(), \"b\": Q(h: \"a\") }");
}

#[test]
fn names_in_other_quotes_are_names_without_them() {
    for [open, close] in [["'", "'"], ["“", "”"], ["„", "“"], ["‘", "’"], ["«", "»"], ["“", "\""]]
    {
        let tree = Tree::parse(format!("{{ {open}far hills{close}: P(), \"b\": Q(h: \"far hills\") }}"));
        let map = tree.value().unwrap().group(Bracket::Curly).unwrap();
        let names: Vec<_> = map.items().map(|item| item.name().unwrap()).collect();
        assert_eq!((names, tree.mistakes().len()), (vec!["far hills", "b"], 1), "{open}{close}");
    }
}

#[test]
fn valid_ron_has_no_mistakes() {
    for text in [
        "Graph(size: (65, 65), nodes: { \"a\": P(k: [1, 2], m: Some(3), t: (1.5, -2.0)), }, /* ' */)",
        "{ \"it's\": r#\"$x\"#, \"b\": None }",
        "[(1, 2), (3, 4)]",
        "Graph(\nsize: (\n1, 2),\nnodes: {\n\"a\": P(\nk: 1),\n\"b\": Q(\nx: [\n1],\ny: 2)})",
        "P(a: -inf, b: 0xff, c: 1_000, d: .5, e: 1e-3, f: 'x', g: \"two\nlines\", h: 1u8)",
        "P (a: 1)",
    ] {
        assert_eq!(mistakes(text), [""; 0], "{text}");
    }
}

#[test]
fn reading_ends_after_the_maximum_number_of_mistakes() {
    for piece in ["a ", "\"", ")", "#\n", "'ab' ", "}{", "a;", "$a "] {
        let text = format!("G(n: {{ {}", piece.repeat(400_000 / piece.len()));
        let tree = Tree::parse(&*text);
        assert!((1..=50_000).contains(&tree.mistakes().len()), "{piece}: {}", tree.mistakes().len());
        assert_eq!(tree.text(), text);
        let items = tree.file().items().map(|item| item.text().len()).sum::<usize>();
        assert!(items <= text.len());
    }
}

#[test]
fn a_node_that_ends_behind_a_colon_leaves_the_next_nodes_as_they_are() {
    let text = "Graph(\n    nodes: {\n        \"a\": P(\n            x: 1,\n            h: \n        \
        \"b\": Q(h:\n        \"c\": R(),\n    },\n)";
    let tree = Tree::parse(text);
    let told: Vec<_> = tree.mistakes().iter().map(|mistake| mistake.code).collect();
    assert_eq!(told, ["open-bracket", "missing-value", "open-bracket", "missing-value"]);
    let nodes = tree.value().unwrap().call().unwrap().group().get("nodes").unwrap().value().unwrap();
    let names = nodes.group(Bracket::Curly).unwrap().items().map(|item| item.name().unwrap());
    assert_eq!(names.collect::<Vec<_>>(), ["a", "b", "c"]);
}

#[test]
fn wrong_brackets_are_replaced_by_the_fix() {
    for (wrong, right) in [
        (
            "G(nodes: { \"a\": P{x: 1, y: [2]}, \"b\": Q() })",
            "G(nodes: { \"a\": P(x: 1, y: [2]), \"b\": Q() })",
        ),
        ("G(nodes: [ \"a\": P(), \"b\": Q() ])", "G(nodes: { \"a\": P(), \"b\": Q() })"),
        ("G(params: (\n    \"a\": 1, // one\n))", "G(params: {\n    \"a\": 1, // one\n})"),
    ] {
        let tree = Tree::parse(wrong);
        let fixed = terrane_syntax::apply(wrong, &[tree.mistakes()[0].fix.clone().unwrap()]);
        assert_eq!(fixed, right);
        assert!(Tree::parse(fixed).mistakes().is_empty());
    }
}

/// What the fixes of a text, applied together, make of it.
fn fixed(text: &str) -> String {
    let fixes: Vec<_> =
        Tree::parse(text).mistakes().iter().filter_map(|mistake| mistake.fix.clone()).collect();
    terrane_syntax::apply(text, &fixes)
}

#[test]
fn fixes_of_what_is_read_wrongly_are_withheld() {
    let graph = |nodes: &str, rest: &str| {
        format!("Graph(\n    size: (65, 65),\n    nodes: {{\n{nodes}    }},\n{rest})\n")
    };
    // One bracket, and what is written in its place.
    for (wrong, right) in [
        ("        \"c\": Hillshade]height: \"b\"),\n", "        \"c\": Hillshade(height: \"b\"),\n"),
        ("        \"c\": Hillshade)height: \"b\"),\n", "        \"c\": Hillshade(height: \"b\"),\n"),
        ("        \"c\": Hillshade(height: \"b\"(,\n", "        \"c\": Hillshade(height: \"b\"),\n"),
    ] {
        assert_eq!(fixed(&graph(wrong, "")), graph(right, ""));
    }
    // A field behind its node gets no quotes, and an output among the fields of a graph loses none.
    for (nodes, rest) in [
        ("        \"b\": Blur(\n            height: \"a\",\n        ),\n            radius: 2.0,\n", ""),
        ("        \"a\": Perlin(),\n", "    \"x.png\": \"a\",\n    outputs: {},\n"),
        ("        \"a\": Perlin(),\n", "    \"b\": Blur(height: \"a\"),\n    outputs: {},\n"),
    ] {
        let text = graph(nodes, rest);
        assert!(!Tree::parse(&*text).mistakes().is_empty());
        assert_eq!(fixed(&text), text);
    }
    let text = graph("        \"a\": Perlin(),\n", "    outputs: {},\n");
    for one_bracket in [text.replace("65),", "65,"), text.replace("65),", "65,").replace("    ", "")] {
        assert!(!fixed(&one_bracket).contains("65.65"), "{one_bracket}");
    }
    assert_eq!(fixed(&text.replace("Graph(\n", "")), text);
}

#[test]
fn a_line_that_begins_a_map_is_missed_once() {
    let text =
        "Graph(\n    seed: 1,\n        \"a\": P(),\n        \"b\": Q(h: \"a\"),\n    },\n    outputs: {},\n)";
    let found = mistakes(text);
    assert_eq!(found, ["3 \"a\": expected `nodes: {` before `\"a\"`; write nodes: { before it"]);
}

#[test]
fn a_bracket_that_ends_before_a_name_is_closed_by_the_fix() {
    for (wrong, right) in [
        (
            "Graph(nodes: {\n    \"a\": P(x: 1,\n    \"b\": Q(h: \"a\"),\n})",
            "Graph(nodes: {\n    \"a\": P(x: 1),\n    \"b\": Q(h: \"a\"),\n})",
        ),
        (
            "Graph(nodes: {\n    \"a\": P(x: 1\n    \"b\": Q(h: \"a\"),\n})",
            "Graph(nodes: {\n    \"a\": P(x: 1),\n    \"b\": Q(h: \"a\"),\n})",
        ),
        (
            "Graph(nodes: {\n    \"a\": P(x: 1, // one\n    \"b\": Q(),\n})",
            "Graph(nodes: {\n    \"a\": P(x: 1), // one\n    \"b\": Q(),\n})",
        ),
    ] {
        let tree = Tree::parse(wrong);
        assert_eq!(tree.mistakes()[0].code, "open-bracket", "{wrong}");
        let fixed = terrane_syntax::apply(wrong, &[tree.mistakes()[0].fix.clone().unwrap()]);
        assert_eq!(fixed, right);
        assert!(Tree::parse(fixed).mistakes().is_empty());
    }
}

#[test]
fn a_quote_that_is_doubled_is_one_mistake() {
    for (wrong, right) in [
        ("Graph(nodes: { \"a\": P(h: \"\"x\", r: 3), \"b\": Q(h: \"y\") })", "h: \"x\", r"),
        ("Graph(nodes: { \"a\": P(h: \"x\"\", r: 3), \"b\": Q(h: \"y\") })", "h: \"x\", r"),
        ("Graph(nodes: {\n    \"\"a\": P(h: \"x\"),\n    \"b\": Q(h: \"y\"),\n})", "    \"a\": P"),
        ("Graph(nodes: {\n    \"a\"\": P(h: \"x\"),\n    \"b\": Q(h: \"y\"),\n})", "    \"a\": P"),
        ("Graph(outputs: {\n    \"a.png\": \"\"a b\",\n})", "\"a.png\": \"a b\","),
    ] {
        assert_eq!(Tree::parse(wrong).mistakes().len(), 1, "{wrong}: {:?}", mistakes(wrong));
        assert!(fixed(wrong).contains(right) && Tree::parse(&*fixed(wrong)).mistakes().is_empty(), "{wrong}");
    }
}

/// With a wrong bracket before it, an unclosed quote is still found on its line.
#[test]
fn a_wrong_bracket_and_an_unclosed_quote_are_two_mistakes() {
    let text = "Graph(\n    size: (65, 65),\n    nodes: {\n        \"a\": Perlin(),\n        \"b\": \
        Blur(height: \"a\"),\n    },\n    outputs: { \"b.png\": \"b\" },\n)\n";
    let wrong = text.replacen("(65,", "65,", 1).replace("\"b\": Blur", "\"b: Blur");
    assert_ne!(wrong, text);
    assert_eq!(mistakes(&wrong).len(), 2, "{:?}", mistakes(&wrong));
    assert_eq!(fixed(&wrong), text);
}
