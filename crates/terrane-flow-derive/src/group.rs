//! `#[derive(Group)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Result};

use crate::fields::Members;

pub fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let members = Members::of(input)?;
    let (defaults, read, methods) = (members.defaults(), members.read(), members.methods());
    let ([inputs, params], [input_count, param_count]) = (members.vectors(), members.counts());
    let (ident, (generics, arguments, bounds)) = (&input.ident, input.generics.split_for_impl());
    Ok(quote! {
        impl #generics ::core::default::Default for #ident #arguments #bounds {
            fn default() -> Self {
                Self { #defaults }
            }
        }

        impl #generics ::terrane_flow::Group for #ident #arguments #bounds {
            const INPUTS: usize = #input_count;
            const PARAMS: usize = #param_count;

            fn inputs() -> ::std::vec::Vec<::terrane_flow::InputSpec> #inputs
            fn params() -> ::std::vec::Vec<::terrane_flow::ParamSpec> #params
            fn read(fields: &mut ::terrane_flow::Fields<'_>, inputs: usize, params: usize) -> Self #read
            #methods
        }
    })
}
