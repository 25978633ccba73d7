//! `#[derive(Choice)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Fields, Result};

use crate::attributes::docs;

pub fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Enum(body) = &input.data else {
        return Err(syn::Error::new_spanned(&input.ident, "Choice can only be derived for an enum"));
    };
    let mut choices = Vec::new();
    for variant in &body.variants {
        if !matches!(variant.fields, Fields::Unit) {
            return Err(syn::Error::new_spanned(variant, "variants of a Choice cannot have fields"));
        }
        let text = docs(&variant.attrs);
        if text.is_empty() {
            return Err(syn::Error::new_spanned(
                variant,
                "a variant of a Choice needs a doc comment, which is shown on the node's page",
            ));
        }
        let name = variant.ident.to_string();
        choices.push(quote!(::terrane_flow::ChoiceSpec { name: #name, docs: #text }));
    }
    let ident = &input.ident;
    Ok(quote! {
        impl ::terrane_flow::Param for #ident {
            fn shape() -> ::terrane_flow::Shape {
                ::terrane_flow::Shape::Choice(&[#(#choices),*])
            }
        }
    })
}
