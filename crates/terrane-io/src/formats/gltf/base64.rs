//! Bytes as text: base 64.

use std::io::{self, Write};

/// Writes bytes as base 64 (RFC 4648).
pub(super) struct Base64<W: Write> {
    w: W,
    /// Up to two bytes that do not yet make four letters.
    rest: Vec<u8>,
}

impl<W: Write> Base64<W> {
    pub fn new(w: W) -> Self {
        Self { w, rest: Vec::new() }
    }

    fn letters([a, b, c]: [u8; 3]) -> [u8; 4] {
        const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let bits = u32::from_be_bytes([0, a, b, c]);
        [18, 12, 6, 0].map(|shift| LETTERS[(bits >> shift) as usize & 63])
    }

    /// Writes what is left of the last four letters.
    pub fn finish(mut self) -> io::Result<()> {
        let mut letters = match self.rest[..] {
            [a] => Self::letters([a, 0, 0]),
            [a, b] => Self::letters([a, b, 0]),
            _ => return Ok(()),
        };
        letters[self.rest.len() + 1..].fill(b'=');
        self.w.write_all(&letters)
    }
}

impl<W: Write> Write for Base64<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rest.extend_from_slice(bytes);
        let (triples, rest) = self.rest.as_chunks::<3>();
        for &triple in triples {
            self.w.write_all(&Self::letters(triple))?;
        }
        let rest = rest.to_vec();
        self.rest = rest;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.w.flush()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn decode(text: &str) -> Vec<u8> {
        let value = |c: u8| match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            _ => 63,
        };
        let mut bytes = Vec::new();
        for quad in text.as_bytes().chunks(4) {
            let used = quad.iter().filter(|&&c| c != b'=').count();
            let bits = quad[..used]
                .iter()
                .enumerate()
                .fold(0u32, |b, (i, &c)| b | u32::from(value(c)) << (18 - 6 * i));
            bytes.extend(&bits.to_be_bytes()[1..used]);
        }
        bytes
    }

    #[test]
    fn base_64_of_the_rfc() {
        for (plain, wanted) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            let mut bytes = Vec::new();
            let mut base64 = Base64::new(&mut bytes);
            // One byte at a time, so that every rest is met.
            plain.bytes().for_each(|b| base64.write_all(&[b]).unwrap());
            base64.finish().unwrap();
            assert_eq!(String::from_utf8(bytes).unwrap(), wanted);
        }
    }
}
