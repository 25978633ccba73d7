//! The `terrane` command. Data goes to standard output, everything else to standard error.
//!
//! Exit codes: 0 done, 1 evaluation failed, 2 bad graph or usage.

#![forbid(unsafe_code)]

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
