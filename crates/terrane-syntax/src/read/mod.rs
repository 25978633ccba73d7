//! Values read from the tree by serde, with parameters in them, and with the place of what does not fit.

mod deserialize;
mod error;
mod reader;
mod value;

pub use error::{ReadError, Wrong};
pub use reader::number;
pub use value::{read, read_seed};
