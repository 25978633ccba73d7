//! Finds phrases that are not allowed, lines of Rust that are too long, and spelling mistakes.

use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// Types of files that are read.
const EXTENSIONS: [&str; 10] = ["rs", "md", "py", "js", "mjs", "html", "css", "ron", "toml", "yml"];

/// Folder of third-party files.
const VENDORED: &str = "crates/terrane-view/assets/vendor/";

/// The longest line of Rust, in characters.
const WIDTH: usize = 110;

/// Fails if a phrase of `words/words.txt` occurs, if a line of Rust is too long, or if `typos`, where it is
/// installed, finds a spelling mistake.
fn main() -> Result<(), Box<dyn Error>> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = home.parent().unwrap_or(home);
    let rules = fs::read_to_string(home.join("words.txt"))?;
    let rules: Vec<(&str, &str)> = rules.lines().filter_map(|line| line.split_once(" -> ")).collect();
    let files = ["ls-files", "--cached", "--others", "--exclude-standard"];
    let listed = Command::new("git").current_dir(root).args(files).output()?;
    let mut found = 0;
    for name in String::from_utf8(listed.stdout)?.lines() {
        let is_read = EXTENSIONS.iter().any(|extension| name.ends_with(&format!(".{extension}")));
        if !is_read || name.starts_with(VENDORED) {
            continue;
        }
        // Skips files that are listed but deleted, and files that are not text.
        let Ok(text) = fs::read_to_string(root.join(name)) else { continue };
        let mut lines: Vec<&str> = text.lines().collect();
        let long = lines.iter().enumerate().filter(|(_, line)| line.chars().count() > WIDTH);
        let long = long.map(|(at, _)| (at, format!("break the line at {WIDTH} characters")));
        let mut messages: Vec<_> = long.filter(|_| name.ends_with(".rs")).collect();
        if name == "CONTRIBUTING.md" {
            // The first column of the table of sentences quotes phrases that are not allowed.
            for line in &mut lines {
                *line = line.split_once(" | ").map_or(*line, |(_, rest)| rest);
            }
        }
        messages.extend(phrases(&lines, &rules));
        found += messages.len();
        for (at, message) in messages {
            writeln!(std::io::stdout(), "{name}:{}: {message}", at + 1)?;
        }
    }
    if found > 0 {
        return Err(format!("{found} phrases or lines need another form").into());
    }
    // `typos.toml` has the words that it accepts.
    match Command::new("typos").current_dir(root).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("there are spelling mistakes".into()),
        Err(_) => {
            writeln!(std::io::stdout(), "`typos` is not installed: spelling is not checked")?;
            Ok(())
        }
    }
}

/// Finds phrases, also those that continue on the next line: the index of the line, and a message.
fn phrases(lines: &[&str], rules: &[(&str, &str)]) -> Vec<(usize, String)> {
    let mut text = String::new();
    let mut starts = Vec::new();
    for line in lines {
        starts.push(text.len());
        let start = line.trim_start_matches(|c: char| c.is_whitespace() || "/!*#>".contains(c));
        text += &start.trim_end_matches([' ', '\\']).to_lowercase().replace('’', "'");
        text.push(' ');
    }
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || "_-'/".contains(c));
    let mut found = Vec::new();
    for (phrase, instead) in rules {
        for (at, _) in text.match_indices(phrase) {
            let (before, after) = (text[..at].chars().next_back(), text[at + phrase.len()..].chars().next());
            if !is_part(before) && !is_part(after) {
                let line = starts.partition_point(|start| *start <= at) - 1;
                found.push((line, format!("\"{phrase}\": write \"{instead}\"")));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::phrases;

    #[test]
    fn whole_phrases_are_found_also_across_lines() {
        let found = |text: &str| -> Vec<usize> {
            let rules = [("ill fit", "apt"), ("thingy", "its name")];
            phrases(&text.lines().collect::<Vec<_>>(), &rules).into_iter().map(|(line, _)| line).collect()
        };
        assert_eq!(found("all nodes\nbut one, ILL fit é, ill fit\n"), [1, 1]);
        assert_eq!(found("x ill\n    /// fit one"), [0]);
        assert_eq!(found("\"ill \\\n    fit\" thingy"), [0, 1]);
        let others = "ill, fit. Ill one fit; thingys thingy_is reill fit thingy's ill fitest";
        assert!(found(others).is_empty());
    }
}
