//! Combination of two maps.

use terrane_compute::Samples;

use super::power::powers;
use crate::dispatch;

/// How two heights are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Mode {
    /// a + b.
    Add,
    /// a - b.
    Subtract,
    /// a * b.
    Multiply,
    /// a / b, and a where b is 0.
    Divide,
    /// The lower height.
    Min,
    /// The higher height.
    Max,
    /// The lower height, rounded where the two differ by less than `radius`.
    SmoothMin,
    /// The higher height, rounded where the two differ by less than `radius`.
    SmoothMax,
    /// a + (b - a) * weight.
    Lerp,
    /// a to the power of b, or 0 where a is negative.
    Power,
    /// The absolute difference of a and b.
    Difference,
}

/// The combination of two heights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Combination {
    /// How they are combined.
    pub mode: Mode,
    /// Used by the smooth modes, in height units (polynomial smooth minimum: off by at most a quarter of it).
    pub radius: f32,
}

impl Combination {
    /// Writes the combinations of the samples of two blocks. With every mode except `Lerp`, the weight is
    /// the strength of the mode's effect: 0 gives a, 1 the whole effect. No weights: the whole effect.
    /// O(samples).
    pub fn write(self, block: &mut [f32], a: &[f32], b: Samples<'_>, weights: Option<&[f32]>) {
        let radius = self.radius;
        let of = Operands { a, b, weights };
        dispatch!(_ => match self.mode {
            Mode::Add => of.write(block, |a, b| a + b),
            Mode::Subtract => of.write(block, |a, b| a - b),
            Mode::Multiply => of.write(block, |a, b| a * b),
            Mode::Divide => of.write(block, |a, b| if b == 0.0 { a } else { a / b }),
            Mode::Min => of.write(block, f32::min),
            Mode::Max => of.write(block, f32::max),
            Mode::SmoothMin => of.write(block, |a, b| smooth_min(a, b, radius)),
            Mode::SmoothMax => of.write(block, |a, b| -smooth_min(-a, -b, radius)),
            Mode::Lerp => of.write(block, |_, b| b),
            Mode::Difference => of.write(block, |a, b| (a - b).abs()),
            Mode::Power => {
                block.copy_from_slice(a);
                powers(block, &b);
                if let Some(weights) = weights {
                    for ((combined, &a), &weight) in block.iter_mut().zip(a).zip(weights) {
                        *combined = blend(a, *combined, weight);
                    }
                }
            }
        });
    }
}

/// The blocks that are combined.
struct Operands<'a> {
    a: &'a [f32],
    b: Samples<'a>,
    weights: Option<&'a [f32]>,
}

impl Operands<'_> {
    #[inline(always)]
    fn write(self, block: &mut [f32], f: impl Fn(f32, f32) -> f32) {
        // Loops, since a function that goes through an iterator may not be compiled with wide vectors.
        let of_a = block.iter_mut().zip(self.a);
        match (self.weights, self.b.number()) {
            (None, Some(b)) => {
                for (sample, &a) in of_a {
                    *sample = f(a, b);
                }
            }
            (None, None) => {
                for ((sample, &a), &b) in of_a.zip(self.b) {
                    *sample = f(a, b);
                }
            }
            (Some(weights), _) => {
                for (((sample, &a), &b), &weight) in of_a.zip(self.b).zip(weights) {
                    *sample = blend(a, f(a, b), weight);
                }
            }
        }
    }
}

/// The part of an effect on `a` that a weight allows.
#[inline(always)]
fn blend(a: f32, combined: f32, weight: f32) -> f32 {
    // Without a weight, an infinite combination has no effect either.
    if weight == 0.0 { a } else { a + (combined - a) * weight }
}

/// The lower of two heights, rounded: the quadratic polynomial smooth minimum.
#[inline(always)]
fn smooth_min(a: f32, b: f32, radius: f32) -> f32 {
    if radius <= 0.0 {
        return a.min(b);
    }
    let near = (radius - (a - b).abs()).max(0.0) / radius;
    a.min(b) - near * near * radius * 0.25
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODES: [Mode; 11] = [
        Mode::Add,
        Mode::Subtract,
        Mode::Multiply,
        Mode::Divide,
        Mode::Min,
        Mode::Max,
        Mode::Lerp,
        Mode::Power,
        Mode::Difference,
        Mode::SmoothMin,
        Mode::SmoothMax,
    ];

    fn combined(mode: Mode, radius: f32, a: &[f32], b: &[f32], weights: Option<&[f32]>) -> Vec<f32> {
        let mut block = vec![9.0; a.len()];
        Combination { mode, radius }.write(&mut block, a, Samples::from(b), weights);
        block
    }

    fn one(mode: Mode, a: f32, b: f32, weight: f32) -> f32 {
        combined(mode, 2.0, &[a], &[b], (weight != 1.0).then_some(&[weight]))[0]
    }

    #[test]
    fn every_mode_by_hand() {
        let cases = [
            (Mode::Add, 7.0),
            (Mode::Subtract, 1.0),
            (Mode::Multiply, 12.0),
            (Mode::Divide, 4.0 / 3.0),
            (Mode::Min, 3.0),
            (Mode::Max, 4.0),
            (Mode::Lerp, 3.0),
            (Mode::Power, 64.0),
            (Mode::Difference, 1.0),
            // The radius is 2, and the heights differ by half of it, so the results are 2 / 4 · (1/2)² =
            // 0.125 below the lower height and above the higher one.
            (Mode::SmoothMin, 2.875),
            (Mode::SmoothMax, 4.125),
        ];
        for (mode, expected) in cases {
            assert_eq!(one(mode, 4.0, 3.0, 1.0), expected, "{mode:?}");
            assert_eq!(one(mode, 4.0, 3.0, 0.0), 4.0, "{mode:?} without weight");
        }
        assert_eq!(one(Mode::Lerp, 4.0, 3.0, 0.25), 3.75);
    }

    #[test]
    fn zeros_of_either_sign_and_numbers_that_are_not_have_the_same_bits_at_every_level() {
        const ODD: [f32; 7] = [0.0, -0.0, 1.0, -2.5, f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
        let a: Vec<f32> = (0..147).map(|at| ODD[at % 7]).collect();
        let b: Vec<f32> = (0..147).map(|at| ODD[at / 7 % 7]).collect();
        for mode in MODES {
            let run = || {
                let out = combined(mode, 1.0, &a, &b, None);
                // A number that is not one has no sign that counts.
                out.iter().map(|h| if h.is_nan() { 0 } else { h.to_bits() }).collect::<Vec<_>>()
            };
            let widest = run();
            crate::simd::at_each_level(|level| assert_eq!(run(), widest, "{mode:?} {level:?}"));
        }
    }

    #[test]
    fn a_number_has_the_bits_of_a_map_of_it() {
        let a: Vec<f32> = (0..147).map(|at| (at as f32 * 7.3) % 11.0 - 4.0).collect();
        for mode in MODES {
            for number in [0.0, -0.0, 2.5, -40.0, f32::INFINITY, f32::NAN] {
                let b = vec![number; a.len()];
                let run = |b: Samples<'_>| {
                    let mut block = vec![9.0; a.len()];
                    Combination { mode, radius: 20.0 }.write(&mut block, &a, b, None);
                    block.into_iter().map(|h| if h.is_nan() { 0 } else { h.to_bits() }).collect::<Vec<_>>()
                };
                let of_map = run(Samples::from(b.as_slice()));
                crate::simd::at_each_level(|level| {
                    assert_eq!(run(Samples::of_number(&b)), of_map, "{mode:?} {number} {level:?}");
                });
            }
        }
    }

    #[test]
    fn quotients_by_zero_and_powers_of_negative_heights_are_finite() {
        assert_eq!(one(Mode::Divide, 4.0, 0.0, 1.0), 4.0);
        assert_eq!(one(Mode::Power, -4.0, 0.5, 1.0), 0.0);
    }

    #[test]
    fn a_weight_map_blends_sample_by_sample() {
        let out = combined(Mode::Lerp, 0.0, &[1.0; 3], &[3.0; 3], Some(&[0.0, 0.5, 1.0]));
        assert_eq!(out, [1.0, 2.0, 3.0]);
    }
}
