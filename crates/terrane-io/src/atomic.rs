//! Files that are there whole or not at all.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

/// What a write did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// The file has new content.
    New,
    /// The file held the same bytes already, and was not touched.
    Unchanged,
}

/// A writer that can also go back.
pub trait WriteSeek: Write + Seek {}

impl<T: Write + Seek> WriteSeek for T {}

/// Fills a temporary file in the target's folder, which is made where it is missing, and puts it in the target's place. On
/// any failure the target is as it was and the temporary is gone.
///
/// # Errors
/// Those of the file system and of `fill`.
pub fn write_atomic(
    path: &Path,
    fill: impl FnOnce(&mut dyn WriteSeek) -> io::Result<()>,
) -> io::Result<Written> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let temporary = tempfile::Builder::new().prefix(".terrane-").suffix(".tmp").tempfile_in(folder)?;
    let mut out = BufWriter::with_capacity(1 << 18, temporary);
    fill(&mut out)?;
    let temporary = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    if same_content(temporary.path(), path) {
        return Ok(Written::Unchanged);
    }
    // Temporaries are private; outputs are for whoever the folder is for.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(path).map_or(0o644, |meta| meta.permissions().mode());
        temporary.as_file().set_permissions(std::fs::Permissions::from_mode(mode))?;
    }
    temporary.persist(path).map_err(|error| error.error)?;
    Ok(Written::New)
}

fn same_content(a: &Path, b: &Path) -> bool {
    let length =
        |path: &Path| std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file).map(|meta| meta.len());
    if length(a).is_none() || length(a) != length(b) {
        return false;
    }
    let (Ok(a), Ok(b)) = (File::open(a), File::open(b)) else { return false };
    let (mut a, mut b) = (BufReader::new(a), BufReader::new(b));
    let (mut left, mut right) = (vec![0u8; 1 << 16], vec![0u8; 1 << 16]);
    loop {
        let (Ok(n), Ok(m)) = (read_full(&mut a, &mut left), read_full(&mut b, &mut right)) else {
            return false;
        };
        if left[..n] != right[..m] {
            return false;
        }
        if n == 0 {
            return true;
        }
    }
}

fn read_full(from: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match from.read(&mut buffer[filled..])? {
            0 => break,
            n => filled += n,
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/file.txt");
        assert_eq!(write_atomic(&path, |out| out.write_all(b"old")).unwrap(), Written::New);
        assert_eq!(write_atomic(&path, |out| out.write_all(b"old")).unwrap(), Written::Unchanged);
        let failed = write_atomic(&path, |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("no more"))
        });
        assert!(failed.is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }
}
