//! Functions of one sample.

use terrane_compute::Samples;

use crate::model::context::Context;

/// What a node computes of one sample: a function of the samples of its rasters at the same place.
///
/// A node that has such a function ([`Evaluate::pointwise`](crate::Evaluate::pointwise)) is evaluated block
/// by block. Several such nodes can be evaluated together: the samples of a block then pass through all of
/// them before the next block begins, and the values between them never exist as a whole.
pub struct Pointwise {
    block: Box<BlockFunction>,
    passes_on: bool,
    see: Option<Box<SeeFunction>>,
    after: Option<Box<AfterFunction>>,
}

type BlockFunction = dyn Fn(&mut [f32], &[Samples<'_>]) + Send + Sync;
type SeeFunction = dyn Fn(&[f32], &[Samples<'_>]) + Send + Sync;
type AfterFunction = dyn Fn(&Context<'_>) + Send + Sync;

impl Pointwise {
    /// A function that writes samples. It gets as many samples of each port, by its position in the spec. A
    /// number at a scalar port is given as samples too, whose [`Samples::number`] it is; a port that is not
    /// connected has none. The function runs on several threads at once, and perhaps twice for a block. It
    /// writes every sample, and changes nothing else.
    pub fn new(block: impl Fn(&mut [f32], &[Samples<'_>]) + Send + Sync + 'static) -> Self {
        Self { block: Box::new(block), passes_on: false, see: None, after: None }
    }

    /// The same function, of which it is known that its result is not finite wherever a sample of an input is
    /// not: a sum, for example, but not a minimum. Then the samples of the inputs need not be checked.
    #[must_use]
    pub fn passing_on(self) -> Self {
        Self { passes_on: true, ..self }
    }

    /// See [`Pointwise::passing_on`].
    pub(crate) const fn passes_on(&self) -> bool {
        self.passes_on
    }

    /// The same function, and one that sees the result and the inputs of each block, once. Holes are not yet
    /// removed from the result.
    #[must_use]
    pub fn with(self, see: impl Fn(&[f32], &[Samples<'_>]) + Send + Sync + 'static) -> Self {
        Self { see: Some(Box::new(see)), ..self }
    }

    /// The same function, and one that is called after all samples are written, for warnings.
    #[must_use]
    pub fn then(self, after: impl Fn(&Context<'_>) + Send + Sync + 'static) -> Self {
        Self { after: Some(Box::new(after)), ..self }
    }

    /// Shows the result and the inputs of a block.
    pub(crate) fn show(&self, samples: &[f32], inputs: &[Samples<'_>]) {
        if let Some(see) = &self.see {
            see(samples, inputs);
        }
    }

    /// Writes samples. A block may be written again, from the same inputs.
    pub(crate) fn write(&self, samples: &mut [f32], inputs: &[Samples<'_>]) {
        (self.block)(samples, inputs);
    }

    /// Ends the evaluation of the node.
    pub(crate) fn end(&self, cx: &Context<'_>) {
        if let Some(after) = &self.after {
            after(cx);
        }
    }
}
