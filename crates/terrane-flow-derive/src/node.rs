//! `#[derive(Node)]`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, DeriveInput, Field, Fields, Ident, Result, Type};

use crate::attributes::{FieldAttribute, NodeAttribute, OutputAttribute, docs, outputs};

/// A port or parameter of the node.
struct Member<'a> {
    ident: &'a Ident,
    ty: &'a Type,
    docs: String,
    attribute: FieldAttribute,
}

/// `#[derive(Declare)]`.
pub fn expand_declared(input: &DeriveInput) -> Result<TokenStream> {
    let (inputs, _) = members(input)?;
    match inputs.first() {
        Some(input) => Err(syn::Error::new_spanned(input.ident, "only nodes have ports")),
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
    let (inputs, params) = members(input)?;

    let ident = &input.ident;
    let handles_ident = format_ident!("{ident}Outputs");
    let spec = spec(ident, &text, &node, &inputs, &params, outputs);
    let handles = handles(&input.vis, &handles_ident, ident, outputs);
    let default = default(ident, &inputs, &params);
    let declare = declare(ident, &handles_ident, &spec, &inputs, &params, outputs);
    let positions = positions(ident, outputs);
    Ok(quote! { #handles #default #declare #positions })
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

fn members(input: &DeriveInput) -> Result<(Vec<Member<'_>>, Vec<Member<'_>>)> {
    let fields: Vec<&Field> = match &input.data {
        Data::Struct(body) => match &body.fields {
            Fields::Named(fields) => fields.named.iter().collect(),
            Fields::Unit => Vec::new(),
            Fields::Unnamed(_) => {
                return Err(syn::Error::new_spanned(&input.ident, "the fields of a node need names"));
            }
        },
        _ => return Err(syn::Error::new_spanned(&input.ident, "Node can only be derived for a struct")),
    };
    let (mut inputs, mut params) = (Vec::new(), Vec::new());
    for field in fields {
        let Some(ident) = &field.ident else { continue };
        let text = docs(&field.attrs);
        if text.is_empty() {
            return Err(syn::Error::new_spanned(
                field,
                "a port or parameter needs a doc comment, which is shown on the node's page",
            ));
        }
        let (list, attribute) = match FieldAttribute::read(&field.attrs, "input")? {
            Some(attribute) => (&mut inputs, attribute),
            None => match FieldAttribute::read(&field.attrs, "param")? {
                Some(attribute) => (&mut params, attribute),
                None => return Err(syn::Error::new_spanned(field, "expected #[input] or #[param(...)]")),
            },
        };
        list.push(Member { ident, ty: &field.ty, docs: text, attribute });
    }
    Ok((inputs, params))
}

fn spec(
    ident: &Ident,
    text: &str,
    node: &NodeAttribute,
    inputs: &[Member<'_>],
    params: &[Member<'_>],
    outputs: &[OutputAttribute],
) -> TokenStream {
    let name = ident.to_string();
    let NodeAttribute { category, paper, tiles, because, version, working_maps, cost, header } = node;
    let inputs = inputs.iter().map(|Member { ident, ty, docs, attribute }| {
        let (name, unit, range) = (ident.to_string(), &attribute.unit, attribute.range());
        let (default, optional) = match &attribute.default {
            Some(value) => (quote!(::core::option::Option::Some((#value) as f64)), quote!(true)),
            None => (quote!(::core::option::Option::None), quote!(<#ty>::OPTIONAL)),
        };
        quote!(::terrane_flow::InputSpec {
            name: #name, docs: #docs, unit: #unit, kind: <#ty>::KIND, optional: #optional,
            scalar: <#ty>::SCALAR, none: <#ty>::OPTIONAL, default: #default, range: #range,
        })
    });
    let params = params.iter().map(|Member { ident, ty, docs, attribute }| {
        let (name, unit, range) = (ident.to_string(), &attribute.unit, attribute.range());
        let default = match &attribute.default {
            Some(value) => quote!(::core::option::Option::Some(&|| {
                let value: #ty = #value;
                ::terrane_flow::canonical(&value)
            })),
            None => quote!(::core::option::Option::None),
        };
        quote!(::terrane_flow::ParamSpec {
            name: #name, docs: #docs, unit: #unit, default: #default, range: #range,
            shape: <#ty as ::terrane_flow::Param>::shape,
        })
    });
    let outputs = outputs.iter().map(|OutputAttribute { name, ty, unit, doc, lazy }| {
        let name = name.to_string();
        quote!(::terrane_flow::OutputSpec {
            name: #name, docs: #doc, unit: #unit, kind: ::terrane_flow::Kind::of::<#ty>(), lazy: #lazy,
        })
    });
    quote! {
        ::terrane_flow::NodeSpec {
            name: #name, docs: #text, category: #category, paper: #paper,
            version: #version, tiles: ::terrane_flow::Tiles::#tiles, because: #because,
            working_maps: #working_maps, cost: ::terrane_flow::Cost::#cost, header: #header,
            inputs: &[#(#inputs),*], params: &[#(#params),*], outputs: &[#(#outputs),*],
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

fn default(ident: &Ident, inputs: &[Member<'_>], params: &[Member<'_>]) -> TokenStream {
    let inputs = inputs.iter().map(|Member { ident, ty, attribute, .. }| match &attribute.default {
        Some(value) => quote!(#ident: <#ty>::constant((#value) as f64),),
        None => quote!(#ident: ::core::default::Default::default(),),
    });
    let params = params.iter().map(|Member { ident, attribute, .. }| match &attribute.default {
        Some(value) => quote!(#ident: #value,),
        None => quote!(#ident: ::core::default::Default::default(),),
    });
    quote! {
        impl ::core::default::Default for #ident {
            fn default() -> Self {
                Self { #(#inputs)* #(#params)* }
            }
        }
    }
}

fn declare(
    ident: &Ident,
    handles: &Ident,
    spec: &TokenStream,
    inputs: &[Member<'_>],
    params: &[Member<'_>],
    outputs: &[OutputAttribute],
) -> TokenStream {
    let types = outputs.iter().map(|output| &output.ty);
    let handle_fields = outputs.iter().map(|OutputAttribute { name, .. }| {
        let text = name.to_string();
        quote!(#name: ::terrane_flow::Output::new(node, #text),)
    });
    let read_ports = inputs.iter().enumerate().map(|(i, m)| {
        let ident = m.ident;
        quote!(fields.port(#i, &mut node.#ident);)
    });
    let read_params = params.iter().enumerate().map(|(i, m)| {
        let ident = m.ident;
        quote!(node.#ident = fields.param(#i, node.#ident);)
    });
    let ports: Vec<_> = inputs.iter().enumerate().map(|(i, m)| (i, m.ident)).collect();
    let port = ports.iter().map(|(i, ident)| quote!(#i => &self.#ident,));
    let port_mut = ports.iter().map(|(i, ident)| quote!(#i => &mut self.#ident,));
    let param = params.iter().enumerate().map(|(i, m)| {
        let ident = m.ident;
        quote!(#i => ::terrane_flow::canonical(&self.#ident),)
    });
    let files = params.iter().map(|m| {
        let ident = m.ident;
        quote!(::terrane_flow::FilePath::each_in(&mut self.#ident, visit);)
    });
    quote! {
        impl ::terrane_flow::Declare for #ident {
            type Outputs = (#(#types,)*);
            type Handles = #handles;

            fn spec() -> &'static ::terrane_flow::NodeSpec {
                static SPEC: ::terrane_flow::NodeSpec = #spec;
                &SPEC
            }
            fn handles(node: &str) -> Self::Handles {
                let _ = node;
                #handles { #(#handle_fields)* }
            }
            fn from_fields(fields: &mut ::terrane_flow::Fields<'_>) -> Self {
                let mut node = Self::default();
                #(#read_ports)*
                #(#read_params)*
                let _ = &fields;
                node
            }
            fn port(&self, index: usize) -> &dyn ::terrane_flow::Port {
                match index {
                    #(#port)*
                    _ => ::core::unreachable!("a port's index is within the spec"),
                }
            }
            fn port_mut(&mut self, index: usize) -> &mut dyn ::terrane_flow::Port {
                match index {
                    #(#port_mut)*
                    _ => ::core::unreachable!("a port's index is within the spec"),
                }
            }
            fn param(&self, index: usize) -> ::std::string::String {
                match index {
                    #(#param)*
                    _ => ::core::unreachable!("a parameter's index is within the spec"),
                }
            }
            fn files(&mut self, visit: &mut dyn FnMut(&mut ::terrane_flow::FilePath)) {
                #(#files)*
                let _ = visit;
            }
        }
    }
}
