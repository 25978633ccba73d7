//! What terrain looks like.

mod color_relief;
mod contours;
mod hillshade;
mod line_chart;
mod mesh;
mod plot;

pub use color_relief::{ColorRelief, ColorReliefOutputs, Ramp};
pub use contours::{Contours, ContoursOutputs};
pub use hillshade::{Hillshade, HillshadeOutputs};
pub use line_chart::{Curve, line_chart};
pub use mesh::{Mesh, MeshOutputs};
pub use plot::{Plot, PlotOutputs};
