//! Planar graphs as fields: the fields that edges enclose, changes to graphs, and initial graphs
//! (Mijailovic, sections 2.5 and 3.5).

mod assign;
#[cfg(feature = "triangulation")]
mod cells;
mod diamond;
mod edit;
mod fade;
mod generate;
mod half_edge;
mod identity;
mod locate;
mod section;
#[cfg(test)]
mod tests;
#[cfg(feature = "triangulation")]
mod triangulation;

pub use assign::{Assign, Conflict, assign};
#[cfg(feature = "triangulation")]
pub use cells::voronoi_graph;
pub use diamond::{
    compare_directions, diamond_angle, diamond_direction, diamond_from_radians, diamond_to_radians,
};
pub use edit::{
    EditError, add_edge, add_node, merge_near, move_node, remove_edge, remove_node, split_at_nodes,
    split_crossings,
};
pub use fade::{Line, faded};
pub use generate::{GenerateError, MOST_FIELDS, grid_graph, hex_graph, scattered};
pub use half_edge::HalfEdges;
pub use identity::identities;
pub use locate::{locate, place_in};
pub use section::{Field, Ring, SectionError, Sections, section};
#[cfg(feature = "triangulation")]
pub use triangulation::random_graph;
