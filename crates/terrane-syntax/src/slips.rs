//! The slips of those who write graphs by hand, told in their words.

use std::ops::Range;

use crate::mistake::Mistake;
use crate::token::Bracket;

type Span = Range<usize>;

pub fn attribute(span: Span) -> Mistake {
    let help = "leave it out: `Some(...)` is not needed anywhere";
    Mistake::new("attribute", span.clone(), "graphs have no `#![...]`", "not needed", help).fixed_by(span, "")
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
    let message = "text stands in straight quotes, and these are curly";
    let mistake = |help: String| Mistake::new("curly-quotes", span.clone(), message, "curly quotes", help);
    match inner {
        Some(inner) => mistake(format!("write \"{inner}\"")).fixed_by(span.clone(), format!("\"{inner}\"")),
        None => mistake("write \" in its place".to_owned()),
    }
}

pub fn single_quotes(span: Span, inner: &str) -> Mistake {
    let text = format!("\"{}\"", inner.replace("\\'", "'").replace('"', "\\\""));
    let help = format!("write {text}");
    let mistake =
        Mistake::new("single-quotes", span.clone(), "text stands in double quotes", "single quotes", help);
    mistake.fixed_by(span, text)
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

/// Text whose closing quote is there, and whose opening one is not.
pub fn missing_quote(span: Span, inner: &str) -> Mistake {
    let start = span.start;
    let help = format!("write \"{inner}\"");
    Mistake::new("missing-quote", span, "the quote before this is missing", "no quote before it", help)
        .fixed_by(start..start, "\"")
}

pub fn bad_escape(span: Span) -> Mistake {
    let help = "a backslash is written `\\\\`; after one come `n`, `t`, `\"`, `x41` or `u{e9}`; or write \
        r#\"...\"#, where it means nothing";
    Mistake::new("bad-escape", span, "a backslash in this text means nothing", "cannot be read", help)
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

pub fn missing_comma(before: Span, next: &str) -> Mistake {
    let end = before.end;
    Mistake::new(
        "missing-comma",
        before,
        "a comma is missing after this",
        "no comma follows",
        format!("write a comma before {next}"),
    )
    .fixed_by(end..end, ",")
}

pub fn missing_colon(key: Span, name: &str, value: &str) -> Mistake {
    let end = key.end;
    let help = format!("write {name}: {value}");
    Mistake::new("missing-colon", key, format!("a colon is missing after {name}"), "no colon follows", help)
        .fixed_by(end..end, ":")
}

pub fn equals(span: Span, name: &str, value: &str) -> Mistake {
    let help = format!("write {name}: {value}");
    Mistake::new(
        "equals-sign",
        span.clone(),
        "a value is given with a colon, not with `=`",
        "should be a colon",
        help,
    )
    .fixed_by(span, ":")
}

pub fn semicolon(span: Span) -> Mistake {
    let help = "write a comma in its place";
    Mistake::new("semicolon", span.clone(), "entries are separated by commas", "should be a comma", help)
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
        "`Some` holds a value, and this holds none",
        "nothing inside",
        "write the value alone, or None",
    )
}

pub fn empty_entry(span: Span) -> Mistake {
    Mistake::new(
        "empty-entry",
        span.clone(),
        "nothing stands before this comma",
        "one comma too many",
        "remove it",
    )
    .fixed_by(span, "")
}

pub fn unnamed_field(span: Span, text: &str, after_number: Option<&str>) -> Mistake {
    let message = "a field's name was expected here";
    match after_number {
        Some(before) if text.starts_with(|c: char| c.is_ascii_digit()) => {
            let help = format!("decimals follow a point: write {before}.{text}, not {before},{text}");
            Mistake::new("decimal-comma", span, message, "not a name", help)
        }
        _ => Mistake::new(
            "missing-name",
            span,
            message,
            "a value without a name",
            format!("write name: {text}"),
        ),
    }
}

pub fn unnamed_entry(span: Span, text: &str) -> Mistake {
    let help = format!("write \"name\": {text}");
    Mistake::new("missing-name", span, "a name in quotes was expected here", "a value without a name", help)
}

pub fn unquoted_name(span: Span, name: &str) -> Mistake {
    // A single letter in single quotes is no text yet.
    let name = name.strip_prefix('\'').and_then(|name| name.strip_suffix('\'')).unwrap_or(name);
    let help = format!("write \"{name}\":");
    Mistake::new("unquoted-name", span.clone(), "names in { } stand in quotes", "needs quotes", help)
        .fixed_by(span, format!("\"{name}\""))
}

pub fn quoted_field(span: Span, text: &str) -> Mistake {
    let name = text.trim_matches('"');
    let help = format!("write {name}:");
    Mistake::new(
        "quoted-field",
        span.clone(),
        "names of fields stand without quotes",
        "remove the quotes",
        help,
    )
    .fixed_by(span, name)
}

pub fn named_in_list(span: Span) -> Mistake {
    let help = "write the values alone, or { } in place of [ ]";
    Mistake::new("named-in-list", span, "entries of a list have no names", "a name in a list", help)
}

pub fn wrong_brackets(span: Span, name: &str, bracket: Bracket) -> Mistake {
    let message = format!("the fields of {name} stand in ( ), not in {} {}", bracket.open(), bracket.close());
    Mistake::new("wrong-brackets", span, message, "should be `(`", format!("write {name}(field: value, ...)"))
}

/// An opening bracket without its closing one. `before` is what comes instead, with its line; nothing at the
/// end of the file.
pub fn open_bracket(span: Span, bracket: Bracket, before: Option<(&str, usize)>) -> Mistake {
    let (open, close) = (bracket.open(), bracket.close());
    let (message, help) = match before {
        Some((what, line)) => (
            format!("this `{open}` is not closed before {what} of line {line}"),
            format!("write `{close}` where it ends"),
        ),
        None => (
            format!("this `{open}` is not closed"),
            format!("write `{close}` where it ends; or was the file not saved whole?"),
        ),
    };
    Mistake::new("open-bracket", span, message, "opened here", help)
}

/// A closing bracket of the wrong sort.
pub fn wrong_close(span: Span, bracket: Bracket, close: Bracket, line: usize) -> Mistake {
    let message = format!("this `{}` closes the `{}` of line {line}", close.close(), bracket.open());
    let help = format!("write `{}`", bracket.close());
    Mistake::new("wrong-bracket", span.clone(), message, "another bracket was opened", help)
        .fixed_by(span, bracket.close().to_string())
}

/// Names in quotes in brackets that do not take them.
pub fn map_brackets(span: Span, bracket: Bracket) -> Mistake {
    let message = format!("names in quotes stand in {{ }}, not in {} {}", bracket.open(), bracket.close());
    Mistake::new("map-brackets", span, message, "should be `{`", "write { \"name\": value, ... }")
}

pub fn missing_open(span: Span, name: &str) -> Mistake {
    let start = span.start;
    Mistake::new(
        "missing-open",
        span,
        format!("a `{{` is missing after `{name}:`"),
        "names begin here",
        format!("write {name}: {{"),
    )
    .fixed_by(start..start, "{ ")
}

pub fn no_name(span: Span, sign: &str) -> Mistake {
    let message = format!("a name is missing before this `{sign}`");
    Mistake::new("missing-name", span, message, "no name before it", "write name: value")
}

pub fn bad_name(span: Span, name: &str) -> Mistake {
    let message = format!("`{name}` cannot be the name of a field");
    Mistake::new(
        "bad-name",
        span,
        message,
        "not a name",
        "names have letters, digits and `_`, and begin with a letter",
    )
}

pub fn stray_close(span: Span, bracket: Bracket) -> Mistake {
    let message = format!("this `{}` closes nothing", bracket.close());
    Mistake::new("stray-bracket", span.clone(), message, "nothing is open", "remove it").fixed_by(span, "")
}

pub fn stray_sign(span: Span, sign: &str) -> Mistake {
    let help = "the language is RON: Type(field: value, ...), { \"name\": value }, [a, b], commas between, \
        quotes around text";
    Mistake::new(
        "stray-sign",
        span,
        format!("a value was expected, and this is `{sign}`"),
        "not a value",
        help,
    )
}

pub fn bare_parameter(span: Span, word: &str) -> Mistake {
    let help = format!("write \"{word}\"");
    Mistake::new(
        "bare-parameter",
        span.clone(),
        "a parameter of the graph stands in quotes",
        "needs quotes",
        help,
    )
    .fixed_by(span, format!("\"{word}\""))
}

pub fn arithmetic(span: Span, text: &str) -> Mistake {
    let help = format!("write the result, or put it in quotes: \"{text}\"");
    Mistake::new("bare-arithmetic", span.clone(), "arithmetic stands in quotes", "needs quotes", help)
        .fixed_by(span, format!("\"{text}\""))
}

pub fn number_with_unit(span: Span, number: &str, unit: &str) -> Mistake {
    let help = match unit {
        "%" => number.parse::<f64>().map_or_else(
            |_| "write a share of 1, such as 0.3".to_owned(),
            |percent| format!("write {}, as a share of 1", percent / 100.0),
        ),
        "deg" | "°" => format!(
            "slopes are rise over run, such as 0.577 for 30°; other angles are in degrees: write {number}"
        ),
        _ => format!("write {number}: lengths and heights are in world units"),
    };
    Mistake::new("unit", span, "numbers have no units", "a number with a unit", help)
}

/// A number with signs that are not of RON: other minus signs, and what parts thousands.
pub fn plain_number(span: Span, plain: &str) -> Mistake {
    let message = "numbers are written with digits, a point and a hyphen as their minus";
    let help = format!("write {plain}");
    Mistake::new("number-signs", span.clone(), message, "a number with other signs", help)
        .fixed_by(span, plain)
}

pub fn not_a_word(span: Span, text: &str) -> Mistake {
    let help = "write a number such as 0.5, a name, or text in quotes";
    Mistake::new(
        "not-a-value",
        span,
        format!("`{text}` is neither a number nor a name"),
        "cannot be read",
        help,
    )
}

pub fn too_deep(span: Span) -> Mistake {
    let help = "a graph nests a few levels deep: look for stray brackets";
    Mistake::new("too-deep", span, "brackets are nested too deep", "the inside is not read", help)
}

pub fn too_long(longest: usize) -> Mistake {
    let help = "name a text file that holds a graph";
    Mistake::new("too-long", 0..1, format!("the text is longer than {} MiB", longest >> 20), "not read", help)
}

pub fn named_value(span: Span) -> Mistake {
    let help = "write Type(field: value, ...) alone";
    Mistake::new("named-value", span, "a file holds one value, which has no name", "a name", help)
}

pub fn after_the_end(span: Span) -> Mistake {
    Mistake::new(
        "after-the-end",
        span,
        "nothing may stand after the last bracket",
        "unexpected text",
        "remove it, or look for a bracket that closes too early",
    )
}
