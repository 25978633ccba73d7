//! `terrane lsp`.

use std::path::PathBuf;

use clap::Args;
use terrane_flow::{Declare as _, Value};
use terrane_lsp::results::Results;
use terrane_lsp::{Setup, serve_stdio};
use terrane_runs::Failure;
use terrane_runs::lint::KnownValues;
use terrane_runs::world::World;

use super::faces::FACES;
use super::session;

#[derive(Debug, Args)]
pub struct Lsp {
    /// Talk through standard input and output, which is the only way; editors pass this.
    #[arg(long)]
    pub stdio: bool,
    /// Folder of the disk cache, whose results are shown.
    #[arg(long, env = "TERRANE_CACHE_DIR", value_name = "DIR")]
    pub cache_dir: Option<PathBuf>,
}

pub fn lsp(args: &Lsp) -> Result<(), Failure> {
    let given = args.cache_dir.as_deref();
    let results = Results {
        engine: session::lookup_engine(given)?,
        folder: terrane_runs::settings::cache_dir(given),
        draw,
        values: KnownValues::default(),
    };
    let setup = Setup { program: std::env::current_exe().ok(), results: Some(results), ..setup() };
    serve_stdio(&setup).map_err(|error| {
        let help = "`terrane lsp` is started by an editor, which speaks the language server protocol";
        Failure::evaluation(error.to_string(), help)
    })
}

/// What the language server knows by itself, without a program and without results.
pub fn setup() -> Setup {
    Setup {
        registry: terrane_nodes::registry(),
        others: vec![World::spec()],
        version: env!("CARGO_PKG_VERSION"),
        program: None,
        results: None,
    }
}

/// A thumbnail of a value.
fn draw(value: &Value, unit: &str) -> Option<(&'static str, Vec<u8>)> {
    terrane_view::draw(&FACES, value, unit)
}
