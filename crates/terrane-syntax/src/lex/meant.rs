//! What is meant where quotes are missing, or one too many.

/// The maximum number of bytes behind a word that are searched for the closing quote of a name.
const MAX_NAME_BYTES: usize = 60;

/// The bytes of text without its opening quote that begins with a word of some bytes. It is followed by a
/// closing quote, and then by a character that can follow text.
pub fn lacks_quote(rest: &str, word: usize) -> Option<usize> {
    let begins = |c: char| c.is_alphabetic() || matches!(c, '_' | '$');
    if !rest.starts_with(begins) {
        return None;
    }
    let length = name_length(rest, word)?;
    let is_text = !rest[..length].ends_with(' ') && rest[length..].strip_prefix('"').is_some_and(ends_text);
    is_text.then_some(length)
}

/// The bytes of a name of several words without its quotes that begins with a word of some bytes: a value
/// behind a colon, or the name of a node. Choices begin with capital letters.
pub fn lacks_quotes(before: &str, rest: &str, word: usize) -> Option<usize> {
    let is_begun = rest.starts_with(char::is_lowercase) && !matches!(&rest[..word], "true" | "false" | "inf");
    if !is_begun || !rest[word..].starts_with(' ') {
        return None;
    }
    let name = rest[..name_length(rest, word)?].trim_end_matches(' ');
    let mut words = name[word..].split(' ').filter(|more| !more.is_empty());
    let before = before.trim_end_matches([' ', '\t']).chars().next_back();
    let behind = rest[name.len()..].trim_start_matches([' ', '\t']);
    let is_meant = match before {
        Some(':') => behind.starts_with([',', ')', '}', '\r', '\n']),
        Some(',' | '{' | '\n') => behind.strip_prefix(':').is_some_and(begins_call),
        _ => false,
    };
    (is_meant && name.len() > word && words.all(|more| more.starts_with(char::is_alphanumeric)))
        .then_some(name.len())
}

/// Whether a quote is one too many: before a name in quotes, or behind a text.
pub fn is_doubled(before: &str, rest: &str) -> bool {
    let Some(behind) = rest.strip_prefix('"') else { return false };
    if let Some(name) = behind.strip_prefix('"') {
        let end = name.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '/' | ' ')));
        return end.is_some_and(|end| end > 0 && name[end..].starts_with('"')) && !name.starts_with(' ');
    }
    before.ends_with('"') && ends_text(behind)
}

/// The bytes of what can be a name of several words, of which the first one has some bytes.
fn name_length(rest: &str, word: usize) -> Option<usize> {
    let near = &rest[word..rest.floor_char_boundary(word + MAX_NAME_BYTES)];
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ' ');
    near.find(|c| !is_name(c)).map(|end| word + end)
}

/// Whether a type and its bracket come next.
fn begins_call(text: &str) -> bool {
    let text = text.trim_start_matches([' ', '\t']);
    let behind = text.trim_start_matches(char::is_alphanumeric);
    text.starts_with(char::is_uppercase) && behind.starts_with('(')
}

/// Whether a character that can follow text comes next.
pub fn ends_text(behind: &str) -> bool {
    let next = behind.trim_start_matches([' ', '\t']).chars().next();
    next.is_none_or(|c| matches!(c, ':' | ',' | ')' | ']' | '}' | '\r' | '\n'))
}
