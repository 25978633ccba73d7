//! What a store is made of: objects of bytes under names.

use terrane_flow::syntax::Problem;

/// Objects of bytes under names with `/` between their parts.
///
/// An object is there whole or not at all, whoever reads while another writes.
pub trait Objects: Send + Sync {
    /// The bytes of an object; none where there is no such object.
    ///
    /// # Errors
    /// That the store cannot be read.
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Problem>;

    /// Puts an object in its place, whatever is there.
    ///
    /// # Errors
    /// That the store cannot be written to: then what was there stays.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Problem>;

    /// Puts an object where there is none, and tells whether there was none. Of many who do so at once one
    /// succeeds, where the store can tell.
    ///
    /// # Errors
    /// That the store cannot be written to.
    fn create(&self, name: &str, bytes: &[u8]) -> Result<bool, Problem>;

    /// Names of all objects below a name, in order.
    ///
    /// # Errors
    /// That the store cannot be read.
    fn list(&self, below: &str) -> Result<Vec<String>, Problem>;

    /// What the store is called.
    fn place(&self) -> String;
}

/// Writes an object and reads it again: what arrived is what was sent.
///
/// # Errors
/// That the store cannot be read or written to, or that it holds other bytes than it was given, twice.
pub fn write_checked(store: &dyn Objects, name: &str, bytes: &[u8]) -> Result<(), Problem> {
    let is_there =
        |bytes: &[u8]| -> Result<bool, Problem> { Ok(store.read(name)?.is_some_and(|read| read == bytes)) };
    if !store.create(name, bytes)? && is_there(bytes)? {
        return Ok(());
    }
    for _ in 0..2 {
        if is_there(bytes)? {
            return Ok(());
        }
        store.write(name, bytes)?;
    }
    if is_there(bytes)? {
        return Ok(());
    }
    Err(Problem::new(
        format!("{}/{name} holds other bytes than were written", store.place()),
        "look at the disk or at the store's service, then run again: the rest stays",
    ))
}
