//! Changes of the structure of a graph's text. Each is applied to the current text, whatever other programs
//! have saved.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane_flow::{GraphText, Home, Registry, RewriteError, Slot};

/// Texts of files that steps make and that are not on disk, by path.
pub type Made = BTreeMap<PathBuf, String>;

/// A change of the structure, with all names chosen.
#[derive(Clone, Debug, PartialEq)]
pub enum Structure {
    /// Adds a node.
    Add {
        /// Its name.
        name: String,
        /// `Type(field: value, ...)`.
        call: String,
        /// The node after which it is written; `None` for the end.
        after: Option<String>,
        /// Its ports with the references that they are connected to.
        reads: Vec<(String, String)>,
        /// A node and its port that are connected to the new node.
        read_by: Option<(String, String)>,
    },
    /// Connects a port of a node to a reference.
    Connect(String, String, String),
    /// Moves a wire from one port to another: from and to, each a node and its port, and the reference.
    Move((String, String), (String, String), String),
    /// Removes what is written at a port or a parameter of a node.
    Clear(String, String),
    /// Sets fields of a node to the texts of a preset: the node, the preset and the fields.
    Preset(String, String, Vec<(String, String)>),
    /// Deletes nodes.
    Delete(Vec<String>),
    /// Connects what reads a node to what the node reads.
    Bypass(String),
    /// Copies a node: from and to.
    Copy(String, String),
    /// Renames a node: from and to.
    Rename(String, String),
    /// Moves nodes to a new file: the nodes, the name of their subgraph, and the file.
    Group(Vec<String>, String, String),
    /// Adds an output: the file, and the reference.
    AddOutput(String, String),
    /// Removes an output.
    RemoveOutput(String),
    /// Moves the value of a field to a new parameter of the graph: the name, the node and the field.
    AddParameter(String, String, String),
    /// Sets a field to a parameter of the graph: the node, the field and the name.
    Bind(String, String, String),
    /// Removes a parameter of the graph.
    RemoveParameter(String),
    /// Changes the text of a file.
    Text {
        /// The file's name for pages.
        shown: String,
        /// The text before, with line ends of Unix.
        before: Arc<str>,
        /// The text after.
        after: Arc<str>,
    },
}

impl Structure {
    /// Applies the change to the text of a file.
    ///
    /// # Errors
    /// Why it does not apply.
    pub fn apply(
        &self,
        text: &mut GraphText,
        file: &Path,
        registry: &Registry,
        made: &mut Made,
    ) -> Result<(), String> {
        if let Self::Group(nodes, name, inner) = self {
            return group(text, (nodes, name, inner), file, registry, made);
        }
        self.edit(text, registry).map_err(|error| error.to_string())
    }

    fn edit(&self, text: &mut GraphText, registry: &Registry) -> Result<(), RewriteError> {
        match self {
            Self::Add { name, call, after, reads, read_by } => {
                match after {
                    Some(after) => text.insert_node(name, call, after)?,
                    None => text.add_node(name, call)?,
                }
                for (port, from) in reads {
                    text.connect(name, port, from)?;
                }
                match read_by {
                    Some((node, port)) => text.connect(node, port, name),
                    None => Ok(()),
                }
            }
            Self::Connect(node, port, from) => text.connect(node, port, from),
            Self::Move((old, field), (node, port), from) => {
                text.reset(old, field)?;
                text.connect(node, port, from)
            }
            Self::Clear(node, field) => text.reset(node, field),
            Self::Preset(node, _, fields) => {
                fields.iter().try_for_each(|(field, value)| text.set_field(node, field, value))
            }
            Self::Delete(nodes) => {
                text.delete_nodes(&nodes.iter().map(String::as_str).collect::<Vec<_>>(), registry)
            }
            Self::Bypass(node) => text.bypass_node(node, registry).map(|_| ()),
            Self::Copy(from, to) => text.copy_node(from, to),
            Self::Rename(from, to) => text.rename_node(from, to, registry),
            // These are applied before.
            Self::Group(..) | Self::Text { .. } => Ok(()),
            Self::AddOutput(file, from) => text.add_output(file, from),
            Self::RemoveOutput(file) => text.remove_output(file),
            Self::AddParameter(name, node, field) => text.add_param(name, node, field, registry),
            Self::Bind(node, field, name) => text.set_field(node, field, &format!("\"${name}\"")),
            Self::RemoveParameter(name) => text.remove_param(name),
        }
    }

    /// The change in words, after which `undo` makes sense.
    #[must_use]
    pub fn said(&self) -> String {
        let list = |nodes: &[String]| match nodes {
            [one] => format!("`{one}`"),
            many => format!("{} nodes", many.len()),
        };
        match self {
            Self::Add { name, read_by: Some((node, port)), .. } => {
                format!("insert `{name}` before `{node}.{port}`")
            }
            Self::Add { name, .. } => format!("add `{name}`"),
            Self::Connect(node, port, from) => format!("connect `{node}.{port}` to `{from}`"),
            Self::Move((old, field), (node, port), _) => {
                format!("move a wire from `{old}.{field}` to `{node}.{port}`")
            }
            Self::Clear(node, field) => format!("clear `{node}.{field}`"),
            Self::Preset(node, name, _) => format!("set `{node}` to the preset `{name}`"),
            Self::Delete(nodes) => format!("delete {}", list(nodes)),
            Self::Bypass(node) => format!("bypass `{node}`"),
            Self::Copy(from, _) => format!("duplicate `{from}`"),
            Self::Rename(from, to) => format!("rename `{from}` to `{to}`"),
            Self::Group(nodes, name, _) => format!("group {} as `{name}`", list(nodes)),
            Self::AddOutput(file, _) => format!("add the output `{file}`"),
            Self::RemoveOutput(file) => format!("remove the output `{file}`"),
            Self::AddParameter(name, ..) => format!("add the parameter `{name}`"),
            Self::Bind(node, field, name) => format!("set `{node}.{field}` to `${name}`"),
            Self::RemoveParameter(name) => format!("remove the parameter `{name}`"),
            Self::Text { shown, .. } => format!("edit the text of `{shown}`"),
        }
    }

    /// Whether it changes the text of a file.
    #[must_use]
    pub const fn is_text(&self) -> bool {
        matches!(self, Self::Text { .. })
    }

    /// The node that a page shows next, if the change makes one.
    #[must_use]
    pub fn makes(&self) -> Option<&str> {
        match self {
            Self::Add { name, .. } | Self::Copy(_, name) | Self::Rename(_, name) => Some(name),
            _ => None,
        }
    }

    /// For a node that is added with its defaults: the same with the parameters of the example on the page of
    /// its type. Some types have no defaults that could be used.
    #[must_use]
    pub fn as_in_example(&self, registry: &Registry) -> Option<Self> {
        let Self::Add { name, call, after, reads, read_by } = self else { return None };
        let kind = call.strip_suffix("()")?;
        let spec = registry.node(kind)?.spec();
        let example = GraphText::new(spec.example()?).ok()?;
        let node = example.first_of_type(kind)?;
        let given = |name: &str| Some(format!("{name}: {}", example.field(&node, name).ok()?.1?));
        let fields: Vec<String> = spec.params.iter().filter_map(|param| given(param.name)).collect();
        Some(Self::Add {
            name: name.clone(),
            call: format!("{kind}({})", fields.join(", ")),
            after: after.clone(),
            reads: reads.clone(),
            read_by: read_by.clone(),
        })
    }

    /// Where a value of the file is after the change: nowhere, in one slot, or in two.
    #[must_use]
    pub fn moved(&self, home: &Home) -> Vec<Home> {
        let at = |node: &str, field: &str| {
            let slot = Slot::Field { node: node.to_owned(), field: field.to_owned() };
            Home { slot, ..home.clone() }
        };
        let own = || vec![home.clone()];
        if let (Self::RemoveParameter(gone), Slot::Param { name }) = (self, &home.slot) {
            return if gone == name { Vec::new() } else { own() };
        }
        let Some((node, field)) = field_of(home) else { return own() };
        match self {
            Self::Rename(from, to) if from == node => vec![at(to, field)],
            Self::Copy(from, to) if from == node => vec![home.clone(), at(to, field)],
            Self::Delete(nodes) if nodes.iter().any(|gone| gone == node) => Vec::new(),
            Self::Preset(of, _, fields) if of == node && fields.iter().any(|(set, _)| set == field) => {
                Vec::new()
            }
            Self::Connect(of, port, _) if of == node && port == field => Vec::new(),
            Self::Move(from, to, _) if [from, to].iter().any(|(of, at)| of == node && at == field) => {
                Vec::new()
            }
            Self::Add { read_by: Some((of, port)), .. } if of == node && port == field => Vec::new(),
            Self::Clear(of, cleared) | Self::Bind(of, cleared, _) if of == node && cleared == field => {
                Vec::new()
            }
            Self::AddParameter(name, of, bound) if of == node && bound == field => {
                vec![Home { slot: Slot::Param { name: name.clone() }, ..home.clone() }]
            }
            Self::Group(nodes, _, inner) if nodes.iter().any(|moved| moved == node) => {
                vec![Home { file: home.file.with_file_name(inner).into(), ..home.clone() }]
            }
            _ => own(),
        }
    }
}

/// Moves nodes to a new file beside the graph. No file is replaced.
fn group(
    text: &mut GraphText,
    (nodes, name, inner): (&[String], &str, &str),
    file: &Path,
    registry: &Registry,
    made: &mut Made,
) -> Result<(), String> {
    let path = file.with_file_name(inner);
    let nodes: Vec<&str> = nodes.iter().map(String::as_str).collect();
    let before = GraphText::new(text.text()).map_err(|error| error.to_string())?;
    let part = text.extract_subgraph(&nodes, inner, name, registry).map_err(|error| error.to_string())?;
    let part = part.into_text();
    // A write that was stopped may have left the same file.
    let is_same = || terrane_io::read_regular(&path).is_ok_and(|bytes| bytes == part.as_bytes());
    if made.contains_key(&path) || path.symlink_metadata().is_ok() && !is_same() {
        *text = before;
        return Err(format!("the file {inner} exists already"));
    }
    made.insert(path, part);
    Ok(())
}

/// A value's slot in a node of a file.
fn field_of(home: &Home) -> Option<(&str, &str)> {
    match &home.slot {
        Slot::Field { node, field } => Some((node, field)),
        Slot::Given { .. } | Slot::Param { .. } | Slot::Header { .. } => None,
    }
}
