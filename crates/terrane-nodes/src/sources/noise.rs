//! What all noise nodes have in common.

use terrane_flow::{Context, Invalid, NodeError, Reach, Scalar, Sizes};
use terrane_grid::{Domain, Heightmap};
use terrane_kernels::noise::{self, Basis, Drive, Layout, NoiseError};

use crate::reaches::REPEATS;
use crate::support::{Report, choice, domain, forecast_domain, scalar, seed};
use crate::values::Map;

choice! {
    /// How octaves add up; `n` is an octave's noise in [-1, 1]. All sums lie in [0, 1].
    Fractal => noise::Fractal {
        /// Fractional Brownian motion: the plain sum.
        Fbm,
        /// Crests: the sum of (1 - |n|)², where an octave weighs at most twice what the one before left:
        /// smooth valleys, detailed crests (the ridged multifractal of libnoise).
        Ridged,
        /// Lumps: the sum of 1 - (1 - |n|)²; round above, creased below.
        Billow,
        /// Perlin's turbulence: the sum of |n|.
        Turbulence,
    }
}

/// A node of fractal noise: its own fields and basis, and what all of them have.
macro_rules! noise_node {
    (
        $(#[$meta:meta])*
        pub struct $name:ident { $($own:tt)* }
        basis: $basis:expr
    ) => {
        $(#[$meta])*
        #[output(height: Map, unit = "world units", doc = "The noise.")]
        #[output(slope_x: Map, unit = "rise over run", lazy, doc = "Its slope along x, differentiated \
            exactly.")]
        #[output(slope_y: Map, unit = "rise over run", lazy, doc = "Its slope along y, differentiated \
            exactly.")]
        pub struct $name {
            /// Amplitude of an octave over that of the one before, 0 to 4; above 1 finer octaves are the
            /// stronger.
            #[input(default = 0.5, min = 0.0, max = 4.0)]
            pub persistence: terrane_flow::ScalarInput<Map>,
            /// Factor on heights in [0, 1].
            #[input(default = 1.0, unit = "world units")]
            pub amplitude: terrane_flow::ScalarInput<Map>,
            /// How far each sample is moved along x before noise is read there.
            #[input(default = 0.0, unit = "world units")]
            pub warp_x: terrane_flow::ScalarInput<Map>,
            /// How far each sample is moved along y.
            #[input(default = 0.0, unit = "world units")]
            pub warp_y: terrane_flow::ScalarInput<Map>,
            /// Where samples stand along a third axis: noise in space, which a moving `z` changes little by
            /// little, and a map cuts along a surface. Not with `wrap`. Without, noise of the plane, which is
            /// another.
            #[input(unit = "world units")]
            pub z: terrane_flow::OptionalScalarInput<Map>,
            $($own)*
            /// Side of the first octave's cells.
            #[param(default = 256.0, above = 0.0, unit = "world units")]
            pub wavelength: f64,
            /// Number of octaves.
            #[param(default = 8, min = 1, max = 32)]
            pub octaves: u32,
            /// How many times finer an octave is than the one before; below 1 each is coarser. The paper
            /// counts the other way round: its 0.5 is 2 here.
            #[param(default = 2.0, above = 0.0)]
            pub lacunarity: f64,
            /// How octaves add up.
            #[param(default = crate::sources::noise::Fractal::Fbm)]
            pub fractal: crate::sources::noise::Fractal,
            /// Seed, mixed with the graph's.
            #[param(default = 0)]
            pub seed: u64,
            /// Added to heights.
            #[param(default = 0.0, unit = "world units")]
            pub offset: f64,
            /// Whether heights are stretched, before `amplitude`, so that the map's lowest sample is 0 and
            /// its highest 1; a map that is the same everywhere becomes 0. Patches of a world do not meet
            /// then.
            #[param(default = false)]
            pub normalise: bool,
            /// Whether each octave's lattice is turned about the world's origin by an angle of its own, so
            /// that the noise shows neither axes nor rectangles. Not with `wrap`.
            #[param(default = false)]
            pub rotate: bool,
            /// Whether the map tiles with itself: cells of each octave are stretched so that a whole number
            /// fits into the map's width and into its height, and sample `width` would be sample 0 again.
            /// Patches of a world do not meet then.
            #[param(default = false)]
            pub wrap: bool,
        }

        impl terrane_flow::Evaluate for $name {
            fn evaluate(
                &mut self,
                cx: &terrane_flow::Context<'_>,
            ) -> Result<Self::Outputs, terrane_flow::NodeError> {
                let basis: fn(&Self) -> terrane_kernels::noise::Basis = $basis;
                crate::sources::noise::evaluate(cx, self.seed, crate::sources::noise::Parameters {
                    basis: basis(self),
                    fractal: self.fractal,
                    octaves: self.octaves,
                    wavelength: self.wavelength,
                    lacunarity: self.lacunarity,
                    persistence: self.persistence.get(),
                    amplitude: self.amplitude.get(),
                    warp: [self.warp_x.get(), self.warp_y.get()],
                    z: self.z.get(),
                    offset: self.offset,
                    normalise: self.normalise,
                    sloped: cx.asked(Self::SLOPE_X) || cx.asked(Self::SLOPE_Y),
                    layout: match (self.rotate, self.wrap) {
                        (true, _) => terrane_kernels::noise::Layout::Turned,
                        (false, true) => terrane_kernels::noise::Layout::Wrapped,
                        (false, false) => terrane_kernels::noise::Layout::Straight,
                    },
                })
            }

            fn check(&self) -> Result<(), terrane_flow::Invalid> {
                let basis: fn(&Self) -> terrane_kernels::noise::Basis = $basis;
                let z = terrane_flow::Port::source(&self.z);
                let in_space = !matches!(z, terrane_flow::Source::Unset);
                crate::sources::noise::check(basis(self), self.rotate, self.wrap, in_space)
            }

            fn extra_bytes(&self, sizes: &terrane_flow::Sizes<'_>) -> u64 {
                crate::sources::noise::extra_bytes(self.octaves, sizes)
            }

            fn reach(&self, _header: &dyn terrane_flow::Header) -> terrane_flow::Reach {
                crate::sources::noise::reach(self.wrap, self.normalise)
            }
        }
    };
}
pub(crate) use noise_node;

/// How far around a sample a noise node looks.
pub fn reach(wrap: bool, normalise: bool) -> Reach {
    match (wrap, normalise) {
        (true, _) => Reach::map(REPEATS),
        (false, true) => Reach::map("`normalise: true` takes the map's own least and greatest height"),
        (false, false) => Reach::Samples(0),
    }
}

/// Ports and parameters of a noise node.
pub struct Parameters {
    pub basis: Basis,
    pub fractal: Fractal,
    pub octaves: u32,
    pub wavelength: f64,
    pub lacunarity: f64,
    pub persistence: Scalar<Map>,
    pub amplitude: Scalar<Map>,
    pub warp: [Scalar<Map>; 2],
    pub z: Option<Scalar<Map>>,
    pub offset: f64,
    pub normalise: bool,
    /// Whether something reads its slopes.
    pub sloped: bool,
    pub layout: Layout,
}

/// Refuses parameters that do not go together.
pub fn check(basis: Basis, rotate: bool, wrap: bool, in_space: bool) -> Result<(), Invalid> {
    let invalid = |field, message: &str, help: &str| {
        Err(Invalid { field, message: message.to_owned(), help: help.to_owned() })
    };
    if rotate && wrap {
        return invalid(
            "rotate",
            "`rotate` and `wrap` are both true: a lattice that is turned by any angle does not meet itself \
            at the map's borders",
            "leave one of them out",
        );
    }
    if in_space && wrap {
        let message =
            "`z` and `wrap` are both given: noise in space does not meet itself at the map's borders";
        return invalid("z", message, "leave one of them out");
    }
    if in_space && matches!(basis, Basis::Hermite { .. } | Basis::D2M2 { .. }) {
        let message = "this model has no form in space";
        return invalid("z", message, "leave `z` out, or choose the model D2M1N3, ZeroGradient or Value");
    }
    Ok(())
}

/// What octaves hold of columns, and of a tile on each thread: measured.
pub fn extra_bytes(octaves: u32, sizes: &Sizes<'_>) -> u64 {
    const BAND: u64 = 16;
    let Some(domain) = forecast_domain(sizes) else { return 0 };
    let (width, height) = (domain.width() as u64, domain.height() as u64);
    u64::from(octaves) * (40 * width + (9 << 10) * (sizes.threads as u64).min(height.div_ceil(BAND)))
}

/// Height, and both slopes where they are asked for.
pub fn evaluate(cx: &Context<'_>, own_seed: u64, given: Parameters) -> Result<(Map, Map, Map), NodeError> {
    let noise = noise::Noise {
        basis: given.basis,
        fractal: given.fractal.into(),
        octaves: given.octaves,
        wavelength: given.wavelength,
        lacunarity: given.lacunarity,
        layout: given.layout,
    };
    let still = given.warp.iter().all(|by| matches!(by, Scalar::Constant(by) if *by == 0.0));
    let drive = Drive {
        persistence: scalar(&given.persistence),
        amplitude: scalar(&given.amplitude),
        offset: given.offset as f32,
        warp: (!still).then(|| given.warp.each_ref().map(scalar)),
        z: given.z.as_ref().map(scalar),
        normalise: given.normalise,
    };
    let (domain, seed) = (domain(cx), seed(cx, own_seed));
    let (height, along_x, along_y) = if given.sloped {
        let sloped = noise.sloped(&domain, seed, &drive, &Report(cx)).map_err(refused)?;
        (sloped.height, sloped.along_x, sloped.along_y)
    } else {
        let unseen = Heightmap::constant(Domain::new(0, 0), 0.0);
        (noise.heights(&domain, seed, &drive, &Report(cx)).map_err(refused)?, unseen.clone(), unseen)
    };
    Ok((Map(height), Map(along_x), Map(along_y)))
}

/// Why there is no noise.
pub fn refused(error: NoiseError) -> NodeError {
    match error {
        NoiseError::Cancelled => NodeError::Cancelled,
        NoiseError::Parameter(_) => NodeError::failed(error, "change the parameter"),
        NoiseError::Size(_) => {
            NodeError::failed(error, "bring the map to the graph's size with a Resample node")
        }
    }
}
