//! The part of the world that a terrain covers.

/// Maximum number of samples in one grid: 2³⁶, 256 GiB of f32. Anything larger is a mistake in the graph.
pub const MAX_SAMPLES: u64 = 1 << 36;

/// A window of the infinite plane, sampled on a regular grid.
///
/// The sample at (column, row) is at world (`origin.0 + column · spacing`, `origin.1 + row · spacing`).
/// Neighbouring windows share a border: the last column of one is the first column of the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Domain {
    /// Columns and rows.
    pub size: (usize, usize),
    /// World units between neighbouring samples; greater than zero.
    pub spacing: f64,
    /// World position of sample (0, 0).
    pub origin: (f64, f64),
}

impl Domain {
    /// A domain at the world's origin with samples one unit apart.
    #[must_use]
    pub const fn new(width: usize, height: usize) -> Self {
        Self { size: (width, height), spacing: 1.0, origin: (0.0, 0.0) }
    }

    /// The same window with samples `spacing` world units apart.
    #[must_use]
    pub const fn with_spacing(self, spacing: f64) -> Self {
        Self { spacing, ..self }
    }

    /// The same size and spacing at another origin.
    #[must_use]
    pub const fn with_origin(self, x: f64, y: f64) -> Self {
        Self { origin: (x, y), ..self }
    }

    /// Number of columns.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.size.0
    }

    /// Number of rows.
    #[must_use]
    pub const fn height(&self) -> usize {
        self.size.1
    }

    /// Number of samples.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.size.0 * self.size.1
    }

    /// Whether the domain has no samples.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// World x of a column.
    #[must_use]
    pub fn x(&self, column: usize) -> f64 {
        self.origin.0 + column as f64 * self.spacing
    }

    /// World y of a row.
    #[must_use]
    pub fn y(&self, row: usize) -> f64 {
        self.origin.1 + row as f64 * self.spacing
    }

    /// The part of this size that begins at sample `first`.
    #[must_use]
    pub fn part(&self, first: (usize, usize), size: (usize, usize)) -> Self {
        Self { size, spacing: self.spacing, origin: (self.x(first.0), self.y(first.1)) }
    }

    /// Column and row of the sample nearest to a world position, if it lies on the map or at most half a
    /// spacing beyond its border.
    #[must_use]
    pub fn nearest(&self, (x, y): (f64, f64)) -> Option<(usize, usize)> {
        let index = |world: f64, origin: f64, samples: usize| {
            let index = ((world - origin) / self.spacing).round();
            (index >= 0.0 && index < samples as f64).then_some(index as usize)
        };
        Some((index(x, self.origin.0, self.width())?, index(y, self.origin.1, self.height())?))
    }

    /// World distance from the first to the last column and row.
    #[must_use]
    pub fn extent(&self) -> (f64, f64) {
        ((self.size.0.max(1) - 1) as f64 * self.spacing, (self.size.1.max(1) - 1) as f64 * self.spacing)
    }

    /// The same extent with another number of samples: the spacing changes so that the first and the last
    /// column stay where they are. Rows use the columns' spacing, so if the proportions differ, the vertical
    /// extent changes.
    #[must_use]
    pub fn resized(&self, size: (usize, usize)) -> Self {
        let spacing = if self.size.0 > 1 && size.0 > 1 {
            self.extent().0 / (size.0 - 1) as f64
        } else if self.size.1 > 1 && size.1 > 1 {
            self.extent().1 / (size.1 - 1) as f64
        } else {
            self.spacing
        };
        Self { size, spacing, origin: self.origin }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_share_a_border() {
        let west = Domain::new(5, 5).with_spacing(2.5).with_origin(-3.0, 7.0);
        let east = west.with_origin(west.x(4), 7.0);
        assert_eq!(west.x(4).to_bits(), east.x(0).to_bits());
    }

    #[test]
    fn the_nearest_sample_is_at_most_half_a_spacing_away() {
        let domain = Domain::new(5, 3).with_spacing(2.0).with_origin(-3.0, 7.0);
        assert_eq!(domain.nearest((-3.9, 7.9)), Some((0, 0)));
        assert_eq!(domain.nearest((5.9, 11.0)), Some((4, 2)));
        for outside in
            [(-4.1, 7.0), (6.1, 7.0), (0.0, 5.9), (0.0, 12.1), (f64::NAN, 7.0), (f64::INFINITY, 7.0)]
        {
            assert_eq!(domain.nearest(outside), None);
        }
    }

    #[test]
    fn resizing_keeps_the_extent() {
        let domain = Domain::new(513, 257).with_spacing(2.0);
        let small = domain.resized((129, 65));
        assert_eq!(small.extent(), domain.extent());
        assert_eq!(small.spacing, 8.0);
    }
}
