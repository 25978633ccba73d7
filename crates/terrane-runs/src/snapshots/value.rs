//! A value compared with its snapshot, whatever it was made by.

use std::path::Path;

use terrane_flow::Value;
use terrane_flow::syntax::Problem;

use super::compare::compare;
use super::shot::Shot;
use super::store::Store;
use super::subject::Subject;
use super::told::Told;

/// Compares a value with its snapshot of that name, in the folder `snapshots` beside a file: the one that
/// tests it. With `accept` what there is now is taken as right.
///
/// # Errors
/// That a file cannot be read or written.
pub fn test_value(beside: &Path, name: &str, value: &Value, accept: bool) -> Result<Told, Problem> {
    let (store, subject) = (Store::new(beside), Subject::Port(name.to_owned()));
    store.check()?;
    let compared = compare(&store, &Shot::new(subject.clone(), value), accept)?;
    Ok(Told {
        graph: beside.to_owned(),
        file: store.path(&subject),
        subject,
        outcome: compared.outcome,
        difference: compared.difference,
        picture: compared.picture,
    })
}
