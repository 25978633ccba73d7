//! Toy node types. Most of them log their results.

use std::fs;

use super::header::{Toy, log};
use super::values::{Block, Number, Words};
use crate::model::context::Context;
use crate::model::error::NodeError;
use crate::model::node::Evaluate;
use crate::model::param::FilePath;
use crate::model::port::{Input, OptionalInput, Scalar, ScalarInput};
use terrane_flow_derive::Node;

fn note(cx: &Context<'_>, line: impl FnOnce() -> String) {
    log(cx).note(line());
}

/// A number without inputs.
#[derive(Clone, Debug, Node)]
#[output(out: Number, doc = "The number.")]
#[output(twice: Number, doc = "Twice the number.")]
pub struct Take {
    /// The number.
    #[param(default = 1.0)]
    amount: f64,
    /// More numbers, with notes.
    #[param(default = Vec::new())]
    more: Vec<(f64, String)>,
    /// The seed of a random addend.
    #[param(default = 0)]
    seed: u64,
}

impl Evaluate for Take {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let notes: usize = self.more.iter().map(|(_, note)| note.len()).sum();
        let more: f64 = self.more.iter().map(|(number, _)| number).sum();
        let out = self.amount + more + notes as f64 + (cx.seed() % 1000) as f64;
        note(cx, || format!("Take {out}"));
        Ok((Number(out), Number(out * 2.0)))
    }
}

/// A sum.
#[derive(Clone, Debug, Node)]
#[output(sum: Number, doc = "The sum.")]
#[output(rest: Number, doc = "The difference.")]
pub struct Add {
    /// One number.
    #[input]
    a: Input<Number>,
    /// The other number. Default: 0.
    #[input(default = 0.0)]
    b: ScalarInput<Number>,
    /// The factor of the sum.
    #[param(default = 1.0)]
    by: f64,
}

impl Evaluate for Add {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let b = match self.b.get() {
            Scalar::Constant(number) => number,
            Scalar::Map(number) => number.0,
        };
        let a = self.a.get().0;
        note(cx, || format!("Add {}", (a + b) * self.by));
        Ok((Number((a + b) * self.by), Number((a - b) * self.by)))
    }
}

/// The floor of a number, which is the same for many inputs.
#[derive(Clone, Debug, Node)]
#[output(whole: Number, doc = "The whole number below.")]
pub struct Floor {
    /// A number.
    #[input]
    a: Input<Number>,
}

impl Evaluate for Floor {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let whole = self.a.get().0.floor();
        note(cx, || format!("Floor {whole}"));
        Ok((Number(whole),))
    }
}

/// A number, and its half if something reads it.
#[derive(Clone, Debug, Node)]
#[output(whole: Number, doc = "The number.")]
#[output(half: Number, doc = "Half of it.", lazy)]
pub struct Split {
    /// A number.
    #[input]
    a: Input<Number>,
}

impl Evaluate for Split {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let whole = self.a.get().0;
        let half = if cx.asked(Self::HALF) { whole / 2.0 } else { 0.0 };
        note(cx, || {
            format!("Split {whole} {}", if cx.asked(Self::HALF) { "with half" } else { "without half" })
        });
        Ok((Number(whole), Number(half)))
    }
}

/// Waits at a gate, and returns its input, or 0.
#[derive(Clone, Debug, Node)]
#[output(out: Number, doc = "The input, or 0.")]
pub struct Wait {
    /// A number.
    #[input]
    a: OptionalInput<Number>,
    /// The gate.
    #[param]
    gate: String,
    /// Whether it ignores cancellation.
    #[param(default = false)]
    deaf: bool,
}

impl Evaluate for Wait {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let number = self.a.get().map_or(0.0, |a| a.0);
        let continues = || self.deaf || cx.progress(0.5).is_ok();
        if !log(cx).pass(&self.gate, continues) {
            note(cx, || format!("Wait {} stopped", self.gate));
            return Err(NodeError::Cancelled);
        }
        note(cx, || format!("Wait {}", self.gate));
        Ok((Number(number),))
    }
}

/// Returns one of two numbers; the other is not evaluated.
#[derive(Clone, Debug, Node)]
#[output(out: Number, doc = "The chosen number.")]
pub struct Choose {
    /// The first.
    #[input]
    a: OptionalInput<Number>,
    /// The second.
    #[input]
    b: OptionalInput<Number>,
    /// Whether to return the second.
    #[param(default = false)]
    second: bool,
}

impl Evaluate for Choose {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let number = if self.second { self.b.get() } else { self.a.get() }.map_or(0.0, |number| number.0);
        note(cx, || format!("Choose {number}"));
        Ok((Number(number),))
    }

    fn reads(&self, input: usize) -> bool {
        (input == 1) == self.second
    }
}

/// Warns.
#[derive(Clone, Debug, Node)]
#[output(out: Number, doc = "0.")]
pub struct Warn {
    /// The warning.
    #[param]
    message: String,
}

impl Evaluate for Warn {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        cx.warn(&*self.message);
        Ok((Number(0.0),))
    }
}

/// The size from the graph's header.
#[derive(Clone, Debug, Node)]
#[node(header)]
#[output(out: Number, doc = "It.")]
pub struct Size {}

impl Evaluate for Size {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        Ok((Number(cx.header::<Toy>().size),))
    }
}

/// Reads the seed or the header without declaring it, which panics.
#[derive(Clone, Debug, Node)]
#[output(out: Number, doc = "Nothing.")]
pub struct Peek {
    /// Whether it reads the seed.
    #[param(default = false)]
    at_seed: bool,
}

impl Evaluate for Peek {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let number = if self.at_seed { cx.seed() as f64 } else { cx.header::<Toy>().size };
        Ok((Number(number),))
    }
}

/// Fails.
#[derive(Clone, Debug, Node)]
#[output(out: Number, doc = "Nothing.")]
pub struct Fail {
    /// A number.
    #[input]
    a: OptionalInput<Number>,
}

impl Evaluate for Fail {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        note(cx, || "Fail".to_owned());
        Err(NodeError::failed("it fails", "take another node"))
    }
}

/// Panics.
#[derive(Clone, Debug, Node)]
#[output(out: Number, doc = "Nothing.")]
pub struct Panic {
    /// A number.
    #[input]
    a: OptionalInput<Number>,
}

impl Evaluate for Panic {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        note(cx, || "Panic".to_owned());
        panic!("a toy panics");
    }
}

/// Bytes with the same value.
#[derive(Clone, Debug, Node)]
#[output(block: Block, doc = "The bytes.")]
pub struct Fill {
    /// The number of bytes.
    #[param(default = 1000)]
    bytes: u32,
    /// The value of each byte.
    #[param(default = 0)]
    with: u8,
}

impl Evaluate for Fill {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        note(cx, || format!("Fill {}", self.with));
        Ok((Block(vec![self.with; self.bytes as usize]),))
    }
}

/// Overwrites bytes: in place if nothing else reads them.
#[derive(Clone, Debug, Node)]
#[node(cost = Cheap)]
#[output(block: Block, doc = "The bytes.")]
pub struct Paint {
    /// The bytes.
    #[input]
    a: Input<Block>,
    /// The new value of each byte.
    #[param(default = 1)]
    with: u8,
}

impl Evaluate for Paint {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (block, place) = painted(&mut self.a, self.with);
        note(cx, || format!("Paint {} {place}", self.with));
        Ok((block,))
    }
}

fn painted(port: &mut Input<Block>, with: u8) -> (Block, &'static str) {
    let before = port.get().0.as_ptr();
    let mut block = port.take();
    block.0.fill(with);
    let place = if before == block.0.as_ptr() { "in place" } else { "in a copy" };
    (block, place)
}

/// Overwrites bytes as [`Paint`] does, but is not declared cheap.
#[derive(Clone, Debug, Node)]
#[output(block: Block, doc = "The bytes.")]
pub struct Cover {
    /// The bytes.
    #[input]
    a: Input<Block>,
    /// The new value of each byte.
    #[param(default = 1)]
    with: u8,
}

impl Evaluate for Cover {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (block, place) = painted(&mut self.a, self.with);
        note(cx, || format!("Cover {} {place}", self.with));
        Ok((block,))
    }
}

/// The number of bytes.
#[derive(Clone, Debug, Node)]
#[output(bytes: Number, doc = "Their number.")]
pub struct Measure {
    /// The bytes.
    #[input]
    a: Input<Block>,
}

impl Evaluate for Measure {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let bytes = self.a.get().0.len();
        note(cx, || format!("Measure {bytes}"));
        Ok((Number(bytes as f64),))
    }
}

/// The words of a file. No other type outputs words, and this one needs its file.
#[derive(Clone, Debug, Node)]
#[output(words: Words, doc = "The words.")]
pub struct Read {
    /// The file.
    #[param]
    file: FilePath,
    /// Other files.
    #[param(default = Vec::new())]
    others: Vec<(FilePath, String)>,
}

impl Evaluate for Read {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let read = |file: &FilePath| {
            fs::read_to_string(file.path()).map_err(|error| NodeError::failed(error, "write the file"))
        };
        let mut words = read(&self.file)?;
        for (file, note) in &self.others {
            words += &read(file)?;
            words += note;
        }
        note(cx, || format!("Read {words}"));
        Ok((Words(words),))
    }
}

/// The number of words.
#[derive(Clone, Debug, Node)]
#[output(count: Number, doc = "The number.")]
pub struct Count {
    /// The words.
    #[input]
    words: Input<Words>,
}

impl Evaluate for Count {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let count = self.words.get().0.split_whitespace().count();
        note(cx, || format!("Count {count}"));
        Ok((Number(count as f64),))
    }
}
