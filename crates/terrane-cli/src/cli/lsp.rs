//! `terrane lsp`.

use clap::Args;
use terrane_flow::Declare as _;
use terrane_lsp::{Setup, serve_stdio};
use terrane_runs::world::World;
use terrane_runs::{Failure, Problem};

#[derive(Debug, Args)]
pub struct Lsp {
    /// Talk through standard input and output, which is the only way; editors pass this.
    #[arg(long)]
    pub stdio: bool,
}

pub fn lsp(_: &Lsp) -> Result<(), Failure> {
    serve_stdio(&setup()).map_err(|error| {
        let help = "`terrane lsp` is started by an editor, which speaks the language server protocol";
        Failure::Usage(Problem::new(error.to_string(), help))
    })
}

/// What the language server knows.
pub fn setup() -> Setup {
    Setup {
        registry: terrane_nodes::registry(),
        others: vec![World::spec()],
        version: env!("CARGO_PKG_VERSION"),
    }
}
