//! Fields whose values are maps.

use std::fmt;

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::model::param::{Param, Shape};

/// The type of a field whose value is a map, `{ "name": ... }`. This type contains no entries, because the
/// loader reads them separately.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entries;

impl Param for Entries {
    fn shape() -> Shape {
        Shape::Map
    }
}

impl Serialize for Entries {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_map(Some(0))?.end()
    }
}

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Skip)
    }
}

struct Skip;

impl<'de> Visitor<'de> for Skip {
    type Value = Entries;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Entries)
    }
}
