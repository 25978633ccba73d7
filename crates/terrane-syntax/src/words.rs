//! Classification of words: names and numbers.

/// Whether a word is a name in RON.
pub fn is_name(word: &str) -> bool {
    let word = word.strip_prefix("r#").unwrap_or(word);
    let mut chars = word.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
}

/// Whether a word is a number in RON.
pub fn is_number(word: &str) -> bool {
    let unsigned = word.strip_prefix(['+', '-']).unwrap_or(word);
    if matches!(unsigned, "inf" | "NaN") {
        return true;
    }
    let radix =
        [("0x", 16), ("0b", 2), ("0o", 8)].into_iter().find(|(prefix, _)| unsigned.starts_with(prefix));
    let types = ["i8", "i16", "i32", "i64", "i128", "u8", "u16", "u32", "u64", "u128", "f32", "f64"];
    let bare = types.into_iter().find_map(|suffix| unsigned.strip_suffix(suffix)).unwrap_or(unsigned);
    if let Some((_, radix)) = radix {
        let digits = &bare[2.min(bare.len())..];
        return !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix) || c == '_');
    }
    bare.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && bare.chars().all(|c| c.is_ascii_digit() || "._eE+-".contains(c))
        && bare.replace('_', "").parse::<f64>().is_ok()
}

/// The longest prefix of a word that is a number.
pub fn number_prefix(word: &str) -> &str {
    let ends =
        word.char_indices().map(|(at, _)| at).chain([word.len()]).take(64).collect::<Vec<_>>().into_iter();
    let longest = ends.rev().find(|&end| word[..end].parse::<f64>().is_ok());
    &word[..longest.unwrap_or(0)]
}

/// The plain form of a number: without thousands separators, and with hyphens for other minus signs.
pub fn plain_number(word: &str) -> String {
    let parts = |c: &char| !matches!(c, '\'' | '\u{a0}' | '\u{2009}' | '\u{202f}');
    word.chars().filter(parts).map(|c| if matches!(c, '−' | '–') { '-' } else { c }).collect()
}
