//! Which outputs fit at a port, the likeliest first.

use std::collections::{HashMap, HashSet};

use terrane_flow::{InputSpec, Registry};

use crate::offers::Offer;
use crate::outline::{Outline, uses};

/// The outputs that a port takes, without a cycle; without a port, all outputs. The likeliest come first:
/// those with the port's name, with the port's unit, of nodes that nothing reads yet, and of nodes that stand
/// shortly before.
#[must_use]
pub fn fitting<'o>(
    outline: &Outline<'_>,
    registry: &Registry,
    offers: &'o [Offer],
    input: Option<&'static InputSpec>,
    node: Option<&str>,
) -> Vec<&'o Offer> {
    let own = node.and_then(|node| outline.nodes.iter().position(|other| other.name == node));
    let uses = uses(outline, registry);
    let at: HashMap<&str, usize> =
        outline.nodes.iter().enumerate().map(|(index, node)| (node.name, index)).collect();
    let index = |name: &str| at.get(name.split('/').next().unwrap_or_default()).copied();
    // The nodes that read this one, directly or not.
    let mut readers: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut reads: HashMap<usize, usize> = HashMap::new();
    for used in &uses {
        let (Some(source), reader) = (index(used.node()), used.reader.and_then(index)) else { continue };
        let is_this = reader == own && own.is_some() && input.is_some_and(|input| input.name == used.port);
        if let Some(reader) = reader {
            readers.entry(source).or_default().push(reader);
            *reads.entry(source).or_default() += usize::from(!is_this);
        }
    }
    let mut downstream: HashSet<usize> = own.into_iter().collect();
    let mut open: Vec<usize> = own.into_iter().collect();
    while let Some(next) = open.pop() {
        let more = readers.get(&next).into_iter().flatten();
        open.extend(more.copied().filter(|&reader| downstream.insert(reader)).collect::<Vec<_>>());
    }
    let mut fits: Vec<(i64, usize, &Offer)> = Vec::new();
    let mut seen = HashSet::new();
    for (rank, offer) in offers.iter().enumerate() {
        let takes = input.is_none_or(|input| input.takes(offer.kind));
        // The first output is offered by its short name alone.
        let is_first = offer.of.outputs.first().is_some_and(|first| first.docs == offer.docs);
        let is_long = is_first && offer.reference.contains('.');
        if !takes || downstream.contains(&offer.node) || is_long || !seen.insert(&*offer.reference) {
            continue;
        }
        fits.push((score(offer, input, own, reads.get(&offer.node).copied().unwrap_or(0)), rank, offer));
    }
    fits.sort_by_key(|&(score, rank, _)| (score, rank));
    fits.into_iter().map(|(_, _, offer)| offer).collect()
}

/// How unlikely an output is at a port.
fn score(offer: &Offer, input: Option<&InputSpec>, own: Option<usize>, reads: usize) -> i64 {
    let mut score = 0;
    let (node, output) = offer.reference.rsplit_once('.').unwrap_or((&offer.reference, ""));
    if let Some(input) = input {
        let alike = |name: &str| name.eq_ignore_ascii_case(input.name);
        score -= if alike(output) || alike(node) { 60 } else { 0 };
        // A mask is no height, and a height no mask.
        score += if offer.unit == input.unit { 0 } else { 40 };
    }
    score += if output.is_empty() { 0 } else { 15 };
    score += if node.contains('/') { 30 } else { 0 };
    score += if reads == 0 { 0 } else { 12 };
    score += match own {
        Some(own) if offer.node < own => 3 * (own - offer.node).min(30) as i64,
        Some(_) => 100,
        None => 0,
    };
    score
}
