//! The engine's interface to nodes whose types are written in Python.

use terrane_flow::{Context, Digest, Header, Node, NodeError, NodeSpec, Port, Reach, Tiles, Value};

use crate::definition::PythonNode;
use crate::foreign_run::called;

impl Node for PythonNode {
    fn spec(&self) -> &'static NodeSpec {
        self.definition.spec
    }
    fn port(&self, index: usize) -> &dyn Port {
        &self.inputs[index]
    }
    fn port_mut(&mut self, index: usize) -> &mut dyn Port {
        &mut self.inputs[index]
    }
    fn param(&self, index: usize) -> String {
        self.params[index].canonical()
    }
    fn reach(&self, _header: &dyn Header) -> Reach {
        match self.definition.spec.tiles {
            Tiles::Halo => Reach::Samples(self.definition.halo),
            _ => Reach::of(self.definition.spec),
        }
    }
    fn is_foreign(&self) -> bool {
        true
    }
    fn code(&self) -> Option<Digest> {
        Some(self.code)
    }
    fn run(&mut self, cx: &Context<'_>) -> Result<Vec<Value>, NodeError> {
        called(self, cx)
    }
}
