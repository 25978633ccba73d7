//! Node traits.

use std::any::Any;
use std::path::PathBuf;

use dyn_clone::DynClone;
use smallvec::SmallVec;

use crate::model::context::{Context, Header, Sizes};
use crate::model::error::NodeError;
use crate::model::fields::Fields;
use crate::model::fused::{Operand, operand, run_alone};
use crate::model::param::FilePath;
use crate::model::pointwise::Pointwise;
use crate::model::port::{Port, Source};
use crate::model::reach::Reach;
use crate::model::same_size::check_sizes;
use crate::model::spec::{Cost, NodeSpec};
use crate::model::value::{Digest, Value};

/// A node of any type, as the engine sees it. Most types implement this trait through `#[derive(Node)]` and
/// [`Evaluate`]. Types that are defined at run time ([`Registry::add_dynamic`](crate::Registry::add_dynamic))
/// implement it directly.
pub trait Node: DynClone + Any + Send + Sync {
    /// The spec of the node's type.
    fn spec(&self) -> &'static NodeSpec;

    /// The port at a position of [`NodeSpec::inputs`].
    fn port(&self, index: usize) -> &dyn Port;

    /// The port at a position of [`NodeSpec::inputs`], mutable.
    fn port_mut(&mut self, index: usize) -> &mut dyn Port;

    /// The parameter at a position of [`NodeSpec::params`] as canonical RON.
    fn param(&self, index: usize) -> String;

    /// Calls `visit` with every file that a parameter names.
    fn files(&mut self, _visit: &mut dyn FnMut(&mut FilePath)) {}

    /// See [`Evaluate::companions`].
    fn companions(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Checks the combination of parameters.
    ///
    /// # Errors
    /// An [`Invalid`], which the loader reports at the field.
    fn check(&self) -> Result<(), Invalid> {
        Ok(())
    }

    /// See [`Evaluate::reads`].
    fn reads(&self, _input: usize) -> bool {
        true
    }

    /// See [`Evaluate::makes_holes`].
    fn makes_holes(&self) -> bool {
        false
    }

    /// See [`Evaluate::reach`].
    fn reach(&self, _header: &dyn Header) -> Reach {
        Reach::of(self.spec())
    }

    /// Whether the node is foreign: [`Node::run`] must not run on a worker thread of the engine. A node is
    /// foreign if its code is in another language, or if it evaluates graphs on this engine and waits for
    /// them. An evaluation runs at most as many such nodes at once as there are workers. No type with
    /// [`Evaluate`] is foreign.
    fn is_foreign(&self) -> bool {
        false
    }

    /// A digest of the node's code, such as of its source. It is part of the node's key. Return `None` if the
    /// version of the node's type changes whenever the code changes.
    fn code(&self) -> Option<Digest> {
        None
    }

    /// See [`Evaluate::extra_bytes`].
    fn extra_bytes(&self, _sizes: &Sizes<'_>) -> u64 {
        0
    }

    /// See [`Evaluate::output_bytes`].
    fn output_bytes(&self, _output: usize, _sizes: &Sizes<'_>) -> Option<u64> {
        None
    }

    /// See [`Evaluate::cost`].
    fn cost(&self) -> Cost {
        self.spec().cost
    }

    /// See [`Evaluate::pointwise`].
    fn pointwise(&self) -> Option<Pointwise> {
        None
    }

    /// Computes the outputs, in the order of [`NodeSpec::outputs`]. Every connected port is bound to a value.
    ///
    /// # Errors
    /// What the node reports, or [`NodeError::Cancelled`].
    fn run(&mut self, cx: &Context<'_>) -> Result<Vec<Value>, NodeError>;
}

dyn_clone::clone_trait_object!(Node);

impl dyn Node {
    /// The node as a `T`, if it is of that type.
    #[must_use]
    pub fn downcast<T: Evaluate>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }

    /// The node as a `T`, mutable, if it is of that type.
    #[must_use]
    pub fn downcast_mut<T: Evaluate>(&mut self) -> Option<&mut T> {
        (self as &mut dyn Any).downcast_mut()
    }
}

impl std::fmt::Debug for dyn Node {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.spec().name)
    }
}

/// The declaration of a node type, which `#[derive(Node)]` generates from a struct.
pub trait Declare: Clone + Default + Send + Sync + Sized + 'static {
    /// The tuple of values that [`Evaluate::evaluate`] returns, in order of declaration.
    type Outputs;
    /// Typed handles for the outputs, for graphs built in code.
    type Handles;

    /// The spec of the type.
    fn spec() -> &'static NodeSpec;
    /// Handles for the outputs of a node called `node`.
    fn handles(node: &str) -> Self::Handles;
    /// Reads the node from the fields of a graph's text and reports every mistake to `fields`.
    fn from_fields(fields: &mut Fields<'_>) -> Self;
    /// See [`Node::port`].
    fn port(&self, index: usize) -> &dyn Port;
    /// See [`Node::port_mut`].
    fn port_mut(&mut self, index: usize) -> &mut dyn Port;
    /// See [`Node::param`].
    fn param(&self, index: usize) -> String;
    /// The values of a tuple of outputs, in order.
    fn values(outputs: Self::Outputs) -> Vec<Value>;
    /// See [`Node::files`].
    fn files(&mut self, visit: &mut dyn FnMut(&mut FilePath));
}

/// The technique of a node: the only trait to implement by hand. A node whose output depends on one sample of
/// its inputs implements [`Evaluate::pointwise`], other nodes implement [`Evaluate::evaluate`]. A node that
/// has such a function with some parameters only implements both.
pub trait Evaluate: Declare {
    /// Computes the outputs. Every connected port is bound to a value. The rasters at ports have one size,
    /// except at ports with the attribute `any_size`. Long work calls
    /// [`Context::progress`] or [`Context::check`].
    ///
    /// # Errors
    /// A [`NodeError`]. It states what is wrong with the input and what to do, or it is the cancellation that
    /// one of these functions returned.
    ///
    /// # Panics
    /// If the node has neither this function nor [`Evaluate::pointwise`].
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        panic!("`{}` has no function that computes its outputs", Self::spec().name)
    }

    /// The cost of evaluating the node with its current parameters, if it differs from that of its type.
    fn cost(&self) -> Cost {
        <Self as Declare>::spec().cost
    }

    /// The function of one sample that the node is, with its current parameters; `None` if it is none. The
    /// function depends on the parameters alone. The node has one output, of the kind, size and place of the
    /// raster at its first connected port, and its cost is [`Cost::Cheap`].
    fn pointwise(&self) -> Option<Pointwise> {
        None
    }

    /// Optional files that are read besides those that parameters name, such as a note next to a picture.
    /// Their existence and content are part of the node's key, and they are watched. This is called only for
    /// nodes with a parameter that names files, after the loader has resolved these files.
    fn companions(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Checks the combination of parameters, beyond the range of each.
    ///
    /// # Errors
    /// An [`Invalid`], which the loader reports at the field.
    fn check(&self) -> Result<(), Invalid> {
        Ok(())
    }

    /// Whether the node, with its current parameters, reads the port at a position of its spec. If not, the
    /// input is not evaluated for this node, and the port is not bound to a value.
    fn reads(&self, _input: usize) -> bool {
        true
    }

    /// Whether outputs can have holes, with the current parameters, although the inputs have none.
    fn makes_holes(&self) -> bool {
        false
    }

    /// How far around a sample the node reads, with its current parameters and the header's spacing. By
    /// default, the reach follows from [`NodeSpec::tiles`], and a halo is one sample wide.
    fn reach(&self, _header: &dyn Header) -> Reach {
        Reach::of(<Self as Declare>::spec())
    }

    /// Bytes of memory that the evaluation needs besides inputs, outputs and working maps, such as for a
    /// raster that is read from a file. Return 0 if unknown.
    ///
    /// The memory forecast calls this, and the forecast is computed again after every change. So read at most
    /// the headers of files.
    fn extra_bytes(&self, _sizes: &Sizes<'_>) -> u64 {
        0
    }

    /// Bytes of the output at a position of the spec, if the parameters determine them better than the header
    /// does. An example is an output that has another size than the header states.
    fn output_bytes(&self, _output: usize, _sizes: &Sizes<'_>) -> Option<u64> {
        None
    }
}

impl<T: Evaluate> Node for T {
    fn spec(&self) -> &'static NodeSpec {
        <T as Declare>::spec()
    }
    fn port(&self, index: usize) -> &dyn Port {
        Declare::port(self, index)
    }
    fn port_mut(&mut self, index: usize) -> &mut dyn Port {
        Declare::port_mut(self, index)
    }
    fn param(&self, index: usize) -> String {
        Declare::param(self, index)
    }
    fn files(&mut self, visit: &mut dyn FnMut(&mut FilePath)) {
        Declare::files(self, visit);
    }
    fn companions(&self) -> Vec<PathBuf> {
        Evaluate::companions(self)
    }
    fn check(&self) -> Result<(), Invalid> {
        Evaluate::check(self)
    }
    fn reads(&self, input: usize) -> bool {
        Evaluate::reads(self, input)
    }
    fn makes_holes(&self) -> bool {
        Evaluate::makes_holes(self)
    }
    fn reach(&self, header: &dyn Header) -> Reach {
        Evaluate::reach(self, header)
    }
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        Evaluate::extra_bytes(self, sizes)
    }
    fn output_bytes(&self, output: usize, sizes: &Sizes<'_>) -> Option<u64> {
        Evaluate::output_bytes(self, output, sizes)
    }
    fn cost(&self) -> Cost {
        Evaluate::cost(self)
    }
    fn pointwise(&self) -> Option<Pointwise> {
        Evaluate::pointwise(self)
    }
    fn run(&mut self, cx: &Context<'_>) -> Result<Vec<Value>, NodeError> {
        check_sizes(<T as Declare>::spec(), |index| Declare::port(self, index))?;
        match Evaluate::pointwise(self) {
            Some(function) => run_alone(function, operands(self), cx),
            None => self.evaluate(cx).map(T::values),
        }
    }
}

/// What the ports of a node read. Values are taken out of the ports, so that they can be edited in place.
fn operands(node: &mut dyn Node) -> SmallVec<[Operand; 4]> {
    let inputs = (0..node.spec().inputs.len()).map(|input| {
        if !node.reads(input) {
            return Operand::Absent;
        }
        let port = node.port_mut(input);
        let source = port.source().clone();
        port.connect(Source::Unset);
        operand(source)
    });
    inputs.collect()
}

/// Parameters that do not fit together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// The affected field.
    pub field: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}
