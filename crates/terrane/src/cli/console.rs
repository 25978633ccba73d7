//! What the user reads.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use terrane_flow::printable;
use terrane_runs::Failure;

use super::arguments::Colour;

static COLOUR: AtomicBool = AtomicBool::new(false);

/// Where standard output stands: one of the numbers below.
static OUT: AtomicU8 = AtomicU8::new(OPEN);
const OPEN: u8 = 0;
/// Its reader went away.
const CLOSED: u8 = 1;
/// Writing failed, and the user was told.
const FAILED: u8 = 2;

/// Decides on colour, once.
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

/// Tells the user why a command ends without success.
pub fn report(failure: &Failure) {
    match failure {
        Failure::Graph(diagnostics) => write(&diagnostics.render(COLOUR.load(Ordering::Relaxed))),
        Failure::Usage(problem) => error(&problem.message, &problem.help),
        Failure::Evaluation(problems) => {
            problems.iter().for_each(|problem| error(&problem.message, &problem.help));
        }
    }
}

/// An error with its remedy.
pub fn error(message: &str, help: &str) {
    let (red, off) = if COLOUR.load(Ordering::Relaxed) { ("\x1b[31m", "\x1b[0m") } else { ("", "") };
    line(&format!("{red}error:{off} {}", printable(message)));
    if !help.is_empty() {
        line(&format!("  help: {}", printable(help)));
    }
}

/// A line on standard error.
pub fn line(text: &str) {
    write(&format!("{text}\n"));
}

fn write(text: &str) {
    // Nobody reads standard error: there is nobody to tell.
    let _unheard = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Text on standard output. A reader that went away ends the output, not the work; any other failure is told
/// once, and counts when the program ends.
pub fn print(text: &str) {
    print_bytes(text.as_bytes());
}

/// The same, of bytes.
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
            "see where it goes, and whether there is room",
        );
    }
}

/// Whether all that was meant for standard output could be written, as long as it had a reader.
pub fn was_printed() -> bool {
    OUT.load(Ordering::Relaxed) != FAILED
}
