//! Pictures of terrain. A picture is a grid of sRGB samples, 8 bits a channel.

mod bare;
mod contours;
mod hillshade;
mod layers;
mod lines;
mod mesh;
mod normals;
mod relief;
mod water;

pub use bare::bare_ground;
pub use contours::{Contour, MAX_LEVELS, contours, draw_contours};
pub use hillshade::{Light, hillshade, hillshade_with_holes};
pub use layers::{Layer, layered_relief};
pub use lines::draw_line;
pub use mesh::{TooLarge, terrain_mesh, water_mesh};
pub use normals::normal_map;
pub use relief::{Ramp, Stops, color_relief};
pub(crate) use relief::{channel, to_linear};
pub use water::{draw_water, level_picture, veil};

use terrane_grid::{Grid, Heightmap};

/// Values in [0, 1] as greys. Values outside that range are clamped, and not-a-number is black.
#[must_use]
pub fn grey(map: &Heightmap) -> Grid<[u8; 3]> {
    map.grid().map(|&value| [(value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8; 3])
}
