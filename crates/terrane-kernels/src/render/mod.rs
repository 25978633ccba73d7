//! Perspective pictures of terrain: rays for every sample of the picture, marched over the map.
//!
//! Internally all lengths, including heights, are in samples of the map, so that one
//! unit serves for all three axes. East is x, south is y, up is z.

mod air;
mod camera;
mod draw;
mod flight;
mod ground;
mod occlusion;
mod openness;
mod pyramid;
mod scene;
mod sun;
mod surface;
mod vector;
mod walk;
mod water;

#[cfg(test)]
mod tests;

pub use air::Air;
pub use camera::{Camera, Placed, View};
pub use ground::exposure;
pub use occlusion::{ambient_occlusion, occlusion_bytes};
pub use scene::{Look, Scene};
pub use sun::Sun;
pub use water::Water;
