//! `terrane mcp`.

use std::io::{stdin, stdout};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use terrane_mcp::{Setup, serve};
use terrane_runs::Failure;

use super::arguments::threads;
use super::session;

#[derive(Debug, Args)]
pub struct Mcp {
    /// The folder below which files are read and written. Default: the working folder.
    #[arg(long, default_value = ".", value_name = "DIR")]
    pub folder: PathBuf,
    /// Maximum memory for values and running nodes, such as 4G. Default: three quarters of the machine's
    /// memory.
    #[arg(long, value_name = "BYTES")]
    pub memory: Option<String>,
    /// Maximum time of one call, in seconds.
    #[arg(long, default_value_t = 120.0, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: f64,
    /// Number of threads; 0 means one per core.
    #[arg(long, default_value_t = 0, value_parser = threads)]
    pub threads: usize,
}

fn seconds(text: &str) -> Result<f64, String> {
    let most = 1e6;
    match text.parse() {
        Ok(seconds) if seconds > 0.0 && seconds <= most => Ok(seconds),
        _ => Err(format!("expected a number of seconds greater than 0 and at most {most}")),
    }
}

pub fn mcp(args: &Mcp) -> Result<(), Failure> {
    let setup = Setup {
        registry: terrane_nodes::registry(),
        others: terrane::file_types(),
        version: env!("CARGO_PKG_VERSION"),
        folder: args.folder.clone(),
        memory: session::budget(args.memory.as_deref())?,
        timeout: Duration::from_secs_f64(args.timeout),
        threads: args.threads,
    };
    serve(setup, stdin().lock(), stdout()).map_err(Failure::Usage)
}
