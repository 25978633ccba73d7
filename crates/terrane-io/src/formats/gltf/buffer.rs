//! The buffer of a mesh: triangles, positions, normals and texture coordinates as 32-bit words, encoded on
//! all threads.

use std::io::{self, Write};

use base64::{Engine, engine::general_purpose::STANDARD};
use terrane_grid::Mesh;

use crate::{Endian, numbers, pieces};

/// The number of words written together. Their bytes are a multiple of three, and base 64 encodes every three
/// bytes as four characters.
const WORDS: usize = 3 << 14;

/// Words of a buffer.
#[derive(Clone, Copy)]
enum Words<'a> {
    Indices(&'a [u32]),
    Reals(&'a [f32]),
}

impl Words<'_> {
    const fn len(&self) -> usize {
        match self {
            Self::Indices(indices) => indices.len(),
            Self::Reals(reals) => reals.len(),
        }
    }
}

/// The buffer of a mesh, then that of its water.
pub(super) struct Buffer<'a>(Vec<Words<'a>>);

impl<'a> Buffer<'a> {
    pub fn new(mesh: &'a Mesh) -> Self {
        let parts = std::iter::once(mesh).chain(mesh.water.as_deref());
        let words = parts.flat_map(|mesh| {
            [
                Words::Indices(mesh.triangles.as_flattened()),
                Words::Reals(mesh.positions.as_flattened()),
                Words::Reals(mesh.normals.as_flattened()),
                Words::Reals(mesh.uvs.as_flattened()),
            ]
        });
        Self(words.collect())
    }

    /// The number of words. Every part consists of whole words, so no padding is needed.
    fn words(&self) -> usize {
        self.0.iter().map(Words::len).sum()
    }

    /// The length in bytes.
    pub fn length(&self) -> u64 {
        4 * self.words() as u64
    }

    pub fn write(&self, w: &mut (impl Write + ?Sized)) -> io::Result<()> {
        pieces::write(w, self.words().div_ceil(WORDS), |number, bytes| self.push(number, bytes))
    }

    /// Writes the buffer as base 64 (RFC 4648).
    pub fn write_base64(&self, w: &mut (impl Write + ?Sized)) -> io::Result<()> {
        pieces::in_order(
            self.words().div_ceil(WORDS),
            Vec::new,
            |number, bytes, letters| {
                bytes.clear();
                self.push(number, bytes);
                letters.resize(bytes.len().div_ceil(3) * 4, 0);
                STANDARD.encode_slice(&bytes[..], letters).map_err(io::Error::other)
            },
            |_, letters, _| w.write_all(letters),
        )
    }

    /// Appends the bytes of a piece.
    fn push(&self, number: usize, bytes: &mut Vec<u8>) {
        let mut start = number * WORDS;
        let mut left = WORDS;
        // The range of a part that lies in the piece.
        let mut inside = |length: usize| {
            let first = start.min(length);
            let end = (first + left).min(length);
            start -= first;
            left -= end - first;
            first..end
        };
        for part in &self.0 {
            let range = inside(part.len());
            match part {
                Words::Indices(indices) => {
                    indices[range].iter().for_each(|index| bytes.extend(index.to_le_bytes()));
                }
                Words::Reals(reals) => numbers::push_f32(&reals[range], Endian::Little, bytes),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::tests::{ground, square};

    #[test]
    fn pieces_form_the_buffer_on_any_number_of_threads() {
        let mut meshes = vec![ground(150, 130), ground(230, 40), square()];
        meshes[1].normals.clear();
        meshes[2].uvs.clear();
        meshes.push(Mesh { water: Some(Box::new(square())), ..ground(90, 300) });
        for mesh in meshes {
            let mut wanted: Vec<u8> = Vec::new();
            for mesh in std::iter::once(&mesh).chain(mesh.water.as_deref()) {
                wanted.extend(mesh.triangles.as_flattened().iter().flat_map(|i| i.to_le_bytes()));
                for part in
                    [mesh.positions.as_flattened(), mesh.normals.as_flattened(), mesh.uvs.as_flattened()]
                {
                    wanted.extend(part.iter().flat_map(|v| v.to_le_bytes()));
                }
            }
            let buffer = Buffer::new(&mesh);
            assert_eq!(buffer.length(), wanted.len() as u64);
            for threads in [1, 2, 5] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let (mut bytes, mut letters) = (Vec::new(), Vec::new());
                pool.install(|| buffer.write(&mut bytes).and_then(|()| buffer.write_base64(&mut letters)))
                    .unwrap();
                assert!(bytes == wanted, "on {threads}");
                assert!(STANDARD.decode(letters).unwrap() == wanted, "on {threads}");
            }
        }
    }
}
