//! Models as an enum, so that the code around them is compiled once for all models.

use super::super::axis::Period;
use super::super::hash::LatticeHash;
use super::super::smoothstep::Smoothstep;
use super::adini::Adini;
use super::hermite::{BicubicHermite, BiquinticHermite};
use super::model::Model;
use super::perlin::{ExponentialPerlin, Perlin};
use super::points::LatticePoints;
use super::value::{Value, ZeroGradient};

/// Any model.
#[derive(Clone, Copy, Debug)]
pub enum AnyModel {
    Perlin(Perlin),
    ExponentialPerlin(ExponentialPerlin),
    ZeroGradient(ZeroGradient),
    Value(Value),
    Adini(Adini),
    BicubicHermite(BicubicHermite),
    BiquinticHermite(BiquinticHermite),
}

/// The evaluator of any model.
pub enum AnyPoints {
    Perlin(LatticePoints<Perlin>),
    ExponentialPerlin(LatticePoints<ExponentialPerlin>),
    ZeroGradient(LatticePoints<ZeroGradient>),
    Value(LatticePoints<Value>),
    Adini(LatticePoints<Adini>),
    BicubicHermite(LatticePoints<BicubicHermite>),
    BiquinticHermite(LatticePoints<BiquinticHermite>),
}

/// Evaluates an expression that is compiled separately for each variant.
macro_rules! with_each {
    ($enum:ident, $any:expr, $each:ident => $work:expr) => {
        match $any {
            $crate::noise::lattice::$enum::Perlin($each) => $work,
            $crate::noise::lattice::$enum::ExponentialPerlin($each) => $work,
            $crate::noise::lattice::$enum::ZeroGradient($each) => $work,
            $crate::noise::lattice::$enum::Value($each) => $work,
            $crate::noise::lattice::$enum::Adini($each) => $work,
            $crate::noise::lattice::$enum::BicubicHermite($each) => $work,
            $crate::noise::lattice::$enum::BiquinticHermite($each) => $work,
        }
    };
}
pub(in crate::noise) use with_each;

impl AnyModel {
    /// Number of the model's terms.
    pub fn terms(self) -> usize {
        fn of<M: Model>(_: M) -> usize {
            M::TERMS
        }
        with_each!(AnyModel, self, model => of(model))
    }

    /// The evaluator of the model at single positions.
    pub fn points(
        self,
        smoothstep: Smoothstep,
        hash: LatticeHash,
        periods: [Option<Period>; 2],
    ) -> AnyPoints {
        match self {
            Self::Perlin(model) => AnyPoints::Perlin(LatticePoints { model, smoothstep, hash, periods }),
            Self::ExponentialPerlin(model) => {
                AnyPoints::ExponentialPerlin(LatticePoints { model, smoothstep, hash, periods })
            }
            Self::ZeroGradient(model) => {
                AnyPoints::ZeroGradient(LatticePoints { model, smoothstep, hash, periods })
            }
            Self::Value(model) => AnyPoints::Value(LatticePoints { model, smoothstep, hash, periods }),
            Self::Adini(model) => AnyPoints::Adini(LatticePoints { model, smoothstep, hash, periods }),
            Self::BicubicHermite(model) => {
                AnyPoints::BicubicHermite(LatticePoints { model, smoothstep, hash, periods })
            }
            Self::BiquinticHermite(model) => {
                AnyPoints::BiquinticHermite(LatticePoints { model, smoothstep, hash, periods })
            }
        }
    }
}
