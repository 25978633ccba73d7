//! The bounds that paths place on the ground.

use std::io::{self, Write};
use std::ops::Deref;

use terrane_flow::Data;
use terrane_grid::Domain;
use terrane_paths::path::Subdivision;

use super::bytes::{Reader, invalid, write_f32s};
use super::capabilities::{Shown, TerrainData};

/// The bounds that paths place on the ground, sample by sample.
#[derive(Clone, Debug)]
pub struct Bounds(pub Subdivision);

impl Deref for Bounds {
    type Target = Subdivision;

    fn deref(&self) -> &Subdivision {
        &self.0
    }
}

impl PartialEq for Bounds {
    /// Compares bits, because samples without a bound contain not-a-number, which does not equal itself.
    fn eq(&self, other: &Self) -> bool {
        let bytes = |bounds: &Self| {
            let mut bytes = Vec::new();
            bounds.encode(&mut bytes).map(|()| bytes).ok()
        };
        bytes(self) == bytes(other)
    }
}

/// Bounds have neither files nor pictures. Outputs of the nodes that read bounds show them.
impl TerrainData for Bounds {
    fn extensions() -> Vec<&'static str> {
        Vec::new()
    }

    fn shown(&self) -> Shown<'_> {
        Shown::Nothing
    }
}

impl Data for Bounds {
    const KIND: &'static str = "subdivision";

    fn encode(&self, out: &mut dyn Write) -> io::Result<()> {
        let Subdivision {
            domain,
            slope,
            directional,
            direction,
            roughness,
            given,
            pins,
            fade,
            world,
            band,
            paths,
            lines,
        } = &self.0;
        out.write_all(&(domain.width() as u64).to_le_bytes())?;
        out.write_all(&(domain.height() as u64).to_le_bytes())?;
        for value in [domain.spacing, domain.origin.0, domain.origin.1] {
            out.write_all(&value.to_le_bytes())?;
        }
        write_f32s(out, slope)?;
        write_f32s(out, directional)?;
        write_f32s(out, direction.as_flattened())?;
        write_f32s(out, roughness)?;
        write_f32s(out, given)?;
        out.write_all(&fade.to_le_bytes())?;
        out.write_all(&(world.len() as u64).to_le_bytes())?;
        write_f32s(out, world)?;
        out.write_all(&band.to_le_bytes())?;
        out.write_all(&(paths.len() as u64).to_le_bytes())?;
        for path in paths.iter().chain([pins]) {
            out.write_all(&(path.len() as u64).to_le_bytes())?;
            path.iter().try_for_each(|at| out.write_all(&at.to_le_bytes()))?;
        }
        out.write_all(&(lines.len() as u64).to_le_bytes())?;
        for line in lines {
            out.write_all(&(line.len() as u64).to_le_bytes())?;
            line.iter().flat_map(|&(x, y)| [x, y]).try_for_each(|at| out.write_all(&at.to_le_bytes()))?;
        }
        Ok(())
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        let mut reader = Reader(bytes);
        let (width, height) = (reader.u64()?, reader.u64()?);
        let (spacing, x, y) = (reader.f64()?, reader.f64()?, reader.f64()?);
        let samples = width.checked_mul(height).and_then(|samples| usize::try_from(samples).ok());
        let samples =
            samples.filter(|&samples| samples <= bytes.len()).ok_or_else(|| invalid("is too large"))?;
        let (slope, directional) = (reader.f32s(samples)?, reader.f32s(samples)?);
        let direction = reader.f32s(2 * samples)?.as_chunks().0.to_vec();
        let roughness = reader.f32s(samples)?;
        let given = reader.f32s(samples)?;
        let fade = reader.f64()?;
        let count = reader.count(4)?;
        if count != 0 && count != samples {
            return Err(invalid("has the heights of another map"));
        }
        let world = reader.f32s(count)?;
        let band = reader.f64()?;
        let count = reader.count(8)?;
        let mut paths = Vec::with_capacity(count + 1);
        // The routes, followed by the pins.
        for _ in 0..=count {
            let length = reader.count(4)?;
            let path: Vec<u32> =
                reader.take(length * 4)?.as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b)).collect();
            if path.iter().any(|&at| at as usize >= samples) {
                return Err(invalid("a route leaves the map"));
            }
            paths.push(path);
        }
        let pins = paths.pop().unwrap_or_default();
        let count = reader.count(8)?;
        let mut lines = Vec::with_capacity(count);
        for _ in 0..count {
            let length = reader.count(16)?;
            let mut line = Vec::with_capacity(length);
            for _ in 0..length {
                line.push((reader.f64()?, reader.f64()?));
            }
            lines.push(line);
        }
        reader.end()?;
        let domain = Domain { size: (width as usize, height as usize), spacing, origin: (x, y) };
        Ok(Self(Subdivision {
            domain,
            slope,
            directional,
            direction,
            roughness,
            given,
            pins,
            fade,
            world,
            band,
            paths,
            lines,
        }))
    }

    fn heap_bytes(&self) -> usize {
        (self.slope.len() * 6 + self.world.len() + self.pins.len()) * 4
            + self.paths.iter().map(|path| 24 + path.len() * 4).sum::<usize>()
            + self.lines.iter().map(|line| 24 + line.len() * 16).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Graph;
    use super::*;

    #[test]
    fn decoding_restores_every_bit_and_rejects_truncated_bytes() {
        let bounds = Bounds(Subdivision {
            domain: Domain::new(2, 1).with_spacing(0.5),
            slope: vec![0.1, f32::INFINITY],
            directional: vec![f32::INFINITY, 0.3],
            direction: vec![[0.0; 2], [0.6, -0.8]],
            roughness: vec![f32::NAN, 1.0],
            given: vec![f32::NAN, -2.5],
            pins: vec![1],
            fade: 3.0,
            world: vec![1.5, -0.5],
            band: 5.0,
            paths: vec![vec![0, 1], vec![]],
            lines: vec![vec![(0.25, 0.0), (0.5, 0.125)], vec![]],
        });
        let graph = Graph {
            plane: terrane_grid::PlanarGraph { nodes: vec![(0.5, 1.0), (2.0, -3.0)], edges: vec![(0, 1)] },
            slopes: vec![0.25],
            widths: vec![6.0],
            node_widths: vec![0.0, 9.5],
            numbers: vec![7],
            anchors: vec![(0.0, 1.5, -3.0, 0.1)],
            world_heights: vec![1.0, -0.5],
        };
        let (mut a, mut b) = (Vec::new(), Vec::new());
        bounds.encode(&mut a).unwrap();
        graph.encode(&mut b).unwrap();
        assert_eq!(Bounds::decode(&a).unwrap(), bounds);
        assert_eq!(Graph::decode(&b).unwrap(), graph);
        assert!((0..a.len()).all(|length| Bounds::decode(&a[..length]).is_err()));
        assert!((0..b.len()).all(|length| Graph::decode(&b[..length]).is_err()));
    }
}
