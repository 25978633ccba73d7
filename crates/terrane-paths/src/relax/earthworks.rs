//! Earthworks of a relaxation: cut and fill volumes, maximum depths and heights, and the steepest bank.

use terrane_grid::Heightmap;

use super::Field;
use crate::path::{NONE_NEAR, Subdivision, nearest};
use crate::{Cancelled, Progress};
use terrane_compute::CHECK_INTERVAL;

/// The earth that was moved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Earthworks {
    /// Volume removed.
    pub cut: f64,
    /// Volume added.
    pub fill: f64,
    /// The maximum lowering of a height.
    pub highest_cut: f64,
    /// The maximum raising of a height.
    pub highest_fill: f64,
    /// The steepest gradient, in any quadrant, of moved samples off the path.
    pub steepest_bank: f64,
}

impl Earthworks {
    /// Adds a sample of area `area` that rose by `by`, with its gradient if it lies off the path.
    fn add(&mut self, by: f64, area: f64, bank: Option<f64>) {
        if by > 0.0 {
            self.fill += by * area;
            self.highest_fill = self.highest_fill.max(by);
        } else {
            self.cut -= by * area;
            self.highest_cut = self.highest_cut.max(-by);
        }
        self.steepest_bank = self.steepest_bank.max(bank.unwrap_or(0.0));
    }
}

/// The total earthworks, and for each edge of the paths those nearest to its route. Where routes share a
/// sample, the first edge counts.
///
/// # Errors
/// [`Cancelled`] when `progress` cancels.
pub fn earthworks(
    before: &Heightmap,
    after: &Heightmap,
    subdivision: &Subdivision,
    progress: &dyn Progress,
) -> Result<(Earthworks, Vec<Earthworks>), Cancelled> {
    let (width, height) = before.domain().size;
    let field = Field::new(after);
    let area = before.spacing() * before.spacing();
    let mut edges = vec![Earthworks::default(); subdivision.paths.len()];
    let mut edge_of = vec![NONE_NEAR; field.heights.len()];
    for (edge, route) in subdivision.paths.iter().enumerate().rev() {
        route.iter().for_each(|&at| edge_of[at as usize] = edge as u32);
    }
    let near = nearest((width, height), |at| edge_of[at] != NONE_NEAR, progress)?;
    let mut all = Earthworks::default();
    for (at, &near) in near.iter().enumerate() {
        if at.is_multiple_of(CHECK_INTERVAL) {
            progress.report(1.0)?;
        }
        let by = field.heights[at] - f64::from(before.samples()[at]);
        if by == 0.0 {
            continue;
        }
        let bank = subdivision.slope[at].is_infinite().then(|| field.steepest(at));
        all.add(by, area, bank);
        if let Some(edge) = edge_of.get(near as usize).and_then(|&edge| edges.get_mut(edge as usize)) {
            edge.add(by, area, bank);
        }
    }
    Ok((all, edges))
}

#[cfg(test)]
mod tests {
    use terrane_grid::{Domain, PlanarGraph};

    use super::*;
    use crate::Silent;
    use crate::path::{Borders, Costs, Details, Search, Subdivide, Surround, subdivide};

    #[test]
    fn cut_and_fill_by_hand() {
        let map = Heightmap::constant(Domain::new(7, 5).with_spacing(2.0), 3.0);
        let graph = PlanarGraph {
            nodes: vec![(0.0, 0.0), (12.0, 0.0), (0.0, 8.0), (12.0, 8.0)],
            edges: vec![(0, 1), (2, 3)],
        };
        let parameters = Subdivide {
            search: Search::by(Costs::Thesis { alpha: 1.0, beta: 1.0 }),
            width: 0.0,
            node_width: 0.0,
            border: 0.0,
            max_slope: 0.1,
            edge_slopes: &[],
            slope_gain: 0.0,
            surround: Surround::Directional,
            borders: Borders::Free,
            anchors: &[],
            details: Details::default(),
        };
        let bounds = subdivide(&map, &graph, &parameters, &Silent).unwrap();
        let mut after = map.clone();
        // On the first path a fall of 1; a rise of 3 beside the second.
        after.samples_mut()[3] = 2.0;
        after.samples_mut()[3 * 7 + 3] = 6.0;
        let (all, edges) = earthworks(&map, &after, &bounds, &Silent).unwrap();
        let first = Earthworks { cut: 4.0, highest_cut: 1.0, ..Earthworks::default() };
        let steep = (2.0f64 * 1.5 * 1.5).sqrt();
        let second =
            Earthworks { fill: 12.0, highest_fill: 3.0, steepest_bank: steep, ..Earthworks::default() };
        assert_eq!(edges, [first, second]);
        assert_eq!(all, Earthworks { cut: 4.0, highest_cut: 1.0, ..second });
    }
}
