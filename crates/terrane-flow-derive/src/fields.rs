//! The ports and parameters of a struct, and the code that reads and finds them.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Field, Fields, Ident, Result, Type};

use crate::attributes::{FieldAttribute, docs};

/// A field of the struct.
pub enum Entry<'a> {
    /// A port or a parameter.
    One { ident: &'a Ident, ty: &'a Type, docs: String, attribute: Box<FieldAttribute> },
    /// A group of ports and parameters.
    Group { ident: &'a Ident, ty: &'a Type },
}

/// The fields of a struct. A group is both among the ports and among the parameters.
pub struct Members<'a> {
    pub inputs: Vec<Entry<'a>>,
    pub params: Vec<Entry<'a>>,
}

impl<'a> Members<'a> {
    pub fn of(input: &'a DeriveInput) -> Result<Self> {
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
        let mut members = Self { inputs: Vec::new(), params: Vec::new() };
        for field in fields {
            let Some(ident) = &field.ident else { continue };
            let ty = &field.ty;
            if field.attrs.iter().any(|attribute| attribute.path().is_ident("group")) {
                members.inputs.push(Entry::Group { ident, ty });
                members.params.push(Entry::Group { ident, ty });
                continue;
            }
            let docs = docs(&field.attrs);
            if docs.is_empty() {
                return Err(syn::Error::new_spanned(
                    field,
                    "a port or parameter needs a doc comment, which is shown on the node's page",
                ));
            }
            let (list, attribute) = match FieldAttribute::read(&field.attrs, "input")? {
                Some(attribute) => (&mut members.inputs, attribute),
                None => match FieldAttribute::read(&field.attrs, "param")? {
                    Some(attribute) => (&mut members.params, attribute),
                    None => {
                        let message = "expected #[input], #[param(...)] or #[group]";
                        return Err(syn::Error::new_spanned(field, message));
                    }
                },
            };
            list.push(Entry::One { ident, ty, docs, attribute: Box::new(attribute) });
        }
        Ok(members)
    }

    pub fn has_groups(&self) -> bool {
        self.inputs.iter().any(|entry| matches!(entry, Entry::Group { .. }))
    }

    /// The number of ports, and that of parameters.
    pub fn counts(&self) -> [TokenStream; 2] {
        [end(&self.inputs, &quote!(INPUTS)), end(&self.params, &quote!(PARAMS))]
    }

    /// Expressions for the specs of all ports and of all parameters, as slices.
    pub fn slices(&self) -> [TokenStream; 2] {
        if self.has_groups() {
            return self.vectors().map(|all| quote!(#all.leak()));
        }
        [self.inputs.iter().map(input_spec).collect(), self.params.iter().map(param_spec).collect()]
            .map(|specs: Vec<TokenStream>| quote!(&[#(#specs),*]))
    }

    /// Expressions for the specs of all ports and of all parameters, as vectors.
    pub fn vectors(&self) -> [TokenStream; 2] {
        let add = |entry: &Entry<'_>, of_group: &TokenStream, spec: TokenStream| match entry {
            Entry::One { .. } => quote!(all.push(#spec);),
            Entry::Group { ty, .. } => quote!(all.extend(<#ty as ::terrane_flow::Group>::#of_group());),
        };
        let inputs = self.inputs.iter().map(|entry| add(entry, &quote!(inputs), input_spec(entry)));
        let params = self.params.iter().map(|entry| add(entry, &quote!(params), param_spec(entry)));
        [
            quote!({ let mut all = ::std::vec::Vec::<::terrane_flow::InputSpec>::new(); #(#inputs)* all }),
            quote!({ let mut all = ::std::vec::Vec::<::terrane_flow::ParamSpec>::new(); #(#params)* all }),
        ]
    }

    /// Values of all fields, for `default`.
    pub fn defaults(&self) -> TokenStream {
        let default = |entry: &Entry<'_>, is_input: bool| match entry {
            Entry::One { ident, ty, attribute, .. } => match &attribute.default {
                Some(value) if is_input => quote!(#ident: <#ty>::constant((#value) as f64),),
                Some(value) => quote!(#ident: #value,),
                None => quote!(#ident: ::core::default::Default::default(),),
            },
            // A group is in both lists.
            Entry::Group { .. } if is_input => quote!(),
            Entry::Group { ident, .. } => quote!(#ident: ::core::default::Default::default(),),
        };
        let inputs = self.inputs.iter().map(|entry| default(entry, true));
        let params = self.params.iter().map(|entry| default(entry, false));
        quote!(#(#inputs)* #(#params)*)
    }

    /// A block that reads all fields. `inputs` and `params` are the positions of the first port and of the
    /// first parameter.
    pub fn read(&self) -> TokenStream {
        let inputs =
            placed(&self.inputs, &quote!(INPUTS)).into_iter().filter_map(|(at, entry)| match entry {
                Entry::One { ident, .. } => Some(quote!(fields.port(inputs + #at, &mut this.#ident);)),
                Entry::Group { .. } => None,
            });
        let params = placed(&self.params, &quote!(PARAMS)).into_iter().map(|(at, entry)| match entry {
            Entry::One { ident, .. } => quote!(this.#ident = fields.param(params + #at, this.#ident);),
            Entry::Group { ident, .. } => {
                let before = self.inputs_before(ident);
                quote!(this.#ident = ::terrane_flow::Group::read(fields, inputs + #before, params + #at);)
            }
        });
        quote!({
            let mut this = Self::default();
            #(#inputs)*
            #(#params)*
            let _ = (&fields, inputs, params);
            this
        })
    }

    fn inputs_before(&self, group: &Ident) -> TokenStream {
        let is_it = |entry: &Entry<'_>| matches!(entry, Entry::Group { ident, .. } if *ident == group);
        end(self.inputs.split(is_it).next().unwrap_or_default(), &quote!(INPUTS))
    }

    /// The methods `port`, `port_mut`, `param` and `files`.
    pub fn methods(&self) -> TokenStream {
        let count = quote!(INPUTS);
        let ports = placed(&self.inputs, &count);
        let port = ports.iter().map(|(at, entry)| match entry {
            Entry::One { ident, .. } => quote!(_ if index == #at => &self.#ident,),
            Entry::Group { ident, ty } => within(at, ty, &count, &quote!(port(&self.#ident, index - (#at)))),
        });
        let port_mut = ports.iter().map(|(at, entry)| match entry {
            Entry::One { ident, .. } => quote!(_ if index == #at => &mut self.#ident,),
            Entry::Group { ident, ty } => {
                within(at, ty, &count, &quote!(port_mut(&mut self.#ident, index - (#at))))
            }
        });
        let count = quote!(PARAMS);
        let param = placed(&self.params, &count).into_iter().map(|(at, entry)| match entry {
            Entry::One { ident, .. } => quote!(_ if index == #at => ::terrane_flow::canonical(&self.#ident),),
            Entry::Group { ident, ty } => {
                within(&at, ty, &count, &quote!(param(&self.#ident, index - (#at))))
            }
        });
        let files = self.params.iter().map(|entry| match entry {
            Entry::One { ident, .. } => quote!(::terrane_flow::FilePath::each_in(&mut self.#ident, visit);),
            Entry::Group { ident, .. } => quote!(::terrane_flow::Group::files(&mut self.#ident, visit);),
        });
        quote! {
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

/// A match arm that hands an index within a group to the group.
fn within(at: &TokenStream, group: &Type, count: &TokenStream, call: &TokenStream) -> TokenStream {
    quote! {
        _ if (#at..#at + <#group as ::terrane_flow::Group>::#count).contains(&index) => {
            ::terrane_flow::Group::#call
        }
    }
}

/// The entries, each with the position of its first port or parameter.
fn placed<'e, 'a>(entries: &'e [Entry<'a>], count: &TokenStream) -> Vec<(TokenStream, &'e Entry<'a>)> {
    entries.iter().enumerate().map(|(at, entry)| (end(&entries[..at], count), entry)).collect()
}

/// The number of ports or parameters in entries.
fn end(entries: &[Entry<'_>], count: &TokenStream) -> TokenStream {
    let ones = entries.iter().filter(|entry| matches!(entry, Entry::One { .. })).count();
    let groups = entries.iter().filter_map(|entry| match entry {
        Entry::Group { ty, .. } => Some(quote!(+ <#ty as ::terrane_flow::Group>::#count)),
        Entry::One { .. } => None,
    });
    quote!(#ones #(#groups)*)
}

/// The spec of a port; nothing for a group.
fn input_spec(entry: &Entry<'_>) -> TokenStream {
    let Entry::One { ident, ty, docs, attribute } = entry else { return quote!() };
    let (name, unit, range) = (ident.to_string(), &attribute.unit, attribute.range());
    let (default, optional) = match &attribute.default {
        Some(value) => (quote!(::core::option::Option::Some((#value) as f64)), quote!(true)),
        None => (quote!(::core::option::Option::None), quote!(<#ty>::OPTIONAL)),
    };
    let any_size = attribute.any_size;
    quote!(::terrane_flow::InputSpec {
        name: #name, docs: #docs, unit: #unit, kind: <#ty>::KIND, or: <#ty>::OR,
        optional: #optional, scalar: <#ty>::SCALAR, none: <#ty>::OPTIONAL, default: #default, range: #range,
        any_size: #any_size,
    })
}

/// The spec of a parameter; nothing for a group.
fn param_spec(entry: &Entry<'_>) -> TokenStream {
    let Entry::One { ident, ty, docs, attribute } = entry else { return quote!() };
    let (name, unit, range) = (ident.to_string(), &attribute.unit, attribute.range());
    let places = attribute.places();
    let default = match &attribute.default {
        Some(value) => quote!(::core::option::Option::Some(&|| {
            let value: #ty = #value;
            ::terrane_flow::canonical(&value)
        })),
        None => quote!(::core::option::Option::None),
    };
    quote!(::terrane_flow::ParamSpec {
        name: #name, docs: #docs, unit: #unit, default: #default, range: #range,
        shape: <#ty as ::terrane_flow::Param>::shape, #places,
    })
}
