//! Roads: the cheapest routes between samples, bent into curves.

use super::bends::bent;
use super::builder::Builder;
use super::fairing::faired;
use super::point::Point;
use super::shortcuts::straightened;
use crate::{Cancelled, Progress};

/// The share of a route's cost by which its curve may be dearer before a less stiff one is tried.
pub const ALLOWANCE: f64 = 0.08;

/// The radius of a bend that costs as much again as its length, as a multiple of the road's width or of the
/// spacing, whichever is wider.
const RADIUS: f64 = 2.0;

/// The stiffnesses that are tried, as parts of the one that follows from the radius.
const STIFFNESSES: [f64; 3] = [1.0, 0.25, 0.0625];

/// A curve that follows a route of 32 headings, given as its stops. `lead` is the points from which the curve
/// starts and to which it leads without a bend.
///
/// Straight parts in any direction replace parts of the route, and then the line is bent. The result is the
/// stiffest curve that costs at most a share of [`ALLOWANCE`] more than the route. If none does, because the
/// route turns more sharply than a road can, it is the cheapest of those tried; if none is free of closed
/// ground, it is the line of straight parts.
pub fn curve(
    builder: &Builder<'_>,
    route: Vec<Point>,
    lead: [Option<Point>; 2],
    width: f64,
    progress: &dyn Progress,
) -> Result<Vec<Point>, Cancelled> {
    let most = (1.0 + ALLOWANCE) * builder.line_cost(&route).unwrap_or(f64::INFINITY);
    let straight = straightened(builder, route, progress)?;
    let stiffness = stiffness(width, builder.spacing());
    let mut best: Option<(f64, Vec<Point>)> = None;
    for part in STIFFNESSES {
        let bent = bent(builder, &straight, lead, part * stiffness, progress)?;
        let curve = faired(builder, bent, lead);
        let Some(cost) = builder.line_cost(&curve) else { continue };
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, curve));
        }
        if best.as_ref().is_some_and(|(least, _)| *least <= most) {
            break;
        }
    }
    Ok(best.map_or(straight, |(_, curve)| curve))
}

/// The stiffness with which a bend of [`RADIUS`] costs as much again as its length.
fn stiffness(width: f64, spacing: f64) -> f64 {
    let radius = RADIUS * width.max(spacing);
    radius * radius
}

#[cfg(test)]
mod tests;
