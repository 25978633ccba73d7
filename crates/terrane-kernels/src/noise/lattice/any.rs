//! Models by name, so that what is around them is compiled once for all.

use super::adini::Adini;
use super::hermite::{BicubicHermite, BiquinticHermite};
use super::model::Model;
use super::value::ZeroGradient;

/// Any model.
#[derive(Clone, Copy, Debug)]
pub enum AnyModel {
    Perlin,
    ExponentialPerlin,
    ZeroGradient(ZeroGradient),
    Value,
    Adini(Adini),
    BicubicHermite(BicubicHermite),
    BiquinticHermite(BiquinticHermite),
}

/// Evaluates an expression, compiled for each model by itself.
macro_rules! with_model {
    ($any:expr, $model:ident => $work:expr) => {
        match $any {
            $crate::noise::lattice::AnyModel::Perlin => {
                let $model = $crate::noise::lattice::Perlin;
                $work
            }
            $crate::noise::lattice::AnyModel::ExponentialPerlin => {
                let $model = $crate::noise::lattice::ExponentialPerlin;
                $work
            }
            $crate::noise::lattice::AnyModel::Value => {
                let $model = $crate::noise::lattice::Value;
                $work
            }
            $crate::noise::lattice::AnyModel::ZeroGradient($model) => $work,
            $crate::noise::lattice::AnyModel::Adini($model) => $work,
            $crate::noise::lattice::AnyModel::BicubicHermite($model) => $work,
            $crate::noise::lattice::AnyModel::BiquinticHermite($model) => $work,
        }
    };
}
pub(in crate::noise) use with_model;

impl AnyModel {
    /// Number of the model's terms.
    pub fn terms(self) -> usize {
        fn of<M: Model>(_: M) -> usize {
            M::TERMS
        }
        with_model!(self, model => of(model))
    }
}
