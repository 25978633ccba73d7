//! Says how much ground erosion has left in hollows.

use terrane_flow::Context;
use terrane_kernels::hydrology::InHollows;

/// The share of the land in hollows above which it is named. Real ground that rivers formed has less.
const NAMED: f64 = 0.05;

/// Warns if much of the land lies in hollows. `remedy` says what removes them.
pub fn warn(cx: &Context<'_>, InHollows { share, deepest }: InHollows, remedy: &str) {
    if share > NAMED {
        let percent = 100.0 * share;
        let deepest = rounded(deepest);
        cx.warn(format!(
            "{percent:.1} % of the land lies in hollows, the deepest {deepest} deep, from which no water \
            leaves; {remedy}"
        ));
    }
}

/// A depth with two digits, or without decimals if it has more before the point.
fn rounded(depth: f32) -> String {
    let digits = (1.0 - libm::floor(libm::log10(f64::from(depth.max(1e-9))))).clamp(0.0, 9.0);
    format!("{depth:.*}", digits as usize)
}
