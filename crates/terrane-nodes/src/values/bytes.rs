//! Canonical little-endian encoding of values.

use std::io::{self, Write};

/// Decodes bytes from the front. Every read checks that enough bytes are left.
pub struct Reader<'a>(pub &'a [u8]);

pub fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}

impl<'a> Reader<'a> {
    pub fn take(&mut self, count: usize) -> io::Result<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(count).ok_or_else(|| invalid("ends early"))?;
        self.0 = tail;
        Ok(head)
    }

    fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub fn u64(&mut self) -> io::Result<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub fn f64(&mut self) -> io::Result<f64> {
        self.array().map(f64::from_le_bytes)
    }

    /// Reads a count of items of `size` bytes each, and checks that there are enough bytes for them.
    pub fn count(&mut self, size: usize) -> io::Result<usize> {
        let count = usize::try_from(self.u64()?).map_err(|_| invalid("a count is too large"))?;
        match count.checked_mul(size) {
            Some(bytes) if bytes <= self.0.len() => Ok(count),
            _ => Err(invalid("ends early")),
        }
    }

    pub fn f64s(&mut self) -> io::Result<Vec<f64>> {
        let count = self.count(8)?;
        (0..count).map(|_| self.f64()).collect()
    }

    pub fn f32s(&mut self, count: usize) -> io::Result<Vec<f32>> {
        let bytes = self.take(count.checked_mul(4).ok_or_else(|| invalid("a count is too large"))?)?;
        Ok(bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
    }

    pub fn text(&mut self) -> io::Result<String> {
        let count = self.count(1)?;
        String::from_utf8(self.take(count)?.to_vec()).map_err(|_| invalid("text is not UTF-8"))
    }

    pub fn end(&self) -> io::Result<()> {
        if self.0.is_empty() { Ok(()) } else { Err(invalid("is too long")) }
    }
}

pub fn write_f64s(out: &mut dyn Write, values: &[f64]) -> io::Result<()> {
    out.write_all(&(values.len() as u64).to_le_bytes())?;
    // On most machines they have these bytes in memory.
    if cfg!(target_endian = "little") {
        return out.write_all(bytemuck::cast_slice(values));
    }
    values.iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
}

pub fn write_f32s(out: &mut dyn Write, values: &[f32]) -> io::Result<()> {
    if cfg!(target_endian = "little") {
        return out.write_all(bytemuck::cast_slice(values));
    }
    values.iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
}

pub fn write_u32s(out: &mut dyn Write, values: &[u32]) -> io::Result<()> {
    if cfg!(target_endian = "little") {
        return out.write_all(bytemuck::cast_slice(values));
    }
    values.iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
}

pub fn write_text(out: &mut dyn Write, text: &str) -> io::Result<()> {
    out.write_all(&(text.len() as u64).to_le_bytes())?;
    out.write_all(text.as_bytes())
}
