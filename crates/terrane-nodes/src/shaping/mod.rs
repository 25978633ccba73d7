//! Nodes that change heights, sample by sample or from their surroundings.

mod blend;
mod blur;
mod clamp;
mod combine;
mod crop;
mod curve;
mod fill_holes;
mod flatten;
mod invert;
mod perturb;
mod remap;
mod resample;
mod select;
mod switch;
mod terrace;
mod transform;

pub use blend::{Blend, BlendOutputs};
pub use blur::{Blur, BlurOutputs};
pub use clamp::{Clamp, ClampOutputs};
pub use combine::{Combine, CombineOutputs};
pub use crop::{Crop, CropOutputs};
pub use curve::{Curve, CurveOutputs};
pub use fill_holes::{FillHoles, FillHolesOutputs};
pub use flatten::{Flatten, FlattenOutputs};
pub use invert::{Invert, InvertOutputs};
pub use perturb::{Perturb, PerturbOutputs};
pub use remap::{Remap, RemapOutputs};
pub use resample::{Resample, ResampleOutputs};
pub use select::{Select, SelectOutputs};
pub use switch::{Choice, Switch, SwitchOutputs};
pub use terrace::{Terrace, TerraceOutputs};
pub use terrane_kernels::shape::{CurveKind, Filter, Mode, Select as SelectBy};
pub use transform::{Outside, Transform, TransformOutputs};

nodes! {
    Combine,
    Blend,
    Perturb,
    Remap,
    Clamp,
    Switch,
    Curve,
    Terrace,
    Invert,
    Blur,
    FillHoles,
    Resample,
    Crop,
    Transform,
    Select,
    Flatten,
}
