//! The holes that nodes keep.

use crate::model::holes::{HoleMask, Holes};
use crate::model::node::Node;
use crate::model::port::Source;
use crate::model::value::Value;

/// The holes that a node keeps: those of the rasters at its ports, which have one size.
pub fn kept(node: &dyn Node) -> HoleMask {
    let mut kept = HoleMask::default();
    if node.spec().holes == Holes::Kept {
        let inputs = node.spec().inputs.iter().enumerate().filter(|(_, input)| !input.any_size);
        for (index, _) in inputs {
            if node.reads(index)
                && let Source::Bound(value) = node.port(index).source()
                && let Some(holes) = value.holes()
            {
                kept.add(&holes);
            }
        }
    }
    kept
}

/// The outputs of a node with the holes that it keeps, and with one form of each hole.
pub fn settled(values: Vec<Value>, kept: &HoleMask) -> Vec<Value> {
    values.into_iter().map(|value| value.with_holes(kept)).collect()
}
