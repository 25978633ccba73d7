//! A hash of grid bytes that is the same on every machine.

use crate::Heightmap;

/// BLAKE3 of a heightmap's size, spacing, origin and samples, all little-endian: the same bits have the
/// same hash on every machine, and a changed bit changes it. The geographic reference is not included.
#[must_use]
pub fn stable_hash(map: &Heightmap) -> blake3::Hash {
    let domain = map.domain();
    let mut hasher = blake3::Hasher::new();
    hasher.update(&(domain.width() as u64).to_le_bytes());
    hasher.update(&(domain.height() as u64).to_le_bytes());
    for value in [domain.spacing, domain.origin.0, domain.origin.1] {
        hasher.update(&value.to_le_bytes());
    }
    let mut block = [0u8; 4096];
    for samples in map.samples().chunks(1024) {
        for (bytes, sample) in block.chunks_exact_mut(4).zip(samples) {
            bytes.copy_from_slice(&sample.to_le_bytes());
        }
        hasher.update(&block[..samples.len() * 4]);
    }
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Domain;

    #[test]
    fn every_bit_counts() {
        let map = Heightmap::from_fn(Domain::new(40, 30), |x, y| (x * y) as f32);
        let hash = stable_hash(&map);
        assert_eq!(hash, stable_hash(&map.clone()));
        let mut other = map.clone();
        other.samples_mut()[1199] = f32::from_bits(map.samples()[1199].to_bits() ^ 1);
        assert_ne!(hash, stable_hash(&other));
        let moved = Heightmap::from_grid(Domain::new(40, 30).with_origin(1.0, 0.0), map.into_grid());
        assert_ne!(hash, stable_hash(&moved));
    }
}
