//! A mean and its deviation as text.

use super::summary::Summary;

/// `mean ± deviation`; and of how many runs, where fewer than succeeded gave a number.
pub fn cell(summary: Option<&Summary>, runs: usize) -> String {
    let Some(summary) = summary else { return "none".to_owned() };
    let text = figures(summary.mean, summary.deviation);
    if summary.runs == runs { text } else { format!("{text} ({} of {runs})", summary.runs) }
}

/// A mean to the second digit of its deviation; four digits where it has none.
fn figures(mean: f64, deviation: Option<f64>) -> String {
    /// More digits behind the point are hard to read.
    const MOST: i32 = 6;
    let power = |number: f64| libm::floor(libm::log10(number.abs())) as i32;
    let spread = deviation.filter(|deviation| *deviation > 0.0);
    let digits = match spread {
        Some(spread) => 1 - power(spread),
        None if mean == 0.0 || mean.fract() == 0.0 => 0,
        None => 3 - power(mean),
    };
    let scientific = digits > MOST && mean.abs() < 1e-2;
    let text = |number: f64, digits: i32| {
        if scientific {
            format!("{number:.1e}")
        } else {
            format!("{number:.*}", digits.clamp(0, MOST) as usize)
        }
    };
    match deviation {
        // Runs that all have the same number differ by nothing, whatever its digits.
        Some(0.0) => format!("{} ± 0", text(mean, digits)),
        Some(deviation) => format!("{} ± {}", text(mean, digits), text(deviation, digits)),
        None => text(mean, digits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_have_as_many_digits_as_their_deviation_tells() {
        for (mean, deviation, text) in [
            (0.630_12, Some(0.022_93), "0.630 ± 0.023"),
            (0.000_85, Some(0.000_31), "0.00085 ± 0.00031"),
            (31_629.5, Some(8411.3), "31630 ± 8411"),
            (12.345, Some(1.0), "12.3 ± 1.0"),
            (12.345, Some(0.0), "12.35 ± 0"),
            (7.0, Some(0.0), "7 ± 0"),
            (0.123_456, None, "0.1235"),
            (513.0, None, "513"),
            (2.2e-8, Some(3.1e-9), "2.2e-8 ± 3.1e-9"),
            (0.0, None, "0"),
        ] {
            assert_eq!(figures(mean, deviation), text);
        }
    }
}
