//! Reads the attributes of a node's struct.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitFloat, LitInt, LitStr, Result, Token, Type};

/// The doc comment as one text, with the space after each `///` removed.
pub fn docs(attributes: &[Attribute]) -> String {
    let mut lines = Vec::new();
    for attribute in attributes {
        if attribute.path().is_ident("doc")
            && let syn::Meta::NameValue(meta) = &attribute.meta
            && let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &meta.value
        {
            let text = text.value();
            lines.push(text.strip_prefix(' ').unwrap_or(&text).to_owned());
        }
    }
    lines.join("\n").trim().to_owned()
}

/// `#[node(...)]`.
pub struct NodeAttribute {
    pub category: LitStr,
    /// Further words by which the type is found.
    pub words: LitStr,
    pub paper: LitStr,
    pub tiles: Ident,
    /// Why a sample depends on the whole map, if it does.
    pub because: LitStr,
    pub version: LitInt,
    pub working_maps: LitFloat,
    pub cost: Ident,
    pub holes: Ident,
    pub header: bool,
    /// What suits a map: the names of parameters, each with its share of the map's side or its text.
    pub suits: Vec<(Ident, Lit)>,
    /// What suits a map and its heights: the names of parameters, each with its template.
    pub fits: Vec<(Ident, LitStr)>,
    /// The fields that matter most.
    pub main: Vec<Ident>,
    /// Presets: names, each with fields and their text.
    pub presets: Vec<(Ident, Vec<(Ident, LitStr)>)>,
}

impl NodeAttribute {
    pub fn read(attributes: &[Attribute]) -> Result<Self> {
        let mut this = Self {
            category: LitStr::new("other", Span::call_site()),
            words: LitStr::new("", Span::call_site()),
            paper: LitStr::new("", Span::call_site()),
            tiles: Ident::new("Global", Span::call_site()),
            because: LitStr::new("its type does not declare its reach", Span::call_site()),
            version: LitInt::new("1", Span::call_site()),
            working_maps: LitFloat::new("0.0", Span::call_site()),
            cost: Ident::new("Dear", Span::call_site()),
            holes: Ident::new("Refused", Span::call_site()),
            header: false,
            suits: Vec::new(),
            fits: Vec::new(),
            main: Vec::new(),
            presets: Vec::new(),
        };
        for attribute in attributes.iter().filter(|a| a.path().is_ident("node")) {
            attribute.parse_nested_meta(|meta| {
                match name(&meta)?.as_str() {
                    "category" => this.category = meta.value()?.parse()?,
                    "paper" => this.paper = meta.value()?.parse()?,
                    "tiles" => {
                        this.tiles = meta.value()?.parse()?;
                        this.because = LitStr::new("", this.tiles.span());
                    }
                    "words" => this.words = meta.value()?.parse()?,
                    "because" => this.because = meta.value()?.parse()?,
                    "version" => this.version = meta.value()?.parse()?,
                    "working_maps" => this.working_maps = meta.value()?.parse()?,
                    "cost" => this.cost = meta.value()?.parse()?,
                    "holes" => this.holes = meta.value()?.parse()?,
                    "header" => this.header = true,
                    "suits" => meta.parse_nested_meta(|meta| {
                        let parameter = meta.path.require_ident()?.clone();
                        this.suits.push((parameter, meta.value()?.parse()?));
                        Ok(())
                    })?,
                    "fits" => meta.parse_nested_meta(|meta| {
                        let parameter = meta.path.require_ident()?.clone();
                        this.fits.push((parameter, meta.value()?.parse()?));
                        Ok(())
                    })?,
                    "main" => meta.parse_nested_meta(|meta| {
                        this.main.push(meta.path.require_ident()?.clone());
                        Ok(())
                    })?,
                    "presets" => meta.parse_nested_meta(|meta| {
                        let (preset, mut fields) = (meta.path.require_ident()?.clone(), Vec::new());
                        meta.parse_nested_meta(|meta| {
                            let field = meta.path.require_ident()?.clone();
                            fields.push((field, meta.value()?.parse()?));
                            Ok(())
                        })?;
                        this.presets.push((preset, fields));
                        Ok(())
                    })?,
                    _ => {
                        return Err(meta.error(
                            "expected category, words, paper, tiles, because, version, working_maps, cost, \
                            holes, header, suits, fits, main or presets",
                        ));
                    }
                }
                Ok(())
            })?;
            if (this.tiles == "Global") == this.because.value().is_empty() {
                let message = "a node with tiles = Global needs `because`, and no other node takes it";
                return Err(syn::Error::new_spanned(&this.tiles, message));
            }
        }
        Ok(this)
    }
}

/// `#[output(name: Type, unit = "...", lazy, whole, doc = "...")]`.
pub struct OutputAttribute {
    pub name: Ident,
    pub ty: Type,
    pub unit: LitStr,
    pub doc: LitStr,
    /// Whether the node computes it only if something reads it.
    pub lazy: bool,
    /// Whether the value never has holes.
    pub whole: bool,
}

impl syn::parse::Parse for OutputAttribute {
    fn parse(input: syn::parse::ParseStream<'_>) -> Result<Self> {
        let name: Ident = input.parse()?;
        input.parse::<Token![:]>()?;
        let ty: Type = input.parse()?;
        let mut unit = LitStr::new("", Span::call_site());
        let (mut doc, mut lazy, mut whole) = (None, false, false);
        while input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            let key: Ident = input.parse()?;
            match key.to_string().as_str() {
                "lazy" => lazy = true,
                "whole" => whole = true,
                _ => {
                    input.parse::<Token![=]>()?;
                    match key.to_string().as_str() {
                        "unit" => unit = input.parse()?,
                        "doc" => doc = Some(input.parse()?),
                        _ => return Err(syn::Error::new(key.span(), "expected unit, doc, lazy or whole")),
                    }
                }
            }
        }
        let doc = doc.ok_or_else(|| syn::Error::new(name.span(), "an output needs doc = \"...\""))?;
        Ok(Self { name, ty, unit, doc, lazy, whole })
    }
}

/// All `#[output(...)]` of a struct, in order.
pub fn outputs(attributes: &[Attribute]) -> Result<Vec<OutputAttribute>> {
    attributes.iter().filter(|a| a.path().is_ident("output")).map(Attribute::parse_args).collect()
}

/// `#[input(...)]` or `#[param(...)]`.
pub struct FieldAttribute {
    pub unit: LitStr,
    pub default: Option<Expr>,
    min: Option<Expr>,
    max: Option<Expr>,
    above: bool,
    pub any_size: bool,
    place: Option<Ident>,
    joins: Option<LitStr>,
    each: Option<LitStr>,
}

impl FieldAttribute {
    /// The attribute called `which`, if the field has it.
    pub fn read(attributes: &[Attribute], which: &str) -> Result<Option<Self>> {
        let Some(attribute) = attributes.iter().find(|a| a.path().is_ident(which)) else { return Ok(None) };
        let mut this = Self {
            unit: LitStr::new("", Span::call_site()),
            default: None,
            min: None,
            max: None,
            above: false,
            any_size: false,
            place: None,
            joins: None,
            each: None,
        };
        if matches!(attribute.meta, syn::Meta::List(_)) {
            attribute.parse_nested_meta(|meta| {
                match name(&meta)?.as_str() {
                    "unit" => this.unit = meta.value()?.parse()?,
                    "default" => this.default = Some(meta.value()?.parse()?),
                    "min" => this.min = Some(meta.value()?.parse()?),
                    "max" => this.max = Some(meta.value()?.parse()?),
                    "above" => {
                        this.min = Some(meta.value()?.parse()?);
                        this.above = true;
                    }
                    "any_size" if which == "input" => this.any_size = true,
                    "place" if which == "param" => {
                        let kind =
                            if meta.input.peek(Token![=]) { Some(meta.value()?.parse()?) } else { None };
                        this.place = Some(kind.unwrap_or_else(|| Ident::new("Plane", Span::call_site())));
                    }
                    "joins" if which == "param" => this.joins = Some(meta.value()?.parse()?),
                    "each" if which == "param" => this.each = Some(meta.value()?.parse()?),
                    _ => {
                        return Err(meta.error(
                            "expected unit, default, min, max, above, any_size (ports), or place, joins or \
                            each (parameters)",
                        ));
                    }
                }
                Ok(())
            })?;
        }
        Ok(Some(this))
    }

    /// What the value has to do with positions on the map, as fields of a `ParamSpec`.
    pub fn places(&self) -> TokenStream {
        let option = |value: Option<TokenStream>| match value {
            Some(value) => quote!(::core::option::Option::Some(#value)),
            None => quote!(::core::option::Option::None),
        };
        let place = option(self.place.as_ref().map(|kind| quote!(::terrane_flow::Place::#kind)));
        let joins = option(self.joins.as_ref().map(|name| quote!(#name)));
        let each = option(self.each.as_ref().map(|name| quote!(#name)));
        quote!(place: #place, joins: #joins, each: #each)
    }

    /// The range as an expression.
    pub fn range(&self) -> TokenStream {
        let bound = |value: &Option<Expr>| match value {
            Some(value) => quote!(::core::option::Option::Some((#value) as f64)),
            None => quote!(::core::option::Option::None),
        };
        let (min, max, above) = (bound(&self.min), bound(&self.max), self.above);
        quote!(::terrane_flow::Range { min: #min, max: #max, above: #above })
    }
}

fn name(meta: &ParseNestedMeta<'_>) -> Result<String> {
    meta.path.get_ident().map(ToString::to_string).ok_or_else(|| meta.error("expected a name"))
}
