//! Kernels over whole maps have the same bits at every width of vectors.

use terrane_grid::{Domain, Heightmap, Seed};

use crate::metric::{
    SlopeKind, curvature_with_holes, extremes, roughness_with_holes, slope_with_holes, statistics,
};
use crate::noise::{Interpolation, Layout, Spectral, spectral_synthesis};
use crate::render::ambient_occlusion;
use crate::shade::{Light, Ramp, color_relief, hillshade_with_holes, normal_map};
use crate::shape::{Curve, CurveKind, Filter, Outside, Transform, resample, transform};
use crate::simd::at_each_level;
use crate::warp::perturb;
use crate::{Boundary, Silent};

/// Ground with holes, level parts and both zeros, neither of whose sides is a multiple of a vector's length.
fn ground(holes: bool) -> Heightmap {
    let lattice = Seed(4).lattice();
    Heightmap::from_fn(Domain::new(151, 67).with_spacing(2.5), |x, y| {
        let height = lattice.unit(x as i64 / 5, y as i64 / 3) * 90.0 + lattice.unit(x as i64, y as i64);
        match (lattice.unit(y as i64, x as i64) * 200.0) as u32 {
            0 if holes => f32::NAN,
            1..9 => 0.0,
            9..17 => -0.0,
            _ => height,
        }
    })
}

fn is_same_at_each_level(name: &str, run: impl Fn() -> Vec<f32>) {
    // A number that is not one has no sign that counts.
    let bits = || run().iter().map(|h| if h.is_nan() { 0 } else { h.to_bits() }).collect::<Vec<_>>();
    let widest = bits();
    at_each_level(|level| assert_eq!(bits(), widest, "{name} {level:?}"));
}

#[test]
fn maps_of_neighbours_have_the_same_bits_at_every_level() {
    for holes in [false, true] {
        let map = &ground(holes);
        for boundary in [Boundary::Open, Boundary::Wrap] {
            for kind in [SlopeKind::Olsen, SlopeKind::Gradient, SlopeKind::Steepest] {
                is_same_at_each_level("slope", || slope_with_holes(map, kind, boundary).samples().to_vec());
            }
            is_same_at_each_level("roughness", || roughness_with_holes(map, boundary).samples().to_vec());
            is_same_at_each_level("profile", || {
                curvature_with_holes(map, boundary).profile.samples().to_vec()
            });
        }
        for multidirectional in [false, true] {
            let light = Light { multidirectional, ..Light::default() };
            is_same_at_each_level("shade", || hillshade_with_holes(map, &light).samples().to_vec());
        }
        is_same_at_each_level("occlusion", || {
            ambient_occlusion(map, 8, 60.0, 1.0, &Silent).unwrap().samples().to_vec()
        });
        is_same_at_each_level("extremes", || {
            let (all, (low, high)) = (statistics(map), extremes(map).unwrap());
            vec![all.mean as f32, all.deviation as f32, low, high]
        });
    }
}

#[test]
fn pictures_have_the_same_colours_at_every_level() {
    let map = &ground(true);
    let numbers = |colours: &[[u8; 3]]| colours.as_flattened().iter().map(|&c| f32::from(c)).collect();
    let shade = hillshade_with_holes(map, &Light::default());
    for shade in [None, Some((&shade, 0.7))] {
        let stops = Ramp::Desert.into();
        is_same_at_each_level("relief", || numbers(color_relief(map, &stops, (3.0, 80.0), shade).as_slice()));
    }
    for flipped in [false, true] {
        is_same_at_each_level("normals", || numbers(normal_map(map, 1.5, flipped).as_slice()));
    }
}

#[test]
fn moved_maps_have_the_same_bits_at_every_level() {
    for holes in [false, true] {
        let map = &ground(holes);
        for filter in [Filter::Nearest, Filter::Bilinear, Filter::Bicubic, Filter::Area] {
            for spacing in [0.9, 4.1] {
                let domain = Domain::new(131, 59).with_spacing(spacing).with_origin(7.0, -3.0);
                is_same_at_each_level("resample", || resample(map, domain, filter).samples().to_vec());
            }
        }
        for outside in [Outside::Clamp, Outside::Wrap, Outside::Mirror, Outside::Value(3.0)] {
            let moves = Transform { translate: (9.0, -20.0), rotate: 31.0, scale: 1.4, outside };
            is_same_at_each_level("transform", || transform(map, &moves).samples().to_vec());
        }
    }
    let (map, noise) = (&ground(false), &ground(true));
    for boundary in [Boundary::Open, Boundary::Wrap] {
        is_same_at_each_level("perturb", || {
            perturb(map, noise, None, 0.01, boundary, &Silent).unwrap().samples().to_vec()
        });
    }
}

#[test]
fn noise_and_curves_have_the_same_bits_at_every_level() {
    let domain = Domain::new(151, 67).with_spacing(2.5).with_origin(-140.0, 1e6);
    for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
        for layout in [Layout::Straight, Layout::Turned, Layout::Wrapped] {
            let own = Spectral { octaves: 9, wavelength: 90.0, persistence: 0.5, interpolation, layout };
            is_same_at_each_level("spectral", || {
                spectral_synthesis(&domain, Seed(3), &own, &Silent).unwrap().samples().to_vec()
            });
        }
    }
    let map = ground(true);
    for kind in [CurveKind::Linear, CurveKind::Smooth] {
        let curve = Curve::new(&[(0.0, 3.0), (20.0, 30.0), (50.0, 31.0), (70.0, -4.0)], kind).unwrap();
        is_same_at_each_level("curve", || {
            let mut block = vec![9.0; map.samples().len()];
            curve.write(&mut block, map.samples());
            block
        });
    }
}
