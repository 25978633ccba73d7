//! Rust blocks in documents, compiled as doc tests. `crates/terrane-cli/tests/it/documents` checks that none
//! is missing.

#[doc = include_str!("../../README.md")]
mod readme {}

#[doc = include_str!("../../CONTRIBUTING.md")]
mod contributing {}

#[doc = include_str!("../../book/src/node.md")]
mod node {}

#[doc = include_str!("../../book/src/testing.md")]
mod testing {}
