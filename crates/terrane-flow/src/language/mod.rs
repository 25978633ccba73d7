//! The graph language: loads graphs from text, and edits the text.

pub mod declared;
mod document;
mod file_names;
pub mod find;
mod layout;
mod literal;
mod load;
mod names;
pub mod page;
mod rewrite;
pub mod schema;

pub use file_names::{bad_on_windows, name_key};
pub use layout::format_text;
pub use literal::Literal;
pub use load::{
    Described, EditTree, LoadOptions, Loaded, Setting, Touched, check_file, described_type, load,
    load_described, load_edited, load_file, read_source, read_values,
};
pub use rewrite::{GraphText, RewriteError};
