//! `#[derive(Choice)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Fields, Result};

use crate::attributes::docs;

/// `home` is the crate of the trait `Param`.
pub fn expand(input: &DeriveInput, home: &TokenStream) -> Result<TokenStream> {
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
        let text = text.split("\n\n").next();
        let name = variant.ident.to_string();
        choices.push(quote!(#home::ChoiceSpec { name: #name, docs: #text }));
    }
    let ident = &input.ident;
    Ok(quote! {
        impl #home::Param for #ident {
            fn shape() -> #home::Shape {
                #home::Shape::Choice(&[#(#choices),*])
            }
        }
    })
}
