//! `terrane world`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use terrane_runs::patches::{self, Joined};
use terrane_runs::{Failure, outputs};

use super::arguments::is_store;
use super::{console, stores};

#[derive(Debug, Args)]
pub struct World {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check a folder of shares or a store: all shares must belong to one world, no patch may be missing, and
    /// every file must be unchanged. Complete shares are joined.
    #[command(
        after_help = "Exit codes: 0 complete and unchanged, 1 a patch or file is missing or changed, 2 \
        no shares."
    )]
    Verify(Verify),
    /// Write an array of a store as one cloud-optimised GeoTIFF, including its levels of detail.
    Geotiff(Geotiff),
    /// Write a virtual dataset (VRT) that refers to the TIFF files of all patches in a folder of shares.
    Vrt(Vrt),
}

#[derive(Debug, Args)]
struct Geotiff {
    /// The store: a folder NAME.zarr, or s3://BUCKET/NAME.zarr.
    #[arg(value_name = "STORE")]
    store: PathBuf,
    /// The array's name in the store, or the file name of its output in the graph.
    #[arg(value_name = "ARRAY")]
    array: String,
    /// The file to write.
    #[arg(long, short, value_name = "FILE.tif")]
    out: PathBuf,
}

#[derive(Debug, Args)]
struct Vrt {
    /// The folder that the shares were written to.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// The name of the TIFF file, the same for each patch.
    #[arg(value_name = "FILE.tif")]
    file: String,
}

#[derive(Debug, Args)]
struct Verify {
    /// The folder that the shares were written to, or a store: a folder NAME.zarr, or s3://BUCKET/NAME.zarr.
    #[arg(value_name = "FOLDER|STORE")]
    folder: PathBuf,
    /// Print one JSON object per file or block.
    #[arg(long)]
    json: bool,
}

pub fn world(args: &World) -> Result<(), Failure> {
    match &args.command {
        Command::Verify(args) => verify(args),
        Command::Geotiff(Geotiff { store, array, out }) => {
            let is_tiff = out
                .extension()
                .is_some_and(|end| end.eq_ignore_ascii_case("tif") || end.eq_ignore_ascii_case("tiff"));
            if !is_tiff {
                let message = format!("{} does not end in .tif", out.display());
                return Err(Failure::usage(message, "use a name such as world.tif"));
            }
            outputs::check_named(out, &[]).map_err(Failure::Usage)?;
            stores::geotiff(store, array, out)?;
            console::line(&format!("wrote {}", out.display()));
            Ok(())
        }
        Command::Vrt(Vrt { folder, file }) => {
            if is_store(folder) {
                let help = "write a GeoTIFF instead: terrane world geotiff STORE ARRAY -o FILE.tif";
                return Err(Failure::usage(
                    "a store has no TIFF files that a virtual dataset could refer to",
                    help,
                ));
            }
            let (written, warning) = patches::write_virtual_dataset(folder, file)?;
            warning.into_iter().for_each(|warning| console::line(&format!("warning: {warning}")));
            console::line(&format!("wrote {}", written.display()));
            Ok(())
        }
    }
}

fn verify(args: &Verify) -> Result<(), Failure> {
    if is_store(&args.folder) {
        return stores::verify(&args.folder, args.json);
    }
    let joined = patches::verify(&args.folder, |file, verdict| {
        if args.json {
            let object = serde_json::json!({ "file": file, "verdict": verdict.word() });
            console::json(&object);
        }
    })?;
    let Joined { world, shares, patches, files } = joined;
    if args.json {
        let object = serde_json::json!({
            "world": world.key, "terrane": world.terrane, "shares": shares, "patches": patches,
            "files": files,
        });
        console::json(&object);
    } else {
        let noun =
            |count: usize, one: &str, more: &str| format!("{count} {}", if count == 1 { one } else { more });
        console::line(&format!(
            "world {}: {} by {}, {} unchanged",
            world.key,
            noun(patches, "patch", "patches"),
            noun(shares, "share", "shares"),
            noun(files, "file", "files"),
        ));
    }
    Ok(())
}
