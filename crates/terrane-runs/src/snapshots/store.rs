//! Snapshots on disk, in the format of `insta`. In a cargo package, `cargo insta review` shows and accepts
//! them.
//!
//! The snapshots of `hills.ron` are in `snapshots/`. For an output `relief.png`, `hills__relief.png.snap`
//! holds the text. For maps and pictures, `hills__relief.png-picture.snap.png` holds a small picture and
//! `…-picture.snap` its metadata. Snapshots that are not yet accepted have `.new` after `.snap`.

use std::fs;
use std::io::{Read as _, Write};
use std::path::{Path, PathBuf};

use insta::Snapshot;
use terrane_flow::Graph;
use terrane_flow::syntax::Problem;
use terrane_io::{Effort, json_text, open_regular, read_picture, write_atomic, write_picture};

use super::current::Current;
use super::subject::Subject;
use crate::failure::of_file;
use crate::thumbnail::Rgb;

/// The maximum number of samples in a stored picture. Pictures that this program writes have fewer.
const MAX_SAMPLES: u64 = 1 << 22;

/// The maximum size of a snapshot in bytes. Snapshots that this program writes have some kilobytes.
const MAX_BYTES: u64 = 16 << 20;

/// The first line of a snapshot. `insta` also reads files without it, as snapshots of an old format that this
/// program never wrote, and says so on the terminal.
const FIRST_LINE: &str = "---";

/// The snapshots of one graph.
pub struct Store {
    folder: PathBuf,
    /// The graph's file name, which snapshots contain.
    source: String,
    stem: String,
}

/// A stored snapshot: text and picture.
pub struct Stored {
    pub text: String,
    pub picture: Option<Rgb>,
}

impl Store {
    pub fn new(graph: &Path) -> Self {
        let name = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        Self {
            folder: graph.parent().unwrap_or(Path::new("")).join("snapshots"),
            source: name(graph.file_name()),
            stem: name(graph.file_stem()),
        }
    }

    /// The file of a subject's text.
    pub fn path(&self, subject: &Subject) -> PathBuf {
        self.folder.join(format!("{}__{}.snap", self.stem, subject.file_name()))
    }

    /// Refuses links that lead out of the graph's folder, and files that are not regular. An untrusted graph
    /// may come with snapshots.
    pub fn check(&self) -> Result<(), Problem> {
        let Some(root) = self.folder.parent() else { return Ok(()) };
        let root = if root.as_os_str().is_empty() { Path::new(".") } else { root };
        let Ok(root) = root.canonicalize() else { return Ok(()) };
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten().map(|entry| entry.path());
        for path in std::iter::once(self.folder.clone()).chain(entries) {
            let real = path.canonicalize();
            let leads_out = path.is_symlink() && !real.is_ok_and(|real| real.starts_with(&root));
            if leads_out {
                let message = format!("the link {} leads out of the graph's folder", path.display());
                return Err(Problem::new(message, "remove the link"));
            }
            if path.exists() && !path.is_file() && !path.is_dir() {
                let message = format!("{} is not a regular file", path.display());
                return Err(Problem::new(message, "remove it"));
            }
        }
        Ok(())
    }

    /// The subjects that have snapshots, sorted.
    pub fn subjects(&self) -> Vec<Subject> {
        let prefix = format!("{}__", self.stem);
        let mut subjects: Vec<Subject> = fs::read_dir(&self.folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "snap"))
            .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix)))
            .filter_map(|path| {
                let snapshot = snapshot(&path).ok()?;
                let metadata = snapshot.metadata();
                // Snapshots of another graph may begin with this prefix. Pictures are skipped,
                // because a picture has the same subject as its text.
                (metadata.source() == Some(&self.source) && snapshot.as_text().is_some())
                    .then(|| Subject::from_expression(metadata.expression()?))?
            })
            .collect();
        subjects.sort();
        subjects
    }

    /// The accepted snapshot of a subject; `None` if it is new.
    pub fn read(&self, subject: &Subject) -> Result<Option<Stored>, Problem> {
        let path = self.path(subject);
        if !path.exists() {
            return Ok(None);
        }
        let damaged = |detail: String| {
            let message = format!("{}: {detail}", path.display());
            Problem::new(message, "remove it, or accept a new one with --accept")
        };
        let snapshot = snapshot(&path).map_err(damaged)?;
        self.check_source(&path, &snapshot)?;
        let text =
            snapshot.as_text().ok_or_else(|| damaged("it is not a text snapshot".to_owned()))?.to_string();
        let picture = beside(&path, "-picture.snap.png");
        let picture = picture.exists().then(|| read_picture(&picture, MAX_SAMPLES)).transpose();
        Ok(Some(Stored { text, picture: picture.map_err(|error| of_file(&error))? }))
    }

    /// Refuses a snapshot of another graph. The output `b__c.npy` of `a.ron` and `c.npy` of `a__b.ron` have
    /// snapshots with the same name.
    fn check_source(&self, path: &Path, snapshot: &Snapshot) -> Result<(), Problem> {
        match snapshot.metadata().source() {
            Some(source) if source != self.source => {
                let message =
                    format!("{} is a snapshot of {}, not of {}", path.display(), source, self.source);
                Err(Problem::new(message, "rename one of the two graphs or outputs, or remove the snapshot"))
            }
            _ => Ok(()),
        }
    }

    /// Writes a snapshot, for review or as accepted.
    pub fn write(&self, current: &Current, accepted: bool) -> Result<(), Problem> {
        let path = self.path(&current.subject);
        if let Ok(snapshot) = snapshot(&path) {
            self.check_source(&path, &snapshot)?;
        }
        let new = if accepted { "" } else { ".new" };
        if let Some(picture) = &current.picture {
            let file = beside(&path, &format!("-picture.snap{new}.png"));
            write_picture(&file, picture, Effort::Fast).map_err(|error| of_file(&error))?;
            let header = self.header(current, "extension: png\nsnapshot_kind: binary\n");
            write_text(&beside(&path, &format!("-picture.snap{new}")), &header)?;
        } else if accepted {
            remove(&[beside(&path, "-picture.snap"), beside(&path, "-picture.snap.png")])?;
        }
        let text = format!("{}{}\n", self.header(current, ""), current.text.trim_end());
        write_text(&beside(&path, &format!(".snap{new}")), &text)
    }

    fn header(&self, current: &Current, more: &str) -> String {
        let quoted = |text: &str| json_text(&text).unwrap_or_default();
        let expression = current.subject.expression();
        format!("---\nsource: {}expression: {}{more}---\n", quoted(&self.source), quoted(&expression))
    }

    /// Removes a subject's files that await review.
    pub fn forget_new(&self, subject: &Subject) -> Result<(), Problem> {
        let path = self.path(subject);
        remove(
            &[".snap.new", "-picture.snap.new", "-picture.snap.new.png", ".diff.png"]
                .map(|end| beside(&path, end)),
        )
    }

    /// Removes a snapshot.
    pub fn remove(&self, subject: &Subject) -> Result<(), Problem> {
        let path = self.path(subject);
        self.forget_new(subject)?;
        remove(&[".snap", "-picture.snap", "-picture.snap.png"].map(|end| beside(&path, end)))
    }

    /// Writes a picture of the difference, and returns its path.
    pub fn write_difference(&self, subject: &Subject, picture: &Rgb) -> Result<PathBuf, Problem> {
        let path = beside(&self.path(subject), ".diff.png");
        write_picture(&path, picture, Effort::Fast).map_err(|error| of_file(&error))?;
        Ok(path)
    }
}

/// The subjects of a graph: its outputs, the given ports, and ports that have snapshots, each once.
pub fn subjects_of(graph: &Graph, ports: &[String], stored: &[Subject]) -> Vec<Subject> {
    let outputs = graph.outputs.iter().map(|entry| Subject::Output(entry.file.clone()));
    let named = ports.iter().cloned().map(Subject::Port);
    let known = stored.iter().filter(|subject| matches!(subject, Subject::Port(_))).cloned();
    let mut subjects: Vec<Subject> = Vec::new();
    for subject in outputs.chain(named).chain(known) {
        if !subjects.contains(&subject) && subject.reference(graph).is_some() {
            subjects.push(subject);
        }
    }
    subjects
}

/// Reads a snapshot, unless it is too long or does not begin like one. Fails with what is wrong.
fn snapshot(path: &Path) -> Result<Snapshot, String> {
    let read = || {
        let file = open_regular(path)?;
        let (length, mut start) = (file.metadata()?.len(), Vec::new());
        file.take(FIRST_LINE.len() as u64 + 1).read_to_end(&mut start)?;
        std::io::Result::Ok((length, start))
    };
    let (length, start) = read().map_err(|error| error.to_string())?;
    if length > MAX_BYTES {
        return Err(format!("it has more than {} MiB", MAX_BYTES >> 20));
    }
    let rest = start.strip_prefix(FIRST_LINE.as_bytes());
    if !rest.is_some_and(|rest| matches!(rest, b"\n" | b"\r")) {
        return Err(format!("it is damaged: a snapshot begins with a line `{FIRST_LINE}`"));
    }
    Snapshot::from_file(path).map_err(|error| format!("it is damaged: {error}"))
}

/// The path of a snapshot with another ending.
fn beside(snapshot: &Path, end: &str) -> PathBuf {
    let name = snapshot.file_name().unwrap_or_default().to_string_lossy();
    snapshot.with_file_name(format!("{}{end}", name.trim_end_matches(".snap")))
}

fn write_text(path: &Path, text: &str) -> Result<(), Problem> {
    write_atomic(path, false, |out| out.write_all(text.as_bytes()))
        .map(|_| ())
        .map_err(|error| of_file(&error))
}

fn remove(files: &[PathBuf]) -> Result<(), Problem> {
    for file in files {
        match fs::remove_file(file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                let message = format!("{}: cannot be removed: {error}", file.display());
                return Err(Problem::new(message, "check the permissions of its folder"));
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_damaged_and_foreign_snapshots_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let store = |graph: &str| Store::new(&folder.path().join(graph));
        let own = Subject::Output("b__c.npy".to_owned());
        let path = store("a.ron").path(&own);
        fs::create_dir(path.parent().unwrap()).unwrap();
        let read = |text: &str| {
            fs::write(&path, text).unwrap();
            store("a.ron").read(&own).map_err(|problem| format!("{}; {}", problem.message, problem.help))
        };
        let valid = |source: &str| format!("---\nsource: {source}\nexpression: b__c.npy\n---\ntext\n");
        assert_eq!(read(&valid("a.ron")).unwrap().unwrap().text, "text");
        for (text, expected) in [
            (valid("a__b.ron"), "is a snapshot of a__b.ron, not of a.ron; rename"),
            (
                "source: a.ron\n\ntext".to_owned(),
                "it is damaged: a snapshot begins with a line `---`; remove it",
            ),
            (String::new(), "it is damaged"),
            ("---\n\u{0}: [".to_owned(), "it is damaged"),
            (valid("a.ron") + &" ".repeat(17 << 20), "more than 16 MiB"),
        ] {
            let said = read(&text).err().unwrap();
            assert!(said.contains(expected) && said.contains("a__b__c.npy.snap"), "{said}");
        }
    }
}
