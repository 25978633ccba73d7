//! `#[derive(Node)]`, `#[derive(Group)]`, `#[derive(Declare)]`, `#[derive(Choice)]` and, for crates that know
//! no graphs, `#[derive(ParamChoice)]`. They generate declarations from plain structs and enums.
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
//! `#[input]` takes `unit`. At a `ScalarInput`, it also takes `default`, `min`, `max` and `above`. Rasters at
//! the ports of a node must have one size, except at ports with `any_size`.
//!
//! `#[param]` takes `unit`, `default`, `min`, `max` and `above`. The default is an expression. Without it,
//! the parameter is required.
//!
//! `above` is an exclusive minimum.
//!
//! `#[group]` marks a field whose type derives `Group`: ports and parameters that several nodes share.

mod attributes;
mod choice;
mod fields;
mod group;
mod node;

use proc_macro::TokenStream;
use quote::quote;

/// Declares a node type from a struct. See the crate documentation for the attributes.
#[proc_macro_derive(Node, attributes(node, output, input, param, group))]
pub fn derive_node(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    node::expand(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Declares ports and parameters that several nodes share. The attributes of fields are the same as for a
/// node. A node has the group as one field with `#[group]`. For users of the node, the group's ports and
/// parameters are the node's own, in the place of this field.
#[proc_macro_derive(Group, attributes(input, param, group))]
pub fn derive_group(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    group::expand(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Declares a part of a file that is not a node, such as a header. It has parameters, but no ports and no
/// outputs. The attributes are the same as for a node.
#[proc_macro_derive(Declare, attributes(node, param))]
pub fn derive_declare(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    node::expand_declared(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Makes an enum without fields a parameter type: its variants are the choices. The first paragraph of a
/// variant's docs is shown on pages of nodes.
#[proc_macro_derive(Choice)]
pub fn derive_choice(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    choice::expand(&input, &quote!(::terrane_flow)).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// `Choice` for crates that use `terrane-param` instead of `terrane-flow`.
#[proc_macro_derive(ParamChoice)]
pub fn derive_param_choice(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    choice::expand(&input, &quote!(::terrane_param)).unwrap_or_else(syn::Error::into_compile_error).into()
}
