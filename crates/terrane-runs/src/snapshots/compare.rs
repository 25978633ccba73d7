//! A value compared with its snapshot.

use std::path::PathBuf;

use terrane_flow::syntax::Problem;

use super::difference;
use super::shot::Shot;
use super::store::Store;
use super::told::Outcome;

/// What became of a snapshot.
#[derive(Debug)]
pub struct Compared {
    pub outcome: Outcome,
    /// Lines that differ.
    pub difference: String,
    /// A picture of what differs.
    pub picture: Option<PathBuf>,
}

impl From<Outcome> for Compared {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, difference: String::new(), picture: None }
    }
}

/// Compares a value with its snapshot, and writes what is to be reviewed or accepted.
///
/// # Errors
/// That a file cannot be read or written.
pub fn compare(store: &Store, shot: &Shot, accept: bool) -> Result<Compared, Problem> {
    let stored = match store.read(&shot.subject) {
        // A damaged snapshot is replaced by what is accepted.
        Err(_) if accept => None,
        read => read?,
    };
    if let Some(stored) = &stored
        && stored.text == shot.text.trim_end()
        && stored.picture == shot.picture
    {
        store.forget_new(&shot.subject)?;
        return Ok(Outcome::Passed.into());
    }
    store.write(shot, accept)?;
    if accept {
        store.forget_new(&shot.subject)?;
        return Ok(Outcome::Accepted.into());
    }
    let Some(stored) = stored else { return Ok(Outcome::New.into()) };
    let picture = match (&stored.picture, &shot.picture) {
        (Some(old), Some(new)) => {
            Some(store.write_difference(&shot.subject, &difference::picture(old, new))?)
        }
        _ => None,
    };
    let difference = difference::lines(&stored, shot);
    Ok(Compared { outcome: Outcome::Changed, difference, picture })
}
