//! Line charts, as the text of SVG files: a few curves, or curves with bands in stacked panels.

mod axis;
mod line_chart;
mod panels;

pub use line_chart::{Curve, line_chart};
pub use panels::{Line, Panel, panels};
