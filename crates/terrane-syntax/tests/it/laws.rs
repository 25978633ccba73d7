//! Properties of every text, valid or not.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use terrane_syntax::{Group, Tree, Value};

/// Every graph in the repository.
pub fn graphs() -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, out: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, out);
            } else if path.extension().is_some_and(|extension| extension == "ron") {
                out.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    ["graphs", "book", "tests", "examples"].iter().for_each(|folder| walk(&root.join(folder), &mut paths));
    paths.sort();
    assert!(paths.len() > 40);
    paths.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// All tokens joined.
fn joined(tree: &Tree) -> String {
    let starts = tree.tokens().iter().map(|token| token.start as usize);
    let ends = starts.clone().skip(1).chain([tree.text().len()]);
    starts.zip(ends).map(|(start, end)| &tree.text()[start..end]).collect()
}

/// Visits everything in a group. The positions of its items increase and lie within it.
fn visit(group: Group<'_>) -> usize {
    let (mut count, mut at) = (0, group.span().start);
    for item in group.items() {
        let span = item.span();
        assert!(at <= span.start && span.end <= group.span().end, "{:?} in {:?}", span, group.span());
        at = span.start;
        count += 1 + item.value().map_or(0, visit_value);
        let _names = (item.name(), item.name_span(), item.comma(), item.text());
    }
    count
}

fn visit_value(value: Value<'_>) -> usize {
    use terrane_syntax::Form;
    let _wrong = value.is_wrong();
    match value.form() {
        Form::Call(call) => {
            assert!(value.span().start <= call.name_span().start);
            visit(call.group())
        }
        Form::Group(group) => visit(group),
        _ => 1,
    }
}

fn check(text: &str) -> Tree {
    let tree = Tree::parse(text);
    assert_eq!(tree.text(), text);
    assert_eq!(joined(&tree), text);
    visit(tree.file());
    for mistake in tree.mistakes() {
        let span = &mistake.span;
        assert!(span.start < span.end && span.end <= text.len(), "{mistake:?}");
        assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end), "{mistake:?}");
        assert!(!mistake.message.is_empty() && !mistake.help.is_empty() && !mistake.label.is_empty());
        if let Some(fix) = &mistake.fix {
            assert!(
                text.is_char_boundary(fix.span.start) && text.is_char_boundary(fix.span.end),
                "{mistake:?}"
            );
        }
    }
    tree
}

/// Whether the `ron` crate accepts a text as a value.
fn is_ron(text: &str) -> bool {
    let options = ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // The `ron` crate needs a line break after a comment.
    options.from_str::<&ron::value::RawValue>(&format!("{text}\n")).is_ok()
}

#[test]
fn every_graph_is_ron_and_has_no_mistakes() {
    for (path, text) in graphs() {
        assert_eq!(check(&text).mistakes(), [], "{}", path.display());
        assert!(is_ron(&text), "{}", path.display());
    }
}

#[test]
fn every_graph_without_one_token_is_read_to_its_end() {
    for (path, text) in graphs().into_iter().filter(|(_, text)| text.len() < 6000) {
        let tree = Tree::parse(&*text);
        let starts: Vec<usize> = tree.tokens().iter().map(|token| token.start as usize).collect();
        for (index, &start) in starts.iter().enumerate() {
            let end = starts.get(index + 1).copied().unwrap_or(text.len());
            let without = format!("{}{}", &text[..start], &text[end..]);
            let broken = check(&without);
            let missed = broken.mistakes().is_empty() && !is_ron(&without);
            assert!(
                !missed,
                "{}: no mistake is reported without {:?} at {start}",
                path.display(),
                &text[start..end]
            );
        }
    }
}

#[test]
fn every_prefix_of_a_graph_is_read() {
    for (_, text) in graphs().into_iter().filter(|(_, text)| text.len() < 3000) {
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
            check(&text[..end]);
        }
    }
}

#[test]
fn deep_and_long_texts_end() {
    for bracket in ["(", "[", "{", "a(", "{\"a\":"] {
        let text = bracket.repeat(100_000);
        assert!(!check(&text).mistakes().is_empty());
        let closed = format!("{}{}", "(".repeat(100_000), ")".repeat(100_000));
        assert_eq!(check(&closed).mistakes().len(), 1);
    }
    let many = format!("P({})", "a = 1; ".repeat(10_000));
    assert_eq!(check(&many).mistakes().len(), 20_000);
    // Time and memory are bounded by the length of the text.
    for piece in
        [":", "=", "a:", "\"a\":", ": 1 ", ",", "\\\"", "\"\\", "„", "“", "'", "#!", "}", "a\"", "r#\""]
    {
        let text = format!("Graph(a{})", piece.repeat(60_000));
        assert!(check(&text).mistakes().len() <= 50_000, "{piece}");
    }
}

/// `char::is_whitespace` knows more blanks than RON does: texts end in each of them.
#[test]
fn blanks_that_ron_does_not_know_are_named() {
    for blank in ('\u{0}'..=char::MAX).filter(|c| c.is_whitespace()) {
        for text in ["\"\"{}", "P(a: 1){}", "P(a: {}", "P(a: \"b{}", "P(\n{}a: 1,{}b: 2){} # c{}", "{}"] {
            let text = text.replace("{}", &blank.to_string());
            let tree = check(&text);
            assert!(is_ron(&text) || !tree.mistakes().is_empty() || tree.value().is_none(), "{text:?}");
        }
    }
}

/// Texts of random pieces of graphs.
fn soup() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "(", ")", "[", "]", "{", "}", ",", ":", "\"", "\"a\"", "'", "a", "P(", "1", "-2.5", "$x", "//", "/*",
        "*/", "\n", " ", "=", ";", "#", "#![", "r#\"", "\\", "“", "é", "\u{feff}", "900m", "+", "/", "None",
        "Some(", "\r\n", "\"$a\"",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

/// Valid RON.
fn values() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("1".to_owned()),
        Just("-2.5e3".to_owned()),
        Just("\"a, (\"".to_owned()),
        Just("Wrap".to_owned()),
        Just("r#\"\"\"#".to_owned()),
        Just("'x'".to_owned()),
        Just("true".to_owned()),
    ];
    let gap = prop::sample::select(vec!["", " ", "\n  ", " // why\n", "/* a */"]);
    leaf.prop_recursive(4, 40, 4, move |inner| {
        let items = prop::collection::vec((inner, gap.clone()), 0..4);
        (items, 0..4, any::<bool>()).prop_map(|(items, form, comma)| {
            let comma = if comma && !items.is_empty() { "," } else { "" };
            let row = |named: &dyn Fn(usize) -> String| {
                let items: Vec<String> = items
                    .iter()
                    .enumerate()
                    .map(|(i, (item, gap))| format!("{gap}{}{item}{gap}", named(i)))
                    .collect();
                items.join(",") + comma
            };
            match form {
                0 => format!("[{}]", row(&|_| String::new())),
                1 => format!("{{{}}}", row(&|i| format!("\"k{i}\": "))),
                2 => format!("P({})", row(&|i| format!("k{i}: "))),
                _ => format!("({})", row(&|_| String::new())),
            }
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn any_text_is_read_whole(text in soup()) {
        check(&text);
    }

    #[test]
    fn any_characters_are_read_whole(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn valid_ron_has_no_mistakes(text in values()) {
        prop_assert!(is_ron(&text), "{}", text);
        let tree = check(&text);
        prop_assert!(tree.mistakes().is_empty(), "{}: {:?}", text, tree.mistakes());
    }

    #[test]
    fn a_text_without_mistakes_is_valid_ron(text in soup()) {
        let tree = check(&text);
        if tree.mistakes().is_empty() && tree.value().is_some() {
            prop_assert!(is_ron(&text), "{}", text);
        }
    }
}
