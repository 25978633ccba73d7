//! Colour gradients.

use terrane_flow::{Context, Evaluate, FilePath, Header, Invalid, Node, NodeError, Reach, Sizes};
use terrane_grid::Grid;
use terrane_io::{ReadOptions, needed_memory_from, read_picture_from};

use crate::opening::{check_build, opener};
use crate::values;

/// A colour gradient, from stops or from the colours along a line through a picture.
///
/// `stops` are colours at increasing positions; `ColorRelief` stretches them over its range of heights.
/// Alternatively, `file` reads colours from a picture, such as a photograph of a hillside or a satellite
/// image: PNG, JPEG, WebP, BMP or TGA.
/// The line from `begin` to `end` is cut into 64 equal parts, and each part gives its mean colour. Between
/// stops colours are mixed in linear light.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "autumn": Gradient(stops: [(0.0, (64, 84, 60)), (0.4, (186, 140, 60)), (1.0, (236, 228, 214))]),
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "relief": ColorRelief(height: "hills", gradient: "autumn"),
///     },
///     outputs: { "relief.png": "relief" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "pictures",
    words = "colour color ramp palette colours colors stops map legend scheme",
    tiles = Pointwise, cost = Cheap)]
#[output(gradient: values::Gradient, doc = "The gradient, its first stop at 0 and its last at 1.")]
pub struct Gradient {
    /// Increasing positions, each with its colour: red, green, blue.
    #[param(default = Vec::new(), unit = "sRGB")]
    pub stops: Vec<(f64, (u8, u8, u8))>,
    /// Picture to read colours from instead of `stops`, relative to the graph's file.
    #[param(default = None)]
    pub file: Option<FilePath>,
    /// Start of the line through the picture, as shares of its width and height from the upper left corner.
    #[param(default = (0.0, 0.5))]
    pub begin: (f64, f64),
    /// End of the line through the picture, as shares of its width and height from the upper left corner.
    #[param(default = (1.0, 0.5))]
    pub end: (f64, f64),
}

/// The number of colours read from a picture.
const COLORS: usize = 64;
/// The number of samples of the picture that each colour is the mean of.
const PARTS: usize = 16;

/// The maximum number of samples of a picture.
const MAX_SAMPLES: u64 = 1 << 28;

/// The memory of a sample while a picture is read: decoded with transparency, and without.
const BYTES_A_SAMPLE: u64 = 4 + 3;

impl Evaluate for Gradient {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let stops = match &self.file {
            None => self.written(),
            Some(file) => {
                let picture =
                    read_picture_from(&opener(file), &file.path(), MAX_SAMPLES).map_err(|error| {
                        NodeError::failed(format!("{}: {}", file.given(), error.problem), error.remedy())
                    })?;
                along(&picture, self.begin, self.end)
            }
        };
        Ok((values::Gradient(stops),))
    }

    /// Memory for reading the picture.
    fn extra_bytes(&self, _sizes: &Sizes<'_>) -> u64 {
        let options = ReadOptions { max_samples: MAX_SAMPLES, ..ReadOptions::default() };
        let needed =
            self.file.as_ref().and_then(|file| needed_memory_from(&opener(file), &file.path(), &options));
        needed.map_or(0, |needed| BYTES_A_SAMPLE * needed.size.0 as u64 * needed.size.1 as u64)
    }

    fn check(&self) -> Result<(), Invalid> {
        let invalid = |field, message: &str, help: &str| {
            Err(Invalid { field, message: message.to_owned(), help: help.to_owned() })
        };
        match (&self.file, &self.stops[..]) {
            (Some(file), []) => check_build(file)?,
            (Some(_), _) => {
                return invalid("file", "both `stops` and `file` are given", "leave one of them out");
            }
            (None, [] | [_]) => {
                let help = "write stops: [(0.0, (red, green, blue)), (1.0, (red, green, blue))], or a file";
                return invalid("stops", "a gradient needs at least two stops", help);
            }
            (None, stops) => {
                if let Some(pair) = stops.windows(2).find(|pair| (pair[0].0 as f32) >= pair[1].0 as f32) {
                    let message = format!(
                        "the position {} is not greater than {}, the one before it",
                        pair[1].0, pair[0].0
                    );
                    return invalid("stops", &message, "write stops from the lowest position to the highest");
                }
            }
        }
        let outside = |(x, y): (f64, f64)| !((0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y));
        for (field, point) in [("begin", self.begin), ("end", self.end)] {
            if outside(point) {
                let message = format!("{point:?} lies outside the picture");
                return invalid(field, &message, "write shares of its width and height, from 0 to 1");
            }
        }
        Ok(())
    }

    fn reach(&self, _header: &dyn Header) -> Reach {
        Reach::Samples(0)
    }
}

impl Gradient {
    /// The stops of the parameters, with positions scaled to [0, 1].
    fn written(&self) -> Vec<(f32, [u8; 3])> {
        let (first, last) = (self.stops[0].0, self.stops[self.stops.len() - 1].0);
        let mut stops: Vec<(f32, [u8; 3])> = self
            .stops
            .iter()
            .map(|(at, color)| (((at - first) / (last - first)) as f32, (*color).into()))
            .collect();
        // Rounding can make positions equal, but they must increase.
        stops.dedup_by(|next, before| next.0 <= before.0);
        stops
    }
}

/// The means of equal parts of a line through a picture, per channel.
fn along(picture: &Grid<[u8; 3]>, begin: (f64, f64), end: (f64, f64)) -> Vec<(f32, [u8; 3])> {
    let (columns, rows) = picture.size();
    let at = |share: f64| {
        let (x, y) = (begin.0 + (end.0 - begin.0) * share, begin.1 + (end.1 - begin.1) * share);
        let index = |share: f64, count: usize| ((share * count as f64) as usize).min(count - 1);
        picture[(index(x, columns), index(y, rows))]
    };
    (0..COLORS)
        .map(|color| {
            let mut sums = [0u32; 3];
            for part in 0..PARTS {
                let share = ((color * PARTS + part) as f64 + 0.5) / (COLORS * PARTS) as f64;
                let sample = at(share);
                (0..3).for_each(|channel| sums[channel] += u32::from(sample[channel]));
            }
            (
                color as f32 / (COLORS - 1) as f32,
                sums.map(|sum| ((sum + PARTS as u32 / 2) / PARTS as u32) as u8),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(feature = "image")]
    use crate::testing::Run;

    #[cfg(feature = "image")]
    #[test]
    fn every_format_of_pictures_gives_its_colours() {
        let folder = tempfile::tempdir().unwrap();
        let picture = Grid::from_fn(256, 16, |x, _| [x as u8, 255 - x as u8, 40]);
        for (name, tolerance) in [("a.png", 0), ("a.webp", 0), ("a.jpg", 3)] {
            terrane_io::write_picture(&folder.path().join(name), &picture, terrane_io::Effort::Fast).unwrap();
            let text = format!(
                "Graph(size: (9, 9), nodes: {{ \"g\": Gradient(file: \"{name}\") }}, \
                outputs: {{ \"g.json\": \"g\" }})"
            );
            let values::Gradient(stops) = Run::of(&text, folder.path()).unwrap().value(0);
            let wanted = along(&picture, (0.0, 0.5), (1.0, 0.5));
            let off = stops.iter().zip(&wanted).flat_map(|(a, b)| (0..3).map(|c| a.1[c].abs_diff(b.1[c])));
            assert!(off.max().unwrap() <= tolerance, "{name}: {stops:?}");
        }
    }

    #[test]
    fn the_forecast_includes_the_memory_of_the_picture() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        terrane_io::write_picture(&path, &Grid::filled(300, 200, [9; 3]), terrane_io::Effort::Fast).unwrap();
        let bytes = |parameters: &str| {
            let text = format!("Graph(size: (9, 9), nodes: {{ \"g\": Gradient({parameters}) }})");
            let registry = crate::registry();
            let loaded = terrane_flow::load("g.ron", &text, folder.path(), &registry, &Default::default());
            let loaded = loaded.unwrap();
            loaded.plan.forecast(&loaded.graph, &[(0, 0)], 1).serial
        };
        let stops = "stops: [(0.0, (0, 0, 0)), (1.0, (9, 9, 9))]";
        assert_eq!(bytes("file: \"a.png\"") - bytes(stops), 300 * 200 * BYTES_A_SAMPLE);
    }

    #[test]
    fn a_line_through_a_picture_gives_the_means_of_its_parts() {
        let picture = Grid::from_fn(128, 4, |x, y| [x as u8, if y < 2 { 200 } else { 0 }, 7]);
        let stops = along(&picture, (0.0, 0.25), (1.0, 0.25));
        assert_eq!((stops.len(), stops[0], stops[63]), (64, (0.0, [1, 200, 7]), (1.0, [127, 200, 7])));
        let up = along(&picture, (0.5, 1.0), (0.5, 0.0));
        assert_eq!((up[0].1, up[63].1), ([64, 0, 7], [64, 200, 7]));
    }
}
