//! The family of terrain graphs: the header of their text, and the checks of their outputs.

use std::sync::Arc;

use terrane_flow::syntax::{NoParameters, Problem, Tree};
use terrane_flow::{self as flow, Declare, Entries, Family, Field, Fields, Header};
use terrane_grid::Domain;

use crate::export::{Export, check_output, companions};
use crate::ground;
use crate::terrain::Terrain;
use crate::values::Spacing;

/// The maximum number of samples of a map: 2³¹, 8 GiB.
const MAX_SAMPLES: u64 = 1 << 31;

/// A graph of nodes that generate terrain over a rectangle of the world.
///
/// Lengths and heights are in world units. Slopes are rise over run. On the command line, `--size` changes
/// the number of samples and keeps the extent.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (257, 257), spacing: 4.0, seed: 42,
///     params: { "talus": 0.7 },
///     profiles: { "gentle": { "talus": 0.4 } },
///     nodes: {
///         "hills": Perlin(octaves: 6, wavelength: 400.0, amplitude: 200.0),
///         "worn": ThermalErosion(height: "hills", talus: "$talus", iterations: 50),
///         "shade": Hillshade(height: "worn"),
///     },
///     outputs: { "worn.tif": "worn", "shade.png": "shade" },
/// )
/// ```
#[derive(Clone, Debug, Declare)]
#[node(category = "files", words = "header size spacing seed origin file world map width height resolution")]
pub struct Graph {
    /// Number of samples as (columns, rows).
    #[param(default = (513, 513), min = 1.0)]
    pub size: (u64, u64),
    /// Distance between samples, or `File("dem")`: the distance in metres between the samples of the file
    /// that the `Import` of this name reads. Without `size`, the graph then has the file's columns, and as
    /// many rows as its cells need to be squares.
    #[param(default = Spacing::Distance(1.0), min = 1e-12, max = 1e12, unit = "world units")]
    pub spacing: Spacing,
    /// World position (x, y) of the first sample.
    #[param(default = (0.0, 0.0), min = -1e12, max = 1e12, unit = "world units")]
    pub origin: (f64, f64),
    /// Seed, mixed with the seed of every node that has one.
    #[param(default = 0)]
    pub seed: u64,
    /// Parameters of the graph, as names and values. Nodes use them as `"$name"`. A value can use the
    /// parameters before it.
    #[param(default = Entries)]
    pub params: Entries,
    /// Profiles: names, each with values for some parameters. `--set @NAME` sets all parameters of a profile.
    #[param(default = Entries)]
    pub profiles: Entries,
    /// The nodes: names, each with `Type(port: "node", parameter: value)`. `terrane nodes` lists the types.
    #[param(default = Entries)]
    pub nodes: Entries,
    /// The files to write: names, each with `"node"`, `"node.output"` or `Export(from: "node", ...)`. The
    /// extension of a name chooses the format.
    #[param(default = Entries)]
    pub outputs: Entries,
}

/// The family of terrain graphs: the declarations of `Graph` and `Export`, and the functions that read
/// headers and check outputs and their files.
#[must_use]
pub fn family() -> Family {
    Family { graph: Graph::spec(), export: Export::spec(), read_header, settle, check_output, companions }
}

fn read_header(fields: &mut Fields<'_>, overrides: &[(String, String)]) -> Arc<dyn Header> {
    let read = Graph::from_fields(fields);
    if let Err(Problem { message, help }) = check_size(read.size) {
        fields.refuse("size", message, help);
    }
    let mut domain = Domain::new(read.size.0.max(1) as usize, read.size.1.max(1) as usize);
    domain.origin = read.origin;
    if let Spacing::Distance(distance) = read.spacing {
        domain.spacing = distance;
    }
    override_domain(&mut domain, fields, overrides);
    Arc::new(Terrain::new(domain))
}

/// Replaces parts of a domain by values from the command line.
fn override_domain(domain: &mut Domain, fields: &mut Fields<'_>, overrides: &[(String, String)]) {
    for (name, value) in overrides {
        let tree = Tree::parse(value.as_str());
        let whole = 0..value.len();
        let field = [Field {
            name,
            name_span: whole.clone(),
            value,
            value_span: whole,
            is_wrong: !tree.mistakes().is_empty(),
            tree: tree.value(),
        }];
        let mut own = Fields::new(Graph::spec(), &field, &NoParameters);
        let given = Graph::from_fields(&mut own);
        if field[0].is_wrong {
            own.refuse(name, format!("`{name}` is `{value}`, which cannot be read"), "write a single value");
        }
        let checked = if name == "size" { check_size(given.size) } else { Ok(()) };
        match name.as_str() {
            // A preview shows the same terrain with fewer samples: the extent stays, and the spacing changes.
            "size" if checked.is_ok() => {
                *domain = domain.resized((given.size.0 as usize, given.size.1 as usize));
            }
            "spacing" => match given.spacing {
                Spacing::Distance(distance) => domain.spacing = distance,
                Spacing::File(_) => {
                    own.refuse(name, "`spacing` of the command line is a file", "write a number");
                }
            },
            "origin" => domain.origin = given.origin,
            _ => {}
        }
        let wrong = own.into_errors().into_iter().map(|error| Problem::new(error.message, error.help));
        wrong.chain(checked.err()).for_each(|wrong| fields.refuse_whole(wrong.message, wrong.help));
    }
}

/// Takes the spacing, and the size if the text has none, from an imported file, and sets the place of the
/// graph.
fn settle(graph: &mut flow::Graph, fields: &mut Fields<'_>, overrides: &[(String, String)]) {
    let mut again = fields.again();
    let read = Graph::from_fields(&mut again);
    let Some(mut domain) = Terrain::of(&*graph.header).map(|terrain| terrain.domain) else { return };
    if let Spacing::File(name) = &read.spacing {
        let own = (read.size.0.max(1) as usize, read.size.1.max(1) as usize);
        match ground::domain_of_file(graph, name, fields.has("size").then_some(own), read.origin) {
            Ok(found) => domain = found,
            Err(Problem { message, help }) => fields.refuse("spacing", message, help),
        }
        if let Err(Problem { message, help }) = check_domain(&domain) {
            fields.refuse("spacing", message, help);
        }
        // Mistakes in these values were reported when the header was read.
        override_domain(&mut domain, &mut again, overrides);
    }
    let place = ground::of_graph(graph, &domain).map(Arc::new);
    graph.header = Arc::new(Terrain { domain, place, is_part: false });
}

/// Checks a domain that does not come from a graph's text.
///
/// # Errors
/// If the size, the spacing or the origin is out of range.
pub fn check_domain(domain: &Domain) -> Result<(), Problem> {
    check_size((domain.size.0 as u64, domain.size.1 as u64))?;
    let out = |name: &str, value: f64, help: &str| {
        Err(Problem::new(format!("`{name}` is {value}, which is out of range"), help))
    };
    let (spacing, (x, y)) = (domain.spacing, domain.origin);
    if !(1e-12..=1e12).contains(&spacing) {
        return out("spacing", spacing, "choose a distance from 1e-12 to 1e12");
    }
    for coordinate in [x, y] {
        if !(-1e12..=1e12).contains(&coordinate) {
            return out("origin", coordinate, "choose coordinates from -1e12 to 1e12");
        }
    }
    Ok(())
}

/// Checks that a map of this size is within the limit.
fn check_size((w, h): (u64, u64)) -> Result<(), Problem> {
    match w.checked_mul(h) {
        Some(samples) if samples <= MAX_SAMPLES => Ok(()),
        _ => {
            let gib = w as f64 * h as f64 * 4.0 / (1u64 << 30) as f64;
            Err(Problem::new(
                format!("a map of {w} x {h} samples would need {gib:.0} GiB"),
                format!(
                    "the maximum is {MAX_SAMPLES} samples, such as (46340, 46340): use a larger spacing, or \
                    several patches"
                ),
            ))
        }
    }
}
