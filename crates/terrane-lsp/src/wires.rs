//! Which outputs fit at a port, the likeliest first.

use std::collections::{HashMap, HashSet};

use terrane_flow::{InputSpec, NodeSpec, Registry};

use crate::analogy::analogue;
use crate::likeness::{likeness, words};
use crate::offers::Offer;
use crate::outline::{Entry, Outline, Use, node_of, spec_of, uses};

/// Nodes of the same type whose wires are looked at, at most.
const ALIKE: usize = 8;

/// The outputs that a port takes, without a cycle; without a port, all outputs. The likeliest come first, by
/// names, units, and what the graph's other nodes read.
#[must_use]
pub fn fitting<'o>(
    outline: &'o Outline<'o>,
    registry: &Registry,
    offers: &'o [Offer],
    input: Option<&'static InputSpec>,
    reader: Reader<'o>,
) -> Vec<&'o Offer> {
    let uses = uses(outline, registry);
    let known = Known::new(outline, registry, &uses, input, reader);
    let downstream = known.downstream();
    let mut seen = HashSet::new();
    let mut fits: Vec<(i64, usize, &Offer)> = Vec::new();
    for (rank, offer) in offers.iter().enumerate() {
        let takes = input.is_none_or(|input| input.takes(offer.kind));
        if takes && !downstream.contains(&offer.node) && !offer.is_long && seen.insert(&*offer.reference) {
            fits.push((known.score(offer), rank, offer));
        }
    }
    fits.sort_by_key(|&(score, rank, _)| (score, rank));
    fits.into_iter().map(|(_, _, offer)| offer).collect()
}

/// The outputs of the nodes that no other node reads.
#[must_use]
pub fn unread<'o>(outline: &Outline<'_>, registry: &Registry, offers: &'o [Offer]) -> Vec<&'o Offer> {
    let uses = uses(outline, registry);
    let read: HashSet<&str> =
        uses.iter().filter(|used| used.reader.is_some()).map(|used| node_of(used.reference)).collect();
    offers.iter().filter(|offer| !read.contains(node_of(&offer.reference))).collect()
}

/// What reads an output.
#[derive(Clone, Copy, Debug)]
pub enum Reader<'a> {
    /// A node, by its name.
    Node(&'a str),
    /// An output file, by its name.
    File(&'a str),
}

/// How often each reference is read, and how often any is.
#[derive(Default)]
struct Tally<'a> {
    counts: HashMap<&'a str, i64>,
    all: i64,
}

impl<'a> Tally<'a> {
    fn add(&mut self, reference: &'a str) {
        *self.counts.entry(reference).or_default() += 1;
        self.all += 1;
    }

    /// The share of a reference, from 0 to 30; 0 if fewer than so many are read.
    fn share(&self, reference: &str, least: i64) -> i64 {
        if self.all < least { 0 } else { 30 * self.counts.get(reference).copied().unwrap_or(0) / self.all }
    }
}

/// What is known of the graph around a port.
struct Known<'a> {
    outline: &'a Outline<'a>,
    at: HashMap<&'a str, usize>,
    input: Option<&'static InputSpec>,
    own: Option<usize>,
    /// What each node reads: the port, and the reference. What stands at the port itself is left out.
    reads: HashMap<usize, Vec<(&'a str, &'a str)>>,
    /// By node, the nodes that read it.
    readers: HashMap<usize, Vec<usize>>,
    /// The type of each node, if it is known.
    kinds: Vec<Option<&'static NodeSpec>>,
    /// The words of the reader's name.
    words: Vec<String>,
    /// What is read at ports of this name: by all nodes, by nearby ones of the same type, and by nearby ones
    /// of the same category.
    popular: Tally<'a>,
    of_type: Tally<'a>,
    of_category: Tally<'a>,
    /// What something reads.
    read: HashSet<&'a str>,
    /// What the node reads if it is to another node of its type as their names are.
    analogous: HashMap<String, i64>,
}

impl<'a> Known<'a> {
    fn new(
        outline: &'a Outline<'a>,
        registry: &Registry,
        uses: &[Use<'a>],
        input: Option<&'static InputSpec>,
        reader: Reader<'a>,
    ) -> Self {
        let at: HashMap<&str, usize> =
            outline.nodes.iter().enumerate().map(|(index, node)| (node.name, index)).collect();
        let own = if let Reader::Node(node) = reader { at.get(node).copied() } else { None };
        let kind = |node: &Entry<'_>| spec_of(registry, node.call()?.name());
        let kinds = outline.nodes.iter().map(kind).collect();
        let (reads, readers) = (HashMap::new(), HashMap::new());
        let name = match reader {
            Reader::Node(name) => name,
            Reader::File(name) => name.rsplit_once('.').map_or(name, |(stem, _)| stem),
        };
        let mut this = Self {
            outline,
            at,
            input,
            own,
            reads,
            readers,
            kinds,
            words: words(name),
            popular: Tally::default(),
            of_type: Tally::default(),
            of_category: Tally::default(),
            analogous: HashMap::new(),
            read: HashSet::new(),
        };
        for used in uses {
            let (Some(source), Some(reader)) =
                (this.index(used.reference), used.reader.and_then(|name| this.index(name)))
            else {
                continue;
            };
            if Some(reader) == own && input.is_some_and(|input| input.name == used.port) {
                continue;
            }
            if input.is_some_and(|input| input.name == used.port) {
                this.popular.add(used.reference);
            }
            this.read.insert(used.reference);
            this.reads.entry(reader).or_default().push((used.port, used.reference));
            this.readers.entry(source).or_default().push(reader);
        }
        this.tally_siblings();
        this.analogous = this.by_analogy();
        this
    }

    /// Counts what nearby nodes read at ports of this name.
    fn tally_siblings(&mut self) {
        let (Some(own), Some(input)) = (self.own, self.input) else { return };
        let Some(kind) = self.kinds[own] else { return };
        for near in own.saturating_sub(8)..(own + 8).min(self.outline.nodes.len()) {
            let Some(other) = self.kinds[near].filter(|other| near != own && other.category == kind.category)
            else {
                continue;
            };
            let reads = self.reads.get(&near).into_iter().flatten();
            for &(_, reference) in reads.filter(|(port, _)| *port == input.name) {
                self.of_category.add(reference);
                if other.name == kind.name {
                    self.of_type.add(reference);
                }
            }
        }
    }

    /// What names suggest, by how much: the nearest nodes of the same type that read something at the port.
    fn by_analogy(&self) -> HashMap<String, i64> {
        let mut all = HashMap::new();
        let (Some(own), Some(input)) = (self.own, self.input) else { return all };
        let Some(kind) = self.kinds[own] else { return all };
        let mut alike: Vec<(usize, &str)> = self
            .reads
            .iter()
            .filter(|(reader, _)| self.kinds[**reader].is_some_and(|other| other.name == kind.name))
            .flat_map(|(&reader, reads)| reads.iter().map(move |read| (reader, read)))
            .filter(|(_, (port, _))| *port == input.name)
            .map(|(reader, (_, reference))| (reader, *reference))
            .collect();
        alike.sort_unstable_by_key(|&(reader, _)| (reader.abs_diff(own), reader));
        for (reader, reference) in alike.into_iter().take(ALIKE) {
            let name = |index: usize| self.outline.nodes[index].name;
            if let Some(found) = analogue(name(own), name(reader), reference) {
                let bonus = all.entry(found).or_insert(100);
                *bonus = (*bonus + 20).min(140);
            }
        }
        all
    }

    /// The node of a reference: in a subgraph, the subgraph.
    fn index(&self, reference: &str) -> Option<usize> {
        let node = reference.rsplit_once('.').map_or(reference, |(node, _)| node);
        let head = node.split('/').next().unwrap_or_default();
        self.at.get(node).or_else(|| self.at.get(head)).copied()
    }

    /// The node itself and those that read it, directly or not.
    fn downstream(&self) -> HashSet<usize> {
        let mut seen: HashSet<usize> = self.own.into_iter().collect();
        let mut open: Vec<usize> = self.own.into_iter().collect();
        while let Some(next) = open.pop() {
            for &reader in self.readers.get(&next).into_iter().flatten() {
                if seen.insert(reader) {
                    open.push(reader);
                }
            }
        }
        seen
    }

    fn reads_of(&self, node: usize) -> &[(&'a str, &'a str)] {
        self.reads.get(&node).map_or(&[], Vec::as_slice)
    }

    /// How unlikely an output is at the port.
    fn score(&self, offer: &Offer) -> i64 {
        let (node, output) = offer.reference.rsplit_once('.').unwrap_or((&offer.reference, ""));
        let mut score = 0;
        if let Some(input) = self.input {
            let alike = |name: &str| name.eq_ignore_ascii_case(input.name);
            score -= if alike(offer.name) || alike(node) { 40 } else { 0 };
            // Of a port `shade`, a `Hillshade`.
            let is_type = offer.of.name.to_lowercase().contains(&input.name.to_lowercase());
            score -= if is_type { 25 } else { 0 };
            // A mask is no height, and a height no mask.
            score += match offer.unit == input.unit {
                true => 0,
                // A port without a unit may take any.
                false if input.unit.is_empty() => 25,
                false => 40,
            };
        }
        score += if output.is_empty() { 0 } else { 34 };
        score += if node.contains('/') { 60 } else { 0 };
        let is_read = self.read.contains(&*offer.reference);
        let readers = self.readers.get(&offer.node).map_or(0, Vec::len);
        // What nothing reads yet is likely, unless the node's other outputs are read.
        score += if is_read {
            10
        } else if readers > 0 {
            40
        } else {
            0
        };
        score -= likeness(&self.words, &offer.reference);
        score -= self.analogous.get(&*offer.reference).copied().unwrap_or(0);
        let Some(own) = self.own else {
            // Files are written of what the graph ends with.
            return score + 2 * (self.outline.nodes.len() - offer.node).min(20) as i64;
        };
        score += match own.checked_sub(offer.node) {
            Some(1) => -18,
            Some(distance) => 2 * distance.min(20) as i64,
            None => 100,
        };
        let reference = &*offer.reference;
        score -= self.by_neighbours(own, offer) + self.popular.share(reference, 3);
        score - self.of_type.share(reference, 1) - self.of_category.share(reference, 2)
    }

    /// What the node reads at other ports. For `ColorRelief(height: |, shade: "s")`, it is what `s` reads at
    /// `height`. For `ColorRelief(height: "h", shade: |)`, it is a node that reads `h`.
    fn by_neighbours(&self, own: usize, offer: &Offer) -> i64 {
        let mut bonus = 0;
        for &(port, reference) in self.reads_of(own) {
            let Some(other) = self.index(reference) else { continue };
            let theirs = self.reads_of(other);
            let is_same_port = |name: &str| self.input.is_some_and(|input| input.name == name);
            if theirs.iter().any(|&(name, source)| is_same_port(name) && source == offer.reference) {
                bonus = bonus.max(40);
            }
            let offered = self.reads_of(offer.node);
            if offered.iter().any(|&(name, source)| name == port && source == reference) {
                bonus = bonus.max(40);
            }
            // Another output of a node that is read: `drainage: "flow"` beside `receivers: "flow.receivers"`.
            if other == offer.node && reference != offer.reference && reference.contains('.') {
                bonus = bonus.max(30);
            }
            // Two ports rarely read the same.
            if reference == offer.reference {
                bonus -= 60;
            }
        }
        bonus
    }
}
