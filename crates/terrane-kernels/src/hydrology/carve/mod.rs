//! Rivers with beds: ground that is carved along lines.

mod courses;
mod ground;
mod planform;
mod river;
mod section;
mod station;
#[cfg(test)]
mod tests;

use terrane_compute::{Cancelled, Progress};
use terrane_grid::Heightmap;

pub use courses::Course;
use courses::courses;
pub use river::{RiverCarving, RiverLine};
pub use station::Station;

/// Ground with rivers.
#[derive(Clone, Debug, PartialEq)]
pub struct Carved {
    /// The ground.
    pub ground: Heightmap,
    /// The level of the rivers; not a number elsewhere.
    pub level: Heightmap,
    /// The rivers, from their sources to their mouths.
    pub courses: Vec<Course>,
}

/// Carves rivers into the ground.
///
/// Lines that continue each other form a course, which continues with the line of the largest drainage where
/// several meet. The others end there, at the level of the course. From the discharge Q, width and depth
/// follow by hydraulic geometry (Leopold & Maddock 1953): `width` · Q to the power of `width_exponent`, and
/// likewise the depth. The surface of the water lies below the given heights by the height of the banks, does
/// not rise downstream, and ends at the level of the lake, the sea or the course in which the river ends.
///
/// Across the river, the bed is a parabola. Beside it lies the floodplain, at the height of the banks. Beyond
/// it, ground is cut where it is higher than a slope of `side` from there, and raised where it is lower.
/// Small changes are made in full, and large ones up to eight times the height of the banks above the bed, so
/// that gorges and steep valleys keep their walls. The change fades out with the distance, which is at most
/// `reach` and less for small rivers. Ground that `water` covers is only dug, so that beds end in lakes
/// without a step. A river is at least one and a half samples wide on the map, so that its water is
/// connected.
///
/// Each course counts with the point of it that is nearest, and with the floodplains of all its points in
/// reach, the nearest most. Where ground of several courses meets, the lowest counts, and tributaries are
/// lowered to the floodplain of their river. Dry ground beside water is raised to its level at least.
///
/// # Errors
/// [`Cancelled`] when `progress` cancels.
///
/// # Panics
/// If the lists of a line differ in length, or the water differs from the map in size.
pub fn carve_rivers(
    map: &Heightmap,
    lines: &[RiverLine],
    water: Option<&Heightmap>,
    carving: &RiverCarving,
    progress: &dyn Progress,
) -> Result<Carved, Cancelled> {
    let alive = || progress.check();
    let courses = courses(lines, carving, map.spacing(), &alive)?;
    let (ground, level) = ground::carved(map, water, &courses, carving, &alive)?;
    Ok(Carved { ground, level, courses })
}
