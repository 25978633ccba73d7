//! `terrane fmt`.

use std::io::{IsTerminal, Read, Write};
use std::path::Path;
use std::path::PathBuf;

use clap::Args;
use terrane_flow::{Diagnostics, Disk, format_text, read_source};
use terrane_io::{Written, read_regular, write_atomic};
use terrane_runs::Failure;

use super::console;

#[derive(Debug, Args)]
pub struct Fmt {
    /// Graph and world files; `-` formats standard input to standard output.
    #[arg(required = true)]
    pub graphs: Vec<PathBuf>,
    /// Change nothing: list the files that are not formatted, and exit with code 1 if there are any.
    #[arg(long)]
    pub check: bool,
}

pub fn fmt(args: &Fmt) -> Result<(), Failure> {
    let (mut broken, mut problems) = (Diagnostics::default(), Vec::new());
    for path in &args.graphs {
        match file(path, args.check) {
            Ok(()) => {}
            Err(Failure::Graph(diagnostics)) => broken.0.extend(diagnostics.0),
            Err(Failure::Evaluation(more)) => problems.extend(more),
            Err(usage) => return Err(usage),
        }
    }
    if !broken.0.is_empty() && !problems.is_empty() {
        console::report(&Failure::Evaluation(std::mem::take(&mut problems)));
    }
    broken.into_result()?;
    if problems.is_empty() { Ok(()) } else { Err(Failure::Evaluation(problems)) }
}

/// Formats one file, or reports that it is not formatted.
fn file(path: &Path, check: bool) -> Result<(), Failure> {
    let unformatted = |name: &str| {
        Err(Failure::evaluation(format!("`{name}` is not formatted"), format!("run `terrane fmt {name}`")))
    };
    if path == Path::new("-") {
        let text = standard_input()?;
        let formatted = format_text("standard input", &text)?;
        if check {
            return if formatted == text { Ok(()) } else { unformatted("-") };
        }
        // A pipe gets exactly the text; a terminal gets no control characters.
        if std::io::stdout().is_terminal() {
            console::print(&formatted);
        } else {
            console::print_bytes(formatted.as_bytes());
        }
        return Ok(());
    }
    let source = read_source(&Disk, path)?;
    let formatted = format_text(&source.name, &source.text)?;
    if check {
        // `source.text` lacks the file's byte order mark, which formatting removes. So the file itself is
        // compared.
        let same = read_regular(path).is_ok_and(|bytes| bytes == formatted.as_bytes());
        return if same { Ok(()) } else { unformatted(&source.name) };
    }
    match write_atomic(path, false, |out| out.write_all(formatted.as_bytes())) {
        Ok(Written::Unchanged) => Ok(()),
        Ok(Written::Created | Written::Replaced) => {
            console::line(&format!("formatted {}", path.display()));
            Ok(())
        }
        Err(error) => {
            Err(Failure::evaluation(format!("{}: {}", path.display(), error.problem), error.remedy()))
        }
    }
}

fn standard_input() -> Result<String, Failure> {
    // The maximum size of a graph file.
    const MAX: u64 = 16 << 20;
    let mut text = String::new();
    std::io::stdin().lock().take(MAX + 1).read_to_string(&mut text).map_err(|error| {
        Failure::usage(format!("cannot read standard input: {error}"), "pipe a graph into it as UTF-8 text")
    })?;
    if text.len() as u64 > MAX {
        let message = format!("standard input has more than {} MiB", MAX >> 20);
        return Err(Failure::usage(message, "pipe a graph into it as UTF-8 text"));
    }
    Ok(text)
}
