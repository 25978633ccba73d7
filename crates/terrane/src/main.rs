//! The `terrane` command. Data goes to standard output, everything else to standard error.
//!
//! Exit codes: 0 done, 1 evaluation failed, 2 bad graph or usage.

#![deny(unsafe_code)]

mod cli;
mod heap;

fn main() -> std::process::ExitCode {
    // Here, since no other thread has begun.
    if std::env::args_os().any(|given| given.as_encoded_bytes().starts_with(b"--memory")) {
        heap::give_back_at_once();
    }
    cli::main()
}
