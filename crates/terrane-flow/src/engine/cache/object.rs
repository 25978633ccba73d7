//! Files of values: a value's kind, a zero byte, its canonical bytes, and a checksum.

use std::io::{self, Write};

use crate::model::value::Value;
use crate::model::value_id::ValueId;

/// Writes the file of a value.
pub fn write(out: &mut dyn Write, id: &ValueId, value: &Value) -> io::Result<()> {
    let mut hashing = Hashing { out, hasher: blake3::Hasher::new() };
    hashing.write_all(value.kind().name.as_bytes())?;
    hashing.write_all(&[0])?;
    value.encode(&mut hashing)?;
    let digest = hashing.hasher.finalize();
    out.write_all(&checksum(id, &digest))
}

/// The bytes of a file without its checksum; `None` if it is not the file of this value.
pub fn body<'a>(bytes: &'a [u8], id: &ValueId) -> Option<&'a [u8]> {
    let (body, found) = bytes.split_last_chunk::<32>()?;
    (checksum(id, &blake3::hash(body)) == *found).then_some(body)
}

/// The checksum covers the identity too, so that a file under another name is detected.
fn checksum(id: &ValueId, digest: &blake3::Hash) -> [u8; 32] {
    *blake3::keyed_hash(&id.0, digest.as_bytes()).as_bytes()
}

/// Hashes what it writes.
struct Hashing<'a> {
    out: &'a mut dyn Write,
    hasher: blake3::Hasher,
}

impl Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Number;

    #[test]
    fn a_file_that_is_damaged_or_has_another_name_is_refused() {
        let (value, id) = (Value::new(Number(3.0)), ValueId([7; 32]));
        let mut file = Vec::new();
        write(&mut file, &id, &value).unwrap();
        let expected = [b"number\0".as_slice(), &3.0f64.to_le_bytes()].concat();
        assert_eq!(body(&file, &id), Some(&*expected));
        assert_eq!(body(&file, &ValueId([8; 32])), None);
        for at in 0..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= 1;
            assert_eq!((body(&damaged, &id), body(&file[..at], &id)), (None, None));
        }
    }
}
