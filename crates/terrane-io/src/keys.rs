//! Keys of a GeoTIFF, which describe a reference system.

use terrane_grid::GeoReference;

/// The tags that hold the values of keys that are real numbers and texts.
const REALS: u16 = 34736;
const TEXTS: u16 = 34737;

/// What stands for "none of the known ones" in a key that is a code.
pub(crate) const OWN: u16 = 32767;

fn key(georef: &GeoReference, id: u16, tag: u16) -> Option<&[u16]> {
    georef.key_directory.chunks_exact(4).skip(1).find(|key| key[0] == id && key[1] == tag)
}

/// The value of a key that is stored in the key directory itself.
pub(crate) fn short_key(georef: &GeoReference, id: u16) -> Option<u16> {
    key(georef, id, 0).map(|key| key[3])
}

/// The value of a key that is a real number greater than zero.
pub(crate) fn real_key(georef: &GeoReference, id: u16) -> Option<f64> {
    any_real_key(georef, id).filter(|real| *real > 0.0)
}

/// The value of a key that is a real number of any sign.
pub(crate) fn any_real_key(georef: &GeoReference, id: u16) -> Option<f64> {
    reals_key(georef, id).and_then(|reals| reals.first().copied()).filter(|real| real.is_finite())
}

/// The values of a key that consists of real numbers.
pub(crate) fn reals_key(georef: &GeoReference, id: u16) -> Option<&[f64]> {
    let key = key(georef, id, REALS)?;
    let first = usize::from(key[3]);
    georef.double_params.get(first..first + usize::from(key[2]).max(1))
}

/// The value of a key that is a text.
pub(crate) fn text_key(georef: &GeoReference, id: u16) -> Option<&str> {
    let key = key(georef, id, TEXTS)?;
    let first = usize::from(key[3]);
    let text = georef.ascii_params.get(first..first + usize::from(key[2]))?;
    Some(text.trim_end_matches(['|', '\0']))
}

/// The value of a key.
enum Value {
    Short(u16),
    Real(f64),
    Text(String),
}

/// Keys of a reference system that another text describes.
#[derive(Default)]
pub(crate) struct Keys(Vec<(u16, Value)>);

impl Keys {
    pub fn short(&mut self, id: u16, value: u16) {
        self.0.push((id, Value::Short(value)));
    }

    pub fn real(&mut self, id: u16, value: f64) {
        self.0.push((id, Value::Real(value)));
    }

    /// A text ends with a bar, so a bar within it becomes a space.
    pub fn text(&mut self, id: u16, value: &str) {
        self.0.push((id, Value::Text(value.replace('|', " "))));
    }

    /// Replaces the reference system of a raster.
    pub fn replace(mut self, georef: &mut GeoReference) {
        // Readers may expect them in this order.
        self.0.sort_by_key(|(id, _)| *id);
        let (mut directory, mut reals, mut texts) =
            (vec![1, 1, 0, self.0.len() as u16], Vec::new(), String::new());
        for (id, value) in self.0 {
            match value {
                Value::Short(value) => directory.extend([id, 0, 1, value]),
                Value::Real(value) => {
                    directory.extend([id, REALS, 1, reals.len() as u16]);
                    reals.push(value);
                }
                Value::Text(value) => {
                    directory.extend([id, TEXTS, value.len() as u16 + 1, texts.len() as u16]);
                    texts.push_str(&value);
                    texts.push('|');
                }
            }
        }
        (georef.key_directory, georef.double_params, georef.ascii_params) = (directory, reals, texts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_back_as_they_were_written() {
        let mut keys = Keys::default();
        keys.text(3073, "a|b");
        keys.short(1024, 1);
        keys.real(2061, -17.5);
        keys.text(1026, "name");
        let mut georef = GeoReference::default();
        keys.replace(&mut georef);
        assert_eq!(georef.key_directory[..8], [1, 1, 0, 4, 1024, 0, 1, 1]);
        assert_eq!((text_key(&georef, 3073), text_key(&georef, 1026)), (Some("a b"), Some("name")));
        assert_eq!((any_real_key(&georef, 2061), real_key(&georef, 2061)), (Some(-17.5), None));
        assert_eq!((short_key(&georef, 1024), short_key(&georef, 2061)), (Some(1), None));
    }

    #[test]
    fn keys_that_point_beyond_their_tags_have_no_value() {
        let georef = GeoReference {
            key_directory: vec![1, 1, 0, 3, 2057, REALS, 1, 9, 1026, TEXTS, 5, 65535, 2062, REALS, 65535, 0],
            double_params: vec![1.0],
            ascii_params: "é|".to_owned(),
            ..GeoReference::default()
        };
        assert_eq!((real_key(&georef, 2057), text_key(&georef, 1026)), (None, None));
        assert_eq!(reals_key(&georef, 2062), None);
    }
}
