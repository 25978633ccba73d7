//! Names of output files: which are valid on every system, and which name one file.

use std::path::{Component, Path, PathBuf};

use unicode_normalization::UnicodeNormalization as _;

use crate::report::is_hidden;
use crate::report::suggest::shorten;

/// The name of a file for comparisons. Two names with the same key are one file on some system: file systems
/// may ignore case, and may keep letters with accents in another Unicode form.
#[must_use]
pub fn name_key(file: &str) -> String {
    let parts = Path::new(file).components().filter(|part| !matches!(part, Component::CurDir));
    let plain = parts.collect::<PathBuf>().to_string_lossy().into_owned();
    // Changing the case may decompose a letter, so the form is the last step.
    folded(&folded(&plain)).nfc().collect()
}

/// A text in which letters that differ only in case are equal. Lower case alone keeps the two small forms of
/// one capital apart, such as `ς` and `σ`. It also keeps a letter apart from its capitals, such as `ß` from
/// `SS`. The first lower case turns capitals that are their own upper case into small letters, such as `ẞ`.
fn folded(text: &str) -> String {
    text.nfd().collect::<String>().to_lowercase().to_uppercase().to_lowercase()
}

/// The maximum number of bytes of each part of a path. No common file system allows more.
const MAX_PART: usize = 255;

/// The maximum number of bytes of the path of an output. Systems allow 1,024 for the whole path, or more.
const MAX_NAME: usize = 1000;

/// What is wrong with the length of an output's name, with the remedy. Files that are written with the output
/// count too.
pub fn too_long(file: &str) -> Option<(String, &'static str)> {
    const SHORTEN: &str = "choose a shorter name, so that the graph runs on every system";
    if file.len() > MAX_NAME {
        let reason = format!("it is {} bytes long, and the maximum is {MAX_NAME}", file.len());
        return Some((reason, SHORTEN));
    }
    let part = file.split('/').find(|part| part.len() > MAX_PART)?;
    let reason = format!("{} is {} bytes long, and the maximum is {MAX_PART}", shorten(part), part.len());
    Some((reason, SHORTEN))
}

/// What is wrong with the name of an output, with the remedy.
pub fn bad_output(file: &str) -> Option<(String, &'static str)> {
    const BELOW: &str = "write the path of a file below the folder of outputs, such as \"FOLDER/FILE\"";
    const RENAME: &str = "choose another name, so that the graph runs on every system";
    let path = Path::new(file);
    if file.is_empty() {
        return Some(("the name is empty".to_owned(), BELOW));
    }
    if path.components().any(|c| !matches!(c, Component::Normal(_) | Component::CurDir))
        || file.contains('\\')
    {
        return Some(("it is outside the folder of outputs".to_owned(), BELOW));
    }
    if file.chars().any(is_hidden) {
        return Some(("it has control characters".to_owned(), BELOW));
    }
    if file.ends_with('/') {
        return Some(("it names a folder".to_owned(), BELOW));
    }
    let parts = file.split('/').filter(|part| !matches!(*part, "" | "."));
    parts.into_iter().find_map(bad_on_windows).map(|reason| (reason, RENAME))
}

/// Why Windows does not accept a part of a path; `None` if it does.
#[must_use]
pub fn bad_on_windows(part: &str) -> Option<String> {
    if let Some(c) = part.chars().find(|c| "<>:\"|?*".contains(*c)) {
        return Some(format!("Windows does not allow `{c}` in names"));
    }
    if part.ends_with(['.', ' ']) {
        return Some("Windows does not allow names that end with a dot or a space".to_owned());
    }
    let stem = part.split('.').next().unwrap_or_default().trim_end().to_uppercase();
    let is_port = |device: &str| {
        let number = stem.strip_prefix(device);
        number.is_some_and(|number| {
            number.chars().count() == 1 && number.chars().all(|c| c.is_ascii_digit() || "¹²³".contains(c))
        })
    };
    let is_device = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(&&*stem);
    (is_device || is_port("COM") || is_port("LPT")).then(|| format!("`{stem}` is a device on Windows"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_file_have_one_key() {
        for (a, b) in [
            ("A.png", "./a.png"),
            ("x//H.npy", "x/h.npy"),
            ("\u{e4}.npy", "a\u{308}.npy"),
            ("\u{c4}.npy", "a\u{308}.npy"),
            ("\u{1f80}.npy", "\u{3b1}\u{345}\u{313}.npy"),
            ("\u{1f80}.npy", "\u{1f88}.NPY"),
            // One capital with two small forms, at the end of a word and elsewhere.
            ("ς.npy", "σ.npy"),
            ("ὈΔΟΣ1.npy", "ὀδος1.npy"),
            ("ὈΔΟΣ.npy", "ὀδοσ.npy"),
            // Letters whose capitals are two letters.
            ("straße.npy", "STRASSE.npy"),
            ("STRA\u{1e9e}E.npy", "strasse.npy"),
            ("ﬁeld.npy", "FIELD.npy"),
            ("ſ.npy", "S.npy"),
            ("\u{212a}.npy", "k.npy"),
            ("\u{149}.npy", "\u{2bc}N.npy"),
        ] {
            assert_eq!(name_key(a), name_key(b), "{a} {b}");
        }
        for (a, b) in [("a.png", "b.png"), ("a/b.png", "ab.png"), ("a.png", "\u{e4}.png")] {
            assert_ne!(name_key(a), name_key(b));
        }
        for letter in (0..0x2_0000).filter_map(char::from_u32).filter(|letter| letter.is_alphabetic()) {
            let key = name_key(&letter.to_string());
            assert_eq!(name_key(&letter.to_uppercase().to_string()), key, "{letter:?}");
            assert_eq!(name_key(&letter.to_lowercase().to_string()), key, "{letter:?}");
            assert_eq!(name_key(&key), key, "{letter:?}");
        }
    }

    #[test]
    fn names_that_are_too_long_are_refused() {
        for name in ["a".repeat(256), format!("{}/b", "é".repeat(128)), "a/".repeat(600) + "b"] {
            let (reason, help) = too_long(&name).unwrap();
            assert!(reason.contains("bytes long") && reason.len() < 200 && help.contains("shorter"));
        }
        for name in ["a".repeat(255), "a/".repeat(499) + "b"] {
            assert_eq!(too_long(&name), None);
        }
    }

    #[test]
    fn names_that_a_system_refuses_are_refused_everywhere() {
        for (name, reason) in [
            ("", "empty"),
            ("../a.png", "outside"),
            ("/a.png", "outside"),
            ("a\\b.png", "outside"),
            ("a\u{1b}.png", "control"),
            ("a\u{9b}.png", "control"),
            ("a\u{202e}gnp.npy", "control"),
            ("a/", "folder"),
            ("CON.npy", "`CON` is a device"),
            ("sub/nul", "`NUL` is a device"),
            ("com1.tif", "`COM1` is a device"),
            ("Lpt\u{b3}.a.tif", "device"),
            ("con .tif", "`CON` is a device"),
            ("aux/a.tif", "`AUX` is a device"),
            ("a:b.npy", "does not allow `:`"),
            ("a?.npy", "does not allow `?`"),
            ("a./b.npy", "dot or a space"),
            ("b.npy ", "dot or a space"),
        ] {
            let (found, help) = bad_output(name).unwrap_or_default();
            assert!(found.contains(reason) && !help.is_empty(), "{name}: {found}");
        }
        for name in ["a.png", "./a/b.png", "a//b.png", "console.png", "com10.npy", "comet.tif", ".hidden.npy"]
        {
            assert_eq!(bad_output(name), None, "{name}");
        }
    }
}
