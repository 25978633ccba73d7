//! Pictures: nodes that draw terrain.

mod ambient_occlusion;
mod animate;
mod color_relief;
mod contours;
mod gradient;
mod hillshade;
mod mesh;
mod normal_map;
mod overlay;
mod plot;
mod render;

pub use ambient_occlusion::{AmbientOcclusion, AmbientOcclusionOutputs};
pub use animate::{Animate, AnimateOutputs};
pub use color_relief::{ColorRelief, ColorReliefOutputs, LaidBy, LaidColor};
pub use contours::{Contours, ContoursOutputs};
pub use gradient::{Gradient, GradientOutputs};
pub use hillshade::{Hillshade, HillshadeOutputs};
pub use mesh::{Mesh, MeshOutputs};
pub use normal_map::{Convention, NormalMap, NormalMapOutputs};
pub use overlay::{Overlay, OverlayOutputs};
pub use plot::{Plot, PlotOutputs};
pub use render::{Render, RenderOutputs};
pub use terrane_kernels::shade::Ramp;

nodes! {
    Hillshade,
    Gradient,
    ColorRelief,
    NormalMap,
    AmbientOcclusion,
    Contours,
    Overlay,
    Render,
    Animate,
    Mesh,
    Plot,
}
