//! How the tests run the command: in a folder of their own, with its cache there, and without colours.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The command `terrane` with these arguments, for a folder. What it prints is captured.
pub fn command<A: AsRef<OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.args(arguments).current_dir(folder);
    command.env("TERRANE_CACHE_DIR", folder.join("cache")).env("NO_COLOR", "1");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the command in a folder.
pub fn terrane<A: AsRef<OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = A>) -> Output {
    command(folder, arguments).output().unwrap()
}

/// Runs the command in a folder; also returns its messages, as [`flat`].
pub fn told<A: AsRef<OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = A>) -> (Output, String) {
    let output = terrane(folder, arguments);
    let said = flat(&output);
    (output, said)
}

/// Runs the command in a folder, checks its exit code and returns standard error.
pub fn says<A: AsRef<OsStr>>(folder: &Path, code: i32, arguments: impl IntoIterator<Item = A>) -> String {
    let output = terrane(folder, arguments);
    let said = errors(&output);
    assert_eq!(output.status.code(), Some(code), "{said:.2000}");
    said
}

/// The exit code and the messages of `terrane world verify`.
pub fn verify(folder: &Path, out: &str) -> (Option<i32>, String) {
    let (output, said) = told(folder, ["world", "verify", out]);
    (output.status.code(), said)
}

/// Standard error.
pub fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Standard error in one line, without the frames of drawn messages, so that wrapped sentences are found.
pub fn flat(output: &Output) -> String {
    errors(output).replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A folder with these files.
pub fn folder<T: AsRef<[u8]>>(files: &[(&str, T)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).unwrap());
    folder
}

/// Every file below a folder, by its path from there, except temporary ones, whose names begin with a dot.
pub fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    fn walk(root: &Path, folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(root, &path, found);
            } else if !entry.file_name().to_string_lossy().starts_with('.') {
                found.insert(path.strip_prefix(root).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(folder, folder, &mut found);
    found
}

/// A folder with files, for tests that read and write them by name.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new<T: AsRef<[u8]>>(files: &[(&str, T)]) -> Self {
        Self(folder(files))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub fn terrane<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Output {
        terrane(self.0.path(), arguments)
    }

    /// The command `terrane` with these arguments, for this folder.
    pub fn command(&self, arguments: &str) -> Command {
        command(self.0.path(), arguments.split_whitespace())
    }

    /// Sweeps `g.ron`, and returns as [`says`].
    pub fn sweep(&self, code: i32, arguments: &str) -> String {
        self.says(code, ["sweep", "g.ron"].into_iter().chain(arguments.split_whitespace()))
    }

    /// As [`says`].
    pub fn says<A: AsRef<OsStr>>(&self, code: i32, arguments: impl IntoIterator<Item = A>) -> String {
        says(self.0.path(), code, arguments)
    }
}
