//! `terrane world`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use terrane_runs::Failure;
use terrane_runs::patches::{self, Joined};

use super::{console, stores};

#[derive(Debug, Args)]
pub struct World {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Join the shares in a folder, or look at a store: whether all is of one world, every patch is there, and every file is as it was written.
    #[command(after_help = "Exit codes: 0 all is there, 1 something is not, 2 there are no shares.")]
    Verify(Verify),
}

#[derive(Debug, Args)]
struct Verify {
    /// The folder that shares wrote to, or a store: a folder NAME.zarr, or s3://BUCKET/NAME.zarr.
    #[arg(value_name = "FOLDER|STORE")]
    folder: PathBuf,
    /// Print one JSON object per file or block.
    #[arg(long)]
    json: bool,
}

pub fn world(args: &World) -> Result<(), Failure> {
    let Command::Verify(args) = &args.command;
    if stores::is_store(&args.folder) {
        return stores::verify(&args.folder, args.json);
    }
    let joined = patches::verify(&args.folder, |file, verdict| {
        if args.json {
            let object = serde_json::json!({ "file": file, "verdict": verdict.word() });
            console::print(&format!("{object}\n"));
        }
    })?;
    let Joined { world, shares, patches, files } = joined;
    if args.json {
        let object = serde_json::json!({
            "world": world.key, "terrane": world.terrane, "shares": shares, "patches": patches, "files": files,
        });
        console::print(&format!("{object}\n"));
    } else {
        let noun =
            |count: usize, one: &str, more: &str| format!("{count} {}", if count == 1 { one } else { more });
        console::line(&format!(
            "world {}: {} by {}, {} as they were written",
            world.key,
            noun(patches, "patch", "patches"),
            noun(shares, "share", "shares"),
            noun(files, "file", "files"),
        ));
    }
    Ok(())
}
