//! A sample's view of one field: its nearness, the height of its borders, and its part of the disc around
//! the sample.

use super::nearness::presence;
use super::rim::Heights;

/// One view of a seam.
#[derive(Clone, Copy, Debug)]
pub struct SampleView {
    /// How near the seam is.
    pub near: f64,
    /// The square of its distance, as a fraction of the reach.
    pub square: f64,
    /// The part of the disc behind it, positive if that is the line's right side.
    pub right: f64,
    /// Distance along the seam of the point nearest to the sample.
    pub foot: f64,
    /// Both fields' heights there.
    pub heights: Heights,
}

impl SampleView {
    /// The part of the disc that the seam adds to the field on one side.
    pub fn part(&self, side: usize) -> f64 {
        if side == 0 { -self.right } else { self.right }
    }
}

/// How the presence of a field follows from several seams.
pub trait Far: Copy + Default + Sync + Send {
    /// Adds a seam.
    fn join(&mut self, view: &SampleView);
    /// The presence: 1 at distance 0, 0 out of reach; `near` is the sum of all seams' nearness.
    fn presence(self, near: f64) -> f64;
    /// Whether heights on seams are smoothed and parts of the disc are needed.
    const WIDE: bool;
}

/// The distance of the nearest seam, as a fraction of the reach.
#[derive(Clone, Copy, Debug)]
pub struct Nearest(f64);

impl Default for Nearest {
    fn default() -> Self {
        Self(1.0)
    }
}

impl Far for Nearest {
    const WIDE: bool = false;

    #[inline(always)]
    fn join(&mut self, view: &SampleView) {
        let far = view.square.sqrt();
        self.0 = if far < self.0 { far } else { self.0 };
    }

    #[inline(always)]
    fn presence(self, _: f64) -> f64 {
        1.0 - self.0
    }
}

/// The sum over all seams.
#[derive(Clone, Copy, Debug, Default)]
pub struct All;

impl Far for All {
    const WIDE: bool = true;

    #[inline(always)]
    fn join(&mut self, _: &SampleView) {}

    #[inline(always)]
    fn presence(self, near: f64) -> f64 {
        presence(near)
    }
}

/// A sample's view of one field.
#[derive(Clone, Copy, Debug, Default)]
pub struct FieldView<F> {
    far: F,
    /// How near its seams are.
    pub near: f64,
    /// The sum of known fractions, weighted by nearness.
    known: f64,
    /// The sum of heights, weighted by nearness.
    heights: f64,
    /// Its part of the disc, by its edges' shadows.
    pub part: f64,
}

impl<F: Far> FieldView<F> {
    /// Adds a side of a seam.
    #[inline(always)]
    pub fn add(&mut self, view: &SampleView, side: usize) {
        self.far.join(view);
        self.near += view.near;
        self.known += view.near * view.heights.known;
        self.heights += view.near * view.heights.sides[side];
        if F::WIDE {
            self.part += view.part(side);
        }
    }

    /// Whether any of its heights is known.
    pub fn is_known(&self) -> bool {
        self.known > 0.0
    }

    /// The mean of its borders' heights.
    pub fn height(&self) -> f64 {
        self.heights / self.known
    }

    /// Its presence.
    #[inline(always)]
    pub fn presence(&self) -> f64 {
        if self.known > 0.0 { self.far.presence(self.near) } else { 0.0 }
    }
}
