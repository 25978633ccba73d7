//! Samples that are not finite: a node that makes some of finite ones is named in a warning.

use super::state::JobState;
use crate::engine::round::Round;
use crate::model::value::Value;

/// What every such warning says.
const WARNING: &str = "are not finite";

impl JobState {
    /// A warning of the first output that is read and not finite everywhere, unless a node that this one
    /// depends on already has such a warning.
    pub fn not_finite(&self, round: &Round, node: usize, values: &[Value]) -> Option<String> {
        let outputs = self.graph.graph.nodes[node].node().spec().outputs;
        let asked = round.resolution.asked[node];
        let can_have_holes = self.graph.plan.holes[node].outputs;
        let (output, lost, all) =
            outputs.iter().zip(values).enumerate().find_map(|(index, (output, value))| {
                if asked & (1 << index) == 0 {
                    return None;
                }
                let lost = value.not_finite(can_have_holes && !output.whole);
                let (columns, rows) = value.extent()?;
                (lost > 0).then_some((output.name, lost, columns * rows))
            })?;
        self.lost(round, node, (output, lost, all))
    }

    /// A warning of an output with `lost` of `all` samples that are not finite, unless a node that this one
    /// depends on already has such a warning.
    pub fn lost(
        &self,
        round: &Round,
        node: usize,
        (output, lost, all): (&str, usize, usize),
    ) -> Option<String> {
        let plan = &self.graph.plan;
        let is_warned = |node: usize| {
            let known = round.known(node);
            known.is_some_and(|known| known.warnings.iter().any(|warning| warning.contains(WARNING)))
        };
        let mut seen = vec![false; plan.wires.len()];
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            for wire in &plan.wires[node] {
                if is_warned(wire.node) {
                    return None;
                }
                if !std::mem::replace(&mut seen[wire.node], true) {
                    open.push(wire.node);
                }
            }
        }
        Some(format!(
            "{lost} of {all} samples of `{output}` {WARNING}: they exceed the range of 32-bit numbers, or \
            have no value, such as 0 / 0; use less extreme parameters and inputs"
        ))
    }
}
