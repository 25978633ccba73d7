//! Requests of pages for changes of the structure, and the names and wires that such a change gets.

use std::collections::HashSet;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value as Json;
use terrane_flow::{InputSpec, Loaded, NodeSpec, OutputSpec, Reference, Registry, Shape, Source, suggest};

use super::structure::Structure;
use crate::display::Faces;
use crate::parameters::to_ron;

/// Maximum length in bytes of a name that a page gives.
const LONGEST: usize = 200;
/// Maximum number of nodes in one request.
const MOST: usize = 1000;

/// A change of the structure that a page requests.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(tag = "edit", rename_all = "lowercase", deny_unknown_fields)]
pub enum Asked {
    /// Adds a node of a type. Its first port that fits is connected to `from`. With `into`, a node and its
    /// port, the new node is inserted before that port. `heights` are the minimum and the maximum of what it
    /// reads, to which its values are suited. Ports for heights that must be connected, and that `from` does
    /// not fit, read `ground`.
    Add {
        r#type: String,
        #[serde(default)]
        values: serde_json::Map<String, Json>,
        from: Option<String>,
        into: Option<(String, String)>,
        heights: Option<(f64, f64)>,
        ground: Option<String>,
    },
    /// Connects a port. With `taken`, a node and its port, the wire is moved from that port.
    Connect { node: String, port: String, from: String, taken: Option<(String, String)> },
    /// Removes what is written at a port or a parameter, which then has its default.
    Clear { node: String, field: String },
    /// Sets fields of a node to those of a preset of its type.
    Preset { node: String, name: String },
    /// Deletes nodes. What read them reads what they read.
    Delete { nodes: Vec<String> },
    /// Connects what reads a node to what the node reads.
    Bypass { node: String },
    /// Copies a node.
    Copy { node: String },
    /// Renames a node.
    Rename { node: String, to: String },
    /// Moves nodes to a new file beside the graph.
    Group { nodes: Vec<String>, name: String },
    /// Adds an output file.
    Output { file: String, from: String },
    /// Removes an output file.
    Unoutput { file: String },
    /// Moves the value of a field to a new parameter of the graph.
    Parameter { name: String, node: String, field: String },
    /// Sets a field to a parameter of the graph.
    Bind { node: String, field: String, name: String },
    /// Removes a parameter of the graph.
    Unparameter { name: String },
}

/// What a request is made to.
pub struct Desired<'a> {
    /// The graph that pages show.
    pub loaded: &'a Loaded,
    /// The node types.
    pub registry: &'a Registry,
    /// How new nodes are written.
    pub faces: &'a Faces,
}

/// The values of a new node that are given, and the range of the heights that it reads.
type Values<'a> = (&'a serde_json::Map<String, Json>, Option<(f64, f64)>);

/// What a new node reads, and what reads it; see [`Asked::Add`].
struct Read {
    from: Option<String>,
    into: Option<(String, String)>,
    ground: Option<String>,
}

impl Asked {
    /// The change with all its names.
    ///
    /// # Errors
    /// Why it is not possible.
    pub fn resolve(self, of: &Desired<'_>) -> Result<Structure, String> {
        let own = |node: String| of.own(node);
        Ok(match self {
            Self::Add { r#type, values, from, into, heights, ground } => {
                let heights = heights.filter(|(low, high)| low.is_finite() && high.is_finite());
                return of.add(&r#type, (&values, heights), Read { from, into, ground });
            }
            Self::Connect { node, port, from, taken } => {
                let (node, port, from) = (own(node)?, short(port)?, short(from)?);
                match taken {
                    Some((old, field)) => {
                        of.port(&old, &field)?;
                        Structure::Move((own(old)?, short(field)?), (node, port), from)
                    }
                    None => Structure::Connect(node, port, from),
                }
            }
            Self::Clear { node, field } => Structure::Clear(own(node)?, short(field)?),
            Self::Preset { node, name } => return of.preset(own(node)?, short(name)?),
            Self::Delete { nodes } => Structure::Delete(of.all(nodes)?),
            Self::Bypass { node } => Structure::Bypass(own(node)?),
            Self::Copy { node } => {
                let to = of.free(node.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_'));
                Structure::Copy(own(node)?, to)
            }
            Self::Rename { node, to } => Structure::Rename(own(node)?, short(to)?),
            Self::Group { nodes, name } => {
                let name = short(name)?;
                let file = format!("{}.ron", file_name(&name)?);
                Structure::Group(of.all(nodes)?, name, file)
            }
            Self::Output { file, from } => Structure::AddOutput(short(file)?, short(from)?),
            Self::Unoutput { file } => Structure::RemoveOutput(short(file)?),
            Self::Parameter { name, node, field } => {
                Structure::AddParameter(short(name)?, own(node)?, short(field)?)
            }
            Self::Bind { node, field, name } => {
                let name = short(name)?;
                if !of.loaded.graph.scope.params.contains_key(&name) {
                    return Err(format!("the graph has no parameter `{name}`"));
                }
                Structure::Bind(own(node)?, short(field)?, name)
            }
            Self::Unparameter { name } => Structure::RemoveParameter(short(name)?),
        })
    }
}

fn short(name: String) -> Result<String, String> {
    match name.len() {
        0 => Err("a name is empty".to_owned()),
        1..=LONGEST => Ok(name),
        _ => Err(format!("a name is longer than {LONGEST} bytes")),
    }
}

/// The name of a new file: letters, digits, `_` and `-`.
fn file_name(name: &str) -> Result<String, String> {
    let plain: String =
        name.chars().map(|c| if c.is_alphanumeric() || "_-".contains(c) { c } else { '_' }).collect();
    let starts = plain.starts_with(|c: char| c.is_alphanumeric());
    if starts { Ok(plain) } else { Err(format!("`{name}` cannot name a file: begin with a letter")) }
}

/// The name of a node of a type: `fluvial_erosion` for `FluvialErosion`.
fn name_of(kind: &str) -> String {
    let mut name = String::new();
    for (at, letter) in kind.chars().enumerate() {
        if at > 0 && letter.is_uppercase() {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

impl Desired<'_> {
    /// A node of the graph's own file.
    fn own(&self, node: String) -> Result<String, String> {
        let node = short(node)?;
        let Some((outer, _)) = node.split_once('/') else { return Ok(node) };
        let place = self.loaded.graph.nodes.get(&node).and_then(|node| node.location.as_ref());
        let file = place.and_then(|place| Path::new(&*place.source.name).file_name());
        let file = file.map_or_else(|| "another file".to_owned(), |file| file.display().to_string());
        Err(format!(
            "`{node}` is in {file}, the file of the subgraph `{outer}`: open that file to change its \
            structure"
        ))
    }

    fn all(&self, nodes: Vec<String>) -> Result<Vec<String>, String> {
        if nodes.len() > MOST {
            return Err(format!("{} nodes are more than {MOST}", nodes.len()));
        }
        if nodes.is_empty() {
            return Err("no node is selected".to_owned());
        }
        nodes.into_iter().map(|node| self.own(node)).collect()
    }

    /// A name that no node has.
    fn free(&self, name: &str) -> String {
        let taken: HashSet<&str> =
            self.loaded.graph.nodes.keys().map(|name| name.split('/').next().unwrap_or_default()).collect();
        let name = if name.is_empty() { "node" } else { name };
        let numbered = (2..).map(|number: u32| format!("{name}_{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        names.find(|name| !taken.contains(&**name)).unwrap_or_default()
    }

    /// The node, the output and its spec of a reference.
    fn output(&self, from: &str) -> Result<(Reference, &'static OutputSpec), String> {
        let reference = Reference::parse(from);
        let (node, output) = self.loaded.graph.find(&reference).map_err(|problem| problem.message)?;
        Ok((reference, &self.loaded.graph.nodes[node].node().spec().outputs[output]))
    }

    fn add(
        &self,
        kind: &str,
        values: Values<'_>,
        Read { from, into, ground }: Read,
    ) -> Result<Structure, String> {
        let node_type = self.registry.node(kind).ok_or_else(|| format!("there is no node type `{kind}`"))?;
        let spec = node_type.spec();
        let call = self.call(spec, values)?;
        let name = self.free(&name_of(spec.name));
        let mut source = from.map(short).transpose()?;
        let mut read_by = None;
        if let Some((node, port)) = into {
            let input = self.port(&node, &port)?;
            let node = self.own(node)?;
            if !spec.outputs.first().is_some_and(|output| input.takes(output.kind)) {
                return Err(format!(
                    "`{}` does not fit at `{node}.{port}`, which takes {}",
                    spec.name,
                    input.kinds()
                ));
            }
            let wired =
                self.loaded.graph.nodes[&*node].node().port(self.position(&node, &port)?).source().clone();
            if let Source::Wire(reference) = wired {
                source = Some(reference.to_string());
            }
            read_by = Some((node, port));
        }
        let mut reads = Vec::new();
        let mut after = None;
        if let Some(from) = source {
            let (reference, output) = self.output(&from)?;
            // A required port comes first, as the others have a meaning of their own. Ports for numbers are
            // left alone, and so are ports for quantities that are no heights.
            let is_height = self.faces.is_height;
            let fits = |input: &&InputSpec| {
                input.takes(output.kind) && (is_height(input.unit) || input.unit == output.unit)
            };
            let is_needed = |input: &&InputSpec| !input.optional && input.default.is_none();
            let mut fitting = spec.inputs.iter().filter(fits).filter(|input| !input.scalar);
            if let Some(input) = spec.inputs.iter().filter(is_needed).find(fits).or_else(|| fitting.next()) {
                reads.push((input.name.to_owned(), from));
            }
            // Text is read from above: a node on a wire stands between its ends, and others in the order in
            // which they were added.
            let head = reference.node.split('/').next().unwrap_or_default();
            after = read_by.is_some().then(|| head.to_owned());
        }
        if let Some(ground) = ground.map(short).transpose()? {
            let (_, output) = self.output(&ground)?;
            let lacks = spec.inputs.iter().filter(|input| {
                !input.optional
                    && input.default.is_none()
                    && input.takes(output.kind)
                    && (self.faces.is_height)(input.unit)
                    && reads.iter().all(|(port, _)| port != input.name)
            });
            let lacks: Vec<_> = lacks.map(|input| (input.name.to_owned(), ground.clone())).collect();
            reads.extend(lacks);
        }
        Ok(Structure::Add { name, call, after, reads, read_by })
    }

    fn preset(&self, node: String, name: String) -> Result<Structure, String> {
        let own = self.loaded.graph.nodes.get(&node).ok_or_else(|| format!("there is no node `{node}`"))?;
        let found = own.node().spec().presets.iter().find(|(known, _)| *known == name);
        let (_, fields) = found.ok_or_else(|| format!("there is no preset `{name}`"))?;
        let fields = fields.iter().map(|&(field, value)| (field.to_owned(), value.to_owned())).collect();
        Ok(Structure::Preset(node, name, fields))
    }

    /// A port of a node.
    fn port(&self, node: &str, port: &str) -> Result<&'static InputSpec, String> {
        let at = self.position(node, port)?;
        Ok(&self.loaded.graph.nodes[node].node().spec().inputs[at])
    }

    fn position(&self, node: &str, port: &str) -> Result<usize, String> {
        let own = self.loaded.graph.nodes.get(node).ok_or_else(|| format!("there is no node `{node}`"))?;
        let at = own.node().spec().inputs.iter().position(|input| input.name == port);
        at.ok_or_else(|| format!("{} has no port `{port}`", suggest::one(own.node().spec().name)))
    }

    /// The text of a new node.
    fn call(&self, spec: &'static NodeSpec, (values, heights): Values<'_>) -> Result<String, String> {
        let mut fields = Vec::new();
        for (name, value) in values {
            let param = spec.params.iter().find(|param| param.name == name);
            let param =
                param.ok_or_else(|| format!("{} has no parameter `{name}`", suggest::one(spec.name)))?;
            let shape = (param.shape)();
            // A new node may read a file. The loader checks that it is below the graph's folder.
            let text = match shape {
                Shape::File => to_ron(name, &Shape::Text, value)?,
                shape => to_ron(name, &shape, value)?,
            };
            fields.push(format!("{name}: {text}"));
        }
        if let Some(missing) =
            spec.params.iter().find(|param| param.default.is_none() && !values.contains_key(param.name))
        {
            return Err(format!("{} needs `{}`", suggest::one(spec.name), missing.name));
        }
        if fields.is_empty()
            && let Some(call) = (self.faces.suited)(spec, &*self.loaded.graph.header, heights)
        {
            return Ok(call);
        }
        Ok(format!("{}({})", spec.name, fields.join(", ")))
    }
}
