//! Charts of curves, as SVG.

use plotters::prelude::*;

/// A named curve.
pub type Curve<'a> = (&'a str, Vec<(f64, f64)>);

/// Colours of curves, in order.
pub(super) const COLOURS: [RGBColor; 6] = [
    RGBColor(31, 119, 180),
    RGBColor(214, 95, 14),
    RGBColor(44, 140, 60),
    RGBColor(150, 60, 160),
    RGBColor(120, 90, 60),
    RGBColor(90, 90, 90),
];

/// Draws curves, and single points for comparison.
///
/// # Errors
/// If the drawing fails, which happens only when a number is not finite.
pub fn line_chart(
    axes: [&str; 2],
    curves: &[Curve<'_>],
    (name, points): (&str, &[(f64, f64)]),
) -> Result<String, Box<dyn std::error::Error>> {
    let all = || curves.iter().flat_map(|(_, curve)| curve).chain(points);
    let (left, right) = ends(all().map(|p| p.0));
    // A single position gets an axis of length 1.
    let right = if right > left { right } else { left + 1.0 };
    let (low, high) = room(ends(all().map(|p| p.1)));
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, (720, 420)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .margin(12)
            .x_label_area_size(36)
            .y_label_area_size(48)
            .build_cartesian_2d(left..right, low..high)?;
        chart.configure_mesh().x_desc(axes[0]).y_desc(axes[1]).light_line_style(TRANSPARENT).draw()?;
        for ((name, curve), colour) in curves.iter().zip(COLOURS.into_iter().cycle()) {
            chart
                .draw_series(LineSeries::new(curve.iter().copied(), colour.stroke_width(2)))?
                .label(*name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
        }
        if !points.is_empty() {
            chart
                .draw_series(points.iter().map(|&point| Circle::new(point, 4, BLACK.filled())))?
                .label(name)
                .legend(|(x, y)| Circle::new((x + 9, y), 4, BLACK.filled()));
        }
        chart
            .configure_series_labels()
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .draw()?;
        area.present()?;
    }
    Ok(text)
}

/// The minimum and the maximum.
pub(super) fn ends(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    numbers.fold((f64::MAX, f64::MIN), |(low, high), number| (low.min(number), high.max(number)))
}

/// The range of values with a margin, so that no line runs along the frame.
pub(super) fn room((low, high): (f64, f64)) -> (f64, f64) {
    let margin = 0.05 * (high - low).max(1e-9);
    (low - margin, high + margin)
}
