//! Definitions of node types that are written in Python, and how nodes of these types are read.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use terrane_flow::{
    AnyInput, Cost, Digest, Fields, Holes, InputSpec, Kind, Node, NodeSpec, OutputSpec, Param, ParamSpec,
    Range, Shape, Tiles, canonical,
};
use terrane_nodes::values::TerrainKind;

/// A type of node that is written in Python.
pub struct Definition {
    pub spec: &'static NodeSpec,
    defaults: Vec<Constant>,
    code: Digest,
    pure: bool,
    /// The number of samples around each one that the function reads. 0 if it has no halo.
    pub halo: u64,
    /// Starts the Python function. Its arguments are the values at ports, the parameters, and a context.
    pub function: Py<PyAny>,
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// A number.
    Float(f64),
    /// An integer.
    Int(i64),
    /// True or false.
    Bool(bool),
    /// Text.
    Text(String),
}

/// A node whose type is written in Python.
#[derive(Clone)]
pub struct PythonNode {
    pub definition: Arc<Definition>,
    pub inputs: Vec<AnyInput>,
    pub params: Vec<Constant>,
    pub code: Digest,
}

/// A field of a definition.
fn get<'py, T>(dict: &Bound<'py, PyDict>, name: &str) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>,
{
    dict.as_any().get_item(name)?.extract().map_err(Into::into)
}

/// Leaks a text, which then lives as long as the program. Node types do too, and a session has few.
fn kept(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

fn kind(name: &str) -> &'static Kind {
    TerrainKind::named(name).map_or_else(Kind::of::<terrane_nodes::values::Map>, |kind| kind.kind)
}

impl Definition {
    /// Reads a definition from its Python dict.
    pub fn new(given: &Bound<'_, PyDict>, function: Py<PyAny>) -> PyResult<Self> {
        let parts = |name: &str| get::<Vec<Bound<'_, PyDict>>>(given, name);
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        for input in parts("inputs")? {
            inputs.push(InputSpec {
                name: kept(get(&input, "name")?),
                docs: "",
                unit: "",
                kind: kind(&get::<String>(&input, "kind")?),
                or: None,
                optional: get(&input, "optional")?,
                scalar: false,
                none: false,
                default: None,
                range: Range::default(),
                any_size: true,
            });
        }
        for output in parts("outputs")? {
            outputs.push(OutputSpec {
                name: kept(get(&output, "name")?),
                docs: "",
                unit: kept(get(&output, "unit")?),
                kind: kind(&get::<String>(&output, "kind")?),
                lazy: false,
                whole: false,
            });
        }
        let (mut params, mut defaults) = (Vec::new(), Vec::new());
        for param in parts("params")? {
            let (spec, default) = parameter(&param)?;
            params.push(spec);
            defaults.push(default);
        }
        let tiles = match get::<String>(given, "tiles")?.as_str() {
            "pointwise" => Tiles::Pointwise,
            "halo" => Tiles::Halo,
            _ => Tiles::Global,
        };
        let code = Digest::from_hex(&get::<String>(given, "code")?);
        let spec = NodeSpec {
            name: kept(get(given, "name")?),
            docs: kept(get(given, "docs")?),
            category: "python",
            words: "",
            paper: "",
            version: get(given, "version")?,
            tiles,
            because: if tiles == Tiles::Global { "its definition says `tiles=\"global\"`" } else { "" },
            working_maps: 1.0,
            header: get(given, "header")?,
            cost: Cost::Dear,
            holes: Holes::Own,
            suits: &[],
            fits: &[],
            main: &[],
            presets: &[],
            inputs: inputs.leak(),
            params: params.leak(),
            outputs: outputs.leak(),
        };
        Ok(Self {
            spec: Box::leak(Box::new(spec)),
            defaults,
            code: code.unwrap_or(Digest([0; 32])),
            pure: get(given, "pure")?,
            halo: get(given, "halo")?,
            function,
        })
    }

    /// Reads a node.
    pub fn read(self: &Arc<Self>, fields: &mut Fields<'_>) -> Box<dyn Node> {
        let mut inputs: Vec<AnyInput> =
            self.spec.inputs.iter().map(|input| AnyInput::new(input.kind)).collect();
        for (index, input) in inputs.iter_mut().enumerate() {
            fields.port(index, input);
        }
        let params = self.defaults.iter().enumerate().map(|(index, default)| match default {
            Constant::Float(default) => Constant::Float(fields.param(index, *default)),
            Constant::Int(default) => Constant::Int(fields.param(index, *default)),
            Constant::Bool(default) => Constant::Bool(fields.param(index, *default)),
            Constant::Text(default) => Constant::Text(fields.param(index, default.clone())),
        });
        let params = params.collect();
        Box::new(PythonNode { definition: Arc::clone(self), inputs, params, code: self.code_of_one() })
    }

    /// The code digest of a node. If the type is not pure, it is random, so that no result is found in the
    /// cache.
    fn code_of_one(&self) -> Digest {
        let mut code = self.code;
        if !self.pure {
            // The system seeds the first state; each further state adds one to the seed.
            let random = || RandomState::new().hash_one(std::process::id()).to_le_bytes();
            code.0[..8].copy_from_slice(&random());
            code.0[8..16].copy_from_slice(&random());
        }
        code
    }
}

/// A parameter and its default. If it has none, the default is zero, false or empty.
fn parameter(given: &Bound<'_, PyDict>) -> PyResult<(ParamSpec, Constant)> {
    let default = given.as_any().get_item("default")?;
    let is_given = !default.is_none();
    let (shape, constant): (fn() -> Shape, _) = match get::<String>(given, "type")?.as_str() {
        "int" => (i64::shape, Constant::Int(if is_given { default.extract()? } else { 0 })),
        "bool" => (bool::shape, Constant::Bool(if is_given { default.extract()? } else { false })),
        "str" => (String::shape, Constant::Text(if is_given { default.extract()? } else { String::new() })),
        _ => (f64::shape, Constant::Float(if is_given { default.extract()? } else { 0.0 })),
    };
    let text = constant.canonical();
    let spec = ParamSpec {
        name: kept(get(given, "name")?),
        docs: "",
        unit: "",
        default: is_given
            .then(|| &*Box::leak(Box::new(move || text.clone())) as &(dyn Fn() -> String + Sync)),
        range: Range::default(),
        shape,
        place: None,
        joins: None,
        each: None,
    };
    Ok((spec, constant))
}

impl Constant {
    /// The constant as text in a graph.
    pub fn canonical(&self) -> String {
        match self {
            Self::Float(number) => canonical(number),
            Self::Int(number) => canonical(number),
            Self::Bool(value) => canonical(value),
            Self::Text(text) => canonical(text),
        }
    }
}
