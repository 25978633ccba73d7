//! The one way to write a graph: a formatter for RON that keeps comments.
//!
//! It works on tokens and knows no schema, so that graphs, worlds and whatever comes later are formatted alike. What
//! the parser sees stays token by token, but for commas at the end; numbers and text stay as written.
//!
//! Of the crates that could do it, `ron2` and `ronfmt` drop blank lines between groups, `ron-edit` only parses, and each
//! has a parser of its own, which may take another dialect than `ron`, the one that graphs are read with.

mod flat;
mod layout;
pub mod tree;

use std::sync::Arc;

use crate::document;
use crate::report::{Diagnostics, SourceText};
use crate::tokens::{Kind, tokens};

/// The text of a file that holds `Type(field: value, ...)`, formatted; formatting again changes nothing.
///
/// Calls and tuples stand on one line where they fit into 110 columns, else with one field a line. Lists and maps that
/// begin with a line break keep it and their rows. Between entries at most one blank line stays. Comments stay beside
/// what they stood at; those behind consecutive lines are aligned. Line ends are as the first one.
///
/// # Errors
/// The mistake that keeps the text from being read, at its place; `name` is the file's name in it.
pub fn format_text(name: &str, text: &str) -> Result<String, Diagnostics> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let source = Arc::new(SourceText { name: name.to_owned(), text: text.to_owned() });
    document::call(&source, document::trim(&source.text))?;
    let mut blanks = tokens(text).filter(|token| token.kind == Kind::Blank);
    let crlf =
        blanks.find_map(|blank| blank.text.split_once('\n')).is_some_and(|(line, _)| line.ends_with('\r'));
    let line_end = if crlf { "\r\n" } else { "\n" };
    Ok(layout::write(&tree::read(text), line_end))
}

/// A value as the formatter lays it out where it begins at a column of a line with that indentation.
pub fn format_value(value: &str, indent: usize, column: usize, line_end: &str) -> String {
    layout::write_value(&tree::read(value), indent, column, line_end)
}

#[cfg(test)]
mod tests {
    use super::format_text;

    fn formatted(text: &str) -> String {
        let once = format_text("test", text).unwrap_or_else(|errors| panic!("{errors}"));
        assert_eq!(format_text("test", &once).unwrap_or_else(|errors| panic!("{errors}\n{once}")), once);
        once
    }

    #[test]
    fn a_graph_on_one_line_is_taken_apart_as_far_as_needed() {
        let long = "x: \"01234567890123456789012345678901\"";
        let text =
            format!("Graph(size:(1,2,),nodes:{{\"a\":B(),\"c\":D({long},y:1.0,z:[1,2])}},outputs:{{}},)");
        let expected = format!(
            "Graph(\n    size: (1, 2),\n    nodes: {{ \"a\": B(), \"c\": D({long}, y: 1.0, z: [1, 2]) }},\n    outputs: {{}},\n)\n"
        );
        assert_eq!(formatted(&text), expected);
        let longer = text.replace("y:1.0", &long.replace('x', "y"));
        assert!(formatted(&longer).contains(&format!("        \"a\": B(),\n        \"c\": D({long}, y")));
        let longest = longer.replace("[1,2]", "[1,2,3,4,5]");
        assert!(
            formatted(&longest).contains(&format!("D(\n            {long},\n            y: ")),
            "{}",
            formatted(&longest)
        );
    }

    #[test]
    fn comments_stay_beside_what_they_stood_at() {
        let text = "\
// of the file
/* still /* nested */ of it */

Graph( // of the graph
    // of the size


    // and more
    size: (1, 2) // behind
    , seed: 12, // also behind
    nodes: { // of nodes

        /* in front */ \"a\": B(x: /* inside */ 1, // of x
            y: 2), \"b\": // after the colon
            C(),
        // last

        // very last
    },
    list: [1, /* two */ 2 /* behind two */, 3, /* behind three */],
) // behind all
// at the end
";
        let expected = "\
// of the file
/* still /* nested */ of it */

Graph( // of the graph
    // of the size

    // and more
    size: (1, 2), // behind
    seed: 12,     // also behind
    nodes: { // of nodes
        /* in front */ \"a\": B(
            x: /* inside */ 1, // of x
            y: 2,
        ),
        \"b\": // after the colon
            C(),
        // last

        // very last
    },
    list: [1, /* two */ 2 /* behind two */, 3 /* behind three */],
) // behind all
// at the end
";
        assert_eq!(formatted(text), expected);
    }

    #[test]
    fn rows_of_lists_and_open_maps_stay_and_long_lists_are_filled() {
        let text = "A(a: [\n1, 2,\n3], b: {\n\"k\": 1, \"l\": 2,\n\"m\": 3 }, c: { \"k\": 1,\n\"l\": 2 }, d: (\n1,\n2))";
        let expected = "A(\n    a: [\n        1, 2,\n        3,\n    ],\n    b: {\n        \"k\": 1, \"l\": 2,\n        \"m\": 3,\n    },\n    c: { \"k\": 1, \"l\": 2 },\n    d: (1, 2),\n)\n";
        assert_eq!(formatted(text), expected);
        let filled = formatted(&format!("A(a: [{}])", vec!["(1.5, -2.5)"; 20].join(",")));
        let lines: Vec<&str> = filled.lines().collect();
        assert_eq!(lines.len(), 7, "{filled}");
        assert!(lines.iter().all(|line| line.len() <= 110) && lines[2].len() > 97, "{filled}");
    }

    #[test]
    fn nothing_joins_the_row_of_an_item_that_was_broken() {
        // It would fit on a line, but not with its indentation.
        let long = "x".repeat(90);
        let text = format!("A(a: [(b: \"{long}\", c: 1), (2, 3), 4])");
        let expected = format!(
            "A(\n    a: [\n        (\n            b: \"{long}\",\n            c: 1,\n        ),\n        (2, 3), 4,\n    ],\n)\n"
        );
        assert_eq!(formatted(&text), expected);
    }

    #[test]
    fn words_stay_as_written_and_line_ends_as_the_first() {
        assert_eq!(
            formatted("A(a:1.0,b:r#\"x\n  y\"#,c:1e5,d:\"\\u{41}\",e:B,f:Some(1),g:(1,))"),
            "A(\n    a: 1.0,\n    b: r#\"x\n  y\"#,\n    c: 1e5,\n    d: \"\\u{41}\",\n    e: B,\n    f: Some(1),\n    g: (1,),\n)\n"
        );
        assert_eq!(formatted("\u{feff}// c\r\nA(a: 1)"), "// c\r\nA(\r\n    a: 1,\r\n)\r\n");
        assert_eq!(formatted("A()"), "A()\n");
        assert_eq!(formatted("A( // c\n)"), "A( // c\n)\n");
        assert_eq!(formatted("A(\n/* c */)"), "A(/* c */)\n");
    }

    #[test]
    fn what_cannot_be_read_is_a_mistake_at_its_place() {
        let errors = format_text("a.ron", "A(a: 1,\n  b: [1 2])").unwrap_err();
        assert_eq!(errors.0[0].location().as_deref(), Some("a.ron:2:7"));
        assert_eq!(errors.0[0].message, "a comma is missing behind this");
        assert!(format_text("a.ron", "").is_err());
        assert!(format_text("a.ron", "A(a: 1) B").is_err());
    }
}
