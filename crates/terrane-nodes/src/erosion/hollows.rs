//! Says how much ground erosion has left in hollows.

use terrane_flow::Context;
use terrane_kernels::hydrology::InHollows;

/// The share of the land in hollows above which it is named. Real ground that rivers formed has less.
const NAMED: f64 = 0.05;

/// Warns if much of the land lies in hollows. `remedy` says what removes them.
pub fn warn(cx: &Context<'_>, InHollows { share, deepest }: InHollows, remedy: &str) {
    if share > NAMED {
        let percent = 100.0 * share;
        cx.warn(format!(
            "{percent:.1} % of the land lies in hollows, the deepest {deepest:.0} deep, from which no water leaves; \
             {remedy}"
        ));
    }
}
