//! Colours in a text: three whole numbers from 0 to 255, sRGB.

use std::ops::Range as Span;

use gen_lsp_types as lsp;
use serde_json::{Value as Json, json};
use terrane_flow::syntax::{Bracket, Item};
use terrane_flow::{Registry, Shape};

use crate::document::Document;
use crate::outline::Outline;
use crate::typed::visit;

/// The colours of a document, and where they are.
#[must_use]
pub fn colours(document: &Document, registry: &Registry) -> Vec<(Span<usize>, [u8; 3])> {
    let mut all: Vec<(Span<usize>, [u8; 3])> = Vec::new();
    visit(&Outline::of(&document.tree), registry, &mut |typed| {
        if !is_colour(&typed.shape) {
            return;
        }
        let Some(group) = typed.value.group(Bracket::Round) else { return };
        let numbers: Option<Vec<u8>> =
            group.items().map(|item| Item::value(item)?.text().parse().ok()).collect();
        if let Some(colour) = numbers.and_then(|numbers| <[u8; 3]>::try_from(numbers).ok()) {
            all.push((typed.value.span(), colour));
        }
    });
    all.dedup();
    all
}

/// How a colour is written.
#[must_use]
pub fn presentation(params: &lsp::ColorPresentationParams) -> Json {
    let lsp::Color { red, green, blue, .. } = params.color;
    let [red, green, blue] = [red, green, blue].map(|part| (f64::from(part) * 255.0).round() as u8);
    let text = format!("({red}, {green}, {blue})");
    json!([{ "label": text, "textEdit": { "range": params.range, "newText": text } }])
}

fn is_colour(shape: &Shape) -> bool {
    let is_byte = |shape: &Shape| matches!(shape, Shape::Integer { min: 0, max: 255 });
    matches!(shape, Shape::Tuple(items) if items.len() == 3 && items.iter().all(is_byte))
}
