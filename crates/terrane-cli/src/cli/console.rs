//! Output to the terminal: standard output for data, standard error for messages.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use terrane_flow::{is_hidden, printable};
use terrane_runs::Failure;

use super::arguments::Colour;

static COLOUR: AtomicBool = AtomicBool::new(false);

/// The state of standard output: one of the constants below.
static OUT: AtomicU8 = AtomicU8::new(OPEN);
const OPEN: u8 = 0;
/// The reader closed the pipe.
const CLOSED: u8 = 1;
/// Writing failed, and the error was reported.
const FAILED: u8 = 2;

/// Decides whether messages are coloured.
pub fn set_colour(colour: Colour) {
    let on = match colour {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => {
            std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()) && std::io::stderr().is_terminal()
        }
    };
    COLOUR.store(on, Ordering::Relaxed);
}

/// Reports why a command failed.
pub fn report(failure: &Failure) {
    match failure {
        Failure::Graph(diagnostics) => write(&diagnostics.render(COLOUR.load(Ordering::Relaxed))),
        Failure::Usage(problem) => error(&problem.message, &problem.help),
        Failure::Evaluation(problems) => {
            problems.iter().for_each(|problem| error(&problem.message, &problem.help));
        }
    }
}

/// Prints an error with its help line.
pub fn error(message: &str, help: &str) {
    let (red, off) = if COLOUR.load(Ordering::Relaxed) { ("\x1b[31m", "\x1b[0m") } else { ("", "") };
    write(&format!("{red}error:{off} {}\n", printable(message)));
    if !help.is_empty() {
        line(&format!("  help: {help}"));
    }
}

/// Prints a line to standard error, without control characters.
pub fn line(text: &str) {
    write(&format!("{}\n", printable(text)));
}

fn write(text: &str) {
    // If standard error is closed, there is nowhere to report that.
    let _unreportable = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Prints text to standard output, without control characters. If the reader closed the pipe, printing stops
/// and the work continues. Any other failure is reported once, and makes the command exit with an error.
pub fn print(text: &str) {
    print_bytes(printable(text).as_bytes());
}

/// Prints JSON and a line break to standard output. JSON leaves some control characters as they are; here they
/// are escaped, so that the values stay the same.
pub fn json(value: &impl std::fmt::Display) {
    let text = value.to_string();
    let mut safe = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        match c {
            c if c != '\n' && is_hidden(c) => safe.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => safe.push(c),
        }
    }
    safe.push('\n');
    print_bytes(safe.as_bytes());
}

/// Prints bytes to standard output, as [`print`] does.
pub fn print_bytes(bytes: &[u8]) {
    if OUT.load(Ordering::Relaxed) != OPEN {
        return;
    }
    let mut out = std::io::stdout().lock();
    let Err(problem) = out.write_all(bytes).and_then(|()| out.flush()) else { return };
    let closed = problem.kind() == std::io::ErrorKind::BrokenPipe;
    OUT.store(if closed { CLOSED } else { FAILED }, Ordering::Relaxed);
    if !closed {
        error(
            &format!("cannot write to standard output: {problem}"),
            "check where it is redirected to, and whether the disk is full",
        );
    }
}

/// Whether standard output was written in full, or at least until its reader closed the pipe.
pub fn was_printed() -> bool {
    OUT.load(Ordering::Relaxed) != FAILED
}
