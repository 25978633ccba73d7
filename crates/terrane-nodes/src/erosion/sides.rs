//! Boundary conditions of single sides of a map.

use terrane_flow::{Group, Param};
use terrane_kernels::erosion::Sides;

/// Boundary conditions of the sides that differ from the others.
#[derive(Clone, Debug, Group)]
pub struct OwnSides<T: Copy + Param> {
    /// Boundary condition at row 0. Default: `border`.
    #[param(default = None)]
    pub top: Option<T>,
    /// Boundary condition at column 0. Default: `border`.
    #[param(default = None)]
    pub left: Option<T>,
    /// Boundary condition at the last column. Default: `border`.
    #[param(default = None)]
    pub right: Option<T>,
    /// Boundary condition at the last row. Default: `border`.
    #[param(default = None)]
    pub bottom: Option<T>,
}

impl<T: Copy + Param> OwnSides<T> {
    /// The conditions of all sides; `border` is that of the other sides.
    pub fn or(&self, border: T) -> Sides<T> {
        let [top, left, right, bottom] =
            [self.top, self.left, self.right, self.bottom].map(|own| own.unwrap_or(border));
        Sides { top, left, right, bottom }
    }
}
