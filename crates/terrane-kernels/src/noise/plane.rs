//! Noise over a window of the plane.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use terrane_grid::{Domain, Heightmap, Seed};

use super::axis::Scale;
use super::band::Band;
use super::fractal::{Fractal, MOST_OCTAVES, Same};
use super::hash::LatticeHash;
use super::lattice::{
    Adini, BicubicHermite, BiquinticHermite, ExponentialPerlin, LatticeOctave, LatticePoints, Model, Perlin,
    Value, ZeroGradient,
};
use super::layout::{Layout, turn};
use super::normalise::normalise;
use super::oblique::{Frame, ObliqueOctave};
use super::octave::Octave;
use super::real::{Depth, Heights, Slopes};
use super::simplex::Bells;
use super::smoothstep::Smoothstep;
use super::space;
use crate::{Cancelled, Progress, ScalarMap, simd};

/// What an octave is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Basis {
    /// Random slopes at lattice points, joined by a smoothstep: Perlin's noise.
    Perlin(Smoothstep),
    /// The same with slopes of exponentially distributed lengths.
    ExponentialPerlin(Smoothstep),
    /// Bells around the corners of triangles: OpenSimplex2.
    OpenSimplex,
    /// Random heights, flat at the corners, least work for noise that is level there: D2M1N3 with zero gradient.
    ZeroGradient(Smoothstep),
    /// Random heights joined by a smoothstep along both axes.
    Value(Smoothstep),
    /// Random heights and slopes: D2M1N3.
    D2M1N3 {
        /// Greatest slope of a corner, per cell side, over its greatest height.
        gradient_weight: f32,
    },
    /// Random heights, slopes and mixed derivatives: bicubic Hermite.
    Hermite {
        /// Greatest derivative of a corner, per cell side, over its greatest height.
        gradient_weight: f32,
    },
    /// Random heights, first and second derivatives: biquintic Hermite.
    D2M2 {
        /// Greatest derivative of a corner, per cell side, over its greatest height.
        gradient_weight: f32,
    },
}

/// Fractal noise: octaves of a basis, each `lacunarity` times as fine as the one before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// What an octave is made of.
    pub basis: Basis,
    /// How octaves add up.
    pub fractal: Fractal,
    /// Number of octaves, 1 to [`Noise::MOST_OCTAVES`].
    pub octaves: u32,
    /// World units a side of the first octave's cells; finite and greater than 0.
    pub wavelength: f64,
    /// How many times finer an octave is than the one before; finite and greater than 0. Below 1 octaves get coarser.
    pub lacunarity: f64,
    /// How octaves' lattices lie in the world.
    pub layout: Layout,
}

/// What may differ from sample to sample.
#[derive(Clone, Copy, Debug)]
pub struct Drive<'a> {
    /// Amplitude of an octave over that of the one before, brought into [0, 4]; not-a-number counts as 0.
    pub persistence: ScalarMap<'a>,
    /// Factor on heights in [0, 1].
    pub amplitude: ScalarMap<'a>,
    /// Added to heights.
    pub offset: f32,
    /// How far each sample is moved along x and y before noise is read there, in world units. More than 10⁹ cells, and
    /// not-a-number, move it to some place.
    pub warp: Option<[ScalarMap<'a>; 2]>,
    /// Where samples stand along a third axis, in world units: noise in space; without, noise of the plane. It repeats after 2³² cells.
    /// Not-a-number and what lies beyond 2³¹ cells is some place.
    pub z: Option<ScalarMap<'a>>,
    /// Whether heights, before the amplitude, are brought from between their lowest and their highest over the window to [0, 1];
    /// where all are the same, to 0. Slopes change alike.
    pub normalise: bool,
}

impl Default for Drive<'_> {
    fn default() -> Self {
        Self {
            persistence: ScalarMap::Constant(0.5),
            amplitude: ScalarMap::Constant(1.0),
            offset: 0.0,
            warp: None,
            z: None,
            normalise: false,
        }
    }
}

/// Why there is no noise.
#[derive(Clone, Debug, PartialEq)]
pub enum NoiseError {
    /// The caller asked to stop.
    Cancelled,
    /// A parameter has no meaning; what it must be.
    Parameter(&'static str),
    /// A map that drives has another size than the domain.
    Size(&'static str),
}

impl std::fmt::Display for NoiseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cancelled => f.write_str("cancelled"),
            Self::Parameter(expected) => f.write_str(expected),
            Self::Size(name) => write!(f, "the map for `{name}` has another size than the noise"),
        }
    }
}

impl std::error::Error for NoiseError {}

impl From<Cancelled> for NoiseError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

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
    /// More octaves than these would be finer than numbers tell apart.
    pub const MOST_OCTAVES: u32 = MOST_OCTAVES as u32;

    /// The noise over `domain`: heights in [0, 1], times the amplitude, plus the offset.
    ///
    /// A height depends on its world position and the seed alone, so any window gives the same bits as any other that
    /// holds the same point, unless noise is wrapped or normalised. The plane repeats after 2³² cells along each axis.
    /// O(samples · octaves).
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

    /// The same into memory that is there already.
    ///
    /// # Errors
    /// [`NoiseError`].
    ///
    /// # Panics
    /// When `out` has another length than the domain.
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

    /// The noise and its slopes, differentiated exactly. Where maps drive it or move it, their own slopes are left out.
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

/// The extent of a torus: sample w is sample 0 again.
fn extent(domain: &Domain) -> [f64; 2] {
    [domain.width(), domain.height()].map(|samples| samples as f64 * domain.spacing)
}

/// A window to be filled.
pub struct Plane<'a, D: Depth> {
    pub noise: &'a Noise,
    pub domain: &'a Domain,
    seed: Seed,
    drive: &'a Drive<'a>,
    progress: &'a dyn Progress,
    out: [&'a mut [f32]; 3],
    depth: std::marker::PhantomData<D>,
}

/// Rows that a thread fills at once: enough to make little of what each tile needs first.
const BAND: usize = 128;

impl<D: Depth> Plane<'_, D> {
    fn fill(self) -> Result<(), NoiseError> {
        if let Some(z) = self.drive.z {
            return space::fill(self, z);
        }
        match self.noise.basis {
            Basis::Perlin(smoothstep) => self.lattice(Perlin, smoothstep),
            Basis::ExponentialPerlin(smoothstep) => self.lattice(ExponentialPerlin, smoothstep),
            Basis::ZeroGradient(smoothstep) => {
                self.lattice(ZeroGradient::new(smoothstep.order()), smoothstep)
            }
            Basis::Value(smoothstep) => self.lattice(Value, smoothstep),
            Basis::D2M1N3 { gradient_weight } => self.lattice(Adini::new(gradient_weight), Smoothstep::CUBIC),
            Basis::Hermite { gradient_weight } => {
                self.lattice(BicubicHermite::new(gradient_weight), Smoothstep::CUBIC)
            }
            Basis::D2M2 { gradient_weight } => {
                self.lattice(BiquinticHermite::new(gradient_weight), Smoothstep::CUBIC)
            }
            Basis::OpenSimplex => {
                let (domain, layout, extent) = (self.domain, self.noise.layout, extent(self.domain));
                self.octaves(|octave, hash, cell| {
                    let (points, frame) = match layout {
                        Layout::Straight => (Bells::endless(hash), Frame::skewed(cell, hash.shift)),
                        Layout::Turned => (
                            Bells::endless(hash),
                            Frame::skewed_and_turned(turn(octave, 6.0), cell, hash.shift),
                        ),
                        Layout::Wrapped => Bells::on_torus(hash, cell, extent),
                    };
                    ObliqueOctave::new(domain, points, frame)
                })
            }
        }
    }

    fn lattice<M: Model>(self, model: M, smoothstep: Smoothstep) -> Result<(), NoiseError> {
        let (domain, extent) = (self.domain, extent(self.domain));
        match self.noise.layout {
            Layout::Turned => self.octaves(|octave, hash, cell| {
                let points = LatticePoints { model, smoothstep, hash, periods: [None; 2] };
                ObliqueOctave::new(domain, points, Frame::turned(turn(octave, 4.0), cell, hash.shift))
            }),
            layout => self.octaves(|_, hash, cell| {
                let scales = [0, 1].map(|axis| match layout {
                    Layout::Wrapped => Scale::on_torus(cell, hash.shift[axis], extent[axis]),
                    _ => Scale::endless(cell, hash.shift[axis]),
                });
                LatticeOctave::<M, D>::new(domain, hash, model, smoothstep, scales)
            }),
        }
    }

    /// Fills the window with octaves of one kind, each made from its number, hash and cell.
    pub fn octaves<O: Octave<D>>(
        self,
        new: impl Fn(u32, LatticeHash, f64) -> O + Sync,
    ) -> Result<(), NoiseError> {
        let Self { noise, domain, seed, drive, progress, out, .. } = self;
        let octaves: Vec<O> = (0..noise.octaves)
            .into_par_iter()
            .map(|octave| {
                let cell = (0..octave).fold(noise.wavelength, |cell, _| cell / noise.lacunarity);
                new(octave, LatticeHash::new(seed.part(u64::from(octave))), cell)
            })
            .collect();
        let amplitudes =
            Same::new(noise.octaves, if let ScalarMap::Constant(p) = drive.persistence { p } else { 0.0 });
        // Small maps in smaller bands, so that every thread has some.
        let height = BAND.min(domain.height().div_ceil(4 * rayon::current_num_threads())).max(8);
        let [heights, along_x, along_y] = out.map(|out| out.chunks_mut(height * domain.width()));
        let (mut along_x, mut along_y) = (along_x, along_y);
        let bands: Vec<[&mut [f32]; 3]> = heights
            .map(|heights| [heights, along_x.next().unwrap_or_default(), along_y.next().unwrap_or_default()])
            .collect();
        let (done, count) = (AtomicUsize::new(0), bands.len());
        bands.into_par_iter().enumerate().try_for_each(|(band, out)| {
            let first_row = band * height;
            let rows = out[0].len() / domain.width();
            let rows: Vec<O::Row> = (first_row..first_row + rows)
                .flat_map(|row| octaves.iter().map(move |octave| octave.row(row, domain.y(row))))
                .collect();
            let fractal = noise.fractal;
            let amplitudes = &amplitudes;
            simd::run_lanes(Band {
                octaves: &octaves,
                rows: &rows,
                domain,
                first_row,
                drive,
                fractal,
                amplitudes,
                out,
            });
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            progress.report(done as f64 / count as f64)
        })?;
        Ok(())
    }
}
