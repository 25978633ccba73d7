//! Fixed bits of noise, on which graphs rely. They change only together with the version of the nodes that
//! output them.

use terrane_grid::{Domain, Heightmap, Seed};

use super::*;
use crate::{ScalarMap, Silent, simd};

/// FNV-1a over the bits of samples.
fn hash<'a>(samples: impl Iterator<Item = &'a f32>) -> u64 {
    samples
        .flat_map(|sample| sample.to_bits().to_le_bytes())
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

#[test]
fn fixed_bits_of_straight_lattices() {
    let cases = [
        (Basis::Perlin(Smoothstep::CUBIC), 12_572_516_433_949_459_654),
        (Basis::Perlin(Smoothstep::QUINTIC), 8_327_457_970_561_419_820),
        (Basis::OpenSimplex, 17_682_646_733_122_656_092),
        (Basis::ZeroGradient(Smoothstep::CUBIC), 11_833_933_897_908_075_428),
        (Basis::Value(Smoothstep::QUINTIC), 9_266_221_700_245_214_783),
        (Basis::D2M1N3 { gradient_weight: 0.5 }, 11_456_584_543_767_483_255),
        (Basis::Hermite { gradient_weight: 2.0 }, 1_894_514_140_009_573_874),
        (Basis::D2M2 { gradient_weight: 1.0 }, 9_904_842_300_652_856_304),
    ];
    let domain = Domain::new(83, 47).with_spacing(1.25).with_origin(-41.0, 17.5);
    let by = Heightmap::from_fn(domain, |x, y| ((x * 7 + y * 3) % 101) as f32 - 50.0);
    let warped = Drive { warp: Some([ScalarMap::Map(&by), ScalarMap::Constant(-7.5)]), ..Drive::default() };
    let found = |(basis, _)| {
        let noise = Noise {
            basis,
            fractal: Fractal::Ridged,
            octaves: 5,
            wavelength: 37.5,
            lacunarity: 1.9,
            layout: Layout::Straight,
        };
        let maps =
            [Drive::default(), warped].map(|drive| noise.sloped(&domain, Seed(9), &drive, &Silent).unwrap());
        hash(
            maps.iter()
                .flat_map(|map| [&map.height, &map.along_x, &map.along_y])
                .flat_map(Heightmap::samples),
        )
    };
    simd::at_each_level(|level| {
        assert_eq!(cases.map(found), cases.map(|(_, expected)| expected), "{level:?}");
    });
}

#[test]
fn fixed_bits_of_spectral_synthesis() {
    let domain = Domain::new(83, 47).with_spacing(1.25).with_origin(-41.0, 17.5);
    let found = |interpolation| {
        let spectral = Spectral {
            octaves: 6,
            wavelength: 37.5,
            persistence: 0.6,
            interpolation,
            layout: Layout::Straight,
        };
        hash(spectral_synthesis(&domain, Seed(9), &spectral, &Silent).unwrap().samples().iter())
    };
    simd::at_each_level(|level| {
        let found = [Interpolation::Linear, Interpolation::Cubic].map(found);
        assert_eq!(found, [18_009_827_329_273_245_372, 18_382_253_031_921_968_502], "{level:?}");
    });
}
