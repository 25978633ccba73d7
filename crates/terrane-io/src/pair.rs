//! A file of data and its sidecar, which belong together by the digest of the data.
//!
//! They are two files, so they take their names one after the other, and a program that is ended in between
//! leaves one old and one new. A sidecar therefore says by `data` which bytes it is of. While both are
//! replaced it says two things: what holds for the new data, and, under `other`, what held for the old. The
//! order is: this sidecar, the data, the sidecar without `other`. After each step the digest of the data
//! tells which of the two holds, so what is read is the old map or the new one, and never an error. The same
//! goes for a map that needs a sidecar no more (`other` then says of the new data that it has none), and for
//! one that needs its first.
//!
//! A digest that is neither is that of data which somebody else wrote after the sidecar: a picture that was
//! painted over, whose codes mean what they did, or another picture that was copied here, whose codes do not.
//! Nothing in the file tells one from the other, and a guess would give heights that look right. So reading
//! such a file fails where the sidecar decides over heights, and the message says what to do: whoever only
//! edited the file removes `data` from the sidecar, once, after which it holds for whatever the file becomes.
//! Files of real numbers have their heights in themselves and are read with a warning.

use std::{fs::File, io, path::Path};

use crate::{
    Problem, ReadOptions, Sidecar, Written, atomic::Staged, digest::digest, error::Outcome, open::Open,
    sidecar::Other,
};

/// What a sidecar is to a file as it is now.
enum Fit {
    /// This holds.
    Holds(Option<Box<Sidecar>>),
    /// It was written for other data.
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

/// The sidecar that holds for a file, and a warning where it may not.
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
            let warning = format!("{problem}: spacing and origin may be wrong; {}", problem.remedy());
            Ok((Some(*sidecar), Some(warning)))
        }
    }
}

/// Gives both their names, or the data its name where it needs no sidecar: its old one then goes.
/// `between` is called after each step but the last. A sidecar that changed is a change.
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

/// What became of the data, and whether the sidecar changed.
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
    // All are written to the end before one takes its name.
    let last = note.as_ref().map(|note| note.stage(path, sync)).transpose()?;
    let both = match data.changes().then(|| held(path, older)).transpose()?.flatten() {
        Some(held) => both(held, note, digest).map(|both| both.stage(path, sync)).transpose()?,
        None => None,
    };
    let has_both = both.is_some();
    if let Some(both) = both {
        both.commit()?;
        between();
    }
    // Where nothing holds for what is there, the sidecar comes first: new data beside the old sidecar would
    // be read by it.
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

/// What holds for the data that is there, with its digest; none where there is no data, or nothing holds for
/// it.
fn held(path: &Path, older: Option<Sidecar>) -> io::Result<Option<Other>> {
    let data = match File::open(path) {
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

/// A sidecar that holds for the data that is there and for that which comes, whose digest is given.
fn both(held: Other, note: Option<Sidecar>, digest: String) -> Option<Sidecar> {
    match (note, held.sidecar) {
        (Some(note), sidecar) => {
            let other = Other {
                data: held.data,
                sidecar: sidecar.map(|sidecar| Box::new(Sidecar { data: None, ..*sidecar })),
            };
            Some(Sidecar { other: Some(other), ..note })
        }
        (None, Some(sidecar)) => {
            let other = Some(Other { data: digest, sidecar: None });
            Some(Sidecar { data: Some(held.data), other, ..*sidecar })
        }
        (None, None) => None,
    }
}
