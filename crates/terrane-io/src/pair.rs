//! A data file and its sidecar, matched by the digest of the data.
//!
//! The two files are renamed one after the other, so a process that is killed in between leaves one old and
//! one new file. A sidecar therefore holds the digest of its data in `data`. While both files are replaced,
//! the sidecar holds two descriptions: that of the new data and, under `other`, that of the old data. There
//! are three steps: this combined sidecar is written, then the data, then the sidecar without `other`. After
//! each step the digest of the data selects the right description, so a reader gets the old map or the new
//! one, and never an error. The same order applies to a map that gets its first sidecar, and to one that no
//! longer needs a sidecar (`other` then says that the new data has none).
//!
//! If the digest matches neither, another program wrote the data after the sidecar. It may be an edited
//! picture, whose codes keep their meaning, or another picture copied here, whose codes do not. The file does
//! not show which, and a guess would give plausible but wrong heights. Reading such a file therefore fails if
//! the sidecar determines the heights. The message says what to do: if the file was only edited, remove
//! `data` from the sidecar; it is then valid for whatever the file contains. Files of floating-point numbers
//! contain their heights and are read with a warning.

use std::{io, path::Path};

use crate::{
    Problem, ReadOptions, Sidecar, Written,
    atomic::{Staged, digest},
    error::Outcome,
    open::{Open, open_regular},
    sidecar::Other,
};

/// Whether a sidecar belongs to the present data.
enum Fit {
    /// This sidecar is valid, or none is needed.
    Holds(Option<Box<Sidecar>>),
    /// The sidecar was written for other data.
    Foreign(Box<Sidecar>),
}

fn fit(mut sidecar: Sidecar, digest: &str) -> Fit {
    let other = sidecar.other.take();
    match (&sidecar.data, other) {
        (Some(data), Some(other)) if data != digest && other.data == digest => Fit::Holds(other.sidecar),
        (Some(data), _) if data != digest => Fit::Foreign(Box::new(sidecar)),
        _ => Fit::Holds(Some(Box::new(sidecar))),
    }
}

/// The sidecar for a file, and a warning if it may not be valid for the file's present content.
pub(crate) fn sidecar_of(
    open: &Open<'_>,
    path: &Path,
    options: &ReadOptions,
) -> Outcome<(Option<Sidecar>, Option<String>)> {
    let Some(sidecar) = Sidecar::opened(open, path)? else { return Ok((None, None)) };
    if sidecar.data.is_none() {
        return Ok((Some(sidecar), None));
    }
    let known = options.digest.map(|digest| blake3::Hash::from_bytes(digest).to_hex().to_string());
    let digest = match known {
        Some(digest) => digest,
        None => open(path).and_then(|file| digest(file.content)).map_err(Problem::Read)?,
    };
    match fit(sidecar, &digest) {
        Fit::Holds(sidecar) => Ok((sidecar.map(|sidecar| *sidecar), None)),
        Fit::Foreign(sidecar) => {
            let of_codes = sidecar.code_minimum.is_some() && options.range.is_none();
            let of_bytes = sidecar.endian.is_some() && (options.size.is_none() || options.endian.is_none());
            let problem = Problem::OtherData { sidecar: Sidecar::path_of(path) };
            if of_codes || of_bytes {
                return Err(problem);
            }
            let warning = format!(
                "{problem}: spacing and origin may be wrong; remove `data` from the sidecar if they are \
                right, otherwise remove the sidecar"
            );
            Ok((Some(*sidecar), Some(warning)))
        }
    }
}

/// Renames both files. If the data needs no sidecar, renames only the data and removes an old sidecar.
/// `between` is called after each step except the last. The result is `Replaced` also if only the sidecar
/// changed.
pub(crate) fn commit(
    path: &Path,
    data: Staged,
    note: Option<Sidecar>,
    sync: bool,
    between: &mut dyn FnMut(),
) -> io::Result<Written> {
    Ok(match commit_each(path, data, note, sync, between)? {
        (Written::Unchanged, true) => Written::Replaced,
        (written, _) => written,
    })
}

/// The result for the data, and whether the sidecar changed.
fn commit_each(
    path: &Path,
    data: Staged,
    note: Option<Sidecar>,
    sync: bool,
    between: &mut dyn FnMut(),
) -> io::Result<(Written, bool)> {
    let older = Sidecar::of(path).ok().flatten();
    if note.is_none() && older.is_none() {
        return Ok((data.commit()?, false));
    }
    let digest = data.digest()?;
    let note = note.map(|note| Sidecar { data: Some(digest.clone()), ..note });
    // All files are completely written before the first one is renamed.
    let last = note.as_ref().map(|note| note.stage(path, sync)).transpose()?;
    let both = match data.changes().then(|| present(path, older)).transpose()?.flatten() {
        Some(present) => combined(present, note, digest).map(|both| both.stage(path, sync)).transpose()?,
        None => None,
    };
    let has_both = both.is_some();
    if let Some(both) = both {
        both.commit()?;
        between();
    }
    // If no sidecar is valid for the present data, the new sidecar comes first: otherwise new data beside the
    // old sidecar would be read with it.
    match last {
        Some(last) if has_both || !data.changes() => {
            let written = data.commit()?;
            between();
            Ok((written, last.commit()? != Written::Unchanged))
        }
        Some(last) => {
            let noted = last.commit()? != Written::Unchanged;
            between();
            Ok((data.commit()?, noted))
        }
        None if path.exists() => {
            let written = data.commit()?;
            between();
            Ok((written, Sidecar::remove(path)?))
        }
        None => {
            let noted = Sidecar::remove(path)?;
            between();
            Ok((data.commit()?, noted))
        }
    }
}

/// The digest and the sidecar of the present data; none if there is no data, or no valid sidecar for it.
fn present(path: &Path, older: Option<Sidecar>) -> io::Result<Option<Other>> {
    let data = match open_regular(path) {
        Ok(file) => digest(file)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(match older.map(|older| fit(older, &data)) {
        None => Some(Other { data, sidecar: None }),
        Some(Fit::Holds(sidecar)) => Some(Other { data, sidecar }),
        Some(Fit::Foreign(_)) => None,
    })
}

/// A sidecar that is valid both for the present data and for the new data with the given digest.
fn combined(present: Other, note: Option<Sidecar>, digest: String) -> Option<Sidecar> {
    match (note, present.sidecar) {
        (Some(note), sidecar) => {
            let other = Other {
                data: present.data,
                sidecar: sidecar.map(|sidecar| Box::new(Sidecar { data: None, ..*sidecar })),
            };
            Some(Sidecar { other: Some(other), ..note })
        }
        (None, Some(sidecar)) => {
            let other = Some(Other { data: digest, sidecar: None });
            Some(Sidecar { data: Some(present.data), other, ..*sidecar })
        }
        (None, None) => None,
    }
}
