//! Commands of editors: the preview, runs and snapshots, each a `terrane` of its own.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Sender, bounded};
use serde_json::{Value as Json, json};

/// Names of the commands that an editor can execute.
pub const COMMANDS: [&str; 4] = ["terrane.preview", "terrane.run", "terrane.accept", "terrane.show"];

/// How long a preview may take until it listens.
const START: Duration = Duration::from_secs(30);

/// What a running command tells the server.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    /// A page asks for the text of a node: the file, its line and column, which count from 1.
    Source {
        /// The file.
        file: PathBuf,
        /// The line.
        line: u32,
        /// The column, in characters.
        column: u32,
    },
}

/// The previews that run, by their files.
pub struct Previews {
    /// The editor whose windows may frame previews.
    frame: Option<String>,
    running: HashMap<PathBuf, Preview>,
}

struct Preview {
    child: Child,
    input: ChildStdin,
    address: String,
}

impl Drop for Preview {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ended = self.child.kill();
        let _reaped = self.child.wait();
    }
}

impl Previews {
    /// None yet. An editor is named if its windows may frame previews.
    pub fn of(frame: Option<&str>) -> Self {
        Self { frame: frame.map(str::to_owned), running: HashMap::new() }
    }

    /// The address of a file's preview, which is started if it does not run.
    ///
    /// # Errors
    /// Why it did not start.
    pub fn open(&mut self, program: &Path, file: &Path, told: &Sender<Told>) -> Result<String, String> {
        if let Some(preview) = self.running.get_mut(file) {
            if matches!(preview.child.try_wait(), Ok(None)) {
                return Ok(preview.address.clone());
            }
            self.running.remove(file);
        }
        let mut child = Command::new(program)
            .args(["view", "--no-open", "--editor", "--json"])
            .args(self.frame.iter().flat_map(|frame| ["--frame-in", frame]))
            .arg(file)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot start {} view: {error}", program.display()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("cannot read what the preview says".to_owned());
        };
        let (listening, listened) = bounded(1);
        let told = told.clone();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let Ok(event) = serde_json::from_str::<Json>(&line) else { continue };
                match event["event"].as_str() {
                    Some("listening") => {
                        let _waits =
                            listening.try_send(event["address"].as_str().unwrap_or_default().to_owned());
                    }
                    Some("source") => {
                        let number = |name: &str| event[name].as_u64().and_then(|at| u32::try_from(at).ok());
                        let file = event["file"].as_str().map(PathBuf::from);
                        if let (Some(file), Some(line), Some(column)) =
                            (file, number("line"), number("column"))
                        {
                            let _gone = told.send(Told::Source { file, line, column });
                        }
                    }
                    _ => {}
                }
            }
        });
        let preview = |address| Preview { child, input, address };
        match listened.recv_timeout(START) {
            Ok(address) => {
                self.running.insert(file.to_owned(), preview(address.clone()));
                Ok(address)
            }
            Err(_) => {
                drop(preview(String::new()));
                Err(format!("the preview did not start: run `terrane view {}` to see why", file.display()))
            }
        }
    }

    /// Selects a node in a file's preview, if it runs.
    ///
    /// # Errors
    /// If it does not run.
    pub fn show(&mut self, file: &Path, node: &str) -> Result<(), String> {
        let preview = self.running.get_mut(file).ok_or("the preview is not open: open it first")?;
        let line = format!("{}\n", json!({ "show": node }));
        preview
            .input
            .write_all(line.as_bytes())
            .map_err(|_| "the preview has ended: open it again".to_owned())
    }
}

/// Runs a graph, or accepts its snapshots, and says what came of it.
///
/// # Errors
/// What went wrong, as the command says it.
pub fn finish(program: &Path, file: &Path, accept: bool) -> Result<String, String> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut command = Command::new(program);
    match accept {
        true => command.args(["test", "--accept"]),
        false => command.arg("run"),
    };
    // A name that begins with `-` is no option.
    let name = Path::new(".").join(file.file_name().unwrap_or(file.as_os_str()));
    let output = command
        .args(["--color", "never"])
        .arg(name)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot start {}: {error}", program.display()))?;
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).trim().to_owned();
    if output.status.success() { Ok(said) } else { Err(said) }
}

/// What a command said, short enough for a message of an editor: its first mistake, with its place and help.
/// Of a run without mistakes, what was written and the number of warnings. Everything, if it said neither.
pub fn brief(said: &str) -> String {
    let mut mistakes: Vec<String> = Vec::new();
    for line in said.lines().map(str::trim) {
        if let Some(message) = line.strip_prefix("× ") {
            mistakes.push(message.to_owned());
        } else if let Some(last) = mistakes.last_mut() {
            if let Some(place) = line.strip_prefix("╭─[").and_then(|rest| rest.strip_suffix(']')) {
                *last = format!("{place}: {last}");
            } else if let Some(help) = line.strip_prefix("help: ") {
                *last = format!("{last}: {help}");
            }
        }
    }
    match &*mistakes {
        [] => done(said),
        [one] => one.clone(),
        [first, more @ ..] => format!("{first} (mistakes: {})", 1 + more.len()),
    }
}

/// What a run without mistakes said.
fn done(said: &str) -> String {
    let mut written = said.lines().filter_map(|line| line.strip_prefix("wrote "));
    let Some(first) = written.next() else { return said.to_owned() };
    let more = written.count();
    let files = if more > 0 { format!(" and {more} more") } else { String::new() };
    let nodes = said.lines().rfind(|line| line.contains(" ran, ")).map(|line| format!("; {line}"));
    let warnings = said.lines().filter(|line| line.trim_start().starts_with("⚠ ")).count();
    let warned = if warnings > 0 { format!(" (warnings: {warnings})") } else { String::new() };
    format!("wrote {first}{files}{}{warned}", nodes.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::brief;

    #[test]
    fn a_message_of_a_run_has_what_was_written() {
        let said = "wrote out/a.png\nwrote out/b.png\n2 nodes ran, 1 cached, 0.1 s\n  ⚠ unused node\n";
        assert_eq!(brief(said), "wrote out/a.png and 1 more; 2 nodes ran, 1 cached, 0.1 s (warnings: 1)");
    }

    #[test]
    fn a_message_has_the_first_mistake() {
        let one = "  × radius has no value\n    ╭─[a.ron:26:50]\n 25 │  \"b\": C(radius: )\n    ╰────\n  \
            help: write the value";
        assert_eq!(brief(one), "a.ron:26:50: radius has no value: write the value");
        let two = format!("{one}\n  × cannot read `b`\n");
        assert_eq!(brief(&two), "a.ron:26:50: radius has no value: write the value (mistakes: 2)");
        assert_eq!(brief("accepted 2 snapshots\nnext"), "accepted 2 snapshots\nnext");
    }
}
