//! What terrain looks like.

mod animate;
mod color_relief;
mod contours;
mod hillshade;
mod mesh;
mod overlay;
mod plot;

pub use animate::{Animate, AnimateOutputs};
pub use color_relief::{ColorRelief, ColorReliefOutputs, Ramp};
pub use contours::{Contours, ContoursOutputs};
pub use hillshade::{Hillshade, HillshadeOutputs};
pub use mesh::{Mesh, MeshOutputs};
pub use overlay::{Overlay, OverlayOutputs};
pub use plot::{Plot, PlotOutputs};
