//! Messages for the syntax errors that people make when they write graphs by hand.

use std::ops::Range;

use crate::mistake::Mistake;
use crate::token::Bracket;
use crate::words::is_name;

type Span = Range<usize>;

pub fn attribute(span: Span) -> Mistake {
    let help = "remove it: `Some(...)` is not needed anywhere";
    Mistake::new(
        "attribute",
        span.clone(),
        "graphs do not take `#![...]`",
        "not \
        needed",
        help,
    )
    .fixed_by(span, "")
}

pub fn hash_comment(at: usize, text: &str) -> Mistake {
    let span = at..at + 1;
    let help = format!("write //{}", &text[1..]);
    Mistake::new(
        "hash-comment",
        span.clone(),
        "a comment begins with `//`, not with `#`",
        "not a comment in RON",
        help,
    )
    .fixed_by(span, "//")
}

pub fn curly_quotes(span: Span, inner: Option<&str>) -> Mistake {
    let message = "expected straight quotes around text, found curly quotes";
    let mistake = |help: String| Mistake::new("curly-quotes", span.clone(), message, "curly quotes", help);
    match inner {
        Some(inner) => mistake(format!("write \"{inner}\"")).fixed_by(span.clone(), format!("\"{inner}\"")),
        None => mistake("write \" in its place".to_owned()),
    }
}

pub fn single_quotes(span: Span, inner: &str) -> Mistake {
    let text = format!("\"{}\"", inner.replace("\\'", "'").replace('"', "\\\""));
    let help = format!("write {text}");
    let mistake = Mistake::new(
        "single-quotes",
        span.clone(),
        "expected double quotes around text, found single \
            quotes",
        "single quotes",
        help,
    );
    mistake.fixed_by(span, text)
}

pub fn doubled_quote(span: Span) -> Mistake {
    Mistake::new("doubled-quote", span.clone(), "this quote is one too many", "there are two", "remove it")
        .fixed_by(span, "")
}

pub fn open_quote(span: Span) -> Mistake {
    Mistake::new(
        "open-quote",
        span,
        "this quote is not closed",
        "opened here",
        "write the closing quote where the text ends",
    )
}

/// Text with a closing quote but without an opening one.
pub fn missing_quote(span: Span, inner: &str) -> Mistake {
    let start = span.start;
    let help = format!("write \"{inner}\"");
    Mistake::new("missing-quote", span, "expected a quote before this text", "no opening quote", help)
        .fixed_by(start..start, "\"")
}

/// A name of several words without quotes.
pub fn missing_quotes(span: Span, inner: &str) -> Mistake {
    let help = format!("write \"{inner}\"");
    let fix = format!("\"{inner}\"");
    Mistake::new("missing-quote", span.clone(), "expected quotes around this text", "no quotes", help)
        .fixed_by(span, fix)
}

pub fn bad_escape(span: Span) -> Mistake {
    let help = "write a backslash as `\\\\`; the escapes are `\\n`, `\\t`, `\\\"`, `\\x41` and `\\u{e9}`; \
        or write \
        r#\"...\"#, which has no escapes";
    Mistake::new("bad-escape", span, "this text has an invalid escape", "cannot be read", help)
}

pub fn open_comment(span: Span) -> Mistake {
    Mistake::new(
        "open-comment",
        span,
        "this comment is not closed",
        "opened here",
        "write `*/` where the comment ends",
    )
}

/// Text in quotes with more of it behind the closing quote. `whole` is all of it in quotes.
pub fn early_quote(span: Span, whole: &str) -> Mistake {
    let message = "this text goes on behind its closing quote";
    Mistake::new("early-quote", span.clone(), message, "ends too early", format!("write {whole}"))
        .fixed_by(span, whole)
}

pub fn missing_comma(before: Span, next: &str) -> Mistake {
    let end = before.end;
    Mistake::new(
        "missing-comma",
        before,
        "expected a comma after this value",
        "no comma follows",
        format!("write a comma before {next}"),
    )
    .fixed_by(end..end, ",")
}

pub fn missing_colon(key: Span, name: &str, value: &str) -> Mistake {
    let end = key.end;
    let help = format!("write {name}: {value}");
    Mistake::new("missing-colon", key, format!("expected a colon after {name}"), "no colon follows", help)
        .fixed_by(end..end, ":")
}

pub fn equals(span: Span, name: &str, value: &str) -> Mistake {
    let help = format!("write {name}: {value}");
    Mistake::new(
        "equals-sign",
        span.clone(),
        "expected a colon before the value, found `=`",
        "should be a colon",
        help,
    )
    .fixed_by(span, ":")
}

pub fn semicolon(span: Span) -> Mistake {
    let help = "replace it with a comma";
    Mistake::new(
        "semicolon",
        span.clone(),
        "expected a comma between entries, found `;`",
        "should be a \
        comma",
        help,
    )
    .fixed_by(span, ",")
}

pub fn missing_value(span: Span, name: &str) -> Mistake {
    let help = format!("write the value after `{name}:`, or leave {name} out");
    Mistake::new("missing-value", span, format!("{name} has no value"), "nothing follows the colon", help)
}

pub fn empty_some(span: Span) -> Mistake {
    Mistake::new(
        "empty-some",
        span,
        "expected a value in `Some`, found none",
        "nothing inside",
        "write the value alone, or None",
    )
}

pub fn empty_entry(span: Span) -> Mistake {
    Mistake::new(
        "empty-entry",
        span.clone(),
        "expected an entry before this comma",
        "nothing before this comma",
        "remove the comma",
    )
    .fixed_by(span, "")
}

pub fn unnamed_field(span: Span, text: &str, after_number: Option<(usize, &str)>) -> Mistake {
    let message = "expected a field name here";
    match after_number {
        Some((end, before)) if text.starts_with(|c: char| c.is_ascii_digit()) => {
            let help = format!("decimals follow a point: write {before}.{text}, not {before},{text}");
            let comma = end..span.start;
            Mistake::new("decimal-comma", span, message, "not a name", help).fixed_by(comma, ".")
        }
        _ => Mistake::new(
            "missing-name",
            span,
            message,
            "a value without a name",
            format!("write name: {}", if text.is_empty() { "value" } else { text }),
        ),
    }
}

/// A map of a graph has no name.
pub fn unnamed_map(span: Span, name: &str) -> Mistake {
    let message = format!("expected `{name}:` before this map");
    Mistake::new("missing-name", span.clone(), message, "a map without a name", format!("write {name}: {{"))
        .fixed_by(span.start..span.start, format!("{name}: "))
}

pub fn unnamed_entry(span: Span, text: &str) -> Mistake {
    let is_type = text.starts_with(char::is_alphabetic) && text.chars().all(char::is_alphanumeric);
    let text = if text.is_empty() { "Type(...)" } else { text };
    let help = format!("write \"name\": {text}{}", if is_type { "()" } else { "" });
    Mistake::new("missing-name", span, "expected a name in quotes here", "a value without a name", help)
}

pub fn unquoted_name(span: Span, name: &str) -> Mistake {
    // A single letter in single quotes lexes as a character, not as text.
    let name = name.strip_prefix('\'').and_then(|name| name.strip_suffix('\'')).unwrap_or(name);
    let help = format!("write \"{name}\":");
    Mistake::new("unquoted-name", span.clone(), "names in { } need quotes", "no quotes", help)
        .fixed_by(span, format!("\"{name}\""))
}

/// A name in quotes in a call. What is no name of a field, or names a node, is an entry of a map.
pub fn quoted_field(span: Span, text: &str, is_node: bool) -> Mistake {
    let name = text.trim_matches('"');
    if is_node || !is_name(name) {
        let help = "move it into a map: { \"name\": value }";
        return Mistake::new("quoted-field", span, format!("{text} cannot be a field"), "not a field", help);
    }
    let help = format!("write {name}:");
    Mistake::new("quoted-field", span.clone(), "field names have no quotes", "remove the quotes", help)
        .fixed_by(span, name)
}

/// A field among the nodes of a map.
pub fn stray_field(span: Span, name: &str) -> Mistake {
    let message = format!("{name} is a field, which belongs in the brackets of a node");
    let help = "look for a bracket before it that closes too early; names in { } have quotes";
    Mistake::new("unquoted-name", span, message, "outside a node", help)
}

pub fn named_in_list(span: Span) -> Mistake {
    let help = "write only the values, or use { } instead of [ ]";
    Mistake::new("named-in-list", span, "entries of a list have no names", "a name in a list", help)
}

pub fn wrong_brackets(span: Span, name: &str, bracket: Bracket) -> Mistake {
    let message = format!(
        "the fields of {name} belong in ( ), not in {} \
        {}",
        bracket.open(),
        bracket.close()
    );
    Mistake::new("wrong-brackets", span, message, "should be `(`", format!("write {name}(field: value, ...)"))
}

/// An opening bracket without its closing one. `before` is the text that comes instead, with its line number.
/// It is `None` at the end of the file.
pub fn open_bracket(span: Span, bracket: Bracket, before: Option<(&str, usize)>) -> Mistake {
    let (open, close) = (bracket.open(), bracket.close());
    let (message, help) = match before {
        Some((what, line)) => (
            format!("this `{open}` is not closed before {what} on line {line}"),
            format!("write `{close}` where it ends"),
        ),
        None => (
            format!("this `{open}` is not closed"),
            format!("write `{close}` where it ends, or check whether the file is cut off"),
        ),
    };
    Mistake::new("open-bracket", span, message, "opened here", help)
}

/// A closing bracket of the wrong kind.
pub fn wrong_close(span: Span, bracket: Bracket, close: Bracket, line: usize) -> Mistake {
    let message = format!("this `{}` closes the `{}` on line {line}", close.close(), bracket.open());
    let help = format!("write `{}`", bracket.close());
    Mistake::new("wrong-bracket", span.clone(), message, "wrong kind of bracket", help)
        .fixed_by(span, bracket.close().to_string())
}

/// Quoted names in brackets other than `{ }`.
pub fn map_brackets(span: Span, bracket: Bracket) -> Mistake {
    let message = format!("names in quotes belong in {{ }}, not in {} {}", bracket.open(), bracket.close());
    Mistake::new("map-brackets", span, message, "should be `{`", "write { \"name\": value, ... }")
}

/// Numbers in `{ }`.
pub fn tuple_brackets(span: Span) -> Mistake {
    let message = "numbers belong in ( ) or [ ], not in { }";
    Mistake::new("tuple-brackets", span, message, "should be `(`", "write (number, number)")
}

/// An opening bracket of the wrong kind. `line` is the line of the bracket that closes it.
pub fn wrong_open(span: Span, bracket: Bracket, meant: Bracket, line: usize) -> Mistake {
    let message = format!("this `{}` is closed by the `{}` on line {line}", bracket.open(), meant.close());
    let help = format!("write `{}`", meant.open());
    Mistake::new("wrong-bracket", span.clone(), message, "wrong kind of bracket", help)
        .fixed_by(span, meant.open().to_string())
}

/// A bracket that closes where one should open, or the other way.
pub fn turned(span: Span, found: char, meant: char) -> Mistake {
    let (message, help) = (format!("expected `{meant}`, found `{found}`"), format!("write `{meant}`"));
    Mistake::new("wrong-bracket", span.clone(), message, "wrong bracket", help)
        .fixed_by(span, meant.to_string())
}

/// An opening bracket that is one too many.
pub fn stray_open(span: Span, bracket: Bracket) -> Mistake {
    let message = format!("this `{}` is one bracket too many", bracket.open());
    Mistake::new("stray-bracket", span, message, "never closed", "remove it")
}

/// An opening bracket is missing behind `before`.
pub fn missing_open(span: Span, before: &str, bracket: Bracket) -> Mistake {
    let open = bracket.open();
    let message = format!("expected a `{open}` after `{before}`");
    let blank = if before.ends_with(':') { " " } else { "" };
    Mistake::new("missing-open", span, message, "no bracket follows", format!("write {before}{blank}{open}"))
}

/// An opening bracket is missing before `next`.
pub fn missing_open_before(span: Span, next: &str, bracket: Bracket) -> Mistake {
    let open = bracket.open();
    let message = format!("expected a `{open}` before `{next}`");
    Mistake::new("missing-open", span, message, "no bracket before it", format!("write {open}{next}"))
}

/// The name and the opening bracket of a graph's map are missing before its first entry.
pub fn missing_map(span: Span, next: &str, name: &str) -> Mistake {
    let message = format!("expected `{name}: {{` before `{next}`");
    let label = format!("in no map: {name} belong in one");
    Mistake::new("missing-open", span, message, label, format!("write {name}: {{ before it"))
}

/// The first line of a text is missing, which begins with a type and `(`.
pub fn missing_type(span: Span, next: &str) -> Mistake {
    let message = format!("expected a type and a `(` before `{next}`");
    Mistake::new("missing-open", span, message, "the first line is missing", "write Graph( before it")
}

pub fn no_name(span: Span, sign: &str) -> Mistake {
    let message = format!("expected a name before this `{sign}`");
    Mistake::new("missing-name", span, message, "no name before it", "write name: value")
}

pub fn bad_name(span: Span, name: &str) -> Mistake {
    let message = format!("`{name}` is not a valid field name");
    Mistake::new(
        "bad-name",
        span,
        message,
        "not a name",
        "names consist of letters, digits and `_`, and begin with a letter",
    )
}

pub fn stray_close(span: Span, bracket: Bracket) -> Mistake {
    let message = format!("this `{}` closes nothing", bracket.close());
    Mistake::new("stray-bracket", span.clone(), message, "nothing is open", "remove it").fixed_by(span, "")
}

pub fn stray_sign(span: Span, sign: &str) -> Mistake {
    let help = "the language is RON: Type(field: value, ...), { \"name\": value }, [a, b], commas between, \
        quotes around text";
    Mistake::new("stray-sign", span, format!("expected a value, found `{sign}`"), "not a value", help)
}

pub fn too_deep(span: Span) -> Mistake {
    let help = "a graph nests a few levels deep: look for stray brackets";
    Mistake::new("too-deep", span, "brackets are nested too deeply", "the inside is not read", help)
}

pub fn too_long(longest: usize) -> Mistake {
    let help = "check that the file is the text of a graph";
    Mistake::new("too-long", 0..1, format!("the text is longer than {} MiB", longest >> 20), "not read", help)
}

pub fn named_value(span: Span) -> Mistake {
    let help = "write only Type(field: value, ...)";
    Mistake::new("named-value", span, "a file holds one value, which has no name", "a name", help)
}

pub fn after_the_end(span: Span) -> Mistake {
    Mistake::new(
        "after-the-end",
        span,
        "unexpected text after the last bracket",
        "unexpected text",
        "remove it, or look for a bracket that closes too early",
    )
}
