//! The heights at which fields meet at nodes (Mijailovic 2015, 3.8.3.6 "Pinching").

use super::outline::Point;
use super::seam::{Seam, finite};
use super::terrain::Terrain;

/// A field at a node where it has a seam.
#[derive(Clone, Copy, Debug)]
pub struct Meeting {
    pub node: u32,
    pub field: u32,
    pub at: Point,
    /// How much the field moves to meet the others.
    pub change: f64,
    /// The least distance of its seams there.
    pub distance: f64,
}

/// All fields at all nodes, sorted by node and field.
pub struct Meetings(pub Vec<Meeting>);

impl Meetings {
    /// At each node the fields' mean, read from the plane at the node itself and not from the nearest sample. Fields count the more the less
    /// they share in changes; those that share in none stay, and the others meet their mean. Heights are summed in the order of their
    /// values, so that the order of fields has no part.
    pub fn new(seams: &[Seam], terrains: &[Terrain<'_>], share: impl Fn(u32) -> f64) -> Self {
        let mut found: Vec<Meeting> = Vec::with_capacity(4 * seams.len());
        for seam in seams {
            for (&node, &at) in seam.nodes.iter().zip(&seam.line.ends) {
                let meet = |side: &super::seam::Side| {
                    let height = terrains[side.field as usize].at(at);
                    Meeting { node, field: side.field, at, change: height, distance: side.distance }
                };
                found.extend(seam.sides.iter().map(meet));
            }
        }
        found.sort_by(|a, b| {
            (a.node, a.field).cmp(&(b.node, b.field)).then(a.distance.total_cmp(&b.distance))
        });
        found.dedup_by_key(|meeting| (meeting.node, meeting.field));
        for fields in found.chunk_by_mut(|a, b| a.node == b.node) {
            let heights = fields.iter().map(|meeting| (meeting.change, share(meeting.field)));
            let mean = mean(heights.filter(|(height, _)| height.is_finite()).collect());
            for meeting in fields {
                let stays = share(meeting.field) == 0.0;
                meeting.change = if stays { 0.0 } else { finite(mean - meeting.change) };
            }
        }
        Self(found)
    }

    /// How much a field moves at a node.
    pub fn change(&self, node: u32, field: u32) -> f64 {
        let found = self.0.binary_search_by_key(&(node, field), |meeting| (meeting.node, meeting.field));
        found.map_or(0.0, |index| self.0[index].change)
    }
}

/// The mean of heights, weighted by the inverse of their shares; of those without a share alone where there are such.
fn mean(mut heights: Vec<(f64, f64)>) -> f64 {
    if heights.iter().any(|&(_, share)| share == 0.0) {
        heights.retain(|&(_, share)| share == 0.0);
        heights.iter_mut().for_each(|(_, share)| *share = 1.0);
    }
    heights.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let (sum, weights) = heights
        .iter()
        .fold((0.0, 0.0), |(sum, weights), (height, share)| (sum + height / share, weights + 1.0 / share));
    sum / weights
}

#[cfg(test)]
mod tests {
    use super::mean;

    #[test]
    fn those_that_share_less_count_more() {
        assert_eq!(mean(vec![(3.0, 1.0), (6.0, 1.0), (0.0, 1.0)]), 3.0);
        // Two fields of shares 3 and 1: the first moves by three quarters of the difference.
        assert_eq!(mean(vec![(0.0, 3.0), (8.0, 1.0)]), 6.0);
        assert_eq!(mean(vec![(0.0, 3.0), (8.0, 0.0), (10.0, 0.0), (50.0, 1.0)]), 9.0);
        assert!(mean(vec![]).is_nan());
    }
}
