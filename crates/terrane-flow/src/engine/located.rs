//! The positions of requested outputs.

use std::sync::Arc;

use super::wanted::Wanted;
use crate::model::plan::Plan;
use crate::model::port::Reference;

/// Wanted outputs of a plan, and their positions.
pub struct LocatedOutputs {
    pub plan: Arc<Plan>,
    pub asked: Vec<Reference>,
    /// Per wanted output, the position of its node and its position among the node's outputs.
    pub places: Vec<(usize, usize)>,
}

impl LocatedOutputs {
    /// Whether these are the positions of `wanted`. Names are compared by pointer first, since most of them
    /// are shared.
    pub fn answers(&self, plan: &Arc<Plan>, wanted: &[Wanted]) -> bool {
        Arc::ptr_eq(&self.plan, plan)
            && self.asked.len() == wanted.len()
            && self.asked.iter().zip(wanted).all(|(asked, wanted)| {
                let same_name =
                    Arc::ptr_eq(&asked.node, &wanted.output.node) || asked.node == wanted.output.node;
                same_name && asked.output == wanted.output.output
            })
    }
}
