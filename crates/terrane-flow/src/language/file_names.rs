//! Names of output files: which are valid on every system, and which name one file.

use std::path::{Component, Path, PathBuf};

use unicode_normalization::UnicodeNormalization as _;

use crate::report::is_hidden;

/// The name of a file for comparisons. Two names with the same key are one file on some system: file systems
/// may ignore case, and may keep letters with accents in another Unicode form.
#[must_use]
pub fn name_key(file: &str) -> String {
    let parts = Path::new(file).components().filter(|part| !matches!(part, Component::CurDir));
    let plain = parts.collect::<PathBuf>().to_string_lossy().into_owned();
    // Lower case may decompose a letter, so the form is the last step.
    plain.nfc().collect::<String>().to_lowercase().nfc().collect()
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

/// Why Windows does not accept a part of a path.
fn bad_on_windows(part: &str) -> Option<String> {
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
        ] {
            assert_eq!(name_key(a), name_key(b), "{a} {b}");
        }
        for (a, b) in [("a.png", "b.png"), ("a/b.png", "ab.png"), ("a.png", "\u{e4}.png")] {
            assert_ne!(name_key(a), name_key(b));
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
