//! The list of nodes. Each node is one line.

use terrane_flow::{NameTaken, Registry};

use crate::family::family;
use crate::{erosion, fields, hydrology, metrics, paths, pictures, shaping, sources};

/// A registry for terrain graphs, with every node of this crate.
#[must_use]
pub fn registry() -> Registry {
    let mut registry = Registry::new(family());
    // This cannot fail: a test ensures that the names within this crate are distinct.
    let _distinct = register(&mut registry);
    registry
}

/// Adds every node of this crate to a registry.
///
/// # Errors
/// [`NameTaken`] if the registry already has a node or a kind of the same name.
pub fn register(registry: &mut Registry) -> Result<(), NameTaken> {
    registry.add::<sources::SpectralSynthesis>()?;
    registry.add::<sources::MidpointDisplacement>()?;
    registry.add::<sources::Voronoi>()?;
    registry.add::<sources::Perlin>()?;
    registry.add::<sources::OpenSimplex>()?;
    registry.add::<sources::PolynomialNoise>()?;
    registry.add::<sources::Texture>()?;
    registry.add::<sources::Constant>()?;
    registry.add::<sources::Ramp>()?;
    registry.add::<sources::Import>()?;
    registry.add::<sources::Points>()?;

    registry.add::<shaping::Combine>()?;
    registry.add::<shaping::Blend>()?;
    registry.add::<shaping::Perturb>()?;
    registry.add::<shaping::Remap>()?;
    registry.add::<shaping::Clamp>()?;
    registry.add::<shaping::Switch>()?;
    registry.add::<shaping::Curve>()?;
    registry.add::<shaping::Terrace>()?;
    registry.add::<shaping::Invert>()?;
    registry.add::<shaping::Blur>()?;
    registry.add::<shaping::Resample>()?;
    registry.add::<shaping::Transform>()?;
    registry.add::<shaping::Select>()?;
    registry.add::<shaping::Flatten>()?;

    registry.add::<erosion::ThermalErosion>()?;
    registry.add::<erosion::HydraulicErosion>()?;
    registry.add::<erosion::OlsenErosion>()?;
    registry.add::<erosion::FluvialErosion>()?;
    registry.add::<erosion::UpliftErosion>()?;

    registry.add::<hydrology::Rain>()?;
    registry.add::<hydrology::Drainage>()?;
    registry.add::<hydrology::Rivers>()?;

    registry.add::<paths::PathGraph>()?;
    registry.add::<paths::SubdividePath>()?;
    registry.add::<paths::SubdivideMask>()?;
    registry.add::<paths::RelaxPath>()?;
    #[cfg(feature = "optimum")]
    registry.add::<paths::OptimalPath>()?;
    #[cfg(not(feature = "optimum"))]
    registry.add_lacking("OptimalPath", "optimum");

    registry.add::<fields::PlanarGraph>()?;
    registry.add::<fields::GridGraph>()?;
    registry.add::<fields::HexGraph>()?;
    #[cfg(feature = "triangulation")]
    {
        registry.add::<fields::VoronoiGraph>()?;
        registry.add::<fields::RandomGraph>()?;
    }
    #[cfg(not(feature = "triangulation"))]
    for name in ["VoronoiGraph", "RandomGraph"] {
        registry.add_lacking(name, "triangulation");
    }
    registry.add::<fields::EditGraph>()?;
    registry.add::<fields::Section>()?;
    registry.add::<fields::AssignTerrain>()?;
    registry.add::<fields::DescribeTerrain>()?;
    registry.add::<fields::FieldDetail>()?;
    registry.add::<fields::PopulateFields>()?;
    registry.add::<fields::StitchFields>()?;
    registry.add::<fields::FieldMask>()?;
    registry.add::<fields::EdgeFeature>()?;

    registry.add::<metrics::SlopeMap>()?;
    registry.add::<metrics::Roughness>()?;
    registry.add::<metrics::ErosionScore>()?;
    registry.add::<metrics::HeightDifference>()?;
    registry.add::<metrics::Statistics>()?;
    registry.add::<metrics::Histogram>()?;
    registry.add::<metrics::FractalDimension>()?;
    registry.add::<metrics::Sinusoids>()?;
    registry.add::<metrics::KullbackLeibler>()?;
    registry.add::<metrics::Playability>()?;
    registry.add::<metrics::DrainageDensity>()?;
    registry.add::<metrics::EarthMoversDistance>()?;
    registry.add::<metrics::ConstraintReport>()?;

    registry.add::<pictures::Hillshade>()?;
    registry.add::<pictures::Gradient>()?;
    registry.add::<pictures::ColorRelief>()?;
    registry.add::<pictures::NormalMap>()?;
    registry.add::<pictures::AmbientOcclusion>()?;
    registry.add::<pictures::Contours>()?;
    registry.add::<pictures::Overlay>()?;
    registry.add::<pictures::Render>()?;
    registry.add::<pictures::Animate>()?;
    registry.add::<pictures::Mesh>()?;
    registry.add::<pictures::Plot>()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct() {
        assert_eq!(register(&mut Registry::new(family())), Ok(()));
    }
}
