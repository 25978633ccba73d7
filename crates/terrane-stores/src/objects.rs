//! The interface of a store: named objects, each a sequence of bytes.

use terrane_flow::syntax::Problem;

/// Named objects, each a sequence of bytes. The parts of a name are separated by `/`.
///
/// Readers see an object whole or not at all, even while another process writes it.
pub trait Objects: Send + Sync {
    /// The bytes of an object; `None` if it does not exist.
    ///
    /// # Errors
    /// Fails if the store cannot be read.
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Problem>;

    /// Writes an object, replacing any existing one.
    ///
    /// # Errors
    /// Fails if the store cannot be written to. In this case an existing object is unchanged.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Problem>;

    /// Writes an object if none has this name, and returns whether it did. Of several simultaneous calls,
    /// only one writes the object, provided that the store supports this.
    ///
    /// # Errors
    /// Fails if the store cannot be written to.
    fn create(&self, name: &str, bytes: &[u8]) -> Result<bool, Problem>;

    /// The names of all objects below a prefix, sorted.
    ///
    /// # Errors
    /// Fails if the store cannot be read.
    fn list(&self, below: &str) -> Result<Vec<String>, Problem>;

    /// The store's name in messages.
    fn place(&self) -> String;
}

/// Writes an object and reads it back to check that the store holds these bytes.
///
/// # Errors
/// Fails if the store cannot be read or written to, or if it still holds other bytes after two attempts.
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
        format!("{}/{name} does not hold the bytes that were written", store.place()),
        "check the disk or the storage service, then run again: the other objects are kept",
    ))
}
