//! Line charts, as the text of SVG files: of a few curves, or of curves with bands in panels one below the
//! other.

#![forbid(unsafe_code)]

mod axis;
mod line_chart;
mod panels;

pub use line_chart::{Curve, line_chart};
pub use panels::{Line, Panel, panels};
