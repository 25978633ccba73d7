//! Runs the commands of a document one after the other, in a separate folder.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// Commands that documents may contain but that are not run, because they build, install or take long.
const NOT_RUN: &[&str] = &[
    "cargo test",
    "cargo insta review",
    "cargo install cargo-insta",
    "cargo install mdbook",
    "cargo install --path crates/terrane-cli",
    "mdbook serve book",
    // `cargo xtask python` installs the package and runs the blocks.
    "pip install ./python",
    // CI runs the examples.
    "cargo run -p terrane-examples --bin ",
];

/// The commands of a block, one per line. Continued lines are joined, and comments are left out.
pub fn lines(text: &str) -> Vec<String> {
    let joined = text.replace("\\\n", " ");
    let bare = joined.lines().map(|line| line.split(" #").next().unwrap_or_default().trim().to_owned());
    bare.filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// Runs one line in a folder, with a folder for cached values; `root` is the repository's root.
///
/// # Errors
/// Returns the problem with the command's output.
pub fn run(line: &str, folder: &Path, cache: &Path, root: &Path) -> Result<(), String> {
    if NOT_RUN.iter().any(|known| line.starts_with(known)) {
        return Ok(());
    }
    if let Some(known) = task(line, root) {
        return known;
    }
    let Some(arguments) = ["terrane ", "cargo run --release -- "].iter().find_map(|p| line.strip_prefix(p))
    else {
        return Err("a command that nothing here knows".to_owned());
    };
    if arguments.contains(['"', '|', '>', '<', ';', '&', '$']) {
        return Err("only plain words can be run here".to_owned());
    }
    // Words with a star are quoted, so that a shell does not expand them to file names.
    let mut words: Vec<String> =
        arguments.split_whitespace().map(|word| word.trim_matches('\'').to_owned()).collect();
    match words[0].as_str() {
        "watch" => return watch(&words, folder, cache),
        // This starts a server and a browser, so check only that the command exists.
        "view" => words = vec!["view".to_owned(), "--help".to_owned()],
        "run" | "eval" | "explain" => words.extend(smaller(&words, 257, folder)),
        // On few samples, erosion comes to rest before the iterations that a sweep tabulates.
        "sweep" => {
            words.extend(smaller(&words, 1024, folder));
            fewer(&mut words);
        }
        _ => {}
    }
    let output = terrane(&words, folder).env(CACHE, cache).output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{}\n{}", output.status, String::from_utf8_lossy(&output.stderr)))
}

/// The variable that names the folder for cached values.
const CACHE: &str = "TERRANE_CACHE_DIR";

fn terrane(words: &[String], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.args(words).current_dir(folder).stdin(Stdio::null());
    command.env("NO_COLOR", "1");
    command
}

/// The option for a quarter of the graph's samples per side, which saves time. Graphs with fewer than `least`
/// columns keep their size. So do graphs with a `preset`, because game engines require certain sizes.
fn smaller(words: &[String], least: usize, folder: &Path) -> Vec<String> {
    let Some(text) = words.iter().find_map(|word| {
        word.ends_with(".ron").then(|| fs::read_to_string(folder.join(word)).ok()).flatten()
    }) else {
        return Vec::new();
    };
    let size = text.split_once("size: (").and_then(|(_, rest)| rest.split_once(')'));
    let Some((columns, rows)) = size.and_then(|(size, _)| size.split_once(", ")) else { return Vec::new() };
    let (Ok(columns), Ok(rows)) = (columns.parse::<usize>(), rows.parse::<usize>()) else {
        return Vec::new();
    };
    if text.contains("preset:") || columns < least || words.iter().any(|word| word == "--size") {
        return Vec::new();
    }
    let quarter = |n: usize| if n % 2 == 1 { (n - 1) / 4 + 1 } else { n / 4 };
    vec!["--size".to_owned(), format!("{}x{}", quarter(columns), quarter(rows))]
}

/// The iterations to which sweeps are limited.
const ITERATIONS: u32 = 1000;

/// Limits a sweep to two sizes, two values of each parameter, [`ITERATIONS`], and one seed, or two if nothing
/// else varies. This is enough to show that the command works.
fn fewer(words: &mut [String]) {
    let mut varies = false;
    for at in 1..words.len() {
        let fewer = match words[at - 1].as_str() {
            "--size" => words[at].split(',').take(2).collect::<Vec<_>>().join(","),
            "--set" => fewer_values(&words[at]),
            _ => continue,
        };
        varies |= fewer.contains(',') || fewer.ends_with(":2");
        words[at] = fewer;
    }
    for at in 1..words.len() {
        if words[at - 1] == "--seeds"
            && let Some((first, _)) = words[at].split_once("..")
            && let Ok(first) = first.parse::<u64>()
        {
            words[at] = if varies { first.to_string() } else { format!("{first},{}", first + 1) };
        }
    }
}

/// A setting with at most two values: `name=a,b,…`, `name=from..to:count` or a profile.
fn fewer_values(setting: &str) -> String {
    let Some((name, values)) = setting.split_once('=') else { return setting.to_owned() };
    if let Some((range, _)) = values.split_once(':').filter(|(range, _)| range.contains("..")) {
        return format!("{name}={range}:2");
    }
    let limited = |value: &str| match value.parse::<u32>() {
        Ok(number) if name == "iterations" => number.min(ITERATIONS).to_string(),
        _ => value.to_owned(),
    };
    format!("{name}={}", values.split(',').take(2).map(limited).collect::<Vec<_>>().join(","))
}

/// Runs a watcher until its first result, and then stops it.
fn watch(words: &[String], folder: &Path, cache: &Path) -> Result<(), String> {
    let mut words = words.to_vec();
    words.extend(smaller(&words, 257, folder));
    words.push("--json".to_owned());
    let mut command = terrane(&words, folder);
    command.env(CACHE, cache);
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(|error| error.to_string())?;
    let lines = child.stdout.take().map(|out| BufReader::new(out).lines());
    // A watcher continues after a graph that cannot be read or run, but the test must end.
    let end = |line: &String| ["done", "failed", "broken"].iter().any(|event| is(line, event));
    let last = lines.into_iter().flatten().map_while(Result::ok).find(end);
    let _already_gone = child.kill();
    let _status = child.wait().map_err(|error| error.to_string())?;
    match last {
        Some(line) if is(&line, "done") => Ok(()),
        Some(line) => Err(line),
        None => Err("it ended before anything was done".to_owned()),
    }
}

fn is(line: &str, event: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(line).is_ok_and(|object| object["event"] == event)
}

/// Checks that a command in a sentence, such as `terrane run GRAPH [--out DIR]`, exists and has the options
/// named.
///
/// # Errors
/// Returns the command or the option that does not exist.
pub fn known(span: &str, root: &Path) -> Result<(), String> {
    if let Some(known) = task(span, root) {
        return known;
    }
    let Some(words) = span.strip_prefix("terrane ") else { return Ok(()) };
    let mut words = words.split(|c: char| c.is_whitespace() || "[]…".contains(c));
    let command = words.next().unwrap_or_default();
    // `terrane world` has subcommands.
    let own = if command == "world" { words.next().unwrap_or_default() } else { "" };
    let asked: Vec<String> = [command, own, "--help"]
        .iter()
        .filter(|word| !word.is_empty())
        .map(|word| (*word).to_owned())
        .collect();
    let help = terrane(&asked, root).output().map_err(|error| error.to_string())?;
    if !help.status.success() {
        return Err(format!("`{command}` is no command"));
    }
    let help = String::from_utf8_lossy(&help.stdout);
    let known: Vec<&str> = help.split(|c: char| !(c.is_alphanumeric() || c == '-')).collect();
    match words.find(|word| word.starts_with('-') && *word != "-" && !known.contains(word)) {
        Some(option) => Err(format!("`{command}` has no `{option}`")),
        None => Ok(()),
    }
}

/// The commands that run tasks, and the files that declare the tasks as variants of `enum Task`.
const TASKS: [(&str, &str); 4] = [
    ("cargo xtask ", "xtask/src/main.rs"),
    ("cargo run --release -p xtask -- ", "xtask/src/main.rs"),
    ("xtask ", "xtask/src/main.rs"),
    ("cargo experiments ", "experiments/src/main.rs"),
];

/// Checks that a task exists. `None` if the line is not a command that runs tasks.
fn task(line: &str, root: &Path) -> Option<Result<(), String>> {
    let (task, file) = TASKS.iter().find_map(|(before, file)| Some((line.strip_prefix(before)?, file)))?;
    let name = task.split(' ').next().unwrap_or_default();
    if name.starts_with("--") {
        return Some(Ok(()));
    }
    let text = match fs::read_to_string(root.join(file)) {
        Ok(text) => text,
        Err(error) => return Some(Err(error.to_string())),
    };
    let tasks = text.split_once("enum Task {").and_then(|(_, rest)| rest.split_once("\n}"));
    let lines = tasks.map_or("", |(tasks, _)| tasks).lines();
    // `WorldGrids {` is the task `world-grids`.
    let variants = lines
        .filter_map(|line| line.strip_prefix("    "))
        .filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()));
    let kebab = |variant: &str| {
        let mut name = String::new();
        for letter in variant.chars().take_while(char::is_ascii_alphanumeric) {
            if letter.is_ascii_uppercase() && !name.is_empty() {
                name.push('-');
            }
            name.push(letter.to_ascii_lowercase());
        }
        name
    };
    let tasks: Vec<String> = variants.map(kebab).collect();
    let known = tasks.iter().any(|task| task == name);
    Some(if known { Ok(()) } else { Err(format!("`{name}` is no task: {}", tasks.join(", "))) })
}
