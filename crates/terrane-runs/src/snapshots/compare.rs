//! Comparing a value with its snapshot.

use std::path::PathBuf;

use terrane_flow::syntax::Problem;

use super::current::Current;
use super::difference;
use super::outcome::Outcome;
use super::store::Store;

/// The result of a comparison.
#[derive(Debug)]
pub struct Compared {
    pub outcome: Outcome,
    /// The lines that differ.
    pub difference: String,
    /// A picture of the difference.
    pub picture: Option<PathBuf>,
}

impl From<Outcome> for Compared {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, difference: String::new(), picture: None }
    }
}

/// Compares a value with its snapshot, and writes a new one for review or as accepted.
///
/// # Errors
/// Fails if a file cannot be read or written.
pub fn compare(store: &Store, current: &Current, accept: bool) -> Result<Compared, Problem> {
    let stored = match store.read(&current.subject) {
        // Accepting replaces a damaged snapshot.
        Err(_) if accept => None,
        read => read?,
    };
    if let Some(stored) = &stored
        && stored.text == current.text.trim_end()
        && stored.picture == current.picture
    {
        store.forget_new(&current.subject)?;
        return Ok(Outcome::Passed.into());
    }
    store.write(current, accept)?;
    if accept {
        store.forget_new(&current.subject)?;
        return Ok(Outcome::Accepted.into());
    }
    let Some(stored) = stored else { return Ok(Outcome::New.into()) };
    let picture = match (&stored.picture, &current.picture) {
        (Some(old), Some(new)) => {
            Some(store.write_difference(&current.subject, &difference::picture(old, new))?)
        }
        _ => None,
    };
    let difference = difference::lines(&stored, current);
    Ok(Compared { outcome: Outcome::Changed, difference, picture })
}
