//! The formatter: one canonical layout for RON that keeps comments.
//!
//! The formatter knows no schema, so graphs, worlds and any later file types have the same layout. It adds or
//! removes trailing commas and keeps all other tokens. Numbers and text stay as written.

mod flat;
pub(crate) mod groups;
mod layout;

use crate::{Mistake, TokenKind, Tree};

/// The formatted text of a file. Formatting it again changes nothing.
///
/// Calls and tuples are written on one line if they fit into 110 columns. Otherwise each field has its own
/// line. Lists and maps that begin with a line break keep it. Items that share a line stay on one line if
/// they fit. At most one blank line is kept between entries. Comments stay next to the same code. Comments at
/// the ends of consecutive lines are aligned. All line ends are like the first one.
///
/// # Errors
/// Returns the mistakes of the text if there are any. In this case the text is not formatted.
pub fn format(tree: Tree) -> Result<String, Vec<Mistake>> {
    if !tree.mistakes().is_empty() {
        return Err(tree.mistakes);
    }
    let line_end = if has_crlf(&tree) { "\r\n" } else { "\n" };
    // The formatter needs only the tokens. In a long list, nodes take more memory than tokens.
    let Tree { text, tokens, nodes, .. } = tree;
    drop(nodes);
    Ok(layout::write(&groups::read_tokens(&text, &tokens), text.len(), line_end))
}

/// Whether the first line end outside of text and comments is CRLF.
fn has_crlf(tree: &Tree) -> bool {
    let blanks =
        (0..tree.tokens().len() as u32).filter(|&at| tree.tokens()[at as usize].kind == TokenKind::Blank);
    let mut lines =
        blanks.filter_map(|at| tree.text()[tree.token_span(at)].split_once('\n').map(|(line, _)| line));
    lines.next().is_some_and(|line| line.ends_with('\r'))
}

/// The layout of a value that begins at `column` of a line with indentation `indent`.
#[must_use]
pub fn format_value(value: &str, indent: usize, column: usize, line_end: &str) -> String {
    layout::write_value(&groups::read(value), indent, column, line_end)
}

#[cfg(test)]
mod tests {
    use crate::Tree;

    fn formatted(text: &str) -> String {
        let once = super::format(Tree::parse(text)).unwrap();
        assert_eq!(super::format(Tree::parse(&*once)).unwrap(), once);
        once
    }

    #[test]
    fn a_graph_on_one_line_is_broken_where_needed() {
        let long = "x: \"01234567890123456789012345678901\"";
        let text =
            format!("Graph(size:(1,2,),nodes:{{\"a\":B(),\"c\":D({long},y:1.0,z:[1,2])}},outputs:{{}},)");
        let expected = format!(
            "Graph(\n    size: (1, 2),\n    nodes: {{ \"a\": B(), \"c\": D({long}, y: 1.0, z: [1, 2]) \
            }},\n    outputs: {{}},\n)\n"
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
    fn comments_stay_beside_their_code() {
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
        let text = "A(a: [\n1, 2,\n3], b: {\n\"k\": 1, \"l\": 2,\n\"m\": 3 }, c: { \"k\": 1,\n\"l\": 2 }, d: \
            (\n1,\n2))";
        let expected = "A(\n    a: [\n        1, 2,\n        3,\n    ],\n    b: {\n        \"k\": 1, \"l\": \
            2,\n        \"m\": 3,\n    },\n    c: { \"k\": 1, \"l\": 2 },\n    d: (1, 2),\n)\n";
        assert_eq!(formatted(text), expected);
        let filled = formatted(&format!("A(a: [{}])", vec!["(1.5, -2.5)"; 20].join(",")));
        let lines: Vec<&str> = filled.lines().collect();
        assert_eq!(lines.len(), 7, "{filled}");
        assert!(lines.iter().all(|line| line.len() <= 110) && lines[2].len() > 97, "{filled}");
    }

    #[test]
    fn no_item_joins_the_row_of_a_broken_item() {
        // The value would fit on a line, but not with its indentation.
        let long = "x".repeat(90);
        let text = format!("A(a: [(b: \"{long}\", c: 1), (2, 3), 4])");
        let expected = format!(
            "A(\n    a: [\n        (\n            b: \"{long}\",\n            c: 1,\n        ),\n        (2, \
            3), 4,\n    ],\n)\n"
        );
        assert_eq!(formatted(&text), expected);
    }

    #[test]
    fn words_stay_as_written_and_line_ends_as_the_first() {
        assert_eq!(
            formatted("A(a:1.0,b:r#\"x\n  y\"#,c:1e5,d:\"\\u{41}\",e:B,f:Some(1),g:(1,))"),
            "A(\n    a: 1.0,\n    b: r#\"x\n  y\"#,\n    c: 1e5,\n    d: \"\\u{41}\",\n    e: B,\n    f: \
            Some(1),\n    g: (1,),\n)\n"
        );
        assert_eq!(formatted("\u{feff}// c\r\nA(a: 1)"), "// c\r\nA(\r\n    a: 1,\r\n)\r\n");
        assert_eq!(formatted("A()"), "A()\n");
        assert_eq!(formatted("A( // c\n)"), "A( // c\n)\n");
        assert_eq!(formatted("A(\n/* c */)"), "A(/* c */)\n");
    }

    #[test]
    fn a_text_with_mistakes_is_left_alone() {
        let mistakes = super::format(Tree::parse("A(a: 1,\n  b: [1 2])")).unwrap_err();
        assert_eq!(mistakes[0].code, "missing-comma");
    }
}
