//! What terrain looks like.

mod animate;
mod axis;
mod color_relief;
mod contours;
mod hillshade;
mod line_chart;
mod mesh;
mod overlay;
mod panels;
mod plot;

pub use animate::{Animate, AnimateOutputs};
pub use color_relief::{ColorRelief, ColorReliefOutputs, Ramp};
pub use contours::{Contours, ContoursOutputs};
pub use hillshade::{Hillshade, HillshadeOutputs};
pub use line_chart::{Curve, line_chart};
pub use mesh::{Mesh, MeshOutputs};
pub use overlay::{Overlay, OverlayOutputs};
pub use panels::{Line, Panel, panels};
pub use plot::{Plot, PlotOutputs};
