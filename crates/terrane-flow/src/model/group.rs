//! Ports and parameters that several nodes share.

use crate::model::fields::Fields;
use crate::model::param::FilePath;
use crate::model::port::Port;
use crate::model::spec::{InputSpec, ParamSpec};

/// Ports and parameters that several nodes share, declared once by `#[derive(Group)]`. A node has them as one
/// field with the attribute `#[group]`. In graphs, on pages and in keys they are the node's own ports and
/// parameters, in the place of this field.
pub trait Group: Clone + Default + Send + Sync + 'static {
    /// The number of ports.
    const INPUTS: usize;
    /// The number of parameters.
    const PARAMS: usize;

    /// The specs of the ports, in the order of the struct's fields.
    fn inputs() -> Vec<InputSpec>;
    /// The specs of the parameters, in the order of the struct's fields.
    fn params() -> Vec<ParamSpec>;
    /// Reads the group from the fields of a node. `inputs` and `params` are the positions of its first port
    /// and of its first parameter in the node's spec.
    fn read(fields: &mut Fields<'_>, inputs: usize, params: usize) -> Self;
    /// The port at a position in the group.
    fn port(&self, index: usize) -> &dyn Port;
    /// The port at a position in the group, mutable.
    fn port_mut(&mut self, index: usize) -> &mut dyn Port;
    /// The parameter at a position in the group as canonical RON.
    fn param(&self, index: usize) -> String;
    /// Calls `visit` with every file that a parameter names.
    fn files(&mut self, visit: &mut dyn FnMut(&mut FilePath));
}
