//! Reads values of the tree with serde, resolves parameters, and reports the position of errors.

mod deserialize;
mod error;
mod reader;
mod value;

pub use error::{ReadError, Wrong};
pub use reader::number;
pub use value::{read, read_seed};
