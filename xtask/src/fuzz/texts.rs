//! Graphs and worlds as text: any text is a graph, or has mistakes that can be rendered.

use std::path::{Path, PathBuf};

use terrane::flow::{Diagnostics, LoadOptions, Registry, load};
use terrane::world::LoadedWorld;

use super::Target;
use super::mutate::Rng;
use super::tokens::Corpus;
use crate::{Result, root};

/// Small graphs with constructs that are rare in files.
pub const GRAPHS: [&str; 10] = [
    "Graph(size: (9, 9), seed: 1, params: { \"p\": 0.5, \"q\": \"$p\" }, nodes: { \"a\": Perlin(wavelength: \
    \"$p\"), \"b\": Perturb(height: \"a\", magnitude: 0.25) }, outputs: { \"a.png\": \"b\" })",
    "Graph(\n    size: (5, 3), // columns, rows\n    nodes: {\n        /* first */ \"c\": Constant(value: \
    1.5),\n        \"r\": Ramp(),\n        \"x\": Combine(a: \"c\", b: \"r\", mode: Lerp, weight: 0.5),\n    \
    },\n    outputs: { \"x.tif\": Export(from: \"x\", depth: F32), \"t/x.npy\": \"x\" },\n)\n",
    "Graph(nodes: { \"s\": Subgraph(file: \"quickstart.ron\", params: { \"ruggedness\": 0.25 }, inputs: { \
    \"hills\": \"c\" }), \"c\": Constant() }, outputs: { \"o.png\": \"s/eroded\" })",
    "Graph(params: { \"p\": [(0.0, 1.0), (2.0, 0.5)] }, nodes: { \"a\": Ramp(), \"b\": Curve(height: \"a\", \
    points: \"$p\") })",
    "Graph(size: (17, 17), nodes: { \"g\": GridGraph(columns: 2, rows: 2), \"s\": Section(graph: \"g\"), \
    \"t\": AssignTerrain(fields: \"s\", descriptions: [(\"hills\", Noise(amplitude: 5, octaves: 3)), \
    (\"flat\", MidpointDisplacement())]), \"f\": StitchFields(fields: \"t\") }, outputs: { \"c.csv\": \
    \"t.counts\" })",
    "Graph(nodes: { \"i\": Import(file: \"data/front_range_3s.tif\", nodata: Some(-9999)), \"p\": \
    Points(points: [(1, 2, 3)]) })",
    "Graph(size:(2,2),spacing:0.5,origin:(-1e3,1e3),nodes:{\"a\":Voronoi(regions:6,coefficients:[-1.0,1.0])},\
    outputs:{\"a.r16\":Export(from:\"a\",range:(0,1),endian:Big),})",
    "Graph(nodes: { \"p\": PathGraph(nodes: [(20, 20), (100, 30)], edges: [(0, 1)], slopes: [0.1]), \"h\": \
    Ramp(), \"b\": SubdividePath(height: \"h\", graph: \"p\", borders: Shared), \"r\": RelaxPath(height: \
    \"h\", subdivision: \"b\", solver: Draft) })",
    "\u{feff}// é\r\nGraph(\r\n\tseed: 0xff, nodes: { r\"a\": Constant(value: -1_000.5e-3), \"b\": \
    Clamp(height: \"a\", min: 0, max: 1.5) }, outputs: {},\r\n)\r\n",
    "Graph()",
];

/// Small worlds.
const WORLDS: [&str; 4] = [
    "World(patch: \"patch.ron\", nodes: [(5, 5), (60, 20)], edges: [(0, 1)])",
    "World(patch: \"patch.ron\")",
    "World(\n    patch: \"patch.ron\", // the patch\n    heights: (-5, 40.5),\n    nodes: [(5, 5), (60, 20), \
    (-70, 33.5), (8, -90)],\n    edges: [(0, 1), (1, 2), (2, 3), (3, 0)],\n    slopes: [0.1, 0.2, 0.3, \
    1],\n)\n",
    "World(patch: \"other.ron\", nodes: [(0, 0), (15, 15), (31, 3)], edges: [(0, 1), (0, 2)], \
    slopes: [1, 2])",
];

/// The graphs of patches that worlds refer to.
const PATCHES: [(&str, &str); 2] = [
    (
        "patch.ron",
        "Graph(size: (9, 9), seed: 5, nodes: { \"ground\": Perlin(wavelength: 40), \"graph\": PathGraph(), \
        \"bounds\": SubdividePath(height: \"ground\", graph: \"graph\", width: 2.0, border: 3.0, borders: \
        Shared), \"height\": RelaxPath(height: \"ground\", subdivision: \"bounds\") }, outputs: { \
        \"height.tif\": \"height\" })",
    ),
    (
        "other.ron",
        "Graph(size: (33, 17), spacing: 0.5, origin: (3, -4), nodes: { \"ground\": Ramp(), \"graph\": \
        PathGraph(), \"bounds\": SubdividePath(height: \"ground\", graph: \"graph\", borders: Shared, \
        max_slope: 0.3), \"height\": RelaxPath(height: \"ground\", subdivision: \"bounds\") })",
    ),
];

/// The folder of files that graphs refer to.
pub fn graphs() -> PathBuf {
    root().join("graphs")
}

/// Texts of all graphs of the repository, and the ones above.
pub fn corpus() -> Result<Corpus> {
    let mut texts: Vec<String> = GRAPHS.iter().map(|&text| text.to_owned()).collect();
    for folder in ["graphs", "crates", "tests"] {
        collect(&root().join(folder), &mut texts)?;
    }
    let registry = terrane::registry();
    let specs = registry.nodes().map(terrane::flow::NodeType::spec);
    let mut words: Vec<String> =
        vec!["Subgraph".to_owned(), "\"quickstart.ron\"".to_owned(), "\"world/patch.ron\"".to_owned()];
    for spec in specs {
        words.push(spec.name.to_owned());
        words.extend(spec.params.iter().map(|param| param.name.to_owned()));
        words.extend(spec.inputs.iter().map(|input| input.name.to_owned()));
    }
    Ok(Corpus::new(texts, words))
}

/// The texts of graphs in a folder, recursively, ordered by name.
fn collect(folder: &Path, texts: &mut Vec<String>) -> Result<()> {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, texts)?;
        } else if path.extension().is_some_and(|extension| extension == "ron") {
            texts.push(std::fs::read_to_string(path)?);
        }
    }
    Ok(())
}

/// Targets for loading graphs and worlds.
pub fn targets() -> Result<Vec<Box<dyn Target>>> {
    let worlds = WORLDS.iter().map(|&text| text.to_owned()).collect();
    let words = ["patch", "nodes", "edges", "slopes", "heights"].map(str::to_owned);
    Ok(vec![
        Box::new(Graphs { corpus: corpus()?, registry: terrane::registry(), folder: graphs() }),
        Box::new(Worlds(Corpus::new(worlds, words))),
    ])
}

/// `terrane check` and the pictures of `terrane graph`.
struct Graphs {
    corpus: Corpus,
    registry: Registry,
    folder: PathBuf,
}

impl Target for Graphs {
    fn name(&self) -> &'static str {
        "graph"
    }

    fn share(&self) -> u64 {
        25
    }

    fn input(&self, rng: &mut Rng) -> Vec<u8> {
        self.corpus.mutated(rng).into_bytes()
    }

    fn run(&self, input: &[u8], _: &Path) -> std::result::Result<bool, String> {
        let text = String::from_utf8_lossy(input);
        match load("input.ron", &text, &self.folder, &self.registry, &LoadOptions::default()) {
            Ok(loaded) => {
                let (graph, plan) = (&loaded.graph, &loaded.plan);
                let asked: Vec<(usize, usize)> =
                    graph.outputs.iter().filter_map(|entry| graph.find(&entry.from).ok()).collect();
                if asked.len() != graph.outputs.len() {
                    return Err("a valid graph lacks an output".to_owned());
                }
                let _no_panic = plan.forecast(graph, &asked, 2);
                let drawn = [terrane::view::dot(graph, plan), terrane::view::mermaid(graph, plan)];
                if drawn.iter().any(String::is_empty) {
                    Err("a drawing is empty".to_owned())
                } else {
                    Ok(true)
                }
            }
            Err(mistakes) => check_rendering(&mistakes).map(|()| false),
        }
    }
}

/// Checks that mistakes can be rendered and written as JSON, without control characters.
pub fn check_rendering(mistakes: &Diagnostics) -> std::result::Result<(), String> {
    if mistakes.0.is_empty() {
        return Err("a text is rejected without a mistake".to_owned());
    }
    let drawn = mistakes.render(false);
    if let Some(control) = drawn.chars().find(|&c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return Err(format!("a rendered mistake contains {control:?}"));
    }
    for (at, (mistake, json)) in mistakes.0.iter().zip(mistakes.to_json()).enumerate() {
        if mistake.message.is_empty() {
            return Err("a mistake has no message".to_owned());
        }
        if let Some((source, span)) = &mistake.place
            && source.text.get(span.clone()).is_none()
        {
            return Err(format!(
                "a mistake is at {span:?} of {} bytes: {}",
                source.text.len(),
                mistake.message
            ));
        }
        // Locating a single mistake scans the text from its beginning, which is slow for thousands.
        if at < 100 && json != mistake.to_json() {
            return Err(format!("a mistake has two locations: {json} and {}", mistake.to_json()));
        }
    }
    Ok(())
}

/// Worlds.
struct Worlds(Corpus);

impl Target for Worlds {
    fn name(&self) -> &'static str {
        "world"
    }

    fn share(&self) -> u64 {
        6
    }

    fn input(&self, rng: &mut Rng) -> Vec<u8> {
        self.0.mutated(rng).into_bytes()
    }

    fn run(&self, input: &[u8], folder: &Path) -> std::result::Result<bool, String> {
        for (name, text) in PATCHES {
            let path = folder.join(name);
            if !path.exists() {
                std::fs::write(&path, text).map_err(|error| error.to_string())?;
            }
        }
        let path = folder.join("world.ron");
        std::fs::write(&path, input).map_err(|error| error.to_string())?;
        match LoadedWorld::load(&path, &terrane::registry(), &LoadOptions::default()) {
            Ok(_) => Ok(true),
            Err(mistakes) => check_rendering(&mistakes).map(|()| false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_inputs_begin_with_is_valid() {
        let registry = terrane::registry();
        for text in GRAPHS {
            let text = text.trim_start_matches('\u{feff}');
            if let Err(mistakes) = load("input.ron", text, &graphs(), &registry, &LoadOptions::default()) {
                panic!("{mistakes}");
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let target = Worlds(Corpus::new(vec![String::new()], []));
        for text in WORLDS {
            assert_eq!(target.run(text.as_bytes(), folder.path()), Ok(true), "{text}");
        }
    }
}
