//! Ports, parameters and evaluation that all noise nodes share.

use terrane_flow::{Context, Invalid, NodeError, Reach, Scalar, Sizes};
use terrane_grid::{Domain, Heightmap};
use terrane_kernels::noise::{self, Basis, Drive, Fractal, Layout, NoiseError};

use crate::reaches::REPEATS;
use crate::support::{Report, domain, forecast_domain, scalar, seed};
use crate::values::Map;

/// Declares a node of fractal noise: its own parameters and basis, and the ports and parameters that all
/// noise nodes share.
macro_rules! noise_node {
    (
        $(#[$meta:meta])*
        pub struct $name:ident { $($own:tt)* }
        basis: $basis:expr
    ) => {
        $(#[$meta])*
        #[output(height: Map, unit = "world units", doc = "The noise.")]
        #[output(slope_x: Map, unit = "rise over run", lazy, doc = "Slope of the noise along x, by exact \
            differentiation.")]
        #[output(slope_y: Map, unit = "rise over run", lazy, doc = "Slope of the noise along y, by exact \
            differentiation.")]
        pub struct $name {
            /// Amplitude of an octave relative to the previous one, from 0 to 4; above 1, finer octaves are
            /// stronger.
            #[input(default = 0.5, min = 0.0, max = 4.0)]
            pub persistence: terrane_flow::ScalarInput<Map>,
            /// Factor that scales heights from [0, 1].
            #[input(default = 1.0, unit = "world units")]
            pub amplitude: terrane_flow::ScalarInput<Map>,
            /// Displacement of each sample along x before its noise is evaluated.
            #[input(default = 0.0, unit = "world units")]
            pub warp_x: terrane_flow::ScalarInput<Map>,
            /// Displacement of each sample along y before its noise is evaluated.
            #[input(default = 0.0, unit = "world units")]
            pub warp_y: terrane_flow::ScalarInput<Map>,
            /// Position of samples along a third axis, for noise in three dimensions. Change a number
            /// gradually to animate the noise, or connect a map to cut the noise along a surface. Cannot be
            /// combined with `wrap`. Default: noise of the plane, which differs from noise in three
            /// dimensions at any `z`.
            #[input(unit = "world units")]
            pub z: terrane_flow::OptionalScalarInput<Map>,
            $($own)*
            /// Side of the first octave's cells.
            #[param(default = 256.0, above = 0.0, unit = "world units")]
            pub wavelength: f64,
            /// Number of octaves.
            #[param(default = 8, min = 1, max = 32)]
            pub octaves: u32,
            /// Frequency of an octave relative to the previous one; below 1, octaves get coarser. Thorimbert
            /// and Chopard use the inverse: their 0.5 is 2 here.
            #[param(default = 2.0, above = 0.0)]
            pub lacunarity: f64,
            /// How octaves are summed.
            #[param(default = terrane_kernels::noise::Fractal::Fbm)]
            pub fractal: terrane_kernels::noise::Fractal,
            /// Seed, mixed with the graph's.
            #[param(default = 0)]
            pub seed: u64,
            /// Height added to the result.
            #[param(default = 0.0, unit = "world units")]
            pub offset: f64,
            /// Whether to stretch heights, before `amplitude`, so that the map's lowest sample is 0 and its
            /// highest is 1; a flat map becomes 0. Patches of a world then do not meet.
            #[param(default = false)]
            pub normalise: bool,
            /// Whether to turn each octave's lattice about the world's origin by a different angle, so that
            /// neither axes nor cells are visible. Cannot be combined with `wrap`. Default: true unless
            /// `fractal` is `Fbm` or `wrap` is set, because creases show the lattice.
            #[param(default = None)]
            pub rotate: Option<bool>,
            /// Whether the map tiles with itself. The cells of each octave are stretched so that a whole
            /// number of them fits the map's width and its height. The column after the last would equal the
            /// first column, and the row after the last the first row. Patches of a world then do not meet.
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
                    layout: crate::sources::noise::layout(
                        self.rotate.unwrap_or(self.fractal != terrane_kernels::noise::Fractal::Fbm),
                        self.wrap,
                    ),
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

/// The placement of the octaves' lattices. Lattices that wrap are never rotated.
pub fn layout(rotate: bool, wrap: bool) -> Layout {
    match (rotate, wrap) {
        (_, true) => Layout::Wrapped,
        (true, false) => Layout::Turned,
        (false, false) => Layout::Straight,
    }
}

/// The reach of a noise node.
pub fn reach(wrap: bool, normalise: bool) -> Reach {
    match (wrap, normalise) {
        (true, _) => Reach::map(REPEATS),
        (false, true) => Reach::map("`normalise: true` uses the map's minimum and maximum height"),
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
    /// Whether a slope output is needed.
    pub sloped: bool,
    pub layout: Layout,
}

/// Rejects a lattice that is to be rotated and to wrap.
pub fn check_rotation(rotate: Option<bool>, wrap: bool) -> Result<(), Invalid> {
    if rotate != Some(true) || !wrap {
        return Ok(());
    }
    let message =
        "`rotate` and `wrap` are both true, but a rotated lattice does not meet itself at the map's borders";
    Err(Invalid { field: "rotate", message: message.to_owned(), help: "leave one of them out".to_owned() })
}

/// Rejects parameters that exclude each other.
pub fn check(basis: Basis, rotate: Option<bool>, wrap: bool, in_space: bool) -> Result<(), Invalid> {
    let invalid = |field, message: &str, help: &str| {
        Err(Invalid { field, message: message.to_owned(), help: help.to_owned() })
    };
    check_rotation(rotate, wrap)?;
    if in_space && wrap {
        let message =
            "`z` and `wrap` are both set, but noise in space does not meet itself at the map's borders";
        return invalid("z", message, "leave one of them out");
    }
    if in_space && matches!(basis, Basis::Hermite { .. } | Basis::D2M2 { .. }) {
        let message = "this model has no form in space";
        return invalid("z", message, "leave `z` out, or choose the model D2M1N3, ZeroGradient or Value");
    }
    Ok(())
}

/// Memory for the columns of each octave, and for a tile of each octave on each thread; the factors are
/// measured.
pub fn extra_bytes(octaves: u32, sizes: &Sizes<'_>) -> u64 {
    const BAND: u64 = 16;
    let Some(domain) = forecast_domain(sizes) else { return 0 };
    let (width, height) = (domain.width() as u64, domain.height() as u64);
    u64::from(octaves) * (40 * width + (9 << 10) * (sizes.threads as u64).min(height.div_ceil(BAND)))
}

/// Evaluates the height, and both slopes if one of them is needed.
pub fn evaluate(cx: &Context<'_>, own_seed: u64, given: Parameters) -> Result<(Map, Map, Map), NodeError> {
    let noise = noise::Noise {
        basis: given.basis,
        fractal: given.fractal,
        octaves: given.octaves,
        wavelength: given.wavelength,
        lacunarity: given.lacunarity,
        layout: given.layout,
    };
    let unwarped = given.warp.iter().all(|by| matches!(by, Scalar::Constant(by) if *by == 0.0));
    let drive = Drive {
        persistence: scalar(&given.persistence),
        amplitude: scalar(&given.amplitude),
        offset: given.offset as f32,
        warp: (!unwarped).then(|| given.warp.each_ref().map(scalar)),
        z: given.z.as_ref().map(scalar),
        normalise: given.normalise,
    };
    let (domain, seed) = (domain(cx), seed(cx, own_seed));
    let (height, along_x, along_y) = if given.sloped {
        let sloped = noise.sloped(&domain, seed, &drive, &Report(cx)).map_err(noise_error)?;
        (sloped.height, sloped.along_x, sloped.along_y)
    } else {
        let empty = Heightmap::constant(Domain::new(0, 0), 0.0);
        (noise.heights(&domain, seed, &drive, &Report(cx)).map_err(noise_error)?, empty.clone(), empty)
    };
    Ok((Map(height), Map(along_x), Map(along_y)))
}

/// Converts a kernel's error to the node's.
pub fn noise_error(error: NoiseError) -> NodeError {
    match error {
        NoiseError::Cancelled => NodeError::Cancelled,
        NoiseError::Parameter(_) => NodeError::failed(error, "change the parameter"),
        NoiseError::Size(_) => {
            NodeError::failed(error, "bring the map to the graph's size with a Resample node")
        }
    }
}
