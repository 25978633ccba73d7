//! Remedies: a file or command that is refused, the help that the command prints, and what happens when a
//! user follows it.
//!
//! `remedies/*.txt` has the cases, one below the other. A line `== NAME` begins a case, in a folder of its
//! own. `-- FILE` writes the lines below it into a file, `copy PATH FILE` copies a file of the project, and
//! `$ terrane ARGUMENTS` runs the command. `! TEXT` below a command: it fails, and prints the text as or in
//! its help. `? TEXT`: it succeeds, and prints the text. Other commands succeed without a warning. Each case
//! ends with such a command.

use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::running::{flat, folder, terrane};

/// A command, and the lines below it that say what it prints.
struct Step<'a> {
    arguments: &'a str,
    refused: bool,
    told: Vec<&'a str>,
}

/// A file with mistakes, in a folder of its own.
pub struct Broken {
    /// The case that it is of.
    pub name: String,
    pub folder: tempfile::TempDir,
    pub file: String,
}

/// The files that `terrane check` refuses at the beginning of a case.
pub fn broken() -> Vec<Broken> {
    let texts = texts();
    let begin = |case: &str| {
        let (name, lines) = case.split_once('\n')?;
        let folder = folder::<&str>(&[]);
        let mut lines = lines.lines().peekable();
        loop {
            let line = lines.next()?;
            if let Some(arguments) = line.strip_prefix("$ terrane ") {
                let file = arguments.strip_prefix("check ")?.trim();
                let is_refused = lines.peek().is_some_and(|line| line.starts_with("! "));
                let is_file = !file.contains([' ', '\'']);
                return (is_refused && is_file).then(|| Broken {
                    name: name.to_owned(),
                    folder,
                    file: file.to_owned(),
                });
            }
            place(folder.path(), line, &mut lines).ok()?;
        }
    };
    texts.iter().flat_map(|(_, text)| text.split("\n== ").skip(1).filter_map(begin)).collect()
}

/// The texts of the cases, with their paths.
fn texts() -> Vec<(PathBuf, String)> {
    let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/remedies")).unwrap();
    let paths = files.map(|entry| entry.unwrap().path());
    paths.map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// Writes the file that a line begins, if it begins one; returns whether it does.
fn place<'a>(
    folder: &Path,
    line: &str,
    lines: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>,
) -> Result<bool, String> {
    if let Some(file) = line.strip_prefix("-- ") {
        let mut content = String::new();
        while let Some(line) = lines.next_if(|line| !begins(line)) {
            content.push_str(line);
            content.push('\n');
        }
        write(&folder.join(file), content.trim_end().as_bytes())?;
    } else if let Some(copy) = line.strip_prefix("copy ") {
        let (from, to) = copy.split_once(' ').ok_or_else(|| format!("`{line}` lacks a name"))?;
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let bytes = fs::read(root.join(from)).map_err(|error| format!("{from}: {error}"))?;
        write(&folder.join(to), &bytes)?;
    } else {
        return Ok(false);
    }
    Ok(true)
}

#[test]
fn every_remedy_helps() {
    let texts = texts();
    let cases: Vec<(&Path, &str)> = texts
        .iter()
        .flat_map(|(path, text)| text.split("\n== ").skip(1).map(|case| (path.as_path(), case)))
        .collect();
    let wrong: Vec<String> = cases
        .par_iter()
        .filter_map(|(path, case)| {
            let (name, lines) = case.split_once('\n').unwrap();
            let problem = follow(lines).err()?;
            Some(format!("{}: {name}: {problem}", path.file_stem().unwrap().display()))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Follows the lines of a case.
fn follow(lines: &str) -> Result<(), String> {
    let folder = folder::<&str>(&[]);
    let (mut steps, mut lines) = (0, lines.lines().peekable());
    let mut helped = false;
    while let Some(line) = lines.next() {
        if place(folder.path(), line, &mut lines)? {
            continue;
        }
        if let Some(arguments) = line.strip_prefix("$ terrane ") {
            let mut step = Step { arguments, refused: false, told: Vec::new() };
            while let Some(line) = lines.next_if(|line| line.starts_with("! ") || line.starts_with("? ")) {
                step.refused |= line.starts_with('!');
                step.told.push(&line[2..]);
            }
            steps += 1;
            helped = step.told.is_empty();
            run(folder.path(), &step)?;
        } else if !line.trim().is_empty() {
            return Err(format!("`{line}` is no step"));
        }
    }
    if steps < 2 || !helped { Err("does not end with a command that succeeds".to_owned()) } else { Ok(()) }
}

/// Whether a line begins a step.
fn begins(line: &str) -> bool {
    ["-- ", "copy ", "$ terrane "].iter().any(|start| line.starts_with(start))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    path.parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(path, bytes))
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// Runs a command, and compares its end and its messages with what is expected.
fn run(folder: &Path, step: &Step<'_>) -> Result<(), String> {
    let arguments = words(step.arguments);
    let output = terrane(folder, &arguments);
    let said = flat(&output);
    let all = format!("{said} {}", String::from_utf8_lossy(&output.stdout));
    let wrong = |what: &str| Err(format!("`terrane {}` {what}:\n{all:.2000}", step.arguments));
    if output.status.success() == step.refused {
        return wrong(if step.refused { "succeeds" } else { "fails" });
    }
    if said.contains("panicked") {
        return wrong("panics");
    }
    for told in &step.told {
        let (text, inside) = if step.refused { (&said, "help: ") } else { (&all, "") };
        let found = text.match_indices(told).any(|(at, _)| text[..at].contains(inside));
        if !found {
            return wrong(&format!("does not say `{told}`"));
        }
    }
    // Some cases have a node to spare, which is no part of the remedy.
    let spare = said.matches("unused-node)").count();
    let warns = said.matches("warning").count() > spare;
    if step.told.is_empty() && warns { wrong("warns") } else { Ok(()) }
}

/// The words of a command line, of which some are in single quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}
