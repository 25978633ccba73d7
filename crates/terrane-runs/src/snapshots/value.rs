//! Comparing any value with a snapshot.

use std::path::Path;

use terrane_flow::Value;
use terrane_flow::syntax::Problem;

use super::compare::compare;
use super::current::Current;
use super::outcome::Told;
use super::store::Store;
use super::subject::Subject;

/// Compares a value with the snapshot of this name in the folder `snapshots` beside a file, such as the test
/// itself. With `accept`, the current value is accepted.
///
/// # Errors
/// Fails if a file cannot be read or written.
pub fn test_value(beside: &Path, name: &str, value: &Value, accept: bool) -> Result<Told, Problem> {
    let (store, subject) = (Store::new(beside), Subject::Port(name.to_owned()));
    store.check()?;
    let compared = compare(&store, &Current::new(subject.clone(), value), accept)?;
    Ok(Told {
        graph: beside.to_owned(),
        file: store.path(&subject),
        subject,
        outcome: compared.outcome,
        difference: compared.difference,
        picture: compared.picture,
    })
}
