//! The command `terrane`.

fn main() -> std::process::ExitCode {
    terrane_cli::main()
}
