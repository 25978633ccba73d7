//! Orographic rain.

use terrane_flow::{Context, Evaluate, Input, Invalid, Node, NodeError, Sizes};
use terrane_kernels::Boundary;
use terrane_kernels::rain::{Weather, orographic_rain, orographic_rain_bytes, relative};

use crate::support::{Report, cancelled};
use crate::terrain::Terrain;
use crate::values::Map;

/// Orographic rain: mountains force moist wind to rise and shed rain, with a rain shadow in their lee.
///
/// Lim et al. leave orographic rain to future work; this node computes it by the linear theory of Smith &
/// Barstad. Moist air that the ground lifts sheds water: `uplift_sensitivity` times the air's rate of ascent.
/// Cloud water turns into rain within `conversion_time`, and the rain falls within `fallout_time`. Meanwhile
/// the wind carries cloud water and rain along. Air that sinks in the lee of a mountain absorbs water again.
/// In stable air the ascent tilts against the wind with height. This moves rain ahead of the slope. It also
/// reduces the rain if `moist_stability` times `vapour_height` is large compared with `speed`.
///
/// The theory is linear in the heights, so each wave of the ground is evaluated separately. Let k and l be
/// the wave numbers along x and y, and u and v the wind's speeds along x and y. The wind meets the wave at
/// the frequency σ = u·k + v·l. Let m² = (N_m² − σ²)/σ²·(k² + l²). The other symbols are explained at the
/// parameters. The wave's rain is i·C_w·σ / ((1 − i·m·H_w)·(1 + i·σ·τ_c)·(1 + i·σ·τ_f)) times the wave's
/// height. `background` is added to the sum of all waves, and negative values become 0.
///
/// `moisture` is the rain divided by its mean, clamped to `moisture_range`. Without the clamp, rivers with
/// hardly any water would lie beside rivers with many times the mean, and the ground between them would
/// remain as a wall. Connect this output to the `moisture` port of `FluvialErosion`. To make rain follow the
/// ground as it erodes, erode in stages, each with the rain of the stage before.
///
/// With the defaults the wind carries rain 30 km: `speed` times the sum of `conversion_time` and
/// `fallout_time`. On a much smaller map rain is almost uniform: use shorter times, as for showers, or set
/// `metres` to the size of a world unit. With `boundary: Open` the ground beyond the map is assumed. Upwind
/// it continues level. Downwind it changes gradually to the heights of the opposite border, because the
/// Fourier transform needs a map that wraps. Real mountains beyond the map therefore have no effect. The
/// farther the wind carries rain, the more of this ground is computed. There are two limits on the number of
/// samples of the map and this ground together: two million, and six times the samples of the map. If the
/// number exceeds both, blocks of 2, 4, … samples per side are combined into one sample. Heights that are not
/// numbers count as the mean. The rotation of the earth is neglected, as in the theory for small mountains.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 500.0, seed: 7,
///     nodes: {
///         "hills": Perlin(octaves: 8, wavelength: 32000.0, amplitude: 2000.0),
///         "rain": Rain(height: "hills", azimuth: 270.0),
///         "rivers": FluvialErosion(
///             height: "hills",
///             moisture: "rain.moisture",
///             gradient_strength: 0.02,
///             iterations: 50,
///         ),
///         "shade": Hillshade(height: "rivers"),
///     },
///     outputs: { "rain.png": "rain", "moisture.exr": "rain.moisture", "shade.png": "shade" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "hydrology",
    words = "precipitation weather climate rainfall wet dry moisture wind shadow clouds humidity",
    tiles = Global, because = "the wind carries water across the \
    map", version = 2, paper = "Smith & Barstad 2004; Lim, Tan & Bhojan 2021, section 5.2",
    main(azimuth, speed, background))]
#[output(rain: Map, unit = "mm/h", doc = "Rate of rainfall.")]
#[output(moisture: Map, doc = "Rain divided by its mean over the map, clamped to `moisture_range`: 1 where \
    rain is average.")]
pub struct Rain {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Direction that the wind comes from, clockwise from north, which is up on a map.
    #[param(default = 270.0, unit = "degrees")]
    pub azimuth: f64,
    /// Wind speed.
    #[param(default = 15.0, min = 0.0, max = 1000.0, unit = "m/s")]
    pub speed: f64,
    /// Water that a cubic metre of moist air sheds as it rises, the theory's C_w.
    #[param(default = 0.0083, min = 0.0, max = 1000.0, unit = "kg/m³")]
    pub uplift_sensitivity: f64,
    /// Height over which water vapour decreases to 1/e, the theory's H_w.
    #[param(default = 2500.0, min = 0.0, max = 1_000_000.0, unit = "m")]
    pub vapour_height: f64,
    /// Frequency at which displaced moist air oscillates, the theory's N_m; 0 for neutral air, which stays
    /// where it is displaced to.
    #[param(default = 0.005, min = 0.0, max = 1000.0, unit = "1/s")]
    pub moist_stability: f64,
    /// Time for cloud water to turn into rain or snow, the theory's τ_c.
    #[param(default = 1000.0, min = 0.0, max = 1_000_000.0, unit = "s")]
    pub conversion_time: f64,
    /// Time for rain or snow to reach the ground, the theory's τ_f.
    #[param(default = 1000.0, min = 0.0, max = 1_000_000.0, unit = "s")]
    pub fallout_time: f64,
    /// Rain over flat ground. Air that sinks in the lee of a mountain reduces it.
    #[param(default = 1.0, unit = "mm/h")]
    pub background: f64,
    /// Length of a world unit in metres, horizontally and vertically.
    #[param(default = 1.0, min = 1e-9, max = 1e9)]
    pub metres: f64,
    /// Minimum and maximum of `moisture`.
    #[param(default = (0.1, 10.0), min = 0.0)]
    pub moisture_range: (f64, f64),
    /// What lies beyond the map's border. With `Open`, ground is assumed that is level upwind and changes
    /// gradually downwind to the heights of the opposite border.
    #[param(default = Boundary::Open)]
    pub boundary: Boundary,
}

impl Rain {
    fn weather(&self) -> Weather {
        Weather {
            from: self.azimuth,
            speed: self.speed,
            sensitivity: self.uplift_sensitivity,
            vapour_height: self.vapour_height,
            stability: self.moist_stability,
            conversion: self.conversion_time,
            fallout: self.fallout_time,
            background: self.background,
            metres: self.metres,
            boundary: self.boundary,
        }
    }
}

impl Evaluate for Rain {
    fn check(&self) -> Result<(), Invalid> {
        let (driest, wettest) = self.moisture_range;
        if driest <= wettest {
            return Ok(());
        }
        let message = format!("`moisture_range` starts at {driest}, which is above its end, {wettest}");
        Err(Invalid {
            field: "moisture_range",
            message,
            help: "write moisture_range: (lowest, highest)".to_owned(),
        })
    }

    /// Memory for the spectrum of the map and of the ground beyond it.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        Terrain::of(sizes.header).map_or(0, |Terrain { domain, .. }| {
            orographic_rain_bytes(domain.size, domain.spacing, &self.weather(), sizes.threads)
        })
    }

    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let rain = orographic_rain(&self.height.get(), &self.weather(), &Report(cx)).map_err(cancelled)?;
        if rain.samples().iter().all(|&rain| rain <= 0.0) {
            cx.warn(
                "it rains nowhere, because air only sinks over this ground: raise `background`, or change \
                `azimuth`",
            );
        }
        let (driest, wettest) = self.moisture_range;
        let relative = relative(&rain);
        let clamped = |&share: &f32| share.clamp(driest as f32, wettest as f32);
        let moisture = relative.with_grid(relative.grid().map(clamped));
        Ok((Map(rain), Map(moisture)))
    }
}
