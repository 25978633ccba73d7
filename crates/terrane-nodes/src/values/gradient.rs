//! Colour gradients.

use std::io::{self, Write};

use serde_json::{Value as Json, json};
use terrane_flow::Data;
use terrane_kernels::shade::Stops;

use super::bytes::{Reader, invalid};
use super::capabilities::TerrainData;

/// A colour gradient: sRGB colours at increasing positions.
///
/// Between positions, colours are mixed in linear light. Before the first and after the last position, the
/// colour is constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradient(pub Vec<(f32, [u8; 3])>);

impl Gradient {
    /// The gradient in the form that kernels use, or `None` if positions do not increase.
    #[must_use]
    pub fn stops(&self) -> Option<Stops> {
        Stops::new(&self.0)
    }
}

impl Data for Gradient {
    const KIND: &'static str = "gradient";

    fn encode(&self, out: &mut dyn Write) -> io::Result<()> {
        self.0.iter().try_for_each(|(at, color)| {
            out.write_all(&at.to_le_bytes())?;
            out.write_all(color)
        })
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        let mut reader = Reader(bytes);
        let mut stops = Vec::with_capacity(bytes.len() / 7);
        while !reader.0.is_empty() {
            let [a, b, c, d] = *reader.take(4)? else { return Err(invalid("is no gradient")) };
            let [red, green, blue] = *reader.take(3)? else { return Err(invalid("is no gradient")) };
            stops.push((f32::from_le_bytes([a, b, c, d]), [red, green, blue]));
        }
        if Stops::new(&stops).is_none() {
            return Err(invalid("positions of a gradient do not ascend"));
        }
        Ok(Self(stops))
    }

    fn heap_bytes(&self) -> usize {
        self.0.len() * size_of::<(f32, [u8; 3])>()
    }

    fn to_json(&self) -> Option<Json> {
        Some(self.0.iter().map(|(at, color)| json!([at, color])).collect())
    }
}

impl TerrainData for Gradient {
    const IS_PRINTED: bool = true;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_comes_back_and_anything_shorter_is_refused() {
        let gradient = Gradient(vec![(-0.5, [1, 2, 3]), (0.25, [4, 5, 6]), (9.0, [255, 0, 128])]);
        let mut bytes = Vec::new();
        gradient.encode(&mut bytes).unwrap();
        assert_eq!(Gradient::decode(&bytes).unwrap(), gradient);
        for length in 0..bytes.len() {
            let whole = length > 0 && length.is_multiple_of(7);
            assert_eq!(Gradient::decode(&bytes[..length]).is_ok(), whole, "{length}");
        }
        bytes.rotate_left(7);
        assert!(Gradient::decode(&bytes).is_err());
    }
}
