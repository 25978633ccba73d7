//! What a sample sees of one field: how near it is, how high its borders are, and how much of what is around
//! it has.

use super::nearness::presence;
use super::rim::Heights;

/// One look at a seam.
#[derive(Clone, Copy, Debug)]
pub struct Glance {
    /// How near the seam is.
    pub near: f64,
    /// The square of its distance as a part of the reach.
    pub square: f64,
    /// What part of what is around lies behind it, more than 0 where that is the line's right side.
    pub right: f64,
    /// How far along it the sample's foot is.
    pub foot: f64,
    /// Both fields' heights there.
    pub heights: Heights,
}

impl Glance {
    /// What a side of the seam has of what is around, beside what it would have without the seam.
    pub fn part(&self, side: usize) -> f64 {
        if side == 0 { -self.right } else { self.right }
    }
}

/// A way to tell how much of a field is here of which several seams are seen.
pub trait Far: Copy + Default + Sync + Send {
    /// Adds a seam.
    fn join(&mut self, glance: &Glance);
    /// 1 at no distance, 0 out of reach; `near` is how near all seams are together.
    fn presence(self, near: f64) -> f64;
    /// Whether heights on seams are smoothed, and what fields have of what is around matters.
    const WIDE: bool;
}

/// The distance of the nearest seam, as a part of the reach.
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
    fn join(&mut self, glance: &Glance) {
        let far = glance.square.sqrt();
        self.0 = if far < self.0 { far } else { self.0 };
    }

    #[inline(always)]
    fn presence(self, _: f64) -> f64 {
        1.0 - self.0
    }
}

/// All seams together.
#[derive(Clone, Copy, Debug, Default)]
pub struct All;

impl Far for All {
    const WIDE: bool = true;

    #[inline(always)]
    fn join(&mut self, _: &Glance) {}

    #[inline(always)]
    fn presence(self, near: f64) -> f64 {
        presence(near)
    }
}

/// What is seen of one field at a sample.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sight<F> {
    far: F,
    /// How near its seams are.
    pub near: f64,
    /// By nearness, what of its heights is known, and its heights.
    known: f64,
    heights: f64,
    /// What its edges' shadows say it has of what is around.
    pub part: f64,
}

impl<F: Far> Sight<F> {
    /// Adds a side of a seam.
    #[inline(always)]
    pub fn add(&mut self, glance: &Glance, side: usize) {
        self.far.join(glance);
        self.near += glance.near;
        self.known += glance.near * glance.heights.known;
        self.heights += glance.near * glance.heights.sides[side];
        if F::WIDE {
            self.part += glance.part(side);
        }
    }

    /// Whether anything of its heights is known.
    pub fn is_known(&self) -> bool {
        self.known > 0.0
    }

    /// The mean of its borders' heights.
    pub fn height(&self) -> f64 {
        self.heights / self.known
    }

    /// How much of it is here.
    #[inline(always)]
    pub fn presence(&self) -> f64 {
        if self.known > 0.0 { self.far.presence(self.near) } else { 0.0 }
    }
}
