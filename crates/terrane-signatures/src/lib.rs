//! Node types as callables of Python: their arguments with types and defaults, and their docstrings.
//!
//! The native part of `pyterrane` makes methods and functions from them when it is imported, and
//! `cargo xtask docs` writes the stub of these methods and functions for type checkers and editors.

mod argument;
mod callable;
mod constant;

pub use argument::Argument;
pub use callable::{Callable, Output, function, method};
pub use constant::Constant;
