//! Converts RON to JSON, by shape.

use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde_json::{Map, Value as Json, json};

use super::EXACT;
use terrane_syntax::{Tree, read_seed};

use crate::model::param::{RecordSpec, Shape};

/// See [`Literal::json`](super::Literal::json).
pub fn json(shape: &Shape, ron: &str) -> Option<Json> {
    let tree = Tree::parse(ron);
    let value = tree.value().filter(|_| tree.mistakes().is_empty())?;
    read_seed(value, Seed(shape)).ok()
}

/// Reads a value of a shape.
#[derive(Clone, Copy)]
struct Seed<'a>(&'a Shape);

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Json, D::Error> {
        match self.0 {
            Shape::Bool => from.deserialize_bool(self),
            // Any whole number: the shape decides which type it must fit.
            Shape::Integer { .. } | Shape::NumberOrPlace | Shape::NumberOrNamed(_) => {
                from.deserialize_any(self)
            }
            Shape::Map => Err(Error::custom("a map is read by the loader")),
            Shape::Float => from.deserialize_f64(self),
            Shape::Text | Shape::File => from.deserialize_string(self),
            Shape::Choice(_) | Shape::Record(_) => from.deserialize_enum("", &[], self),
            Shape::List(_) => from.deserialize_seq(self),
            Shape::Tuple(items) => from.deserialize_tuple(items.len(), self),
            Shape::Optional(_) => from.deserialize_option(self),
        }
    }
}

impl Seed<'_> {
    fn integer<E: Error>(self, number: i128) -> Result<Json, E> {
        match self.0 {
            Shape::Integer { min, max } if (*min..=*max).contains(&number) => {
                Ok(match (i64::try_from(number), u64::try_from(number)) {
                    _ if number.unsigned_abs() > u128::from(EXACT) => Json::String(number.to_string()),
                    (Ok(number), _) => json!(number),
                    (_, Ok(number)) => json!(number),
                    _ => Json::String(number.to_string()),
                })
            }
            Shape::NumberOrNamed(_) => Ok(json!(number as f64)),
            Shape::NumberOrPlace => {
                u32::try_from(number).map(Json::from).map_err(|_| E::custom("out of range"))
            }
            _ => Err(E::custom("out of range")),
        }
    }

    fn sequence<'de, A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut out = Vec::new();
        match self.0 {
            Shape::Tuple(shapes) => {
                for shape in shapes {
                    out.push(
                        items
                            .next_element_seed(Seed(shape))?
                            .ok_or_else(|| A::Error::invalid_length(out.len(), &self))?,
                    );
                }
            }
            Shape::List(shape) => {
                while let Some(item) = items.next_element_seed(Seed(shape))? {
                    out.push(item);
                }
            }
            Shape::NumberOrPlace => {
                while let Some(item) = items.next_element_seed(Seed(&Shape::Float))? {
                    out.push(item);
                }
                if out.len() != 2 {
                    return Err(A::Error::invalid_length(out.len(), &self));
                }
            }
            _ => return Err(A::Error::custom("a list")),
        }
        Ok(out.into())
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.0, f)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Json, E> {
        match self.0 {
            Shape::Bool => Ok(value.into()),
            _ => Err(E::custom("a bool")),
        }
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Json, E> {
        self.integer(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Json, E> {
        self.integer(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Json, E> {
        match self.0 {
            Shape::Float | Shape::NumberOrNamed(_) if value.is_finite() => Ok(value.into()),
            _ => Err(E::custom("a number that JSON cannot express")),
        }
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Json, E> {
        match self.0 {
            Shape::Text | Shape::File => Ok(value.into()),
            _ => Err(E::custom("text")),
        }
    }

    fn visit_none<E: Error>(self) -> Result<Json, E> {
        match self.0 {
            Shape::Optional(_) => Ok(Json::Null),
            _ => Err(E::custom("no option")),
        }
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Json, D::Error> {
        match self.0 {
            Shape::Optional(item) => Seed(item).deserialize(from),
            _ => Err(D::Error::custom("an option")),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Json, A::Error> {
        self.sequence(items)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Json, A::Error> {
        let (name, variant) = access.variant_seed(Name)?;
        match self.0 {
            Shape::Choice(choices) if choices.iter().any(|choice| choice.name == name) => {
                variant.unit_variant()?;
                Ok(name.into())
            }
            Shape::NumberOrNamed(known) if *known == name => {
                let text: String = variant.newtype_variant()?;
                Ok(json!({ name: text }))
            }
            Shape::Record(records) => {
                let record = records
                    .iter()
                    .find(|record| record.name == name)
                    .ok_or_else(|| A::Error::custom("no such name"))?;
                let fields = variant.struct_variant(&[], Fields(record))?;
                Ok(json!({ "name": name, "fields": fields }))
            }
            _ => Err(A::Error::custom("no such name")),
        }
    }
}

/// The name of a choice, a record or a field.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<String, D::Error> {
        from.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<String, E> {
        Ok(name.to_owned())
    }
}

/// The fields of a record that are set.
struct Fields(&'static RecordSpec);

impl<'de> Visitor<'de> for Fields {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.0, f)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut out = Map::new();
        while let Some(name) = map.next_key_seed(Name)? {
            let field = self.0.fields.iter().find(|field| field.name == name);
            let shape = field.ok_or_else(|| A::Error::custom("no such field"))?.shape();
            out.insert(name, map.next_value_seed(Seed(&shape))?);
        }
        Ok(Json::Object(out))
    }
}
