//! The command `terrane`, as a function.
//!
//! Data goes to standard output, everything else to standard error. Exit codes: 0 done, 1 evaluation failed,
//! 2 bad graph or usage.

mod cli;
mod heap;

/// Runs the command with the arguments of this process.
#[must_use]
pub fn main() -> std::process::ExitCode {
    // This must happen before any other thread starts.
    if std::env::args_os().any(|argument| argument.as_encoded_bytes().starts_with(b"--memory")) {
        heap::return_freed_memory();
    }
    cli::main()
}
