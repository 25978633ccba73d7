//! Extracts nodes into a separate graph file.

use std::collections::HashSet;

use terrane_syntax::{Edit, Item, literal};

use super::entries::{free_name, node_name};
use super::error::RewriteError;
use super::extracted::ExtractLayout;
use super::graph_text::GraphText;
use super::paths::{check_file, files, inward, is_same, rebased};
use super::placeholders::Placeholders;
use super::wires::{Wire, Wiring, in_order, names};
use crate::language::document::Entry;
use crate::model::port::Reference;
use crate::model::registry::Registry;

impl GraphText {
    /// Moves nodes to a separate graph file, with their comments and layout. A `Subgraph` node called `name`
    /// replaces them. Returns the text of the separate file. `file` is the path of that file, relative to the
    /// graph. Nothing is written.
    ///
    /// The loaded graph has the same nodes as before, but moved nodes are called `name/node`. Wires and
    /// outputs are updated. Nodes that the moved nodes read are passed with `inputs`. Parameters that the
    /// moved nodes use are passed with `params`, so they are still set in the graph. The separate file has
    /// the graph's header, and a placeholder node for each input. So it is a complete graph if the registry
    /// has types that can serve as placeholders.
    ///
    /// The comments of a node are those on its lines and directly above them. Other comments stay in the
    /// graph.
    ///
    /// A node that reads a file keeps its result, but its key changes if `file` lies in another folder,
    /// because the path changes.
    ///
    /// ```
    /// # use std::{any::Any, io, sync::Arc};
    /// # use terrane_flow::{declared, Context, Data, Evaluate, GraphText, Header, Input, Node, NodeError,
    /// #     Registry};
    /// # #[derive(Clone, Debug)]
    /// # struct Number(f64);
    /// # impl Data for Number {
    /// #     const KIND: &'static str = "number";
    /// #     fn encode(&self, w: &mut dyn io::Write) -> io::Result<()> { w.write_all(&self.0.to_le_bytes()) }
    /// #     fn decode(bytes: &[u8]) -> io::Result<Self> { Ok(Self(bytes.len() as f64)) }
    /// #     fn heap_bytes(&self) -> usize { 0 }
    /// # }
    /// # #[derive(Debug)]
    /// # struct Nothing;
    /// # impl Header for Nothing {
    /// #     fn key(&self) -> Vec<u8> { Vec::new() }
    /// #     fn value_bytes(&self, _: &str) -> u64 { 0 }
    /// #     fn as_any(&self) -> &dyn Any { self }
    /// # }
    /// # /// A number.
    /// # #[derive(Clone, Debug, Node)]
    /// # #[output(out: Number, doc = "It.")]
    /// # struct Take {
    /// #     /// Which.
    /// #     #[param(default = 1.0)]
    /// #     amount: f64,
    /// # }
    /// # impl Evaluate for Take {
    /// #     fn evaluate(&mut self, _: &Context<'_>) -> Result<Self::Outputs, NodeError> {
    /// #         Ok((Number(self.amount),))
    /// #     }
    /// # }
    /// # /// Twice a number.
    /// # #[derive(Clone, Debug, Node)]
    /// # #[output(out: Number, doc = "It.")]
    /// # struct Twice {
    /// #     /// Of what.
    /// #     #[input]
    /// #     of: Input<Number>,
    /// # }
    /// # impl Evaluate for Twice {
    /// #     fn evaluate(&mut self, _: &Context<'_>) -> Result<Self::Outputs, NodeError> {
    /// #         Ok((Number(self.of.get().0 * 2.0),))
    /// #     }
    /// # }
    /// # let mut registry = Registry::new(declared::family(|_, _| Arc::new(Nothing)));
    /// # registry.add::<Take>()?;
    /// # registry.add::<Twice>()?;
    /// let text = r#"Graph(
    ///     nodes: {
    ///         "one": Take(amount: 1.0),
    ///         // Doubled.
    ///         "two": Twice(of: "one"),
    ///         "four": Twice(of: "two"),
    ///     },
    ///     outputs: { "four.txt": "four" },
    /// )
    /// "#;
    /// let moved = ["two", "four"];
    /// let mut graph = GraphText::new(text)?;
    /// let part = graph.extract_subgraph(&moved, "part.ron", "doubled", &registry)?;
    /// assert_eq!(graph.text(), r#"Graph(
    ///     nodes: {
    ///         "one": Take(amount: 1.0),
    ///         "doubled": Subgraph(file: "part.ron", inputs: { "one": "one" }),
    ///     },
    ///     outputs: { "four.txt": "doubled/four" },
    /// )
    /// "#);
    /// assert_eq!(part.text(), r#"Graph(
    ///     nodes: {
    ///         // Provided by the graph that uses this one.
    ///         "one": Take(amount: 1.0),
    ///
    ///         // Doubled.
    ///         "two": Twice(of: "one"),
    ///         "four": Twice(of: "two"),
    ///     },
    /// )
    /// "#);
    /// // The way back.
    /// graph.inline_subgraph("doubled", &part, "", &registry)?;
    /// assert_eq!(graph.text(), text);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// - `NoNodes` and `NoNode` for missing nodes.
    /// - `Taken` and `NodeName` for `name`.
    /// - `FileName` for `file`, and `Taken` if the graph already reads `file`.
    /// - `NoType` if the type of a node is unknown.
    /// - `Inexact` if a path uses a parameter and the folder changes.
    pub fn extract_subgraph(
        &mut self,
        nodes: &[&str],
        file: &str,
        name: &str,
        registry: &Registry,
    ) -> Result<Self, RewriteError> {
        let wiring = Wiring::new(self, registry, &[])?;
        let moving = moving(self, nodes)?;
        if moving.contains(name) {
            node_name(name)?;
        } else {
            free_name(self, name)?;
        }
        check_file(file)?;
        let entries = self.entries("nodes")?;
        wiring.check_types(&entries)?;
        check_unread(&wiring, &entries, file)?;

        let inside = |reference: &Reference| {
            let head = reference.node.split('/').next().unwrap_or_default();
            moving.contains(head).then(|| Reference {
                node: format!("{name}/{}", reference.node).into(),
                output: reference.output.clone(),
            })
        };
        let mut placeholders = Placeholders::new(&wiring, registry, file, &entries, moving.iter().copied());
        let (mut blocks, mut outer) = (Vec::new(), Vec::new());
        let mut renamed = |wire: &Wire<'_>| -> Result<(), RewriteError> {
            outer.extend(wiring.renamed(wire, &mut |reference| Ok::<_, RewriteError>(inside(reference)))?);
            Ok(())
        };
        let moved: Vec<Item<'_>> =
            entries.iter().filter(|entry| moving.contains(entry.name)).map(|entry| entry.item).collect();
        let layout = ExtractLayout::new(self, &moved)?;
        for entry in &entries {
            let moves = moving.contains(entry.name);
            let mut edits = Vec::new();
            for wire in wiring.of(entry)? {
                let is_named = wiring.parameter(wire.value).is_some();
                if !moves || is_named {
                    renamed(&wire)?;
                }
                if moves && (is_named || inside(&wire.reference).is_none()) {
                    let placeholder = placeholders.of(&wire)?;
                    if is_named || placeholder != wire.reference.to_string() {
                        edits.push(Edit { span: wire.value.span(), text: literal::quoted(placeholder) });
                    }
                }
            }
            if moves {
                edits.extend(rebased(&wiring, entry, &wiring.call(entry)?, &|path| inward(file, path))?);
                blocks.push(layout.block(entry.item, edits));
            }
        }
        for wire in wiring.outputs()? {
            renamed(&wire)?;
        }
        let given = names(&blocks.concat(), &wiring.scope);
        let part = layout.part(&wiring, &placeholders, &blocks, &given)?;
        outer.extend(layout.replaced(&moved, &layout.call(&wiring, &placeholders, &given, file, name))?);
        let part = Self::new(&part)?;
        *self = self.checked(&in_order(outer))?;
        Ok(part)
    }
}

/// The names of the nodes that move.
fn moving<'t>(graph: &'t GraphText, nodes: &[&str]) -> Result<HashSet<&'t str>, RewriteError> {
    if nodes.is_empty() {
        return Err(RewriteError::NoNodes);
    }
    let known: HashSet<&str> = graph.entries("nodes")?.iter().map(|entry| entry.name).collect();
    if let Some(name) = nodes.iter().find(|name| !known.contains(**name)) {
        graph.node(name)?;
    }
    let wanted: HashSet<&str> = nodes.iter().copied().collect();
    Ok(known.into_iter().filter(|name| wanted.contains(name)).collect())
}

/// Checks that the graph does not already read a file with the path `file`.
fn check_unread(wiring: &Wiring<'_>, entries: &[Entry<'_>], file: &str) -> Result<(), RewriteError> {
    for entry in entries {
        for (_, value) in files(wiring, &wiring.call(entry)?) {
            if wiring.text(value).is_some_and(|path| is_same(&path, file)) {
                return Err(RewriteError::Taken { what: "file", name: file.to_owned() });
            }
        }
    }
    Ok(())
}
