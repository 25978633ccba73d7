//! What terrain looks like.

mod color_relief;
mod contours;
mod hillshade;
mod mesh;

pub use color_relief::{ColorRelief, ColorReliefOutputs, Ramp};
pub use contours::{Contours, ContoursOutputs};
pub use hillshade::{Hillshade, HillshadeOutputs};
pub use mesh::{Mesh, MeshOutputs};
