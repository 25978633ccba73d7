//! The evaluation of a single node that is a function of one sample.

use smallvec::SmallVec;

use super::program::{Member, Operand, Program};
use super::run::Failed;
use crate::model::context::Context;
use crate::model::error::NodeError;
use crate::model::pointwise::Pointwise;
use crate::model::port::Source;
use crate::model::value::Value;

/// Computes the output of a node with this function, from what its ports read. The engine keeps holes and
/// counts samples that are not finite.
///
/// # Errors
/// [`NodeError::Cancelled`], and [`NodeError::Panicked`].
pub fn run_alone(
    function: Pointwise,
    inputs: SmallVec<[Operand; 4]>,
    cx: &Context<'_>,
) -> Result<Vec<Value>, NodeError> {
    let member = Member { function, inputs, holes: false };
    let missing =
        || NodeError::failed("it has no raster to compute its samples from", "report this as a bug");
    let program = Program::new(vec![member]).ok_or_else(missing)?.unchecked();
    let ran = program.run(&|fraction| cx.progress(fraction).is_ok()).map_err(|failed| match failed {
        Failed::Stopped => NodeError::Cancelled,
        Failed::Panicked(_, text) => NodeError::Panicked(text),
    })?;
    ran.members.iter().for_each(|(function, ..)| function.end(cx));
    Ok(vec![ran.value])
}

/// What a port reads that is not connected to another node.
pub fn operand(source: Source) -> Operand {
    match source {
        Source::Bound(value) if value.raster().is_some() => Operand::Map(value),
        Source::Number(number) => Operand::Number(number as f32),
        Source::Unset | Source::Wire(_) | Source::Bound(_) => Operand::Absent,
    }
}
