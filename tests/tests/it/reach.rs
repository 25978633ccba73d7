//! Nodes depend on samples only within their declared reach: a part of the world that is evaluated separately
//! has the same bits as the whole, except within that reach of its border.

use std::sync::Arc;

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use terrane::flow::syntax::Literally;
use terrane::flow::{Context, Fields, GraphNode, NodeSpec, Reach, Reference, Source, Tiles, Value, Wanted};
use terrane::values::TerrainKind;
use terrane::{Cancel, Engine, LoadOptions, Loaded, Terrain, load, registry};
use terrane_flow::testing::edited;
use terrane_grid::{Domain, Tiling};
use terrane_tests::variants::{examples, ordinary};
use terrane_tests::{engine, root};

/// Size of the whole.
const WHOLE: (usize, usize) = (83, 71);

/// Number of other values tried for each parameter.
const TRIES: usize = 4;

/// The result of comparing a node with given parameters.
enum Found {
    /// It depends on the whole map, or has no raster output.
    Other,
    /// It has the same bits in this many parts.
    Same(usize),
    /// What differs.
    Differs(String),
}

struct Bench {
    engine: Engine,
    random: StdRng,
}

impl Bench {
    fn load(text: &str) -> Option<Arc<Loaded>> {
        let header = vec![("size".to_owned(), format!("{WHOLE:?}"))];
        let options = LoadOptions { header, ..LoadOptions::default() };
        let mut loaded = load("test.ron", text, &root().join("graphs"), &registry(), &options).ok()?;
        // Uses the domain of a patch, whose positions are exact in whatever order they are computed.
        let domain = Terrain::of(&*loaded.graph.header)?.domain;
        loaded.graph.header = Arc::new(Terrain::new(Tiling::new(&domain)?.domain((0, 0))));
        Some(Arc::new(loaded))
    }

    /// A node of the graph with its inputs, evaluated over the whole.
    fn bound(&self, loaded: &Arc<Loaded>, at: usize) -> Option<GraphNode> {
        let graph = &loaded.graph;
        let mut node = graph.nodes[at].clone();
        let wires = &loaded.plan.wires[at];
        let port = |node: usize, output: usize| {
            let (name, node) = graph.nodes.get_index(node)?;
            Some(Reference::parse(&format!("{name}.{}", node.node().spec().outputs[output].name)))
        };
        let wanted: Option<Vec<Wanted>> =
            wires.iter().map(|wire| Some(port(wire.node, wire.output)?.into())).collect();
        let made = self.engine.start(loaded, wanted?).ok()?.wait();
        for (wire, output) in wires.iter().zip(&made.outputs) {
            node.node_mut().port_mut(wire.input).connect(Source::Bound(output.value.clone()?));
        }
        Some(node)
    }

    /// Runs a node over a domain.
    fn run(mut node: GraphNode, domain: Domain, seed: u64) -> Option<Vec<Value>> {
        let (header, cancel) = (Terrain::new(domain), Cancel::new());
        let cx = Context::new(&header, seed, &cancel, &|_| (), &|_| ());
        let all = (1u64 << node.node().spec().outputs.len()) - 1;
        node.node_mut().run(&cx.with_asked(all as u32)).ok()
    }

    /// Compares parts with the whole.
    fn compare(&mut self, text: &str, name: &str) -> Option<Found> {
        let loaded = Self::load(text)?;
        let at = loaded.graph.nodes.get_index_of(name)?;
        let whole_domain = Terrain::of(&*loaded.graph.header)?.domain;
        let node = self.bound(&loaded, at)?;
        let Reach::Samples(reach) = node.node().reach(&*loaded.graph.header) else {
            return Some(Found::Other);
        };
        let reach = reach as usize;
        let spec = node.node().spec();
        let kinds = spec.outputs.iter().map(|output| TerrainKind::named(output.kind.name));
        let rasters: Vec<(usize, &TerrainKind)> = kinds
            .enumerate()
            .filter_map(|(at, kind)| Some((at, kind.filter(|kind| kind.is_raster)?)))
            .collect();
        if rasters.is_empty() || 2 * reach + 2 > WHOLE.0.min(WHOLE.1) {
            return Some(Found::Other);
        }
        let whole = Self::run(node.clone(), whole_domain, loaded.graph.seed)?;
        let mut parts = 0;
        for _ in 0..3 {
            let mut side = |most: usize| {
                let size = self.random.random_range(2.max(2 * reach + 1)..=most);
                (self.random.random_range(0..=most - size), size)
            };
            let ((x, width), (y, height)) = (side(WHOLE.0), side(WHOLE.1));
            let (first, size) = ((x, y), (width, height));
            let mut part = node.clone();
            for port in 0..spec.inputs.len() {
                let Source::Bound(value) = part.node().port(port).source() else { continue };
                let kind = TerrainKind::find(value.kind())?;
                if kind.is_raster {
                    let value = kind.part(value, first, size)?;
                    part.node_mut().port_mut(port).connect(Source::Bound(value));
                }
            }
            let Some(made) = Self::run(part, whole_domain.part(first, size), loaded.graph.seed) else {
                return Some(Found::Differs(format!("it fails in {size:?} from {first:?}")));
            };
            for (output, kind) in &rasters {
                let inner = (size.0 - 2 * reach, size.1 - 2 * reach);
                let own = kind.part(&made[*output], (reach, reach), inner)?;
                let of_whole = kind.part(&whole[*output], (x + reach, y + reach), inner)?;
                if own.digest() != of_whole.digest() {
                    let output = spec.outputs[*output].name;
                    return Some(Found::Differs(format!(
                        "`{output}` of {size:?} from {first:?} differs with a reach of {reach}"
                    )));
                }
            }
            parts += 1;
        }
        Some(Found::Same(parts))
    }
}

#[test]
fn parts_equal_the_whole_outside_the_reach() {
    let mut bench = Bench { engine: engine(2, None), random: StdRng::seed_from_u64(25) };
    let (mut wrong, mut same) = (Vec::new(), std::collections::BTreeMap::new());
    for (spec, example) in examples() {
        let Some(loaded) = Bench::load(example) else { panic!("{}", spec.name) };
        let own = loaded.graph.nodes.iter().find(|(_, node)| node.node().spec().name == spec.name);
        let Some((name, _)) = own else { panic!("{}", spec.name) };
        for (what, text) in variants(&mut bench.random, spec, example, name) {
            match bench.compare(&text, name) {
                Some(Found::Differs(why)) => wrong.push(format!("{}({what}): {why}", spec.name)),
                Some(Found::Same(parts)) => *same.entry(spec.name).or_insert(0) += parts,
                Some(Found::Other) | None => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    // Types whose class depends on their parameters, with raster outputs.
    let known = [
        "AssignTerrain",
        "Blend",
        "Blur",
        "Clamp",
        "ColorRelief",
        "Combine",
        "Constant",
        "Curve",
        "FieldDetail",
        "FieldMask",
        "Flatten",
        "Hillshade",
        "HydraulicErosion",
        "Invert",
        "OpenSimplex",
        "Overlay",
        "Perlin",
        "PolynomialNoise",
        "Ramp",
        "Remap",
        "Roughness",
        "Section",
        "Select",
        "SlopeMap",
        "SpectralSynthesis",
        "Switch",
        "Terrace",
        "Texture",
        "ThermalErosion",
        "Voronoi",
    ];
    let missing: Vec<&str> = known.into_iter().filter(|name| !same.contains_key(name)).collect();
    assert!(missing.is_empty(), "not compared: {missing:?}; compared: {same:?}");
}

/// The example with single parameters changed, and with all parameters changed, as users may write them.
fn variants(
    random: &mut StdRng,
    spec: &'static NodeSpec,
    example: &str,
    name: &str,
) -> Vec<(String, String)> {
    // Few iterations, so that the reach fits into the whole.
    let few = edited(example, |graph| graph.set_field(name, "iterations", "3"))
        .unwrap_or_else(|_| example.to_owned());
    let example = if spec.params.iter().any(|param| param.name == "iterations") { &few } else { example };
    let mut all = vec![("its example".to_owned(), example.to_owned())];
    let optional = spec.inputs.iter().filter(|input| input.optional);
    let without = optional.fold(example.to_owned(), |text, input| {
        edited(&text, |graph| graph.reset(name, input.name)).unwrap_or(text)
    });
    all.push(("no optional input".to_owned(), without));
    for param in spec.params {
        all.extend(
            edited(example, |graph| graph.reset(name, param.name))
                .map(|text| (format!("no {}", param.name), text)),
        );
        for value in ordinary(random, param, TRIES) {
            let text = edited(example, |graph| graph.set_field(name, param.name, &value));
            all.extend(text.map(|text| (format!("{}: {value}", param.name), text)));
        }
    }
    for _ in 0..3 * TRIES {
        let (mut text, mut what) = (example.to_owned(), String::new());
        for param in spec.params {
            let Some(value) = ordinary(random, param, 1).pop() else { continue };
            if let Ok(other) = edited(&text, |graph| graph.set_field(name, param.name, &value)) {
                text = other;
                what += &format!("{}: {value}, ", param.name);
            }
        }
        all.push((what, text));
    }
    all
}

#[test]
fn a_type_has_the_class_of_its_defaults() {
    let header = Terrain::new(Domain::new(65, 65));
    for node_type in registry().nodes() {
        let spec = node_type.spec();
        let node = node_type.read(&mut Fields::new(spec, &[], &Literally));
        let reach = node.reach(&header);
        assert_eq!(reach.tiles(), spec.tiles, "{}: {reach:?}", spec.name);
        assert_eq!(spec.tiles == Tiles::Global, !spec.because.is_empty(), "{}", spec.name);
    }
}
