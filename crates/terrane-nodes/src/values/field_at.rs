//! References to fields.

use std::fmt;

use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use terrane_flow::{Param, Shape};

/// A reference to a field of a graph: by its number, or by a point in it.
///
/// Fields are numbered by position, so numbers can change when a graph is edited. A point keeps referring to
/// the same field.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum FieldAt {
    /// The field's number, counted from 0.
    Number(u32),
    /// World x and y of a point in the field.
    Place(f64, f64),
}

impl fmt::Display for FieldAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "field {number}"),
            Self::Place(x, y) => write!(f, "field at ({x}, {y})"),
        }
    }
}

impl Param for FieldAt {
    fn shape() -> Shape {
        Shape::NumberOrPlace
    }

    fn numbers(&self, visit: &mut dyn FnMut(f64)) {
        match *self {
            Self::Number(number) => visit(f64::from(number)),
            Self::Place(x, y) => {
                visit(x);
                visit(y);
            }
        }
    }
}

impl<'de> Deserialize<'de> for FieldAt {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Either)
    }
}

struct Either;

impl<'de> Visitor<'de> for Either {
    type Value = FieldAt;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the number of a field, or a point (x, y) in it")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<FieldAt, E> {
        let number = u32::try_from(number);
        number.map(FieldAt::Number).map_err(|_| E::custom("the number is too large"))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<FieldAt, E> {
        match u64::try_from(number) {
            Ok(number) => self.visit_u64(number),
            Err(_) => Err(E::custom("fields are counted from 0")),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<FieldAt, A::Error> {
        let mut next = |at: usize| {
            items.next_element::<f64>()?.ok_or_else(|| de::Error::invalid_length(at, &"a point (x, y)"))
        };
        let point = FieldAt::Place(next(0)?, next(1)?);
        match items.next_element::<f64>()? {
            Some(_) => Err(de::Error::invalid_length(3, &"a point (x, y)")),
            None => Ok(point),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_points_are_read_and_written() {
        let read = |text: &str| ron::from_str::<Vec<(FieldAt, f64)>>(text);
        let found = read("[(3, 1), ((12, -4.5), 2.0)]").unwrap();
        assert_eq!(found, [(FieldAt::Number(3), 1.0), (FieldAt::Place(12.0, -4.5), 2.0)]);
        assert_eq!(read(&terrane_flow::canonical(&found)).unwrap(), found);
        assert_eq!(terrane_flow::canonical(&FieldAt::Number(7)), "7");
        for wrong in
            ["[(-1, 1)]", "[(1.5, 1)]", "[((1), 1)]", "[((1, 2, 3), 1)]", "[(\"a\", 1)]", "[(9999999999, 1)]"]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
