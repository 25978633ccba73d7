//! Game engines and the heightmaps that they import.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Format;

/// A game engine with special requirements. World units are metres.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "params", derive(terrane_param::Choice))]
pub enum Preset {
    /// Raw 16-bit samples. The map must be a square with sides of 2ⁿ + 1 samples, from 33 to 4097.
    Unity,
    /// PNG or raw files with 16 bits per sample. The sides of the map must fill whole components of a
    /// landscape.
    Unreal,
    /// For Terrain3D: EXR with unscaled heights, or raw 16-bit samples.
    ///
    /// Never PNG, which Godot reads with 8 bits.
    Godot,
    /// PNG with 16 bits per sample, EXR, or raw floating-point numbers. Bevy has no terrain and loads
    /// images.
    Bevy,
}

/// What an engine does not accept, and what it would accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What the engine does not accept.
    pub message: String,
    /// What it would accept.
    pub help: String,
}

impl Preset {
    /// The engine's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unity => "Unity",
            Self::Unreal => "Unreal",
            Self::Godot => "Godot",
            Self::Bevy => "Bevy",
        }
    }

    /// The formats that the engine accepts, the preferred one first.
    #[must_use]
    pub const fn formats(self) -> &'static [Format] {
        match self {
            Self::Unity => &[Format::RAW16],
            Self::Unreal => &[Format::PNG, Format::RAW16],
            Self::Godot => &[Format::EXR, Format::RAW16],
            Self::Bevy => &[Format::PNG, Format::EXR, Format::RAW32],
        }
    }

    /// The side lengths that the engine accepts. Empty if it accepts any up to [`Self::max_side`].
    const fn sides(self) -> &'static [usize] {
        match self {
            Self::Unity => &[33, 65, 129, 257, 513, 1025, 2049, 4097],
            Self::Unreal => &[127, 253, 505, 1009, 2017, 4033, 8129],
            Self::Godot | Self::Bevy => &[],
        }
    }

    /// The longest side of an image in engines that accept any.
    const fn max_side(self) -> usize {
        16384
    }

    /// Checks that the engine accepts a file of this format with this many columns and rows.
    ///
    /// # Errors
    /// A [`Refusal`]: what the engine does not accept, and what to write instead. For a wrong format it lists
    /// the accepted formats, for a wrong size the accepted sizes and the nearest one.
    pub fn check(self, format: Format, (width, height): (usize, usize)) -> Result<(), Refusal> {
        let name = self.name();
        if !self.formats().contains(&format) {
            let all: Vec<&str> = self.formats().iter().flat_map(Format::extensions).copied().collect();
            return Err(Refusal {
                message: format!("{name} does not take {format}"),
                help: format!("choose one of .{}", all.join(", .")),
            });
        }
        let sides = self.sides();
        if sides.is_empty() {
            let max = self.max_side();
            if width.max(height) > max {
                let message = format!("{name} takes at most {max} samples a side, not {width} x {height}");
                let help = "write patches, or fewer samples with a larger spacing".to_owned();
                return Err(Refusal { message, help });
            }
            return Ok(());
        }
        let square = self == Self::Unity;
        if sides.contains(&width) && sides.contains(&height) && (width == height || !square) {
            return Ok(());
        }
        let all: Vec<String> = sides.iter().map(usize::to_string).collect();
        let kind = if square { "a square of" } else { "sides of" };
        let message = format!("{name} takes {kind} {} samples, not {width} x {height}", all.join(", "));
        let nearest =
            |side: usize| sides.iter().copied().min_by_key(|known| known.abs_diff(side)).unwrap_or(side);
        let (columns, rows) = if square { (width.max(height), width.max(height)) } else { (width, height) };
        let help = format!("the nearest is size: ({}, {})", nearest(columns), nearest(rows));
        Err(Refusal { message, help })
    }

    /// The settings to enter in the engine, by the names in its dialog.
    #[must_use]
    pub fn settings(self, file: &PresetFile) -> Map<String, Value> {
        let PresetFile { format, size: (width, height), spacing, minimum, maximum } = *file;
        let range = maximum - minimum;
        let extent = |samples: usize| (samples.saturating_sub(1)) as f64 * spacing;
        let rows = match (self, format) {
            (Self::Unity, _) => vec![
                ("Depth", "Bit 16".into()),
                ("Resolution", width.into()),
                ("Byte Order", "Windows".into()),
                ("Flip Vertically", true.into()),
                ("Terrain Size", serde_json::json!({ "x": extent(width), "y": range, "z": extent(height) })),
                ("Position Y", minimum.into()),
            ],
            // A code is (height in cm) · 128 / scale + 32768.
            (Self::Unreal, _) => vec![
                ("Overall Resolution", serde_json::json!([width, height])),
                (
                    "Scale",
                    serde_json::json!({
                        "X": 100.0 * spacing, "Y": 100.0 * spacing, "Z": range * 12800.0 / 65535.0,
                    }),
                ),
                ("Location Z", (100.0 * (minimum + range * 32768.0 / 65535.0)).into()),
            ],
            (Self::Godot, Format::RAW16) => vec![
                ("r16_range", serde_json::json!([minimum, maximum])),
                ("r16_size", serde_json::json!([width, height])),
                ("vertex_spacing", spacing.into()),
            ],
            (Self::Godot, _) => vec![
                ("import_scale", 1.0.into()),
                ("height_offset", 0.0.into()),
                ("vertex_spacing", spacing.into()),
            ],
            (Self::Bevy, _) => {
                let codes = format == Format::PNG;
                let height_of = if codes { "minimum + sample * (maximum - minimum)" } else { "sample" };
                vec![
                    ("plane", serde_json::json!([extent(width), extent(height)])),
                    ("texture_format", if codes { "R16Unorm" } else { "R32Float" }.into()),
                    ("height", height_of.into()),
                ]
            }
        };
        rows.into_iter().map(|(name, value): (&str, Value)| (name.to_owned(), value)).collect()
    }
}

/// The properties of a file that [`Preset::settings`] depends on.
#[derive(Clone, Copy, Debug)]
pub struct PresetFile {
    /// Its format.
    pub format: Format,
    /// Columns and rows.
    pub size: (usize, usize),
    /// World units between samples.
    pub spacing: f64,
    /// The height of the lowest code, or the minimum height.
    pub minimum: f64,
    /// The height of the highest code, or the maximum height.
    pub maximum: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_accept_certain_sizes() {
        let refusal = |preset: Preset, format, size| {
            let refusal = preset.check(format, size).unwrap_err();
            (refusal.message, refusal.help)
        };
        assert_eq!(
            refusal(Preset::Unity, Format::RAW16, (512, 512)),
            (
                "Unity takes a square of 33, 65, 129, 257, 513, 1025, 2049, 4097 samples, not 512 x 512"
                    .to_owned(),
                "the nearest is size: (513, 513)".to_owned()
            )
        );
        assert_eq!(refusal(Preset::Unity, Format::RAW16, (513, 257)).1, "the nearest is size: (513, 513)");
        assert_eq!(refusal(Preset::Unreal, Format::PNG, (512, 1009)).1, "the nearest is size: (505, 1009)");
        assert_eq!(Preset::Unreal.check(Format::RAW16, (505, 1009)), Ok(()));
        assert_eq!(Preset::Godot.check(Format::EXR, (1000, 7)), Ok(()));
        assert!(refusal(Preset::Godot, Format::EXR, (16385, 7)).0.contains("at most 16384"));
        assert_eq!(
            refusal(Preset::Godot, Format::PNG, (9, 9)),
            ("Godot does not take PNG".to_owned(), "choose one of .exr, .r16, .raw".to_owned())
        );
    }

    #[test]
    fn the_scale_for_unreal_restores_heights() {
        let file = PresetFile {
            format: Format::PNG,
            size: (505, 505),
            spacing: 2.0,
            minimum: -50.0,
            maximum: 150.0,
        };
        let settings = Preset::Unreal.settings(&file);
        let (scale, location) =
            (settings["Scale"]["Z"].as_f64().unwrap(), settings["Location Z"].as_f64().unwrap());
        // How Unreal decodes a code, in centimetres.
        let height = |code: f64| (code - 32768.0) / 128.0 * scale + location;
        assert!((height(0.0) + 5000.0).abs() < 1e-6 && (height(65535.0) - 15000.0).abs() < 1e-6);
    }
}
