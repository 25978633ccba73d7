//! How rough a sum of sinusoids is.

use terrane_flow::{Context, Evaluate, Invalid, Node, NodeError, Sizes};
use terrane_kernels::metric::Crest;

use crate::support::{Report, cancelled};
use crate::values::Table;

/// A crest made of ever finer and lower waves, and its fractal dimension: why octaves of noise look like
/// terrain.
///
/// Wave i is `amplitude^-i * sin(frequency^i * x)`, and x goes from 0 to 2 pi. Measured with a tape as long
/// as the finest wave, the crest's length is L = k * e^(1 - D), so from one octave to the next D - 1 is how
/// much log L grows over log `frequency`. With ever more octaves D comes to 2 - log(amplitude) /
/// log(frequency): near 2 where waves hardly get lower, 1 where they get lower faster than finer. With
/// `amplitude` a and `frequency` f, octaves of noise of persistence 1 / a and lacunarity f behave alike.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (9, 9), spacing: 1.0,
///     nodes: {
///         "crest": Sinusoids(amplitude: 2.0, frequency: 2.0, octaves: 8),
///         "chart": Plot(table: "crest.crest", x: "x", y: ["octaves_0", "octaves_2", "octaves_8"]),
///     },
///     outputs: { "dimension.json": "crest", "crest.svg": "chart" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "metrics", tiles = Pointwise, paper = "Thorimbert & Chopard 2018, equations 20 to 22, \
    figures 11 and 12")]
#[output(dimension: Table, doc = "One row: dimension, by the last two octaves; limit, what it comes to with \
    ever more of them.")]
#[output(lengths: Table, doc = "A row per number of octaves: octaves, length of the crest, dimension by this \
    and the row before.")]
#[output(crest: Table, doc = "A row per point: x, and octaves_0, octaves_1, ..., the heights with so many \
    waves after the first.")]
pub struct Sinusoids {
    /// How many times lower a wave is than the one before, the paper's a.
    #[param(default = 2.0, above = 0.0)]
    pub amplitude: f64,
    /// How many times finer a wave is than the one before, the paper's f.
    #[param(default = 2.0, above = 1.0)]
    pub frequency: f64,
    /// Waves after the first. The finest may have 524,288 periods: `frequency` to the power of `octaves`.
    #[param(default = 12, min = 1, max = 64)]
    pub octaves: u32,
    /// Rows of `crest`.
    #[param(default = 1024, min = 2, max = 1_000_000)]
    pub points: u32,
}

impl Sinusoids {
    fn kernel(&self) -> Crest {
        Crest { amplitude: self.amplitude, frequency: self.frequency, octaves: self.octaves }
    }
}

impl Evaluate for Sinusoids {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let crest = self.kernel();
        let lengths = crest.lengths(&Report(cx)).map_err(cancelled)?;
        let dimensions = crest.dimensions(&lengths);
        let last = dimensions.last().copied().unwrap_or(f64::NAN);
        let step = std::f64::consts::TAU / f64::from(self.points - 1);
        let places: Vec<f64> = (0..self.points).map(|point| f64::from(point) * step).collect();
        let names: Vec<String> = (0..=self.octaves).map(|octaves| format!("octaves_{octaves}")).collect();
        let mut columns = vec![("x", places.clone())];
        for (octaves, name) in (0..=self.octaves).zip(&names) {
            columns.push((name, places.iter().map(|&x| crest.height(x, octaves)).collect()));
        }
        let octaves = (0..=self.octaves).map(f64::from).collect();
        Ok((
            Table::row(&[("dimension", last), ("limit", crest.limit())]),
            Table::new(vec![("octaves", octaves), ("length", lengths), ("dimension", dimensions)]),
            Table::new(columns),
        ))
    }

    fn check(&self) -> Result<(), Invalid> {
        let waves = self.kernel().waves();
        if waves <= Crest::MOST_WAVES {
            return Ok(());
        }
        let fits = |octaves: u32| Crest { octaves, ..self.kernel() }.waves() <= Crest::MOST_WAVES;
        let most = (1..self.octaves).take_while(|&octaves| fits(octaves)).last().unwrap_or(1);
        Err(Invalid {
            field: "octaves",
            message: format!(
                "the finest wave would have {waves:.3e} periods, `frequency` to the power of `octaves`; {} \
                are the most",
                Crest::MOST_WAVES
            ),
            help: format!("with this frequency write octaves: {most} or less"),
        })
    }

    /// Places, and a column of heights for each number of octaves.
    fn extra_bytes(&self, _sizes: &Sizes<'_>) -> u64 {
        8 * u64::from(self.points) * (u64::from(self.octaves) + 3)
    }
}
