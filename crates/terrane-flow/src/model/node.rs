//! What a node is.

use std::any::Any;
use std::path::PathBuf;

use dyn_clone::DynClone;

use crate::model::context::{Context, Header, Sizes};
use crate::model::error::NodeError;
use crate::model::fields::Fields;
use crate::model::param::FilePath;
use crate::model::port::Port;
use crate::model::reach::Reach;
use crate::model::spec::NodeSpec;
use crate::model::value::{Data, Digest, Value};

/// A node of any type: what the engine sees. Types get it from `#[derive(Node)]` and [`Evaluate`]; those that
/// are made while the program runs ([`Registry::add_dynamic`](crate::Registry::add_dynamic)) have it of their
/// own.
pub trait Node: DynClone + Any + Send + Sync {
    /// What the node says about itself.
    fn spec(&self) -> &'static NodeSpec;

    /// The port at a position of [`NodeSpec::inputs`].
    fn port(&self, index: usize) -> &dyn Port;

    /// The port at a position of [`NodeSpec::inputs`], to be connected.
    fn port_mut(&mut self, index: usize) -> &mut dyn Port;

    /// The parameter at a position of [`NodeSpec::params`] as canonical RON.
    fn param(&self, index: usize) -> String;

    /// Shows every file that a parameter names.
    fn files(&mut self, _visit: &mut dyn FnMut(&mut FilePath)) {}

    /// See [`Evaluate::companions`].
    fn companions(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// What is wrong with the parameters together: the field and the reason.
    ///
    /// # Errors
    /// An [`Invalid`] that the loader draws at the field.
    fn check(&self) -> Result<(), Invalid> {
        Ok(())
    }

    /// See [`Evaluate::reads`].
    fn reads(&self, _input: usize) -> bool {
        true
    }

    /// See [`Evaluate::reach`].
    fn reach(&self, _header: &dyn Header) -> Reach {
        Reach::of(self.spec())
    }

    /// Whether [`Node::run`] runs on a thread that is no worker of the engine's, since its code belongs to
    /// another language, or itself evaluates graphs on this engine and waits for them. Of an
    /// evaluation as many such nodes run at once as there are workers. No type with [`Evaluate`] is foreign.
    fn is_foreign(&self) -> bool {
        false
    }

    /// What stands for the node's code in its key, where the version of its type does not tell of every
    /// change: the digest of its source, say.
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

    /// Computes the outputs, in the order of [`NodeSpec::outputs`], with every connected port bound to a
    /// value.
    ///
    /// # Errors
    /// What the node reports, or [`NodeError::Cancelled`].
    fn run(&mut self, cx: &Context<'_>) -> Result<Vec<Value>, NodeError>;
}

dyn_clone::clone_trait_object!(Node);

impl dyn Node {
    /// The node as what it is, where it is of that type.
    #[must_use]
    pub fn downcast<T: Evaluate>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }
}

impl std::fmt::Debug for dyn Node {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.spec().name)
    }
}

/// What `#[derive(Node)]` makes of a struct: its declaration.
pub trait Declare: Clone + Default + Send + Sync + Sized + 'static {
    /// The values that [`Evaluate::evaluate`] gives, in order of declaration: a tuple.
    type Outputs: Outputs;
    /// Typed handles on the outputs, for graphs built in code.
    type Handles;

    /// What the node says about itself.
    fn spec() -> &'static NodeSpec;
    /// Handles on the outputs of a node called `node`.
    fn handles(node: &str) -> Self::Handles;
    /// Reads the node from the fields of a graph's text, reporting every mistake to `fields`.
    fn from_fields(fields: &mut Fields<'_>) -> Self;
    /// See [`Node::port`].
    fn port(&self, index: usize) -> &dyn Port;
    /// See [`Node::port_mut`].
    fn port_mut(&mut self, index: usize) -> &mut dyn Port;
    /// See [`Node::param`].
    fn param(&self, index: usize) -> String;
    /// See [`Node::files`].
    fn files(&mut self, visit: &mut dyn FnMut(&mut FilePath));
}

/// The technique of a node: the one thing to write by hand.
pub trait Evaluate: Declare {
    /// Computes the outputs. Every connected port is bound; long work calls [`Context::progress`].
    ///
    /// # Errors
    /// [`NodeError`]: what is wrong with the input and what to do, or cancellation passed on from the
    /// context.
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError>;

    /// Files that are read beside those that parameters name, where they are there: a note next to a picture,
    /// say. What they hold, and whether they are there, belongs to the node's key, and they are watched.
    /// Asked for once the loader has said where the named files are, and only of nodes with a parameter that
    /// names files.
    fn companions(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// What is wrong with the parameters together, beyond the range of each.
    ///
    /// # Errors
    /// An [`Invalid`] that the loader draws at the field.
    fn check(&self) -> Result<(), Invalid> {
        Ok(())
    }

    /// Whether the node, with its parameters as they are, reads the port at that position of its spec. What
    /// it does not read is not evaluated for it, and the port is left as it is.
    fn reads(&self, _input: usize) -> bool {
        true
    }

    /// How far around a sample the node looks, with its parameters as they are and over ground as the header
    /// has it. A node whose width follows from neither is of the class of its type, with a halo of one
    /// sample.
    fn reach(&self, _header: &dyn Header) -> Reach {
        Reach::of(<Self as Declare>::spec())
    }

    /// Bytes that evaluating takes beside inputs, outputs and working maps, which are counted by the header's
    /// size: those of a raster that is read from a file, say. For the forecast of memory, which is made anew
    /// at every change, so it looks at no more than headers of files; what cannot be told is 0.
    fn extra_bytes(&self, _sizes: &Sizes<'_>) -> u64 {
        0
    }

    /// Bytes of the output at that position of the spec, where its parameters tell more of them than the
    /// header does, such as that it is of another size.
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
    fn reach(&self, header: &dyn Header) -> Reach {
        Evaluate::reach(self, header)
    }
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        Evaluate::extra_bytes(self, sizes)
    }
    fn output_bytes(&self, output: usize, sizes: &Sizes<'_>) -> Option<u64> {
        Evaluate::output_bytes(self, output, sizes)
    }
    fn run(&mut self, cx: &Context<'_>) -> Result<Vec<Value>, NodeError> {
        self.evaluate(cx).map(Outputs::into_values)
    }
}

/// Parameters that do not fit together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// The field at fault.
    pub field: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

/// A row of values that a node gives.
pub trait Outputs {
    /// The values, in order.
    fn into_values(self) -> Vec<Value>;
}

macro_rules! outputs {
    ($($t:ident $i:tt),*) => {
        impl<$($t: Data),*> Outputs for ($($t,)*) {
            fn into_values(self) -> Vec<Value> {
                vec![$(Value::new(self.$i)),*]
            }
        }
    };
}
outputs!();
outputs!(A 0);
outputs!(A 0, B 1);
outputs!(A 0, B 1, C 2);
outputs!(A 0, B 1, C 2, D 3);
outputs!(A 0, B 1, C 2, D 3, E 4);
outputs!(A 0, B 1, C 2, D 3, E 4, F 5);
outputs!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
outputs!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
