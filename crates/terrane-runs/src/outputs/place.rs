//! Where outputs may be written.

use std::fs;
use std::path::{Path, PathBuf};

use terrane_flow::syntax::Problem;
use terrane_io::Sidecar;

/// The path of an output of a graph below the folder of outputs.
///
/// # Errors
/// When a link there, of the file, of its sidecar or of a folder on the way, leads out of the folder: graphs
/// of strangers are to write nowhere else. When it is one of `inputs`, the files that the graph is made from.
pub fn place(out: &Path, file: &str, inputs: &[PathBuf]) -> Result<PathBuf, Problem> {
    let path = out.join(file);
    let real = |path: &Path| fs::canonicalize(path);
    // A folder that is not there has no links in it.
    let Ok(root) = real(out) else { return Ok(path) };
    let leads_out = |path: &Path| {
        if !path.is_symlink() && !path.exists() {
            return false;
        }
        // A link to nothing cannot be followed, but could be written through.
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
            "remove the link, or name the folder that it leads to with --out",
        ));
    }
    if let Ok(own) = real(&path)
        && inputs.iter().any(|input| real(input).is_ok_and(|input| input == own))
    {
        return Err(Problem::new(
            format!("cannot write {}: the graph is made from this file", path.display()),
            "name another output, or another folder with --out",
        ));
    }
    Ok(path)
}
