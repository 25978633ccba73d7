//! Separators, which divide a field into the parts that move with each of its edges (Mijailovic 2015, 3.8.3.2
//! to 3.8.3.5).

use terrane_grid::PlanarGraph;

use super::outline::{Outline, Point};
use super::parameters::Stitch;
use super::seam::{Seam, seams};

/// A Separator at a corner of a field: the line from the node inwards that is equally far from both edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separator {
    /// The field.
    pub field: u32,
    /// The node.
    pub from: (f64, f64),
    /// The end: the point where a third edge of the field becomes equally near or, at the latest, where both
    /// edges are at Distance. From the node to that last point is the hypotenuse of a triangle whose legs are
    /// Distance and the thesis's Radius.
    pub to: (f64, f64),
}

/// All fields' Separators, at corners of less than 180° where both edges lie between fields.
///
/// The thesis adds both edges' vectors, which halves the angle only if they have the same length. Here they
/// are normalised first. At straight and reflex corners, points that are nearest to neither edge are nearest
/// to the node, so there is nothing to separate. O(corners · edges of the field).
#[must_use]
pub fn separators(graph: &PlanarGraph, outlines: &[Outline], parameters: &Stitch<'_>) -> Vec<Separator> {
    let seams = seams(graph, outlines, parameters);
    let mut of_field: Vec<Vec<(&Seam, usize)>> = vec![Vec::new(); outlines.len()];
    for seam in &seams {
        for (side, of) in seam.sides.iter().enumerate() {
            of_field[of.field as usize].push((seam, side));
        }
    }
    let mut found = Vec::new();
    for (field, own) in of_field.iter().enumerate() {
        for ring in &outlines[field].rings {
            let count = ring.len();
            for at in 0..count {
                let [before, node, after] =
                    [ring[(at + count - 1) % count], ring[at], ring[(at + 1) % count]];
                let edge = |a: u32, b: u32| {
                    own.iter().find(|(seam, _)| seam.nodes == [a, b] || seam.nodes == [b, a])
                };
                let (Some(first), Some(second)) = (edge(before, node), edge(node, after)) else { continue };
                let positions = [before, node, after].map(|node| graph.nodes[node as usize]);
                if let Some(to) = end(positions, [*first, *second], own) {
                    found.push(Separator { field: field as u32, from: positions[1], to });
                }
            }
        }
    }
    found
}

/// Where a corner's Separator ends; `None` if the corner has none.
fn end(
    [before, node, after]: [Point; 3],
    edges: [(&Seam, usize); 2],
    own: &[(&Seam, usize)],
) -> Option<Point> {
    let unit = |to: Point| {
        let (dx, dy) = (to.0 - node.0, to.1 - node.1);
        let length = (dx * dx + dy * dy).sqrt();
        (dx / length, dy / length)
    };
    let (u, v) = (unit(after), unit(before));
    // The field is to the left of its rings.
    if u.0 * v.1 - u.1 * v.0 <= 1e-9 {
        return None;
    }
    let sum = (u.0 + v.0, u.1 + v.1);
    let length = (sum.0 * sum.0 + sum.1 * sum.1).sqrt();
    let along = (sum.0 / length, sum.1 / length);
    // Sine and cosine of half the angle.
    let (sine, cosine) = ((along.0 * u.1 - along.1 * u.0).abs(), along.0 * u.0 + along.1 * u.1);
    let point = |t: f64| (node.0 + t * along.0, node.1 + t * along.1);
    let distance = edges.iter().map(|(seam, side)| seam.sides[*side].distance).fold(0.0, f64::max);
    let shorter = edges.iter().map(|(seam, _)| seam.line.length).fold(f64::INFINITY, f64::min);
    // The nearest point of an edge lies no farther than its end.
    let mut most = distance / sine;
    if cosine > 0.0 {
        most = most.min(shorter / cosine);
    }
    for (rival, _) in
        own.iter().filter(|(rival, _)| edges.iter().all(|(edge, _)| !std::ptr::eq(*edge, *rival)))
    {
        most = first_root(most, |t| rival.line.see(0, point(t)).square.sqrt() - t * sine);
    }
    Some(point(most))
}

/// The first root of a convex function that is positive at 0, or `most` if there is none before.
fn first_root(most: f64, value: impl Fn(f64) -> f64) -> f64 {
    let mut high = most;
    if value(high) > 0.0 {
        // The minimum of a convex function, by ternary search.
        let (mut low, mut beyond) = (0.0, most);
        for _ in 0..80 {
            let (a, b) = (low + (beyond - low) / 3.0, beyond - (beyond - low) / 3.0);
            if value(a) < value(b) { beyond = b } else { low = a }
        }
        high = low;
        if value(high) > 0.0 {
            return most;
        }
    }
    let mut low = 0.0;
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if value(middle) > 0.0 { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(nodes: &[u32]) -> Outline {
        Outline { rings: vec![nodes.to_vec()] }
    }

    /// A rectangle of 6 x 2 in the middle of four neighbours: its Separators are its straight skeleton, 1
    /// deep.
    #[test]
    fn a_rectangle_has_its_skeleton() {
        let nodes = vec![
            (0.0, 0.0),
            (6.0, 0.0),
            (6.0, 2.0),
            (0.0, 2.0),
            (-9.0, -9.0),
            (15.0, -9.0),
            (15.0, 11.0),
            (-9.0, 11.0),
        ];
        let edges = vec![
            (0, 1),
            (1, 2),
            (2, 3),
            (3, 0),
            (4, 5),
            (5, 6),
            (6, 7),
            (7, 4),
            (0, 4),
            (1, 5),
            (2, 6),
            (3, 7),
        ];
        let graph = PlanarGraph { nodes, edges };
        let outlines = [
            outline(&[0, 1, 2, 3]),
            outline(&[4, 5, 1, 0]),
            outline(&[5, 6, 2, 1]),
            outline(&[6, 7, 3, 2]),
            outline(&[7, 4, 0, 3]),
        ];
        let inner = |distance: f64| -> Vec<(Point, Point)> {
            let parameters = Stitch { distance, ..Stitch::default() };
            let all = separators(&graph, &outlines, &parameters);
            all.iter().filter(|s| s.field == 0).map(|s| (s.from, s.to)).collect()
        };
        let near = |found: &[(Point, Point)], wanted: &[(Point, Point)]| {
            assert_eq!(found.len(), wanted.len());
            for (a, b) in found.iter().zip(wanted) {
                assert_eq!(a.0, b.0);
                assert!((a.1.0 - b.1.0).abs() < 1e-9 && (a.1.1 - b.1.1).abs() < 1e-9, "{a:?} {b:?}");
            }
        };
        // Far: opposite edges meet half-way. Near: the hypotenuse over a Radius of the distance.
        near(
            &inner(50.0),
            &[
                ((0.0, 0.0), (1.0, 1.0)),
                ((6.0, 0.0), (5.0, 1.0)),
                ((6.0, 2.0), (5.0, 1.0)),
                ((0.0, 2.0), (1.0, 1.0)),
            ],
        );
        near(
            &inner(0.5),
            &[
                ((0.0, 0.0), (0.5, 0.5)),
                ((6.0, 0.0), (5.5, 0.5)),
                ((6.0, 2.0), (5.5, 1.5)),
                ((0.0, 2.0), (0.5, 1.5)),
            ],
        );
    }

    #[test]
    fn the_first_of_two_roots_is_found() {
        let found = first_root(10.0, |t| (t - 2.0) * (t - 5.0));
        assert!((found - 2.0).abs() < 1e-9);
        assert_eq!(first_root(10.0, |t| (t - 2.0) * (t - 2.0) + 1.0), 10.0);
        assert!((first_root(4.0, |t| 3.0 - t) - 3.0).abs() < 1e-9);
    }
}
