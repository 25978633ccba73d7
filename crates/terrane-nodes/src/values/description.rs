//! Terrain descriptions.

use serde::{Deserialize, Serialize};
use terrane_flow::{Param, RecordField, RecordSpec, Shape};

/// A terrain description (Mijailovic, section 3.3): the parameters of noise or of midpoint displacement, or a
/// map from a `DescribeTerrain` node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Description {
    /// Perlin noise that covers the whole plane. Fields with the same description are parts of one terrain.
    Noise {
        /// Relative frequency of the description.
        #[serde(default = "one")]
        weight: f64,
        /// Factor by which heights in [0, 1] are multiplied, in world units.
        #[serde(default = "one")]
        amplitude: f64,
        /// Height added to the result, in world units.
        #[serde(default)]
        offset: f64,
        /// Side of the first octave's cells, in world units.
        #[serde(default = "wavelength")]
        wavelength: f64,
        /// Number of octaves.
        #[serde(default = "octaves")]
        octaves: u32,
        /// Frequency of an octave relative to the previous one.
        #[serde(default = "two")]
        lacunarity: f64,
        /// Amplitude of an octave relative to the previous one.
        #[serde(default = "half")]
        persistence: f64,
        /// Seed, mixed with the node's.
        #[serde(default)]
        seed: u64,
    },
    /// Midpoint displacement with a separate seed for each field. The starting cells are at least as large as
    /// the field's bounding box.
    MidpointDisplacement {
        /// Relative frequency of the description.
        #[serde(default = "one")]
        weight: f64,
        /// Factor by which heights in about [0, 1] are multiplied, in world units.
        #[serde(default = "one")]
        amplitude: f64,
        /// Height added to the result, in world units.
        #[serde(default)]
        offset: f64,
        /// Range of offsets at a level, relative to the previous level.
        #[serde(default = "half")]
        persistence: f64,
        /// Whether offsets are proportional to the local height.
        #[serde(default)]
        smoothed: bool,
        /// Number of levels with offsets. At finer levels, midpoints are means without offsets.
        #[serde(default = "levels")]
        levels: u32,
        /// Seed, mixed with the node's.
        #[serde(default)]
        seed: u64,
    },
    /// The map that a `DescribeTerrain` node sets for the description's name.
    Map {
        /// Relative frequency of the description.
        #[serde(default = "one")]
        weight: f64,
    },
}

fn one() -> f64 {
    1.0
}

fn two() -> f64 {
    2.0
}

fn half() -> f64 {
    0.5
}

fn wavelength() -> f64 {
    256.0
}

fn octaves() -> u32 {
    8
}

fn levels() -> u32 {
    32
}

impl Description {
    /// The relative frequency of the description.
    #[must_use]
    pub fn weight(&self) -> f64 {
        match self {
            Self::Noise { weight, .. } | Self::MidpointDisplacement { weight, .. } | Self::Map { weight } => {
                *weight
            }
        }
    }

    /// The first parameter that is out of range, as a message.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        let weight = ("weight", self.weight(), self.weight() >= 0.0, "at least 0");
        let of_kind = match *self {
            Self::Noise { amplitude, offset, wavelength, octaves, lacunarity, persistence, .. } => vec![
                ("amplitude", amplitude, true, "finite"),
                ("offset", offset, true, "finite"),
                ("wavelength", wavelength, wavelength > 0.0, "greater than 0"),
                ("octaves", f64::from(octaves), (1..=32).contains(&octaves), "1 to 32"),
                ("lacunarity", lacunarity, lacunarity > 0.0, "greater than 0"),
                ("persistence", persistence, (0.0..=4.0).contains(&persistence), "0 to 4"),
            ],
            Self::MidpointDisplacement { amplitude, offset, persistence, .. } => vec![
                ("amplitude", amplitude, true, "finite"),
                ("offset", offset, true, "finite"),
                ("persistence", persistence, (0.0..=1.0).contains(&persistence), "0 to 1"),
            ],
            Self::Map { .. } => Vec::new(),
        };
        let wrong =
            of_kind.into_iter().chain([weight]).find(|(_, value, good, _)| !(*good && value.is_finite()));
        wrong.map(|(name, value, _, range)| format!("`{name}` is {value}: expected a number, {range}"))
    }
}

const fn field(name: &'static str, docs: &'static str) -> RecordField {
    RecordField { name, docs, kind: "number" }
}

const WEIGHT: RecordField = field("weight", "Relative frequency of the description; default 1.");
const AMPLITUDE: RecordField = field(
    "amplitude",
    "Factor by which heights in [0, 1] are multiplied, in world units; \
    default 1.",
);
const OFFSET: RecordField = field("offset", "Height added to the result, in world units; default 0.");
const PERSISTENCE: RecordField = field(
    "persistence",
    "Amplitude of an octave, or range of offsets at a level, relative to the previous \
        octave or level; default 0.5.",
);
const SEED: RecordField =
    RecordField { name: "seed", docs: "Seed, mixed with the node's; default 0.", kind: "integer" };

const RECORDS: &[RecordSpec] = &[
    RecordSpec {
        name: "Noise",
        docs: "Perlin noise that covers the whole plane. Fields with the same description are parts of one \
            terrain.",
        fields: &[
            AMPLITUDE,
            OFFSET,
            field("wavelength", "Side of the first octave's cells, in world units; default 256."),
            RecordField { name: "octaves", docs: "Number of octaves; default 8.", kind: "integer" },
            field("lacunarity", "Frequency of an octave relative to the previous one; default 2."),
            PERSISTENCE,
            SEED,
            WEIGHT,
        ],
    },
    RecordSpec {
        name: "MidpointDisplacement",
        docs: "Midpoint displacement with a separate seed for each field. The starting cells are at least as \
            large as the field's bounding box. Within a field, heights depend only on the position in the \
            world, so every map has the same bits at the same position.",
        fields: &[
            AMPLITUDE,
            OFFSET,
            PERSISTENCE,
            RecordField {
                name: "smoothed",
                docs: "Whether offsets are proportional to the local height; default false.",
                kind: "boolean",
            },
            RecordField {
                name: "levels",
                docs: "Number of levels with offsets; default 32. Each level has half the spacing of the \
                    previous level. At finer levels, midpoints are means without offsets.",
                kind: "integer",
            },
            SEED,
            WEIGHT,
        ],
    },
    RecordSpec {
        name: "Map",
        docs: "The map that a DescribeTerrain node sets for the description's name. Any node can compute \
            this map.",
        fields: &[WEIGHT],
    },
];

impl Param for Description {
    fn shape() -> Shape {
        Shape::Record(RECORDS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every documented field can be written, and no other field can.
    #[test]
    fn fields_match_their_documentation() {
        for record in RECORDS {
            let value = |field: &RecordField| match field.kind {
                "boolean" => "true",
                "integer" => "3",
                _ => "0.25",
            };
            let fields: Vec<String> =
                record.fields.iter().map(|field| format!("{}: {}", field.name, value(field))).collect();
            let text = format!("{}({})", record.name, fields.join(", "));
            let read: Description = ron::from_str(&text).unwrap();
            let written = terrane_flow::canonical(&read);
            assert_eq!(written.matches(':').count(), record.fields.len(), "{written}");
            assert!(ron::from_str::<Description>(&format!("{}(else: 1)", record.name)).is_err());
            assert_eq!(read.weight(), 0.25);
            assert_eq!(read.problem(), None);
        }
    }

    #[test]
    fn numbers_out_of_range_are_reported() {
        let problem = |text: &str| ron::from_str::<Description>(text).unwrap().problem().unwrap_or_default();
        assert!(problem("Noise(wavelength: 0)").contains("`wavelength` is 0"));
        assert!(problem("Noise(octaves: 33)").contains("1 to 32"));
        assert!(problem("Map(weight: -1)").contains("at least 0"));
        assert!(problem("MidpointDisplacement(amplitude: inf)").contains("`amplitude`"));
    }
}
