//! Atomic writing: files appear whole or not at all.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use crate::{IoError, Problem, leftover, links, open::open_regular};

/// What writing did to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// The file did not exist before.
    Created,
    /// The new bytes differ from the old ones.
    Replaced,
    /// The file already had these bytes. It was not touched, and its modification time is unchanged.
    Unchanged,
}

/// Writes a file atomically.
///
/// `write` fills a temporary file in the folder of `path`, which is created if missing. The temporary file is
/// then renamed, so that a process that opens `path` sees the old bytes or the new ones, never a mixture. On
/// any failure the temporary file is removed and the old file stays. If a process is killed while it writes,
/// a process that writes to the folder some minutes later removes the temporary file. If the bytes equal
/// those on disk, the file is not touched. A link to a file in the same folder, or in a folder below it, is
/// followed; the permissions of an existing file are kept.
/// With `sync`, the function waits until the bytes are on disk.
///
/// # Errors
/// [`Problem::Write`] if `write` fails, if the folder cannot be created or written to, or if `path`
/// is a folder, a device, a pipe or read-only. Also if a link leads elsewhere: a link as `path` may not lead
/// out of its folder, and on a relative path no link may lead out of the working folder.
pub fn write_atomic(
    path: &Path,
    sync: bool,
    write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> Result<Written, IoError> {
    Staged::new(path, sync, write).and_then(Staged::commit).map_err(|e| Problem::Write(e).at(path))
}

/// Like [`write_atomic`] with `sync`, but calls `still` when only the renaming remains. If it fails, the old
/// file stays. So a file that another program has saved in the meantime is not overwritten.
///
/// # Errors
/// As [`write_atomic`], and the error of `still`.
pub fn write_atomic_if(
    path: &Path,
    still: impl FnOnce() -> io::Result<()>,
    write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> Result<Written, IoError> {
    let staged = Staged::new(path, true, write).and_then(|staged| still().map(|()| staged));
    staged.and_then(Staged::commit).map_err(|error| Problem::Write(error).at(path))
}

/// Writes a file atomically unless it exists, and returns whether it was written. Of several simultaneous
/// calls, even in different processes or on machines that share the folder, only one writes the file.
///
/// # Errors
/// As [`write_atomic`].
pub fn create_atomic(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> Result<bool, IoError> {
    let create = || {
        if path.symlink_metadata().is_ok() {
            return Ok(false);
        }
        let staged = Staged::new(path, false, write)?;
        let Some(file) = staged.file else { return Ok(false) };
        match file.persist_noclobber(path) {
            Ok(_) => Ok(true),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error.error),
        }
    };
    create().map_err(|error| Problem::Write(error).at(path))
}

/// The BLAKE3 hash of the input, in hexadecimal.
pub(crate) fn digest(input: impl Read) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(input)?;
    Ok(hasher.finalize().to_hex().to_string())
}

/// A completely written file under a temporary name. Only the renaming remains.
pub(crate) struct Staged {
    /// `None` if the file at the target already has these bytes.
    file: Option<NamedTempFile>,
    target: PathBuf,
    outcome: Written,
}

impl Staged {
    pub(crate) fn new(
        path: &Path,
        sync: bool,
        write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
    ) -> io::Result<Self> {
        let target = links::target(path)?;
        let older = older(&target)?;
        let folder = match target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        fs::create_dir_all(folder)?;
        leftover::sweep(folder);
        let file = temporary(folder, older.as_ref())?;
        let mut writer = BufWriter::with_capacity(1 << 18, file.as_file());
        write(&mut writer)?;
        writer.flush()?;
        drop(writer);
        let outcome = match older {
            None => Written::Created,
            Some(older) if same_bytes(&mut file.as_file(), &older, &target)? => Written::Unchanged,
            Some(_) => Written::Replaced,
        };
        if outcome == Written::Unchanged {
            return Ok(Self { file: None, target, outcome });
        }
        if sync {
            file.as_file().sync_all()?;
        }
        Ok(Self { file: Some(file), target, outcome })
    }

    /// Whether the bytes differ from those of the present file.
    pub(crate) fn changes(&self) -> bool {
        self.file.is_some()
    }

    /// The digest of the bytes.
    pub(crate) fn digest(&self) -> io::Result<String> {
        match &self.file {
            Some(file) => {
                file.as_file().seek(SeekFrom::Start(0))?;
                digest(file.as_file())
            }
            None => digest(open_regular(&self.target)?),
        }
    }

    pub(crate) fn commit(self) -> io::Result<Written> {
        if let Some(file) = self.file {
            // On Windows the lock would keep other processes from reading the new file. On other systems it
            // is only advisory.
            #[cfg(windows)]
            file.as_file().unlock()?;
            file.persist(&self.target).map_err(|e| e.error)?;
        }
        Ok(self.outcome)
    }
}

/// The metadata of the file to be replaced, if there is one. A device or a read-only file must not be
/// replaced by renaming, even though the system would allow it.
fn older(target: &Path) -> io::Result<Option<fs::Metadata>> {
    let metadata = match fs::metadata(target) {
        Ok(metadata) => metadata,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(e),
    };
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it exists and is not a regular file"));
    }
    if metadata.permissions().readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is marked as read-only"));
    }
    Ok(Some(metadata))
}

fn temporary(folder: &Path, older: Option<&fs::Metadata>) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(leftover::PREFIX).suffix(leftover::SUFFIX);
    // Temporary files are private by default, but this one becomes an ordinary file. The process's umask
    // still applies.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder.tempfile_in(folder)?;
    leftover::mark(file.as_file());
    if let Some(older) = older {
        file.as_file().set_permissions(older.permissions())?;
    }
    Ok(file)
}

fn same_bytes(new: &mut &File, older: &fs::Metadata, target: &Path) -> io::Result<bool> {
    if new.metadata()?.len() != older.len() {
        return Ok(false);
    }
    new.seek(SeekFrom::Start(0))?;
    let mut old = open_regular(target)?;
    let (mut a, mut b) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        let length = new.read(&mut a)?;
        if length == 0 {
            return Ok(true);
        }
        match old.read_exact(&mut b[..length]) {
            Ok(()) if a[..length] == b[..length] => {}
            Ok(()) => return Ok(false),
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            Err(e) => return Err(e),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(path: &Path, bytes: &[u8]) -> Result<Written, IoError> {
        write_atomic(path, false, |w| w.write_all(bytes))
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn writing_the_same_bytes_does_not_touch_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bin");
        let long = vec![7; 200_000];
        assert_eq!(put(&path, &long).unwrap(), Written::Created);
        let time = fs::metadata(&path).unwrap().modified().unwrap();
        assert_eq!(put(&path, &long).unwrap(), Written::Unchanged);
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), time);
        let mut other = long;
        other[199_999] = 8;
        assert_eq!(put(&path, &other).unwrap(), Written::Replaced);
        assert_eq!(write_atomic(&path, true, |w| w.write_all(b"x")).unwrap(), Written::Replaced);
        assert_eq!(fs::read(&path).unwrap(), b"x");
        assert_eq!(names(folder.path()), ["a.bin"]);
    }

    #[test]
    fn a_failure_leaves_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bin");
        put(&path, b"old").unwrap();
        let failed = write_atomic(&path, false, |w| {
            w.write_all(&[0; 1 << 19])?;
            Err(io::Error::other("disk full"))
        });
        assert!(failed.unwrap_err().to_string().contains("disk full"));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["a.bin"]);
        assert!(put(&folder.path().join("a.bin/inside.bin"), b"x").is_err(), "a file is not a folder");
        assert!(put(folder.path(), b"x").is_err());
        assert_eq!(names(folder.path()), ["a.bin"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_devices_and_permissions_are_respected() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a"), folder.path().join("link"));
        put(&path, b"1").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        assert_eq!(put(&link, b"2").unwrap(), Written::Replaced);
        assert!(link.is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"2");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o440)).unwrap();
        assert!(put(&path, b"3").is_err());
        assert!(put(Path::new("/dev/null"), b"3").is_err());
    }
}
