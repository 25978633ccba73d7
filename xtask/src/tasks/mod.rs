//! Tasks for programs that write graphs: graphs with faults and gaps are mended over `terrane mcp` by a fixed
//! search, until an output has the digest of the true graph.

mod candidates;
mod catalogue;
mod client;
mod error;
mod faults;
mod generate;
mod random;
mod run;
mod search;

pub use run::run;
