//! What a preview evaluates after a change, in order: first the outputs that pages show, then all others.
//! What no page shows thus never delays what a page shows.

use std::collections::VecDeque;
use std::time::Duration;

use terrane_flow::{Key, Loaded, Reference, Session};

use crate::connected::connected;
use crate::display::Faces;
use crate::shared_state::SharedState;

/// If the nodes took less than this in total, no coarse terrain is shown first.
const SOON: Duration = Duration::from_millis(150);

/// One evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stage {
    /// Whether it evaluates all nodes, and not only what pages show.
    pub all: bool,
    /// Whether it has fewer samples, to show a result soon.
    pub coarse: bool,
}

/// The evaluations that show a graph. What is `shown` comes first. Coarse evaluations are left out for maps
/// of few samples and for work that is done soon.
pub fn stages(shown: Option<Work>, all: Work, large: bool) -> VecDeque<Stage> {
    let mut stages = VecDeque::new();
    for (work, all) in shown.map(|shown| (shown, false)).into_iter().chain([(all, true)]) {
        if large && work == Work::Long {
            stages.push_back(Stage { all, coarse: true });
        }
        stages.push_back(Stage { all, coarse: false });
    }
    stages
}

/// How long an evaluation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    Short,
    Long,
}

impl Work {
    /// How long the nodes that must run took when they last ran.
    pub fn of(session: &Session, shared: &SharedState, loaded: &Loaded, wanted: &[(usize, usize)]) -> Self {
        let runs = session.engine().resolve(loaded, wanted).into_iter().filter(|resolved| !resolved.known);
        let costs: Vec<Option<Duration>> =
            runs.map(|node| shared.cost(&loaded.plan.names[node.node])).collect();
        let long = costs.iter().any(Option::is_none) || costs.into_iter().flatten().sum::<Duration>() > SOON;
        if long { Self::Long } else { Self::Short }
    }
}

/// The nodes that are evaluated although no page shows them: neither scenes nor what reads them.
pub fn unasked(loaded: &Loaded, faces: &Faces) -> Vec<bool> {
    let mut unasked = connected(loaded);
    for &node in &loaded.plan.order {
        let mut reads = loaded.plan.wires[node].iter();
        unasked[node] = unasked[node]
            && !(faces.is_scene)(loaded.graph.nodes[node].node())
            && reads.all(|wire| unasked[wire.node]);
    }
    unasked
}

/// Those of these nodes that none of them reads. Evaluating them evaluates all of them.
pub fn last_of(loaded: &Loaded, nodes: &[bool]) -> Vec<(usize, usize)> {
    let mut read = vec![false; nodes.len()];
    for (wires, _) in loaded.plan.wires.iter().zip(nodes).filter(|&(_, &own)| own) {
        wires.iter().for_each(|wire| read[wire.node] = true);
    }
    (0..nodes.len()).filter(|&node| nodes[node] && !read[node]).map(|node| (node, 0)).collect()
}

/// The positions of outputs in a graph.
pub fn positions(loaded: &Loaded, outputs: &[Reference]) -> Vec<(usize, usize)> {
    outputs.iter().filter_map(|output| loaded.graph.find(output).ok()).collect()
}

/// The key of each node whose inputs are known.
pub fn keys(session: &Session, loaded: &Loaded) -> Vec<Option<Key>> {
    let connected = connected(loaded);
    let all: Vec<(usize, usize)> =
        (0..connected.len()).filter(|&node| connected[node]).map(|node| (node, 0)).collect();
    let mut keys = vec![None; connected.len()];
    for resolved in session.engine().resolve(loaded, &all) {
        keys[resolved.node] = resolved.key;
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{FACES, graph};

    #[test]
    fn stages_by_hand() {
        let stage = |all: bool, coarse: bool| Stage { all, coarse };
        assert_eq!(stages(None, Work::Long, false), [stage(true, false)]);
        assert_eq!(stages(None, Work::Long, true), [stage(true, true), stage(true, false)]);
        assert_eq!(
            stages(Some(Work::Short), Work::Long, true),
            [stage(false, false), stage(true, true), stage(true, false)]
        );
        assert_eq!(
            stages(Some(Work::Long), Work::Long, true),
            [stage(false, true), stage(false, false), stage(true, true), stage(true, false)]
        );
    }

    /// Scenes, here all nodes of a type, are not evaluated unasked.
    #[test]
    fn scenes_are_not_evaluated_unasked() {
        let text = "Graph(nodes: { \"a\": Take(), \"b\": Give(), \"c\": Take() })";
        let (_folder, loaded) = graph(&[("graph.ron", text)], &[]);
        let faces = Faces { is_scene: |node| node.spec().name == "Give", ..FACES };
        let unasked = unasked(&loaded, &faces);
        assert_eq!(unasked, [true, false, true]);
        assert_eq!(last_of(&loaded, &unasked), [(0, 0), (2, 0)]);
        assert_eq!(last_of(&loaded, &[true; 3]), [(0, 0), (1, 0), (2, 0)]);
    }
}
