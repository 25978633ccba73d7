//! Rain that mountains make.

use terrane_flow::{Context, Evaluate, Input, Invalid, Node, NodeError, Sizes};
use terrane_kernels::rain::{Weather, orographic_rain, orographic_rain_bytes, relative};

use crate::support::{Boundary, Report, cancelled};
use crate::terrain::Terrain;
use crate::values::Map;

/// Rain that mountains make of the wind, with the rain shadow behind them: what Lim et al. leave to the
/// future.
///
/// Moist wind that is lifted by the ground sheds water: `uplift_sensitivity` times how fast it rises. Cloud
/// water becomes rain in `conversion_time`, and falls in `fallout_time`; meanwhile the wind carries both on.
/// Where air sinks behind a mountain it takes water up again. Waves in stable air rise before the slope that
/// makes them, and lessen rain where mountains are low against `vapour_height`. All this is linear in the
/// heights, and is found for each wave of the ground by itself: i·C_w·σ / ((1 − i·m·H_w)·(1 + i·σ·τ_c)·(1 +
/// i·σ·τ_f)) times the wave's height, where σ = u·k + v·l is how often the wind meets it and m² = (N_m² −
/// σ²)/σ²·(k² + l²). The `background` is added, and what is below 0 is 0.
///
/// `moisture` is rain over its mean, within `moisture_range`: rivers that get no water at all beside others
/// that get ten times the mean leave walls at the edge of the rain. Wire it to the port of that name of
/// `FluvialErosion`. To let rain follow the ground as it wears down, erode in stages, each with the rain of
/// the one before.
///
/// The wind carries rain 30 km at the defaults, speed times both times. On a map much smaller than that rain
/// is all but even: take shorter times, as for showers, or tell by `metres` how large a world unit is. Beyond
/// an open border the ground is taken to go on level against the wind and to go over to the opposite border's
/// heights in its lee, so a range that begins beyond the map is not known of. Where the wind carries rain so
/// far that there would be more than two million samples, or six times the map's, with those beyond the
/// border, blocks of 2, 4, … samples a side are taken for one. Heights that are no numbers count as the mean.
/// The turning of the earth, which the theory leaves out for small mountains, is left out.
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
#[node(
    category = "hydrology",
    tiles = Global,
    because = "the wind carries water across the whole map",
    version = 2,
    paper = "Smith & Barstad 2004; Lim, Tan & Bhojan 2021, section 5.2",
)]
#[output(rain: Map, unit = "mm/h", doc = "Rain.")]
#[output(moisture: Map, doc = "Rain over its mean on the map, within `moisture_range`: 1 where as much falls \
    as on average.")]
pub struct Rain {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Where the wind comes from, clockwise from north, which is up.
    #[param(default = 270.0, unit = "degrees")]
    pub azimuth: f64,
    /// Speed of the wind.
    #[param(default = 15.0, min = 0.0, max = 1000.0, unit = "m/s")]
    pub speed: f64,
    /// Water that a cubic metre of moist air sheds by rising, the theory's C_w.
    #[param(default = 0.0083, min = 0.0, max = 1000.0, unit = "kg/m³")]
    pub uplift_sensitivity: f64,
    /// Height over which water vapour falls to 1/e, the theory's H_w.
    #[param(default = 2500.0, min = 0.0, max = 1_000_000.0, unit = "m")]
    pub vapour_height: f64,
    /// Frequency of moist air that is moved up or down, the theory's N_m: 0 where it stays where it is moved.
    #[param(default = 0.005, min = 0.0, max = 1000.0, unit = "1/s")]
    pub moist_stability: f64,
    /// Time for cloud water to become rain or snow, the theory's τ_c.
    #[param(default = 1000.0, min = 0.0, max = 1_000_000.0, unit = "s")]
    pub conversion_time: f64,
    /// Time for rain or snow to reach the ground, the theory's τ_f.
    #[param(default = 1000.0, min = 0.0, max = 1_000_000.0, unit = "s")]
    pub fallout_time: f64,
    /// Rain without any mountain, which ground in the lee can take from.
    #[param(default = 1.0, unit = "mm/h")]
    pub background: f64,
    /// Metres of a world unit, along the ground and up.
    #[param(default = 1.0, min = 1e-9, max = 1e9)]
    pub metres: f64,
    /// The lowest and the highest `moisture`.
    #[param(default = (0.1, 10.0), min = 0.0)]
    pub moisture_range: (f64, f64),
    /// What lies beyond the border.
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
            boundary: self.boundary.into(),
        }
    }
}

impl Evaluate for Rain {
    fn check(&self) -> Result<(), Invalid> {
        let (driest, wettest) = self.moisture_range;
        if driest <= wettest {
            return Ok(());
        }
        let message = format!("({driest}, {wettest}) is no range");
        Err(Invalid {
            field: "moisture_range",
            message,
            help: "write moisture_range: (lowest, highest)".to_owned(),
        })
    }

    /// The waves of the map and of the ground beyond it.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        sizes.header.as_any().downcast_ref::<Terrain>().map_or(0, |Terrain(domain)| {
            orographic_rain_bytes(domain.size, domain.spacing, &self.weather(), sizes.threads)
        })
    }

    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let rain = orographic_rain(&self.height.get(), &self.weather(), &Report(cx)).map_err(cancelled)?;
        if rain.samples().iter().all(|&rain| rain <= 0.0) {
            cx.warn(
                "it rains nowhere: air only sinks over this ground; raise `background`, or turn the wind",
            );
        }
        let (driest, wettest) = self.moisture_range;
        let relative = relative(&rain);
        let held = |&share: &f32| share.clamp(driest as f32, wettest as f32);
        let moisture = relative.with_grid(relative.grid().map(held));
        Ok((Map(rain), Map(moisture)))
    }
}
