//! Wavefront OBJ: text with vertices counted from 1.

use std::io;

use terrane_grid::Mesh;

use crate::{
    Format,
    codec::{Codec, MeshWriter, Sink},
    format::Description,
    pieces,
};

impl Format {
    /// Wavefront OBJ.
    pub const OBJ: Self = Self(&Description { name: "OBJ", extensions: &["obj"], ..Description::DEFAULT });
}

pub(super) static CODEC: Codec =
    Codec { mesh: Some(MeshWriter { check: |_| Ok(()), write }), ..Codec::new(Format::OBJ) };

/// The number of lines written together.
const LINES: usize = 2048;

/// Writes a checked mesh, formatting lines on all threads. Numbers have the fewest digits that restore the
/// f32.
fn write(w: &mut dyn Sink, mesh: &Mesh) -> io::Result<()> {
    object(w, "terrain", mesh, 0)?;
    mesh.water.as_deref().map_or(Ok(()), |water| object(w, "water", water, mesh.positions.len() as u64))
}

/// Writes an object, whose vertices come after this number of others.
fn object(w: &mut dyn Sink, name: &str, mesh: &Mesh, before: u64) -> io::Result<()> {
    writeln!(w, "o {name}")?;
    lines(w, &mesh.positions, |p, out| reals("v", p, out))?;
    lines(w, &mesh.uvs, |&[u, v], out| reals("vt", &[u, 1.0 - v], out))?;
    lines(w, &mesh.normals, |n, out| reals("vn", n, out))?;
    let (uvs, normals) = (!mesh.uvs.is_empty(), !mesh.normals.is_empty());
    lines(w, &mesh.triangles, |triangle, out| {
        out.push(b'f');
        for &index in triangle {
            let mut buffer = itoa::Buffer::new();
            let number = buffer.format(before + u64::from(index) + 1).as_bytes();
            let mut after = |mark: &str| {
                out.extend_from_slice(mark.as_bytes());
                out.extend_from_slice(number);
            };
            after(" ");
            match (uvs, normals) {
                (true, true) => ["/", "/"].into_iter().for_each(after),
                (true, false) => after("/"),
                (false, true) => after("//"),
                (false, false) => {}
            }
        }
        out.push(b'\n');
    })
}

/// Writes one line per item.
fn lines<T: Sync>(w: &mut dyn Sink, items: &[T], line: impl Fn(&T, &mut Vec<u8>) + Sync) -> io::Result<()> {
    let count = items.len().div_ceil(LINES);
    pieces::write(w, count, |number, out| {
        let end = items.len().min((number + 1) * LINES);
        items[number * LINES..end].iter().for_each(|item| line(item, out));
    })
}

/// Writes a line with a keyword and numbers.
fn reals(word: &str, numbers: &[f32], out: &mut Vec<u8>) {
    out.extend_from_slice(word.as_bytes());
    for &number in numbers {
        out.push(b' ');
        push_real(number, out);
    }
    out.push(b'\n');
}

/// Appends a finite number with the fewest digits that restore it, never with an exponent.
fn push_real(number: f32, out: &mut Vec<u8>) {
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(number);
    if text.contains('e') {
        out.extend(number.to_string().bytes());
    } else {
        out.extend_from_slice(text.strip_suffix(".0").unwrap_or(text).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::tests::{ground, square};
    use proptest::prelude::*;
    use std::io::Cursor;

    fn text(mesh: &Mesh) -> String {
        let mut bytes = Cursor::new(Vec::new());
        write(&mut bytes, mesh).unwrap();
        String::from_utf8(bytes.into_inner()).unwrap()
    }

    fn numbers(text: &str, word: &str) -> Vec<Vec<f32>> {
        let lines = text.lines().filter_map(|l| l.strip_prefix(word)?.strip_prefix(' '));
        lines.map(|l| l.split(' ').map(|n| n.parse().unwrap()).collect()).collect()
    }

    #[test]
    fn an_independent_reader_gets_the_mesh() {
        let mesh = square();
        let text = text(&mesh);
        let positions: Vec<Vec<f32>> = mesh.positions.iter().map(|p| p.to_vec()).collect();
        assert_eq!(numbers(&text, "v"), positions);
        assert_eq!(numbers(&text, "vn"), vec![vec![0.0, 1.0, 0.0]; 4]);
        assert_eq!(numbers(&text, "vt")[0], [0.0, 1.0]);
        let faces: Vec<_> = text.lines().filter(|l| l.starts_with("f ")).collect();
        assert_eq!(faces, ["f 1/1/1 3/3/3 2/2/2", "f 2/2/2 3/3/3 4/4/4"]);
    }

    #[test]
    fn water_is_an_object_of_its_own() {
        let text = text(&Mesh { water: Some(Box::new(square())), ..square() });
        let (_, water) = text.split_once("o water\n").unwrap();
        assert_eq!(numbers(water, "v").len(), 4);
        assert!(water.ends_with("f 5/5/5 7/7/7 6/6/6\nf 6/6/6 7/7/7 8/8/8\n"), "{water}");
    }

    #[test]
    fn parts_may_be_left_out() {
        let mut mesh = square();
        mesh.uvs.clear();
        assert!(text(&mesh).contains("f 1//1 3//3 2//2\n"));
        mesh.normals.clear();
        assert!(text(&mesh).contains("f 1 3 2\n"));
        mesh.uvs = vec![[0.0, 0.0]; 4];
        assert!(text(&mesh).contains("f 1/1 3/3 2/2\n"));
    }

    #[test]
    fn lines_are_in_order_on_any_number_of_threads() {
        let mesh = ground(120, 90);
        let all = text(&mesh);
        assert_eq!(numbers(&all, "v"), mesh.positions.iter().map(|p| p.to_vec()).collect::<Vec<_>>());
        let faces: Vec<&str> = all.lines().filter(|l| l.starts_with("f ")).collect();
        let wanted: Vec<String> = mesh
            .triangles
            .iter()
            .map(|t| t.iter().fold("f".to_owned(), |line, i| format!("{line} {0}/{0}/{0}", i + 1)))
            .collect();
        assert_eq!(faces, wanted);
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert!(pool.install(|| text(&mesh)) == all);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn numbers_have_as_few_digits_as_possible(bits in any::<u32>(), whole in -9_000_000i32..9_000_000) {
            for number in [f32::from_bits(bits), whole as f32, whole as f32 / 64.0] {
                if number.is_finite() {
                    let mut out = Vec::new();
                    push_real(number, &mut out);
                    let text = String::from_utf8(out).unwrap();
                    prop_assert_eq!(text.parse::<f32>().unwrap().to_bits(), number.to_bits());
                    // Of two equally close representations, the standard library may choose the other.
                    prop_assert_eq!(text.len(), number.to_string().len());
                    prop_assert!(text.bytes().all(|c| c.is_ascii_digit() || c == b'.' || c == b'-'));
                }
            }
        }
    }
}
