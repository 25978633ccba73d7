//! What terrain of a name is made of.

use serde::{Deserialize, Serialize};
use terrane_flow::{Param, RecordField, RecordSpec, Shape};

/// A terrain description (Mijailovic, section 3.3): the parameters of noise or of midpoint displacement, or a
/// map that is given elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Description {
    /// Perlin's noise, a function of the plane: fields of one description are parts of one terrain.
    Noise {
        /// How often fields are of it, beside the other descriptions.
        #[serde(default = "one")]
        weight: f64,
        /// Factor on heights in [0, 1], in world units.
        #[serde(default = "one")]
        amplitude: f64,
        /// Added to heights, in world units.
        #[serde(default)]
        offset: f64,
        /// Side of the first octave's cells, in world units.
        #[serde(default = "wavelength")]
        wavelength: f64,
        /// Number of octaves.
        #[serde(default = "octaves")]
        octaves: u32,
        /// How many times finer an octave is than the one before.
        #[serde(default = "two")]
        lacunarity: f64,
        /// Amplitude of an octave over that of the one before.
        #[serde(default = "half")]
        persistence: f64,
        /// Seed, mixed with the node's.
        #[serde(default)]
        seed: u64,
    },
    /// Midpoint displacement from starting cells as large as each field's bounding box, with a seed of its
    /// own.
    MidpointDisplacement {
        /// How often fields are of it, beside the other descriptions.
        #[serde(default = "one")]
        weight: f64,
        /// Factor on heights about [0, 1], in world units.
        #[serde(default = "one")]
        amplitude: f64,
        /// Added to heights, in world units.
        #[serde(default)]
        offset: f64,
        /// Range of offsets at a level over that of the one before.
        #[serde(default = "half")]
        persistence: f64,
        /// Whether offsets grow with the local height.
        #[serde(default)]
        smoothed: bool,
        /// Levels that offset their midpoints; finer ones are means alone.
        #[serde(default = "levels")]
        levels: u32,
        /// Seed, mixed with the node's.
        #[serde(default)]
        seed: u64,
    },
    /// The map of that name, by a `DescribeTerrain` node.
    Map {
        /// How often fields are of it, beside the other descriptions.
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
    /// How often fields are of it.
    #[must_use]
    pub fn weight(&self) -> f64 {
        match self {
            Self::Noise { weight, .. } | Self::MidpointDisplacement { weight, .. } | Self::Map { weight } => {
                *weight
            }
        }
    }

    /// What is wrong with its numbers, in words.
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

const WEIGHT: RecordField =
    field("weight", "How often fields are of it, beside the other descriptions; default 1.");
const AMPLITUDE: RecordField = field("amplitude", "Factor on heights in [0, 1], in world units; default 1.");
const OFFSET: RecordField = field("offset", "Added to heights, in world units; default 0.");
const PERSISTENCE: RecordField =
    field("persistence", "Amplitude of an octave or level over that of the one before; default 0.5.");
const SEED: RecordField =
    RecordField { name: "seed", docs: "Seed, mixed with the node's; default 0.", kind: "integer" };

const RECORDS: &[RecordSpec] = &[
    RecordSpec {
        name: "Noise",
        docs: "Perlin's noise, a function of the plane: fields of one description are parts of one terrain.",
        fields: &[
            AMPLITUDE,
            OFFSET,
            field("wavelength", "Side of the first octave's cells, in world units; default 256."),
            RecordField { name: "octaves", docs: "Number of octaves; default 8.", kind: "integer" },
            field("lacunarity", "How many times finer an octave is than the one before; default 2."),
            PERSISTENCE,
            SEED,
            WEIGHT,
        ],
    },
    RecordSpec {
        name: "MidpointDisplacement",
        docs: "Midpoint displacement from starting cells as large as each field's bounding box, with a seed \
            of its own: a function of the plane, so that any map has the same bits.",
        fields: &[
            AMPLITUDE,
            OFFSET,
            PERSISTENCE,
            RecordField {
                name: "smoothed",
                docs: "Whether offsets grow with the local height; default false.",
                kind: "boolean",
            },
            RecordField {
                name: "levels",
                docs: "Levels that offset their midpoints, each half as wide as the one before; finer ones \
                    are means alone; default 32.",
                kind: "integer",
            },
            SEED,
            WEIGHT,
        ],
    },
    RecordSpec {
        name: "Map",
        docs: "The map of that name, which a DescribeTerrain node gives: any terrain, from a whole graph.",
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

    /// What pages list is what can be written.
    #[test]
    fn fields_are_those_that_are_documented() {
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
    fn numbers_out_of_range_are_named() {
        let said = |text: &str| ron::from_str::<Description>(text).unwrap().problem().unwrap_or_default();
        assert!(said("Noise(wavelength: 0)").contains("`wavelength` is 0"));
        assert!(said("Noise(octaves: 33)").contains("1 to 32"));
        assert!(said("Map(weight: -1)").contains("at least 0"));
        assert!(said("MidpointDisplacement(amplitude: inf)").contains("`amplitude`"));
    }
}
