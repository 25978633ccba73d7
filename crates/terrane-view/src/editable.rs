//! Finds the values of a graph that can be changed, and their positions in its files.

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;
use terrane_flow::syntax::{Tree, Value, parameter_name};
use terrane_flow::{
    Home, Literal as _, Loaded, Location, NodeSpec, Origin, Range, Shape, Slot, Source, suggest,
};

use crate::reach::Reach;

/// Maximum length in bytes of a value that can be changed: it must fit into a page's message.
const LONGEST: usize = 6 << 10;

/// The values of a graph that can be changed, with their positions in files.
pub struct EditableValues {
    loaded: Arc<Loaded>,
    /// The graph's files.
    reach: Reach,
    /// The fields that each parameter sets.
    driven: IndexMap<Home, Vec<Driven>>,
    /// The header's fields.
    header: Option<&'static NodeSpec>,
}

/// A field that a parameter sets.
pub struct Driven {
    /// The node.
    pub node: String,
    /// The field.
    pub field: &'static str,
    /// The permitted values of the field; `None` if the parameter is only a part of its value.
    takes: Option<(Shape, Range)>,
}

/// A value that can be changed.
#[derive(Debug)]
pub struct EditableValue {
    /// Its position in a file.
    pub home: Home,
    /// The permitted values.
    pub shape: Shape,
    /// The range of its numbers.
    pub range: Range,
}

impl EditableValues {
    /// Finds the values of a graph.
    #[must_use]
    #[cfg(test)]
    pub fn new(loaded: &Arc<Loaded>) -> Self {
        Self::of(loaded, None)
    }

    /// Finds the values of a graph, or of the graph that a world names.
    #[must_use]
    pub fn of(loaded: &Arc<Loaded>, world: Option<&Path>) -> Self {
        let mut this = Self {
            loaded: Arc::clone(loaded),
            reach: Reach::of(&loaded.graph, world),
            driven: IndexMap::new(),
            header: None,
        };
        for (name, node) in &loaded.graph.nodes {
            if let Some(location) = &node.location {
                this.find_driven(name, location);
            }
        }
        this
    }

    /// Declares the fields of the graph's header.
    #[must_use]
    pub fn with_header(self, header: &'static NodeSpec) -> Self {
        Self { header: Some(header), ..self }
    }

    /// The header's fields.
    #[must_use]
    pub const fn header_spec(&self) -> Option<&'static NodeSpec> {
        self.header
    }

    /// Finds a field of the header, and its text if it is written.
    pub fn header(&self, name: &str) -> (Result<EditableValue, String>, Option<String>) {
        let Some(param) = self.header.and_then(|spec| spec.params.iter().find(|param| param.name == name))
        else {
            return (Err(format!("the graph has no field `{name}`")), None);
        };
        let shape = (param.shape)();
        let own = self.own.as_ref().filter(|_| !matches!(shape, Shape::Map));
        let Some(file) = own else { return (Err("it is not in a file".to_owned()), None) };
        let tree = self.loaded.graph.texts.get(&**file).map(|text| Tree::parse(Arc::clone(text)));
        let value = tree.as_ref().and_then(Tree::value).and_then(Value::call);
        let value = value.and_then(|call| call.group().get(name)?.value());
        let text = value.map(|value| value.text().to_owned());
        if self.is_named {
            return (Err("the world sets it for each patch".to_owned()), text);
        }
        if let Some(parameter) = text.as_deref().and_then(parameter_name) {
            return (Err(format!("it is ${parameter}: change that instead")), text);
        }
        let slot = Slot::Header { field: name.to_owned() };
        let home = Home { file: Arc::clone(file), slot };
        (self.place(home, Some((shape, param.range))), text)
    }

    /// Records the fields of a node that parameters set.
    fn find_driven(&mut self, name: &str, location: &Location) {
        let graph = Arc::clone(&self.loaded);
        let node = graph.graph.nodes[name].node();
        let spec = node.spec();
        let params = spec.params.iter().map(|param| param.name).zip(&location.params);
        let inputs = spec.inputs.iter().map(|input| input.name).zip(&location.inputs);
        for (index, (field, span)) in params.chain(inputs).enumerate() {
            let (bounds, whole) = match location.origin(field, span.as_ref()) {
                Origin::Bound(_, bound) => (vec![bound], true),
                Origin::Mixed(parts) => (parts.into_iter().map(|(_, bound)| bound).collect(), false),
                Origin::Own(_) | Origin::Nowhere => continue,
            };
            let takes = || match index.checked_sub(spec.params.len()) {
                None => ((spec.params[index].shape)(), spec.params[index].range),
                Some(index) if matches!(node.port(index).source(), Source::Wire(_)) => {
                    (Shape::Text, Range::default())
                }
                Some(index) => (Shape::Float, spec.inputs[index].range),
            };
            for home in bounds.into_iter().filter_map(|bound| bound.home.clone()) {
                let driven = Driven { node: name.to_owned(), field, takes: whole.then(takes) };
                self.driven.entry(home).or_default().push(driven);
            }
        }
    }

    /// Finds a node's field.
    ///
    /// # Errors
    /// Why it cannot be changed.
    pub fn field(&self, node: &str, field: &str) -> Result<EditableValue, String> {
        let unknown = || format!("the graph has no `{field}` of a node `{node}`");
        let node = self.loaded.graph.nodes.get(node).ok_or_else(unknown)?;
        let location = node.location.as_ref().ok_or("it is not in a file")?;
        let spec = node.node().spec();
        let param = spec.params.iter().position(|param| param.name == field);
        let input = spec.inputs.iter().position(|input| input.name == field && input.scalar);
        let (span, shape, range) = match (param, input) {
            (Some(index), _) => {
                (&location.params[index], (spec.params[index].shape)(), spec.params[index].range)
            }
            (None, Some(index)) => {
                (&location.inputs[index], spec.inputs[index].shape(), spec.inputs[index].range)
            }
            (None, None) => return Err(format!("{} has no parameter `{field}`", suggest::one(spec.name))),
        };
        match location.origin(field, span.as_ref()) {
            Origin::Own(home) => self.place(home, Some((shape, range))),
            Origin::Bound(name, bound) => {
                let home =
                    bound.home.clone().ok_or_else(|| format!("${name} is given on the command line"))?;
                let takes = self.takes(&home);
                self.place(home, takes)
            }
            Origin::Mixed(parts) => {
                let names: Vec<String> = parts.iter().map(|(name, _)| format!("${name}")).collect();
                Err(format!("it contains {}: change that instead", names.join(" and ")))
            }
            Origin::Nowhere if self.is_named => {
                Err("it is not in the graph's file: the world sets it for each patch".to_owned())
            }
            Origin::Nowhere => Err("it is not in a file".to_owned()),
        }
    }

    /// Finds a parameter that the graph declares.
    ///
    /// # Errors
    /// Why it cannot be changed.
    pub fn param(&self, name: &str) -> Result<EditableValue, String> {
        let scope = &self.loaded.graph.scope;
        let bound = scope.params.get(name).ok_or_else(|| format!("the graph has no parameter `{name}`"))?;
        let home = bound.home.clone().ok_or("it is given on the command line")?;
        let takes = self.takes(&home);
        self.place(home, takes)
    }

    fn place(&self, home: Home, takes: Option<(Shape, Range)>) -> Result<EditableValue, String> {
        if !self.may_write(&home.file) {
            let whose = if self.is_named { "world" } else { "graph" };
            return Err(format!("{} is outside the {whose}'s folder", home.file.display()));
        }
        let (shape, range) = takes.ok_or("its permitted values are not known")?;
        match shape.has_file() {
            true => Err("file names can only be changed in the graph's text".to_owned()),
            false => Ok(EditableValue { home, shape, range }),
        }
    }

    /// The values that every field set by a parameter permits. If one field needs an integer, so does the
    /// parameter.
    fn takes(&self, home: &Home) -> Option<(Shape, Range)> {
        let driven = self.driven.get(home).into_iter().flatten();
        let all = driven.filter_map(|driven| driven.takes.clone()).reduce(|(shape, range), (other, more)| {
            let shape = match (shape, other) {
                (Shape::Integer { min, max }, Shape::Integer { min: least, max: most }) => {
                    Shape::Integer { min: min.max(least), max: max.min(most) }
                }
                (Shape::Float, whole @ Shape::Integer { .. }) => whole,
                (shape, _) => shape,
            };
            (shape, both(range, more))
        });
        all.or_else(|| {
            let Slot::Param { name } = &home.slot else { return None };
            Some((looks_like(&self.loaded.graph.scope.params.get(name)?.text)?, Range::default()))
        })
    }

    /// The fields that a parameter sets.
    pub fn driven(&self, home: &Home) -> impl Iterator<Item = &Driven> {
        self.driven.get(home).into_iter().flatten()
    }

    /// The position of a value as text, such as `hills.ron: soft.radius`.
    #[must_use]
    pub fn name(&self, home: &Home) -> String {
        format!("{}: {}", self.shown(&home.file), home.slot)
    }

    /// The file of a value if it is not the graph's own, and how often the graph uses that file.
    #[must_use]
    pub fn elsewhere(&self, home: &Home) -> Option<(String, usize)> {
        let uses = self.uses(&home.file);
        (self.own.as_ref() != Some(&home.file)).then(|| (self.shown(&home.file), uses))
    }
}

impl Deref for EditableValues {
    type Target = Reach;

    fn deref(&self) -> &Reach {
        &self.reach
    }
}

/// Whether a value's text is short enough to be changed.
#[must_use]
pub const fn is_short(text: &str) -> bool {
    text.len() <= LONGEST
}

fn both(a: Range, b: Range) -> Range {
    let (low, high) = match (a.min, b.min) {
        (Some(x), Some(y)) if y > x || (y == x && b.above) => (b, a),
        (None, _) => (b, a),
        _ => (a, b),
    };
    let max = match (low.max, high.max) {
        (Some(x), Some(y)) => Some(x.min(y)),
        (one, other) => one.or(other),
    };
    Range { max, ..low }
}

/// Guesses the shape of a value from its text.
fn looks_like(text: &str) -> Option<Shape> {
    let whole = Shape::Integer { min: i64::MIN.into(), max: i64::MAX.into() };
    [Shape::Bool, whole, Shape::Float, Shape::Text].into_iter().find(|shape| shape.json(text).is_some())
}

#[cfg(test)]
mod tests;
