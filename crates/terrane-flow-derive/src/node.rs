//! `#[derive(Node)]`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{DeriveInput, Ident, Lit, Result};

use crate::attributes::{NodeAttribute, OutputAttribute, docs, outputs};
use crate::fields::{Entry, Members};

/// `#[derive(Declare)]`.
pub fn expand_declared(input: &DeriveInput) -> Result<TokenStream> {
    match Members::of(input)?.inputs.first() {
        Some(Entry::One { ident, .. } | Entry::Group { ident, .. }) => {
            Err(syn::Error::new_spanned(ident, "only nodes have ports and groups"))
        }
        None => code(input, &[]),
    }
}

/// `#[derive(Node)]`.
pub fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let outputs = outputs(&input.attrs)?;
    if outputs.is_empty() {
        return Err(syn::Error::new_spanned(
            &input.ident,
            "a node needs at least one #[output(name: Type, doc = \"...\")]",
        ));
    }
    if outputs.len() > 32 {
        return Err(syn::Error::new_spanned(&input.ident, "a node has at most 32 outputs"));
    }
    code(input, &outputs)
}

fn code(input: &DeriveInput, outputs: &[OutputAttribute]) -> Result<TokenStream> {
    let text = docs(&input.attrs);
    if text.is_empty() {
        return Err(syn::Error::new_spanned(
            &input.ident,
            "a declared type needs a doc comment, which is its page",
        ));
    }
    let node = NodeAttribute::read(&input.attrs)?;
    let members = Members::of(input)?;

    let ident = &input.ident;
    let handles_ident = format_ident!("{ident}Outputs");
    let spec = spec(ident, &text, &node, &members, outputs);
    let handles = handles(&input.vis, &handles_ident, ident, outputs);
    let defaults = members.defaults();
    let declare = declare(ident, &handles_ident, &spec, &members, outputs);
    let positions = positions(ident, outputs);
    Ok(quote! {
        #handles
        impl ::core::default::Default for #ident {
            fn default() -> Self {
                Self { #defaults }
            }
        }
        #declare
        #positions
    })
}

/// A constant with the position of each output, by its name in capitals: `Self::FRAMES` for `frames`.
fn positions(node: &Ident, outputs: &[OutputAttribute]) -> TokenStream {
    let positions = outputs.iter().enumerate().map(|(position, OutputAttribute { name, .. })| {
        let (docs, name) = (
            format!("The position of the output `{name}`."),
            format_ident!("{}", name.to_string().to_uppercase()),
        );
        // Most nodes use few of these constants, or none.
        quote!(#[doc = #docs] #[allow(dead_code)] pub(crate) const #name: usize = #position;)
    });
    quote! { impl #node { #(#positions)* } }
}

fn spec(
    ident: &Ident,
    text: &str,
    node: &NodeAttribute,
    members: &Members<'_>,
    outputs: &[OutputAttribute],
) -> TokenStream {
    let name = ident.to_string();
    let NodeAttribute {
        category,
        words,
        paper,
        tiles,
        because,
        version,
        working_maps,
        cost,
        holes,
        header,
        suits,
        fits,
        main,
        presets,
    } = node;
    let main = main.iter().map(ToString::to_string);
    let presets = presets.iter().map(|(preset, fields)| {
        let preset = preset.to_string();
        let fields = fields.iter().map(|(field, text)| {
            let field = field.to_string();
            quote!((#field, #text))
        });
        quote!((#preset, &[#(#fields),*]))
    });
    let suits = suits.iter().map(|(parameter, value)| {
        let (name, kind) = match value {
            Lit::Str(_) => (parameter.to_string(), quote!(Text)),
            _ => (parameter.to_string(), quote!(Share)),
        };
        quote!((#name, ::terrane_flow::Suited::#kind(#value)))
    });
    let fits = fits.iter().map(|(parameter, template)| {
        let name = parameter.to_string();
        quote!((#name, #template))
    });
    let [inputs, params] = members.slices();
    let outputs = outputs.iter().map(|OutputAttribute { name, ty, unit, doc, lazy, whole }| {
        let name = name.to_string();
        quote!(::terrane_flow::OutputSpec {
            name: #name, docs: #doc, unit: #unit, kind: ::terrane_flow::Kind::of::<#ty>(), lazy: #lazy,
            whole: #whole,
        })
    });
    quote! {
        ::terrane_flow::NodeSpec {
            name: #name, docs: #text, category: #category, words: #words,
            paper: #paper,
            version: #version, tiles: ::terrane_flow::Tiles::#tiles, because: #because,
            working_maps: #working_maps, cost: ::terrane_flow::Cost::#cost, header: #header,
            holes: ::terrane_flow::Holes::#holes, suits: &[#(#suits),*],
            fits: &[#(#fits),*], main: &[#(#main),*], presets: &[#(#presets),*],
            inputs: #inputs, params: #params,
            outputs: { const OUTPUTS: &[::terrane_flow::OutputSpec] = &[#(#outputs),*]; OUTPUTS },
        }
    }
}

fn handles(vis: &syn::Visibility, handles: &Ident, node: &Ident, outputs: &[OutputAttribute]) -> TokenStream {
    let docs = format!("Handles for the outputs of a [`{node}`] in a graph built in code.");
    let fields = outputs.iter().map(
        |OutputAttribute { name, ty, doc, .. }| quote!(#[doc = #doc] pub #name: ::terrane_flow::Output<#ty>,),
    );
    quote! {
        #[doc = #docs]
        #[derive(Clone, Debug)]
        #vis struct #handles { #(#fields)* }
    }
}

fn declare(
    ident: &Ident,
    handles: &Ident,
    spec: &TokenStream,
    members: &Members<'_>,
    outputs: &[OutputAttribute],
) -> TokenStream {
    let types = outputs.iter().map(|output| &output.ty);
    let handle_fields = outputs.iter().map(|OutputAttribute { name, .. }| {
        let text = name.to_string();
        quote!(#name: ::terrane_flow::Output::new(node, #text),)
    });
    let values = (0..outputs.len()).map(syn::Index::from);
    let (read, methods) = (members.read(), members.methods());
    // Lists that groups add to are made at the first call.
    let spec = match members.has_groups() {
        false => quote!(static SPEC: ::terrane_flow::NodeSpec = #spec;),
        true => quote! {
            static SPEC: ::std::sync::LazyLock<::terrane_flow::NodeSpec> =
                ::std::sync::LazyLock::new(|| #spec);
        },
    };
    quote! {
        impl ::terrane_flow::Declare for #ident {
            type Outputs = (#(#types,)*);
            type Handles = #handles;

            fn spec() -> &'static ::terrane_flow::NodeSpec {
                #spec
                &SPEC
            }
            fn handles(node: &str) -> Self::Handles {
                let _ = node;
                #handles { #(#handle_fields)* }
            }
            fn from_fields(fields: &mut ::terrane_flow::Fields<'_>) -> Self {
                let (inputs, params) = (0, 0);
                #read
            }
            #methods
            fn values(outputs: Self::Outputs) -> ::std::vec::Vec<::terrane_flow::Value> {
                let _ = &outputs;
                ::std::vec![#(::terrane_flow::Value::new(outputs.#values)),*]
            }
        }
    }
}
