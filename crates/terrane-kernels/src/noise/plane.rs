//! Noise over a window of the plane.

use terrane_grid::{Domain, Heightmap, Seed};

use super::axis::Scale;
use super::error::NoiseError;
use super::fractal::MOST_OCTAVES;
use super::frame::Frame;
use super::lattice::{
    Adini, AnyModel, BicubicHermite, BiquinticHermite, ExponentialPerlin, LatticeOctave, MOST_TERMS, Perlin,
    Value, ZeroGradient,
};
use super::layout::{Layout, turn};
use super::normalise::normalise;
use super::oblique::{ObliqueOctave, ObliquePoints};
use super::parameters::{Basis, Drive, Noise};
use super::real::{Depth, Heights, Slopes};
use super::simplex::Bells;
use super::smoothstep::Smoothstep;
use super::space;
use super::window::Plane;
use crate::{Progress, ScalarMap};

/// Noise with its slopes.
#[derive(Clone, Debug, PartialEq)]
pub struct Sloped {
    /// Heights.
    pub height: Heightmap,
    /// Slope along x, rise over run.
    pub along_x: Heightmap,
    /// Slope along y, rise over run.
    pub along_y: Heightmap,
}

impl Noise {
    /// The maximum number of octaves: finer ones would be below the precision of coordinates.
    pub const MOST_OCTAVES: u32 = MOST_OCTAVES as u32;

    /// The noise over `domain`: heights in [0, 1], times the amplitude, plus the offset.
    ///
    /// Unless noise is wrapped or normalised, a height depends only on its world position and the seed. All
    /// windows that hold the same point thus have the same bits there. The plane repeats after 2³² cells
    /// along each axis. O(samples · octaves).
    ///
    /// # Errors
    /// [`NoiseError`].
    pub fn heights(
        &self,
        domain: &Domain,
        seed: Seed,
        drive: &Drive<'_>,
        progress: &dyn Progress,
    ) -> Result<Heightmap, NoiseError> {
        let mut samples = vec![0.0; domain.len()];
        self.fill(domain, seed, drive, &mut samples, progress)?;
        Ok(Heightmap::from_vec(*domain, samples))
    }

    /// Writes the heights to existing memory.
    ///
    /// # Errors
    /// [`NoiseError`].
    ///
    /// # Panics
    /// If `out` has a different length than the domain.
    pub fn fill(
        &self,
        domain: &Domain,
        seed: Seed,
        drive: &Drive<'_>,
        out: &mut [f32],
        progress: &dyn Progress,
    ) -> Result<(), NoiseError> {
        assert_eq!(out.len(), domain.len(), "memory for another domain");
        self.run::<Heights>(domain, seed, drive, [out, &mut [], &mut []], progress)
    }

    /// The noise and its slopes, differentiated exactly. The slopes do not include those of maps that drive
    /// or move the noise.
    ///
    /// # Errors
    /// [`NoiseError`].
    pub fn sloped(
        &self,
        domain: &Domain,
        seed: Seed,
        drive: &Drive<'_>,
        progress: &dyn Progress,
    ) -> Result<Sloped, NoiseError> {
        let [mut height, mut along_x, mut along_y] = [(); 3].map(|()| vec![0.0; domain.len()]);
        self.run::<Slopes>(domain, seed, drive, [&mut height, &mut along_x, &mut along_y], progress)?;
        let map = |samples| Heightmap::from_vec(*domain, samples);
        Ok(Sloped { height: map(height), along_x: map(along_x), along_y: map(along_y) })
    }

    fn check(&self, domain: &Domain, drive: &Drive<'_>) -> Result<(), NoiseError> {
        if !(1..=Self::MOST_OCTAVES).contains(&self.octaves) {
            return Err(NoiseError::Parameter("noise has 1 to 32 octaves"));
        }
        if !(self.wavelength.is_finite() && self.wavelength > 0.0) {
            return Err(NoiseError::Parameter("the wavelength must be a finite number greater than 0"));
        }
        if !(self.lacunarity.is_finite() && self.lacunarity > 0.0) {
            return Err(NoiseError::Parameter("the lacunarity must be a finite number greater than 0"));
        }
        if let Basis::D2M1N3 { gradient_weight }
        | Basis::Hermite { gradient_weight }
        | Basis::D2M2 { gradient_weight } = self.basis
            && !(gradient_weight.is_finite() && gradient_weight >= 0.0)
        {
            return Err(NoiseError::Parameter("the gradient weight must be a finite number, at least 0"));
        }
        if drive.z.is_some() && self.layout == Layout::Wrapped {
            return Err(NoiseError::Parameter("noise in space does not wrap: leave out `wrap` or `z`"));
        }
        let [width, height] = extent(domain);
        let measured = |extent: f64| extent.is_finite() && extent > 0.0;
        if self.layout == Layout::Wrapped && !domain.is_empty() && !(measured(width) && measured(height)) {
            return Err(NoiseError::Parameter("a window that wraps needs a finite extent greater than 0"));
        }
        let [warp_x, warp_y] = drive.warp.unwrap_or([ScalarMap::Constant(0.0); 2]);
        let maps = [
            ("persistence", drive.persistence),
            ("amplitude", drive.amplitude),
            ("warp_x", warp_x),
            ("warp_y", warp_y),
            ("z", drive.z.unwrap_or(ScalarMap::Constant(0.0))),
        ];
        for (name, map) in maps {
            if let ScalarMap::Map(map) = map
                && map.domain().size != domain.size
            {
                return Err(NoiseError::Size(name));
            }
        }
        Ok(())
    }

    fn run<D: Depth>(
        &self,
        domain: &Domain,
        seed: Seed,
        drive: &Drive<'_>,
        mut out: [&mut [f32]; 3],
        progress: &dyn Progress,
    ) -> Result<(), NoiseError> {
        self.check(domain, drive)?;
        if domain.is_empty() {
            return Ok(());
        }
        let unit = Drive { amplitude: ScalarMap::Constant(1.0), offset: 0.0, ..*drive };
        let plane = Plane::<D> {
            noise: self,
            domain,
            seed,
            drive: if drive.normalise { &unit } else { drive },
            progress,
            out: out.each_mut().map(|out| &mut **out),
            depth: std::marker::PhantomData,
        };
        plane.fill()?;
        if drive.normalise {
            normalise(out, drive.amplitude, drive.offset);
        }
        Ok(())
    }
}

/// The extent of the window as a torus, on which column w coincides with column 0.
fn extent(domain: &Domain) -> [f64; 2] {
    [domain.width(), domain.height()].map(|samples| samples as f64 * domain.spacing)
}

impl<D: Depth> Plane<'_, D> {
    fn fill(self) -> Result<(), NoiseError> {
        if let Some(z) = self.drive.z {
            return space::fill(self, z);
        }
        let model = match self.noise.basis {
            Basis::Perlin(smoothstep) => (AnyModel::Perlin(Perlin), smoothstep),
            Basis::ExponentialPerlin(smoothstep) => {
                (AnyModel::ExponentialPerlin(ExponentialPerlin), smoothstep)
            }
            Basis::ZeroGradient(smoothstep) => {
                (AnyModel::ZeroGradient(ZeroGradient::new(smoothstep.order())), smoothstep)
            }
            Basis::Value(smoothstep) => (AnyModel::Value(Value), smoothstep),
            Basis::D2M1N3 { gradient_weight } => {
                (AnyModel::Adini(Adini::new(gradient_weight)), Smoothstep::CUBIC)
            }
            Basis::Hermite { gradient_weight } => {
                (AnyModel::BicubicHermite(BicubicHermite::new(gradient_weight)), Smoothstep::CUBIC)
            }
            Basis::D2M2 { gradient_weight } => {
                (AnyModel::BiquinticHermite(BiquinticHermite::new(gradient_weight)), Smoothstep::CUBIC)
            }
            Basis::OpenSimplex => return self.simplex(),
        };
        self.lattice(model)
    }

    fn simplex(self) -> Result<(), NoiseError> {
        let (domain, layout, extent) = (self.domain, self.noise.layout, extent(self.domain));
        self.octaves(&|octave, hash, cell| {
            let (points, frame) = match layout {
                Layout::Straight => (Bells::endless(hash), Frame::skewed(cell, hash.shift)),
                Layout::Turned => {
                    (Bells::endless(hash), Frame::skewed_and_turned(turn(octave, 6.0), cell, hash.shift))
                }
                Layout::Wrapped => Bells::on_torus(hash, cell, extent),
            };
            ObliqueOctave::new(domain, ObliquePoints::Simplex(points), frame)
        })
    }

    fn lattice(self, (model, smoothstep): (AnyModel, Smoothstep)) -> Result<(), NoiseError> {
        if self.noise.layout != Layout::Turned {
            return match model.terms() {
                2 => self.straight::<2>(model, smoothstep),
                3 => self.straight::<3>(model, smoothstep),
                4 => self.straight::<4>(model, smoothstep),
                _ => self.straight::<MOST_TERMS>(model, smoothstep),
            };
        }
        let domain = self.domain;
        self.octaves(&|octave, hash, cell| {
            let points = model.points(smoothstep, hash, [None; 2]);
            let frame = Frame::turned(turn(octave, 4.0), cell, hash.shift);
            ObliqueOctave::new(domain, ObliquePoints::Lattice(points), frame)
        })
    }

    /// Fills the window with axis-aligned octaves of a model with this number of terms.
    fn straight<const TERMS: usize>(self, model: AnyModel, smoothstep: Smoothstep) -> Result<(), NoiseError> {
        let (domain, layout, extent) = (self.domain, self.noise.layout, extent(self.domain));
        self.octaves(&|_, hash, cell| {
            let scales = [0, 1].map(|axis| match layout {
                Layout::Wrapped => Scale::on_torus(cell, hash.shift[axis], extent[axis]),
                _ => Scale::endless(cell, hash.shift[axis]),
            });
            let periods = scales.map(|scale| scale.period());
            let points = model.points(smoothstep, hash, periods);
            LatticeOctave::<TERMS, D>::new(domain, points, scales)
        })
    }
}
