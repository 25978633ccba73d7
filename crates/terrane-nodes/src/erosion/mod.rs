//! Erosion: nodes that move material downhill.

mod changes;
mod fluvial_erosion;
mod history;
mod hollows;
mod hydraulic_erosion;
mod olsen_erosion;
mod sides;
mod thermal_erosion;
mod uplift_erosion;
mod valley_width;

pub use fluvial_erosion::{FluvialErosion, FluvialErosionOutputs};
pub use hydraulic_erosion::{HydraulicErosion, HydraulicErosionOutputs};
pub use olsen_erosion::{OlsenErosion, OlsenErosionOutputs};
pub use sides::OwnSides;
pub use terrane_kernels::erosion::{
    Base, Border, Distance, HydraulicScheme, Neighbourhood, OlsenScheme, Scheme, Solver,
};
pub use thermal_erosion::{ThermalErosion, ThermalErosionOutputs};
pub use uplift_erosion::{UpliftErosion, UpliftErosionOutputs};

nodes! {
    ThermalErosion,
    HydraulicErosion,
    OlsenErosion,
    FluvialErosion,
    UpliftErosion,
}
