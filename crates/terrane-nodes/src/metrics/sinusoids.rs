//! The fractal dimension of sums of sinusoids.

use terrane_flow::{Context, Evaluate, Invalid, Node, NodeError, Sizes};
use terrane_kernels::metric::Crest;

use crate::support::{Report, cancelled};
use crate::values::Table;

/// A crest that is a sum of ever finer and lower sinusoids, and its fractal dimension, which shows why
/// octaves of noise look like terrain.
///
/// Wave i is `amplitude^-i * sin(frequency^i * x)`, with x from 0 to 2 pi. Let e be the length of the finest
/// wave. Measured with a ruler of this length, the crest has the length `L = k * e^(1 - D)`, where k is a
/// constant and D the fractal dimension. From one octave to the next, `D - 1` is therefore the growth of log
/// L divided by log `frequency`. With more and more octaves, D approaches
/// `2 - log(amplitude) / log(frequency)`. This limit is close to 2 if waves hardly get lower. If waves get
/// lower faster than finer, D approaches 1. With `amplitude` a and `frequency` f, octaves of noise with
/// persistence 1 / a and lacunarity f behave in the same way.
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
#[node(category = "metrics",
    words = "octaves demonstration crest fractal sine waves",
    tiles = Pointwise, paper = "Thorimbert & Chopard 2018, equations 20 to 22, \
    figures 11 and 12")]
#[output(dimension: Table, doc = "One row: dimension, from the last two octaves; limit, the value for \
    infinitely many.")]
#[output(lengths: Table, doc = "A row per number of octaves: octaves, length of the crest, dimension from \
    this row and the one before.")]
#[output(crest: Table, doc = "A row per point: x, and octaves_0, octaves_1, ..., the heights with that \
    number of waves after the first.")]
pub struct Sinusoids {
    /// Amplitude of a wave divided by that of the next wave, the paper's a.
    #[param(default = 2.0, above = 0.0)]
    pub amplitude: f64,
    /// Frequency of a wave divided by that of the wave before, the paper's f.
    #[param(default = 2.0, above = 1.0)]
    pub frequency: f64,
    /// Number of waves after the first. The finest wave has `frequency` to the power of `octaves` periods, at
    /// most 524,288.
    #[param(default = 12, min = 1, max = 64)]
    pub octaves: u32,
    /// Number of rows of `crest`.
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
        let positions: Vec<f64> = (0..self.points).map(|point| f64::from(point) * step).collect();
        let names: Vec<String> = (0..=self.octaves).map(|octaves| format!("octaves_{octaves}")).collect();
        let mut columns = vec![("x", positions.clone())];
        for (octaves, name) in (0..=self.octaves).zip(&names) {
            columns.push((name, positions.iter().map(|&x| crest.height(x, octaves)).collect()));
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
        let max = (1..self.octaves).take_while(|&octaves| fits(octaves)).last().unwrap_or(1);
        Err(Invalid {
            field: "octaves",
            message: format!(
                "the finest wave would have {waves:.3e} periods, `frequency` to the power of `octaves`, but \
                the maximum is {}",
                Crest::MOST_WAVES
            ),
            help: format!("with this frequency, write octaves: {max} or less"),
        })
    }

    /// Memory for positions, and for a column of heights for each number of octaves.
    fn extra_bytes(&self, _sizes: &Sizes<'_>) -> u64 {
        8 * u64::from(self.points) * (u64::from(self.octaves) + 3)
    }
}
