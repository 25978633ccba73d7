//! `terrane new`.

use std::path::PathBuf;

use clap::Args;
use terrane_runs::Failure;

use super::console;

#[derive(Debug, Args)]
pub struct New {
    /// File name of the graph; `.ron` is added if missing.
    pub name: String,
}

const STARTER: &str = include_str!("starter.ron");

pub fn new(args: &New) -> Result<(), Failure> {
    let mut path = PathBuf::from(&args.name);
    if path.file_name().is_none() {
        let message = format!("`{}` is not the name of a file", args.name);
        return Err(Failure::usage(message, "write a name such as hills.ron"));
    }
    if path.extension().is_none_or(|extension| extension != "ron") {
        path.as_mut_os_string().push(".ron");
    }
    terrane_runs::outputs::check_named(&path, &[]).map_err(Failure::Usage)?;
    if path.exists() {
        return Err(Failure::usage(format!("`{}` already exists", path.display()), "choose another name"));
    }
    terrane_io::write_atomic(&path, false, |out| std::io::Write::write_all(out, STARTER.as_bytes()))
        .map_err(|error| {
            Failure::evaluation(format!("{}: {}", path.display(), error.problem), error.remedy())
        })?;
    let name = path.display().to_string();
    let plain = name.chars().all(|c| c.is_alphanumeric() || "-_./\\:".contains(c));
    let typed = if plain { name.clone() } else { format!("\"{name}\"") };
    console::line(&format!("wrote {name}; run it with: terrane run {typed}"));
    Ok(())
}
