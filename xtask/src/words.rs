//! Finds words and phrases that are not allowed, lines of Rust that are too long, and spelling mistakes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Result, root, say};

/// Types of files that are read.
const EXTENSIONS: [&str; 10] = ["rs", "md", "py", "js", "mjs", "html", "css", "ron", "toml", "yml"];

/// Folder of third-party files.
const VENDORED: &str = "crates/terrane-view/assets/vendor/";

/// The longest line of Rust, in characters.
const WIDTH: usize = 110;

/// Names, and deliberate mistakes in tests, in lower case. The spelling checker accepts them.
const ACCEPTED: [&str; 22] = [
    "amont",
    "amplitud",
    "ans",
    "blurr",
    "euclidian",
    "fro",
    "grpah",
    "hart",
    "hda",
    "heigth",
    "kepp",
    "linz",
    "oter",
    "paeth",
    "parms",
    "scroe",
    "scroes",
    "ser",
    "te",
    "tread",
    "valu",
    "wavelenght",
];

/// A line of `words.txt`.
struct Rule {
    /// The words of the phrase, in lower case.
    words: Vec<String>,
    instead: String,
}

/// A word of a text and its position.
struct Word {
    /// In lower case.
    text: String,
    /// Counted from 1.
    line: usize,
    /// In characters, counted from 1.
    column: usize,
    /// Whether nothing but white space is between this word and the one before; at the beginning of a line,
    /// the prefix of a comment may be, too.
    joined: bool,
}

/// Fails if a phrase of `xtask/words.txt` occurs, if a line of Rust is too long, or if an installed spelling
/// checker finds a mistake.
pub fn words() -> Result<()> {
    let root = root();
    let rules = rules(&fs::read_to_string(root.join("xtask/words.txt"))?)?;
    let mut found = 0;
    let files = files(&root)?;
    for name in &files {
        // Skips files that are listed but deleted, and files that are not text.
        let Ok(mut text) = fs::read_to_string(root.join(name)) else { continue };
        if name == "CONTRIBUTING.md" {
            text = without_before(&text);
        }
        let mut messages = phrases(&text, &rules);
        if has_extension(name, "rs") {
            messages.extend(long_lines(&text));
        }
        messages.sort_by_key(|(line, column, _)| (*line, *column));
        found += messages.len();
        for (line, column, message) in messages {
            say(&format!("{name}:{line}:{column}: {message}"));
        }
    }
    let misspelt = !spelling(&root, &files)?;
    match found {
        0 if misspelt => Err("there are spelling mistakes".into()),
        0 => Ok(()),
        1 => Err("1 phrase or line needs another form".into()),
        _ => Err(format!("{found} phrases or lines need another form").into()),
    }
}

/// Parses `words.txt`.
fn rules(text: &str) -> Result<Vec<Rule>> {
    let lines =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|(at, line)| {
            let wrong = || format!("xtask/words.txt:{}: expected `phrase -> replacement`", at + 1);
            let (phrase, instead) = line.split_once(" -> ").ok_or_else(wrong)?;
            let words: Vec<String> = split(phrase).into_iter().map(|word| word.text).collect();
            if words.is_empty() {
                return Err(wrong().into());
            }
            Ok(Rule { words, instead: instead.trim().to_owned() })
        })
        .collect()
}

/// Splits a text into words. Apostrophes, hyphens and slashes between letters belong to a word.
fn split(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    for (line, row) in text.lines().enumerate() {
        let row: Vec<char> = row.chars().collect();
        let part = |at: usize| {
            let letter = |at: usize| row.get(at).is_some_and(|c| c.is_alphanumeric() || *c == '_');
            letter(at)
                || at > 0
                    && matches!(row.get(at), Some('\'' | '’' | '-' | '/'))
                    && letter(at - 1)
                    && letter(at + 1)
        };
        let (mut at, mut end) = (0, 0);
        while at < row.len() {
            if !part(at) {
                at += 1;
                continue;
            }
            let between = &row[end..at];
            let joined = between.iter().all(|c| c.is_whitespace() || end == 0 && "/!*#>".contains(*c));
            let start = at;
            while part(at) {
                at += 1;
            }
            let text = row[start..at].iter().collect::<String>().to_lowercase().replace('’', "'");
            words.push(Word { text, line: line + 1, column: start + 1, joined });
            end = at;
        }
        // A sign after a line's last word separates it from the next word, except a string's continuation
        // mark.
        if row[end..].iter().any(|c| !c.is_whitespace() && *c != '\\') {
            words.push(Word { text: String::new(), line: line + 1, column: end + 1, joined: false });
        }
    }
    words
}

/// Finds the phrases of `rules` in a text: line, column and message.
fn phrases(text: &str, rules: &[Rule]) -> Vec<(usize, usize, String)> {
    let words = split(text);
    let mut found = Vec::new();
    for (at, first) in words.iter().enumerate() {
        for rule in rules {
            let Some(here) = words.get(at..at + rule.words.len()) else { continue };
            let last = here.last().map_or(first.line, |word| word.line);
            if here.iter().zip(&rule.words).all(|(word, wanted)| word.text == *wanted)
                && here[1..].iter().all(|word| word.joined)
                && last - first.line <= 1
            {
                let message = format!("\"{}\": write \"{}\"", rule.words.join(" "), rule.instead);
                found.push((first.line, first.column, message));
            }
        }
    }
    found
}

/// Finds lines longer than [`WIDTH`].
fn long_lines(text: &str) -> impl Iterator<Item = (usize, usize, String)> {
    let lengths = text.lines().map(|line| line.chars().count()).enumerate();
    lengths
        .filter(|(_, length)| *length > WIDTH)
        .map(|(at, length)| (at + 1, WIDTH + 1, format!("{length} characters: break the line at {WIDTH}")))
}

/// Blanks the first column of the before-and-after table, which quotes phrases that are not allowed.
fn without_before(text: &str) -> String {
    let mut inside = false;
    let mut out = String::new();
    for line in text.lines() {
        inside = line.starts_with("| before |") || inside && line.starts_with('|');
        match line[1.min(line.len())..].find('|') {
            Some(bar) if inside => {
                out.extend(std::iter::repeat_n(' ', line[..=bar].chars().count()));
                out.push_str(&line[bar + 1..]);
            }
            _ => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

/// The files to read, as paths from `root` with `/`.
fn files(root: &Path) -> Result<Vec<String>> {
    let listed = Command::new("git").current_dir(root).args(["ls-files", "-z"]).output();
    let mut names: Vec<String> = match listed {
        Ok(output) if output.status.success() => output
            .stdout
            .split(|byte| *byte == 0)
            .map(|name| String::from_utf8_lossy(name).into_owned())
            .collect(),
        _ => walk(root)?,
    };
    names.retain(|name| {
        EXTENSIONS.iter().any(|extension| has_extension(name, extension)) && !name.starts_with(VENDORED)
    });
    names.sort_unstable();
    Ok(names)
}

fn has_extension(name: &str, extension: &str) -> bool {
    Path::new(name).extension().is_some_and(|found| found == extension)
}

/// All files below `root`, except build output and hidden folders.
fn walk(root: &Path) -> Result<Vec<String>> {
    let (mut names, mut folders) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let (name, path) = (entry.file_name(), folder.join(entry.file_name()));
            if entry.file_type()?.is_file() {
                names.push(path.to_string_lossy().replace('\\', "/"));
            } else if entry.file_type()?.is_dir()
                && name != "target"
                && !name.to_string_lossy().starts_with('.')
            {
                folders.push(path);
            }
        }
    }
    Ok(names)
}

/// Runs the spelling checker that is installed, if any, and returns whether it found no mistake.
fn spelling(root: &Path, files: &[String]) -> Result<bool> {
    let installed =
        |name: &str| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    if installed("typos") {
        let config = tempfile::Builder::new().suffix(".toml").tempfile()?;
        let words: String = ACCEPTED.iter().map(|word| format!("{word} = \"{word}\"\n")).collect();
        fs::write(config.path(), format!("[default.extend-words]\n{words}"))?;
        let mut typos = Command::new("typos");
        return Ok(typos
            .current_dir(root)
            .arg("--config")
            .arg(config.path())
            .args(files)
            .status()?
            .success());
    }
    if installed("codespell") {
        let mut codespell = Command::new("codespell");
        codespell.current_dir(root).args(["--ignore-words-list", &ACCEPTED.join(",")]);
        return Ok(codespell.args(files).status()?.success());
    }
    say("no spelling checker is installed (typos or codespell): spelling is not checked");
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::{long_lines, phrases, rules, without_before};

    fn found(text: &str) -> Vec<(usize, usize, String)> {
        phrases(
            text,
            &rules("# words\n\nill fit -> apt\nthingy -> name it\nof one's hat -> custom\n").unwrap(),
        )
    }

    #[test]
    fn phrases_are_found_with_their_positions() {
        let apt = "\"ill fit\": write \"apt\"".to_owned();
        assert_eq!(found("all nodes\nbut one, ill  fit é, ill fit\n"), [(2, 10, apt.clone()), (2, 22, apt)]);
        assert_eq!(found("Nodes of one’s hat.").len(), 1);
    }

    #[test]
    fn other_texts_have_none() {
        assert_eq!(found("All ill one. For nodes: ill, fit.\nill\n\nfit\n"), []);
    }

    #[test]
    fn case_does_not_matter() {
        assert_eq!(found("THINGY; Ill Fit").len(), 2);
    }

    #[test]
    fn only_whole_words_count() {
        assert_eq!(found("thingys sthingy thingy_is ill fitest reill fit thingy's"), []);
    }

    #[test]
    fn a_phrase_may_be_split_over_two_lines() {
        for text in [
            "x ill\nfit",
            "/// All ill\n    /// fit one",
            "// all ill\n// fit",
            "# all ill\n# fit",
            "\"ill \\\n    fit\"",
        ] {
            assert_eq!(found(text).len(), 1, "{text}");
        }
        assert_eq!(found("/// All ill.\n/// fit one"), []);
    }

    #[test]
    fn lines_are_measured_in_characters() {
        let text = format!("{}\n{}\n", "é".repeat(110), "é".repeat(111));
        let found: Vec<_> = long_lines(&text).map(|(line, column, _)| (line, column)).collect();
        assert_eq!(found, [(2, 111)]);
    }

    #[test]
    fn bad_rules_are_reported() {
        assert!(rules("ill fit: apt").err().unwrap().to_string().starts_with("xtask/words.txt:1:"));
    }

    #[test]
    fn sentences_before_are_left_out() {
        let table = "| before | after |\n|---|---|\n| Thingy waits. | thingy |\n\n| thingy | x |\n";
        let lines: Vec<_> = found(&without_before(table)).into_iter().map(|(line, ..)| line).collect();
        assert_eq!(lines, [3, 5]);
    }
}
