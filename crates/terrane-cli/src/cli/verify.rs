//! `terrane verify`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use terrane_runs::Failure;
use terrane_runs::outputs::verify as verify_outputs;

use super::console;

#[derive(Debug, ClapArgs)]
pub struct Verify {
    /// Folders of outputs. Manifests in subfolders are checked too.
    #[arg(required = true, value_name = "FOLDER")]
    pub folders: Vec<PathBuf>,
    /// Print one JSON object per file.
    #[arg(long)]
    pub json: bool,
}

pub fn verify(args: &Verify) -> Result<(), Failure> {
    let (mut count, mut problems, mut missing) = (0, Vec::new(), Vec::new());
    for folder in &args.folders {
        let verified = verify_outputs(folder, |file, verdict| {
            if args.json {
                let object = serde_json::json!({ "file": file, "verdict": verdict.word() });
                console::json(&object);
            }
        });
        match verified {
            Ok(files) => count += files,
            Err(Failure::Evaluation(more)) => problems.extend(more),
            // The other folders are still checked.
            Err(Failure::Usage(problem)) => missing.push(problem),
            Err(failure) => return Err(failure),
        }
    }
    if let Some(last) = missing.pop() {
        for problem in missing.iter().chain(&problems) {
            console::error(&problem.message, &problem.help);
        }
        return Err(Failure::Usage(last));
    }
    Failure::unless(problems)?;
    if !args.json {
        let files = if count == 1 { "file" } else { "files" };
        console::line(&format!("{count} {files} unchanged"));
    }
    Ok(())
}
