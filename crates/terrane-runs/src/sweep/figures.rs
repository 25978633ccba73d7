//! Formatting a mean and its deviation.

use super::summary::Summary;

/// `mean ± deviation`, and the number of runs if some successful runs gave no number.
pub fn cell(summary: Option<&Summary>, runs: usize) -> String {
    let Some(summary) = summary else { return "none".to_owned() };
    let text = figures(summary.mean, summary.deviation);
    if summary.runs == runs { text } else { format!("{text} ({} of {runs})", summary.runs) }
}

/// A mean, rounded to the second digit of its deviation. Without a deviation, the mean has four digits.
fn figures(mean: f64, deviation: Option<f64>) -> String {
    /// The maximum number of decimals. Numbers that need more are written with a power of ten.
    const MAX_DECIMALS: i32 = 6;
    /// The maximum number of significant digits.
    const PRECISION: i32 = 15;
    let power = |number: f64| libm::floor(libm::log10(number.abs())) as i32;
    let spread = deviation.filter(|deviation| *deviation > 0.0);
    // The number of digits after the decimal point.
    let digits = match spread {
        Some(spread) => 1 - power(spread),
        None if mean == 0.0 || mean.fract() == 0.0 => 0,
        None => 3 - power(mean),
    };
    let decimal = |number: f64, digits: i32| format!("{number:.*}", digits.clamp(0, PRECISION) as usize);
    let small = digits > MAX_DECIMALS;
    let text = if small && mean == 0.0 {
        "0".to_owned()
    } else if small && mean.abs() < 1e-2 {
        // The mean is written up to the second digit of the deviation. If the deviation exceeds the mean, the
        // mean has two digits.
        format!("{mean:.*e}", (digits + power(mean)).clamp(1, PRECISION) as usize)
    } else {
        decimal(mean, digits)
    };
    match spread {
        Some(spread) if small => format!("{text} ± {spread:.1e}"),
        Some(spread) => format!("{text} ± {}", decimal(spread, digits)),
        // Runs with equal numbers have deviation 0, however many digits these numbers have.
        None if deviation.is_some() => format!("{text} ± 0"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_rounded_to_their_deviation() {
        for (mean, deviation, text) in [
            (0.630_12, Some(0.022_93), "0.630 ± 0.023"),
            (0.000_85, Some(0.000_31), "0.00085 ± 0.00031"),
            (31_629.5, Some(8411.3), "31630 ± 8411"),
            (12.345, Some(1.0), "12.3 ± 1.0"),
            (12.345, Some(0.0), "12.35 ± 0"),
            (7.0, Some(0.0), "7 ± 0"),
            (0.123_456, None, "0.1235"),
            (513.0, None, "513"),
            (2.2e-8, Some(3.1e-9), "2.20e-8 ± 3.1e-9"),
            (2.2e-8, Some(3e-12), "2.20000e-8 ± 3.0e-12"),
            (1e-12, Some(2e-9), "1.0e-12 ± 2.0e-9"),
            (0.5, Some(1e-9), "0.5000000000 ± 1.0e-9"),
            (0.0, Some(1e-9), "0 ± 1.0e-9"),
            (0.5, Some(1e-30), "0.500000000000000 ± 1.0e-30"),
            (1.234_567e-8, None, "1.235e-8"),
            (0.0, None, "0"),
        ] {
            assert_eq!(figures(mean, deviation), text);
        }
    }
}
