//! Stacked charts of curves with bands, as SVG.

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::axis::Axis;
use crate::line_chart::{COLOURS, ends};

/// Total width, in pixels.
const WIDTH: u32 = 760;
/// Minimum height of a chart.
const HEIGHT: u32 = 360;
/// Height of a line of the legend.
const ENTRY: i32 = 18;
/// Approximate width of a letter of the legend.
const LETTER: u32 = 7;
/// Maximum number of points that are marked individually.
const MARKED: usize = 24;

/// A named curve with an optional band.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// Its name in the legend; lines with an empty name are not listed.
    pub name: String,
    /// Positions and values, by increasing position.
    pub points: Vec<(f64, f64)>,
    /// Positions with the band's lower and upper end; empty if there is no band.
    pub band: Vec<(f64, f64, f64)>,
}

/// A chart of several lines over one axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// Titles of the horizontal and the vertical axis.
    pub axes: [String; 2],
    /// The lines.
    pub lines: Vec<Line>,
}

/// Draws stacked charts with legends beside them. From the seventh line on, colours repeat with dashes.
///
/// # Errors
/// If the drawing fails, which happens only when a number is not finite.
pub fn panels(panels: &[Panel]) -> Result<String, Box<dyn std::error::Error>> {
    let mut text = String::new();
    {
        let heights: Vec<u32> = panels.iter().map(Panel::height).collect();
        let size = (WIDTH, heights.iter().sum());
        let mut rest = SVGBackend::with_string(&mut text, size).into_drawing_area();
        rest.fill(&WHITE)?;
        for (panel, height) in panels.iter().zip(heights) {
            let (area, below) = rest.split_vertically(height);
            panel.draw(&area)?;
            rest = below;
        }
        rest.present()?;
    }
    Ok(text)
}

impl Panel {
    fn height(&self) -> u32 {
        HEIGHT.max(self.lines.len() as u32 * ENTRY as u32 + 60)
    }

    /// Width of the legend; 0 if no line has a name.
    fn legend(&self) -> u32 {
        let longest = self.lines.iter().map(|line| line.name.chars().count() as u32).max().unwrap_or(0);
        if longest == 0 { 0 } else { (longest * LETTER + 44).min(WIDTH / 2) }
    }

    fn draw(&self, area: &DrawingArea<SVGBackend<'_>, Shift>) -> Result<(), Box<dyn std::error::Error>> {
        let lines = || self.lines.iter();
        let x = Axis::new(ends(lines().flat_map(|line| &line.points).map(|point| point.0)), 0.0);
        let x = x.beside(WIDTH - self.legend() - 94);
        let around = lines().flat_map(|line| &line.band).flat_map(|(_, low, high)| [*low, *high]);
        // A margin, so that no line runs along the frame.
        let y =
            Axis::new(ends(lines().flat_map(|line| &line.points).map(|point| point.1).chain(around)), 0.05);
        let mut chart = ChartBuilder::on(area)
            .margin(12)
            .margin_right(18 + self.legend())
            .x_label_area_size(36)
            .y_label_area_size((y.width() + 22).max(64))
            .build_cartesian_2d(x.clone(), y.clone())?;
        chart
            .configure_mesh()
            .x_desc(&self.axes[0])
            .y_desc(&self.axes[1])
            .x_label_formatter(&|number| x.label(*number))
            .y_label_formatter(&|number| y.label(*number))
            .light_line_style(TRANSPARENT)
            .draw()?;
        let coloured =
            || lines().enumerate().map(|(index, line)| (index, line, COLOURS[index % COLOURS.len()]));
        // Bands first, so that none covers a line.
        for (_, line, colour) in coloured() {
            match line.band[..] {
                // A single position has no area: a bar shows its range.
                [(x, low, high)] => {
                    chart.draw_series([PathElement::new([(x, low), (x, high)], colour.mix(0.5))])?;
                }
                [] => {}
                _ => {
                    let upper = line.band.iter().map(|(x, _, high)| (*x, *high));
                    let lower = line.band.iter().rev().map(|(x, low, _)| (*x, *low));
                    let outline: Vec<(f64, f64)> = upper.chain(lower).collect();
                    chart.draw_series([Polygon::new(outline, colour.mix(0.15))])?;
                }
            }
        }
        for (index, line, colour) in coloured() {
            let points = || line.points.iter().copied();
            if dashed(index) {
                chart.draw_series(DashedLineSeries::new(points(), 6, 4, colour.stroke_width(2)))?;
            } else {
                chart.draw_series(LineSeries::new(points(), colour.stroke_width(2)))?;
            }
            if line.points.len() <= MARKED {
                chart.draw_series(points().map(|point| Circle::new(point, 3, colour.filled())))?;
            }
        }
        self.write_legend(area)
    }

    fn write_legend(
        &self,
        area: &DrawingArea<SVGBackend<'_>, Shift>,
    ) -> Result<(), Box<dyn std::error::Error>> {
        let left = (WIDTH - self.legend()) as i32;
        for (index, line) in self.lines.iter().enumerate().filter(|(_, line)| !line.name.is_empty()) {
            let (colour, y) = (COLOURS[index % COLOURS.len()], 24 + ENTRY * index as i32);
            let strokes = if dashed(index) { vec![(0, 6), (10, 16), (20, 24)] } else { vec![(0, 24)] };
            for (from, to) in strokes {
                area.draw(&PathElement::new([(left + from, y), (left + to, y)], colour.stroke_width(2)))?;
            }
            area.draw(&Text::new(line.name.clone(), (left + 30, y - 5), ("sans-serif", 12).into_font()))?;
        }
        Ok(())
    }
}

const fn dashed(index: usize) -> bool {
    index / COLOURS.len() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(name: &str) -> Line {
        Line {
            name: name.to_owned(),
            points: vec![(0.0, 1.0), (1.0, 2.0)],
            band: vec![(0.0, 0.5, 1.5), (1.0, 1.0, 3.0)],
        }
    }

    #[test]
    fn every_line_has_its_band_and_its_legend_entry() {
        let axes = ["iteration".to_owned(), "score".to_owned()];
        let names: Vec<String> = (0..8).map(|index| format!("line {index}")).collect();
        let panel = Panel { axes: axes.clone(), lines: names.iter().map(|name| line(name)).collect() };
        let single = Panel { axes, lines: vec![Line { band: vec![(0.0, 0.5, 1.5)], ..line("") }] };
        let text = panels(&[panel, single]).unwrap();
        assert_eq!(text.matches("<polygon").count(), 8, "a band of one position is a bar");
        for name in &names {
            assert_eq!(text.matches(&format!("\n{name}\n")).count(), 1, "{name}");
        }
        assert!(text.contains("width=\"760\" height=\"720\""), "{}", &text[..200]);
    }

    #[test]
    fn small_ranges_have_labels_that_differ_and_a_single_position_has_one() {
        let near = Line { points: vec![(1.0, 0.63001), (2.0, 0.63005)], ..Line::default() };
        let one = Line { points: vec![(3.0, 0.25)], ..Line::default() };
        let draw = |line: Line| panels(&[Panel { lines: vec![line], ..Panel::default() }]).unwrap();
        let count = |svg: &str, label: &str| svg.matches(&format!("\n{label}\n")).count();
        let svg = draw(near);
        assert_eq!((count(&svg, "0.63001"), count(&svg, "0.63003"), count(&svg, "6.3e-1")), (1, 1, 0));
        let svg = draw(one);
        assert_eq!((count(&svg, "3"), count(&svg, "0.25")), (1, 1));
    }
}
