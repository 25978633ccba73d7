//! The kinds of value that flow between nodes, with the capabilities that each declares.

use terrane_flow::Kind;

use super::{
    Animation, Bounds, Chart, Fields, Frames, Gradient, Graph, Levels, Map, MeshValue, Paths, Picture,
    Points, Table, TerrainKind,
};

/// Every kind.
pub static KINDS: &[TerrainKind] = &[
    TerrainKind::of::<Map>(),
    TerrainKind::of::<Levels>(),
    TerrainKind::of::<Picture>(),
    TerrainKind::of::<Table>(),
    TerrainKind::of::<Points>(),
    TerrainKind::of::<Paths>(),
    TerrainKind::of::<Graph>(),
    TerrainKind::of::<Fields>(),
    TerrainKind::of::<Bounds>(),
    TerrainKind::of::<MeshValue>(),
    TerrainKind::of::<Chart>(),
    TerrainKind::of::<Frames>(),
    TerrainKind::of::<Animation>(),
    TerrainKind::of::<Gradient>(),
];

impl TerrainKind {
    /// The capabilities of a kind, or `None` for a kind of another crate.
    #[must_use]
    pub fn find(kind: &Kind) -> Option<&'static Self> {
        KINDS.iter().find(|own| own.kind == kind)
    }

    /// The capabilities of the kind with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        KINDS.iter().find(|own| own.kind.name == name)
    }
}

#[cfg(test)]
mod tests {
    use terrane_flow::NodeType;

    use super::*;

    #[test]
    fn every_kind_of_every_port_is_listed_once() {
        for spec in crate::registry().nodes().map(NodeType::spec) {
            let kinds = spec.inputs.iter().flat_map(|input| [Some(input.kind), input.or]).flatten();
            for kind in kinds.chain(spec.outputs.iter().map(|output| output.kind)) {
                let own = KINDS.iter().filter(|own| own.kind == kind || own.kind.name == kind.name).count();
                assert_eq!(own, 1, "{} of {}", kind.name, spec.name);
            }
        }
    }
}
