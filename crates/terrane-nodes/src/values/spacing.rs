//! The spacing of a graph.

use std::fmt;

use serde::de::{self, EnumAccess, VariantAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use terrane_flow::{Param, Shape};

/// The distance between the samples of a graph.
#[derive(Clone, Debug, PartialEq)]
pub enum Spacing {
    /// In world units.
    Distance(f64),
    /// The spacing in metres of the file that the `Import` of this name reads.
    File(String),
}

/// The name of [`Spacing::File`] in graphs.
const FILE: &str = "File";

impl Param for Spacing {
    fn shape() -> Shape {
        Shape::NumberOrNamed(FILE)
    }

    fn numbers(&self, visit: &mut dyn FnMut(f64)) {
        if let Self::Distance(distance) = self {
            visit(*distance);
        }
    }
}

impl Serialize for Spacing {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Distance(distance) => to.serialize_f64(*distance),
            Self::File(name) => to.serialize_newtype_variant("Spacing", 1, FILE, name),
        }
    }
}

impl<'de> Deserialize<'de> for Spacing {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Either)
    }
}

struct Either;

impl<'de> Visitor<'de> for Either {
    type Value = Spacing;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or File(\"name of an Import\")")
    }

    fn visit_f64<E: de::Error>(self, distance: f64) -> Result<Spacing, E> {
        Ok(Spacing::Distance(distance))
    }

    fn visit_u64<E: de::Error>(self, distance: u64) -> Result<Spacing, E> {
        Ok(Spacing::Distance(distance as f64))
    }

    fn visit_i64<E: de::Error>(self, distance: i64) -> Result<Spacing, E> {
        Ok(Spacing::Distance(distance as f64))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Spacing, A::Error> {
        match access.variant::<String>()? {
            (name, variant) if name == FILE => Ok(Spacing::File(variant.newtype_variant()?)),
            (name, _) => Err(de::Error::unknown_variant(&name, &[FILE])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_files_are_read_and_written() {
        for (spacing, text) in [
            (Spacing::Distance(0.1), "0.1"),
            (Spacing::Distance(30.0), "30.0"),
            (Spacing::File("a \"b\"".to_owned()), "File(\"a \\\"b\\\"\")"),
        ] {
            assert_eq!(terrane_flow::canonical(&spacing), text);
        }
    }
}
