//! The paths at which outputs may be written.

use std::fs;
use std::path::{Path, PathBuf};

use terrane_flow::syntax::Problem;
use terrane_io::Sidecar;

/// The path of an output below the output folder.
///
/// # Errors
/// Fails if the file, its sidecar or a folder on the path is a link that leads out of the output folder. An
/// untrusted graph must not write elsewhere. Also fails if the file is one of `inputs`, the graph's source
/// files.
pub fn place(out: &Path, file: &str, inputs: &[PathBuf]) -> Result<PathBuf, Problem> {
    let path = out.join(file);
    let real = |path: &Path| fs::canonicalize(path);
    // A folder that does not exist contains no links.
    let Ok(root) = real(out) else { return Ok(path) };
    let leads_out = |path: &Path| {
        if !path.is_symlink() && !path.exists() {
            return false;
        }
        // A dangling link cannot be resolved, but could be written through.
        real(path).map_or(true, |real| !real.starts_with(&root))
    };
    let below = path.ancestors().take_while(|folder| *folder != out).map(Path::to_owned);
    if let Some(link) = below.chain([Sidecar::path_of(&path)]).find(|path| leads_out(path)) {
        return Err(Problem::new(
            format!(
                "cannot write {}: the link {} leads out of {}",
                path.display(),
                link.display(),
                out.display()
            ),
            "remove the link, or choose its target folder with --out",
        ));
    }
    if let Ok(target) = real(&path)
        && inputs.iter().any(|input| real(input).is_ok_and(|input| input == target))
    {
        return Err(Problem::new(
            format!("cannot write {}: the graph reads this file", path.display()),
            "rename the output, or choose another folder with --out",
        ));
    }
    Ok(path)
}
