//! Where the outputs are that somebody asked for.

use std::sync::Arc;

use super::wanted::Wanted;
use crate::model::plan::Plan;
use crate::model::port::Reference;

/// Wanted outputs of a plan, and where they are.
pub struct Placed {
    pub plan: Arc<Plan>,
    pub asked: Vec<Reference>,
    /// Node and output.
    pub places: Vec<(usize, usize)>,
}

impl Placed {
    /// Whether these are the places of `wanted`. Names that are shared need not be read.
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
