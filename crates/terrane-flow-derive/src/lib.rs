//! `#[derive(Node)]`, `#[derive(Declare)]` and `#[derive(Choice)]`, which generate a node's declaration from
//! a plain struct or enum.
//!
//! ```text
//! /// A summary sentence.
//! ///
//! /// More Markdown.
//! #[derive(Clone, Debug, Node)]
//! #[node(category = "shaping", paper = "...", tiles = Pointwise, version = 1)]
//! #[output(height: Map, unit = "world units", doc = "What comes out.")]
//! struct Raise {
//!     /// What to raise.
//!     #[input(unit = "world units")]
//!     height: Input<Map>,
//!     /// By how much.
//!     #[param(default = 1.0, min = 0.0, unit = "world units")]
//!     amount: f64,
//! }
//! ```
//!
//! `#[input]` takes `unit`, and at a `ScalarInput` also `default`, `min`, `max`, `above`. `#[param]` takes
//! `default` (an expression; without it the parameter is required), `min`, `max`, `above` (exclusive minimum)
//! and `unit`.

#![forbid(unsafe_code)]

mod attributes;
mod choice;
mod node;

use proc_macro::TokenStream;

/// Declares a node type from a struct. See the crate documentation for the attributes.
#[proc_macro_derive(Node, attributes(node, output, input, param))]
pub fn derive_node(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    node::expand(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Declares a part of a file that is not a node, such as a header: it has parameters, but no ports and
/// outputs. The attributes are those of a node.
#[proc_macro_derive(Declare, attributes(node, param))]
pub fn derive_declare(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    node::expand_declared(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Makes an enum without fields a parameter type: its variants and their docs are the choices.
#[proc_macro_derive(Choice)]
pub fn derive_choice(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    choice::expand(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}
