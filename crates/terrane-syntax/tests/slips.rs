//! What is told of texts with slips in them: every one of them at once, each at its place.

use terrane_syntax::{Item, Tree, Value};

/// The mistakes of a text, each with what it points at.
fn told(text: &str) -> Vec<String> {
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
fn slips_are_told_where_they_are() {
    let cases: &[(&str, &[&str])] = &[
        ("{ hills: Perlin() }", &["1 hills: names in { } stand in quotes; write \"hills\":"]),
        ("{ 'hills': Perlin() }", &["1 'hills': text stands in double quotes; write \"hills\""]),
        (
            "(a: 600,5)",
            &["1 5: a field's name was expected here; decimals follow a point: write 600.5, not 600,5"],
        ),
        ("(a: $talus)", &["1 $talus: a parameter of the graph stands in quotes; write \"$talus\""]),
        ("(a: 1\n b: 2)", &["1 1: a comma is missing after this; write a comma before b"]),
        (
            "{ \"a\": P(),\n \"b\": Q()\n \"c\": R() }",
            &["2 ): a comma is missing after this; write a comma before \"c\""],
        ),
        ("{ \"a\" P() }", &["1 \"a\": a colon is missing after \"a\"; write \"a\": P"]),
        (
            "{ \"a\": P(), \"b\": Q(),\n\"f\" Clamp(input: \"a\") }",
            &["2 \"f\": a colon is missing after \"f\"; write \"f\": Clamp"],
        ),
        ("P(octaves 3, b: 1)", &["1 octaves: a colon is missing after octaves; write octaves: 3"]),
        (
            "{ \"a\": P(k: 1,\n \"b\": Q() }",
            &["1 (: this `(` is not closed before the name `\"b\"` of line 2; write `)` where it ends"],
        ),
        (
            "{ \"a\": P(k: 1 }",
            &["1 (: this `(` is not closed before the `}` of line 1; write `)` where it ends"],
        ),
        ("(a: 1))", &["1 ): this `)` closes nothing; remove it"]),
        ("{ \"a\": P(k: 1)), \"b\": Q() }", &["1 ): this `)` closes nothing; remove it"]),
        ("G(n: { \"a\": P(k: 1)), \"b\": Q() })", &["1 ): this `)` closes nothing; remove it"]),
        ("(a: [1, 2)", &["1 [: this `[` is not closed before the `)` of line 1; write `]` where it ends"]),
        (
            "(a: 1",
            &["1 (: this `(` is not closed; write `)` where it ends; or was the file not saved whole?"],
        ),
        (
            "G(\n    size: (65, 65,\n    seed: 1,\n    nodes: {},\n)",
            &["2 (: this `(` is not closed before the name `seed` of line 3; write `)` where it ends"],
        ),
        (
            "G(\n    nodes: {\n        \"a\": P(),\n    outputs: {},\n)",
            &["2 {: this `{` is not closed before the name `outputs` of line 4; write `}` where it ends"],
        ),
        ("P(octaves = 8)", &["1 =: a value is given with a colon, not with `=`; write octaves: 8"]),
        (
            "P(\n    # my seed\n    seed: 1)",
            &["2 #: a comment begins with `//`, not with `#`; write // my seed"],
        ),
        (
            "P(a: 900.0 / 2, b: 1)",
            &["1 900.0 / 2: arithmetic stands in quotes; write the result, or put it in quotes: \"900.0 / \
                2\""],
        ),
        ("P(a: 900m)", &["1 900m: numbers have no units; write 900: lengths and heights are in world units"]),
        ("P(a: 30%)", &["1 30%: numbers have no units; write 0.3, as a share of 1"]),
        (
            "P(a: 30deg)",
            &["1 30deg: numbers have no units; slopes are rise over run, such as 0.577 for 30°; other \
                angles are in degrees: write 30"],
        ),
        (
            "P(a: “hills”)",
            &["1 “hills”: text stands in straight quotes, and these are curly; write \"hills\""],
        ),
        (
            "P{\"wavelength\": 9}",
            &["1 {: the fields of P stand in ( ), not in { }; write P(field: value, ...)"],
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
                "1 }: this `}` closes the `(` of line 1; write `)`",
                "2 ): this `)` closes the `[` of line 2; write `]`",
            ],
        ),
        (
            "G(params: ( \"a\": 1, \"b\": 2 ))",
            &["1 (: names in quotes stand in { }, not in ( ); write { \"name\": value, ... }"],
        ),
        (
            "G(nodes: [ \"a\": P(), \"b\": Q() ])",
            &["1 [: names in quotes stand in { }, not in [ ]; write { \"name\": value, ... }"],
        ),
        ("P(: 3)", &["1 :: a name is missing before this `:`; write name: value"]),
        (
            "P(.5: 3)",
            &["1 .5: `.5` cannot be the name of a field; names have letters, digits and `_`, and begin \
                with a letter"],
        ),
        (
            "G(\n    nodes:\n        \"a\": P(),\n        \"b\": Q(),\n    },\n    outputs: {},\n)",
            &["3 \"a\": a `{` is missing after `nodes:`; write nodes: {"],
        ),
        (
            "S(file: 1, inputs: \"a\": \"b\" }, params: {})",
            &["1 \"a\": a `{` is missing after `inputs:`; write inputs: {"],
        ),
        (
            "P(a: 1 000, b: 2)",
            &["1 1 000: numbers are written with digits, a point and a hyphen as their minus; write 1000"],
        ),
        (
            "P(a: 1'000'000)",
            &["1 1'000'000: numbers are written with digits, a point and a hyphen as their minus; write \
                1000000"],
        ),
        (
            "P(a: −5)",
            &["1 −5: numbers are written with digits, a point and a hyphen as their minus; write -5"],
        ),
        (
            "P(a: 900 m, b: 2)",
            &["1 900 m: numbers have no units; write 900: lengths and heights are in world units"],
        ),
        ("P(a: [1 2])", &["1 1: a comma is missing after this; write a comma before 2"]),
        (
            "P(a: $n * 2)",
            &["1 $n * 2: arithmetic stands in quotes; write the result, or put it in quotes: \"$n * 2\""],
        ),
        (
            "P(a: -(5), b: 1)",
            &["1 -(5): arithmetic stands in quotes; write the result, or put it in quotes: \"-(5)\""],
        ),
        (
            "{ 'c': P(), x.png: 1 }",
            &[
                "1 'c': names in { } stand in quotes; write \"c\":",
                "1 x.png: names in { } stand in quotes; write \"x.png\":",
            ],
        ),
        (
            "P(a: ‘hills’, b: «x»)",
            &[
                "1 ‘hills’: text stands in straight quotes, and these are curly; write \"hills\"",
                "1 «x»: text stands in straight quotes, and these are curly; write \"x\"",
            ],
        ),
        ("{ a\": P(), \"b\": Q(h: \"a\") }", &["1 a\": the quote before this is missing; write \"a\""]),
        (
            "P(h: hills/b\", k: \"x\")\n",
            &["1 hills/b\": the quote before this is missing; write \"hills/b\""],
        ),
        (
            "{ \"a\": P(, \"b\": Q() }",
            &["1 (: this `(` is not closed before the name `\"b\"` of line 1; write `)` where it ends"],
        ),
        ("P{a: 1}", &["1 {: the fields of P stand in ( ), not in { }; write P(field: value, ...)"]),
        (
            "G(n: { \"a\": S(i: (\"b\": 1, \"c\": 2)) })",
            &["1 (: names in quotes stand in { }, not in ( ); write { \"name\": value, ... }"],
        ),
        (
            "P(a (): 1, b: 2)",
            &["1 a (): `a ()` cannot be the name of a field; names have letters, digits and `_`, and begin \
                with a letter"],
        ),
        ("P(a: 1; b: 2)", &["1 ;: entries are separated by commas; write a comma in its place"]),
        ("P(a: , b: 2)", &["1 a: a has no value; write the value after `a:`, or leave a out"]),
        ("P(a: 1,, b: 2)", &["1 ,: nothing stands before this comma; remove it"]),
        ("P(\"a\": 1)", &["1 \"a\": names of fields stand without quotes; write a:"]),
        ("[a: 1]", &["1 a: entries of a list have no names; write the values alone, or { } in place of [ ]"]),
        (
            "#![enable(implicit_some)]\nP()",
            &["1 #![enable(implicit_some)]: graphs have no `#![...]`; leave it out: `Some(...)` is not \
                needed anywhere"],
        ),
        (
            "P() Q()",
            &["1 Q(): nothing may stand after the last bracket; remove it, or look for a bracket that \
                closes too early"],
        ),
    ];
    let mut wrong = String::new();
    for (text, expected) in cases {
        let told = told(text);
        if told != *expected {
            wrong += &format!("{text}\n    told:     {told:#?}\n    expected: {expected:#?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn ten_slips_are_ten_mistakes() {
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
    let names: Vec<_> = nodes
        .group(terrane_syntax::Bracket::Curly)
        .unwrap()
        .items()
        .map(|item| item.name().unwrap())
        .collect();
    assert_eq!(names, ["a", "b", "c", "d", "e"]);
    assert!(file.get("outputs").is_some());
}

#[test]
fn names_whose_opening_quote_is_missing_are_names() {
    let tree = Tree::parse("{ a\": P(), \"b\": Q(h: \"a\") }");
    let map = tree.value().unwrap().group(terrane_syntax::Bracket::Curly).unwrap();
    assert_eq!(map.items().map(|item| item.name().unwrap()).collect::<Vec<_>>(), ["a", "b"]);
    let fix = tree.mistakes()[0].fix.clone().unwrap();
    assert_eq!(terrane_syntax::apply(tree.text(), &[fix]), "{ \"a\": P(), \"b\": Q(h: \"a\") }");
}

#[test]
fn what_is_ron_has_no_mistakes() {
    for text in [
        "Graph(size: (65, 65), nodes: { \"a\": P(k: [1, 2], m: Some(3), t: (1.5, -2.0)), }, /* ' */)",
        "{ \"it's\": r#\"$x\"#, \"b\": None }",
        "[(1, 2), (3, 4)]",
        "Graph(\nsize: (\n1, 2),\nnodes: {\n\"a\": P(\nk: 1),\n\"b\": Q(\nx: [\n1],\ny: 2)})",
        "P(a: -inf, b: 0xff, c: 1_000, d: .5, e: 1e-3, f: 'x', g: \"two\nlines\", h: 1u8)",
        "P (a: 1)",
    ] {
        assert_eq!(told(text), [""; 0], "{text}");
    }
}

#[test]
fn so_many_mistakes_that_it_is_something_else_end_the_reading() {
    for piece in ["a ", "\"", ")", "#\n", "'ab' ", "}{", "a;", "$a "] {
        let text = format!("G(n: {{ {}", piece.repeat(400_000 / piece.len()));
        let tree = Tree::parse(&*text);
        assert!((1..=50_000).contains(&tree.mistakes().len()), "{piece}: {}", tree.mistakes().len());
        assert_eq!(tree.text(), text);
        let items = tree.file().items().map(|item| item.text().len()).sum::<usize>();
        assert!(items <= text.len());
    }
}
