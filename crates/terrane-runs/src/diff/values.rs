//! By how much the outputs of two graphs differ.

use std::sync::Arc;

use terrane_flow::{Engine, Loaded, Value, Wanted};
use terrane_grid::Grid;
use terrane_nodes::values::Map;

use crate::snapshots::{described, picture};
use crate::{Failure, memory, outputs};

/// An output file of two graphs with its difference.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct OutputChange {
    /// The file.
    pub file: String,
    /// The digests of both values; `None` for one that a graph does not have.
    pub digests: [Option<String>; 2],
    /// By how much they differ; `None` if they are equal, or if one graph does not have the file.
    pub size: Option<Size>,
}

/// By how much two values differ.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Size {
    /// Two maps of the same size. Samples that are holes in both are equal.
    Map {
        /// The share of samples that differ.
        share: f64,
        /// The maximum difference, in the unit of the map.
        maximum: f64,
        /// The mean difference, second minus first.
        mean: f64,
        /// The root of the mean squared difference.
        rms: f64,
        /// The number of samples that are a hole in one of them only.
        holes: usize,
    },
    /// Two pictures of the same size.
    Picture {
        /// The share of pixels that differ.
        share: f64,
        /// The maximum difference of a channel, from 0 to 255.
        maximum: u8,
    },
    /// Other values, or values of different sizes: both in words.
    Other {
        /// The first.
        before: String,
        /// The second.
        after: String,
    },
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Map { share, maximum, mean, rms, holes } => {
                write!(
                    f,
                    "{:.1} % of the samples differ, by {} at most, {} on average, {} rms",
                    100.0 * share,
                    short(*maximum),
                    short(*mean),
                    short(*rms)
                )?;
                if *holes > 0 { write!(f, "; {holes} are holes in one only") } else { Ok(()) }
            }
            Self::Picture { share, maximum } => {
                write!(f, "{:.1} % of the pixels differ, by {maximum} of 255 at most", 100.0 * share)
            }
            Self::Other { before, after } => write!(f, "{before} -> {after}"),
        }
    }
}

/// A number with four digits.
fn short(value: f64) -> String {
    format!("{value:.3e}").parse::<f64>().unwrap_or(value).to_string()
}

/// Evaluates the outputs of two graphs, and compares those with the same file. Nothing is written.
///
/// # Errors
/// If a graph does not fit into the engine's memory, or a node fails.
pub fn changed_outputs(
    engine: &Engine,
    before: &Arc<Loaded>,
    after: &Arc<Loaded>,
) -> Result<Vec<OutputChange>, Failure> {
    let (old, new) = (values(engine, before)?, values(engine, after)?);
    let find = |all: &[(String, Value)], file: &str| {
        all.iter().find(|(name, _)| name == file).map(|(_, value)| value.clone())
    };
    let mut files: Vec<&String> = new.iter().map(|(file, _)| file).collect();
    files.extend(old.iter().map(|(file, _)| file).filter(|file| find(&new, file).is_none()));
    let of = |file: &String| {
        let pair = [find(&old, file), find(&new, file)];
        let digests = pair.each_ref().map(|value| value.as_ref().map(|value| value.digest().hex()));
        let size = match &pair {
            [Some(old), Some(new)] if digests[0] != digests[1] => Some(size(old, new)),
            _ => None,
        };
        OutputChange { file: file.clone(), digests, size }
    };
    Ok(files.into_iter().map(of).collect())
}

/// The outputs of a graph by file.
fn values(engine: &Engine, loaded: &Arc<Loaded>) -> Result<Vec<(String, Value)>, Failure> {
    let entries = outputs::entries(loaded, &[])?;
    memory::check_graph(loaded, &outputs::positions(loaded, &entries), engine)?;
    let wanted: Vec<Wanted> = entries.iter().map(|entry| Wanted::from(entry.from.clone())).collect();
    let evaluation = engine.start(loaded, wanted)?.wait();
    Failure::unless(outputs::failures(loaded, &evaluation))?;
    let found = entries.iter().zip(evaluation.outputs);
    Ok(found.filter_map(|(entry, output)| Some((entry.file.clone(), output.value?))).collect())
}

/// By how much two values differ.
fn size(old: &Value, new: &Value) -> Size {
    let maps = old.clone().downcast::<Map>().zip(new.clone().downcast::<Map>());
    if let Some((old, new)) = maps.filter(|(old, new)| old.domain().size == new.domain().size) {
        return map_size(old.samples(), new.samples());
    }
    // Levels and the like have pictures too, but their numbers say more.
    let pictures = picture(old).zip(picture(new)).filter(|_| old.kind().name == "picture");
    if let Some((old, new)) = pictures.filter(|(old, new)| old.size() == new.size()) {
        return picture_size(&old, &new);
    }
    // Neither the drawing of a map nor a digest says by how much it differs.
    let is_said = |line: &&str| !line.starts_with('|') && !line.starts_with("hash: ");
    let line = |value: &Value| described(value).lines().filter(is_said).collect::<Vec<_>>().join(", ");
    Size::Other { before: line(old), after: line(new) }
}

fn map_size(old: &[f32], new: &[f32]) -> Size {
    let (mut differ, mut holes, mut maximum, mut sum, mut squares) = (0_usize, 0, 0.0_f64, 0.0, 0.0);
    for (&old, &new) in old.iter().zip(new) {
        if old.to_bits() == new.to_bits() || old.is_nan() && new.is_nan() {
            continue;
        }
        differ += 1;
        let apart = f64::from(new) - f64::from(old);
        if apart.is_nan() {
            holes += 1;
            continue;
        }
        maximum = maximum.max(apart.abs());
        sum += apart;
        squares += apart * apart;
    }
    let count = old.len().max(1) as f64;
    Size::Map {
        share: differ as f64 / count,
        maximum,
        mean: sum / count,
        rms: (squares / count).sqrt(),
        holes,
    }
}

fn picture_size(old: &Grid<[u8; 3]>, new: &Grid<[u8; 3]>) -> Size {
    let pairs = old.as_slice().iter().zip(new.as_slice());
    let apart = pairs.map(|(a, b)| (0..3).map(|channel| a[channel].abs_diff(b[channel])).max().unwrap_or(0));
    let apart: Vec<u8> = apart.collect();
    let differ = apart.iter().filter(|apart| **apart > 0).count();
    let maximum = apart.iter().copied().max().unwrap_or(0);
    Size::Picture { share: differ as f64 / apart.len().max(1) as f64, maximum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_by_hand() {
        let nan = f32::NAN;
        let size = map_size(&[1.0, 2.0, nan, 4.0], &[1.0, 5.0, nan, nan]);
        let expected = Size::Map { share: 0.5, maximum: 3.0, mean: 0.75, rms: 1.5, holes: 1 };
        assert_eq!(size, expected);
        let said =
            "50.0 % of the samples differ, by 3 at most, 0.75 on average, 1.5 rms; 1 are holes in one only";
        assert_eq!(size.to_string(), said);
    }

    #[test]
    fn pictures_by_hand() {
        let old = Grid::filled(2, 1, [10, 10, 10]);
        let new = Grid::from_vec(2, 1, vec![[10, 12, 10], [10, 10, 10]]);
        assert_eq!(picture_size(&old, &new), Size::Picture { share: 0.5, maximum: 2 });
    }

    #[test]
    fn numbers_have_four_digits() {
        assert_eq!(
            [12345.678, 1.23456, -0.000_123_456, 0.0].map(short),
            ["12350", "1.235", "-0.0001235", "0"]
        );
    }
}
