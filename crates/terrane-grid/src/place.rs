//! Where the plane of the world lies on a map of the Earth.

use std::sync::Arc;

use crate::{Domain, GeoReference};

/// Where the world's coordinates lie on a map: easting and northing of a position.
///
/// World y grows to the south, as rows do, and northings grow to the north. Without a georeferenced file the
/// map is the world itself: easting x, northing -y, without a reference system.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// A position in the world, and the same one on the map.
    world: (f64, f64),
    map: (f64, f64),
    /// A distance in the world, and the same one on the map to the east and to the south.
    step: f64,
    steps: (f64, f64),
    /// The reference system of the map: its keys, and the nodata value.
    reference: Arc<GeoReference>,
}

impl Default for Place {
    fn default() -> Self {
        Self { world: (0.0, 0.0), map: (0.0, 0.0), step: 1.0, steps: (1.0, 1.0), reference: Arc::default() }
    }
}

impl Place {
    /// The place of a world in which the first sample of an upright raster is at `first`, and the samples are
    /// `step` apart where the raster's are `factors` times their own distance.
    ///
    /// The keys of the reference system of heights are left out: a place is that of all maps of a graph, and
    /// slopes, areas and heights that were turned into metres are not in the unit of the raster's heights.
    ///
    /// `None` if the tags do not place the raster.
    #[must_use]
    pub fn of(georef: &GeoReference, first: (f64, f64), step: f64, factors: (f64, f64)) -> Option<Self> {
        let (map, (across, down)) = georef.axes()?;
        let steps = (across * factors.0, -down * factors.1);
        let usable = [map.0, map.1, steps.0, steps.1].iter().all(|v| v.is_finite());
        (usable && steps.0 > 0.0 && steps.1 > 0.0 && step > 0.0).then(|| {
            let reference = Arc::new(GeoReference {
                pixel_scale: Vec::new(),
                tiepoints: Vec::new(),
                transformation: Vec::new(),
                key_directory: without_heights(&georef.key_directory),
                ..georef.clone()
            });
            Self { world: first, map, step, steps, reference }
        })
    }

    /// Easting and northing of a position in the world.
    #[must_use]
    pub fn to_map(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let along = |world: f64, from: f64, steps: f64| (world - from) / self.step * steps;
        (self.map.0 + along(x, self.world.0, self.steps.0), self.map.1 - along(y, self.world.1, self.steps.1))
    }

    /// The position in the world of an easting and a northing.
    #[must_use]
    pub fn to_world(&self, (east, north): (f64, f64)) -> (f64, f64) {
        let along = |map: f64, from: f64, steps: f64| (map - from) / steps * self.step;
        (
            self.world.0 + along(east, self.map.0, self.steps.0),
            self.world.1 - along(north, self.map.1, self.steps.1),
        )
    }

    /// The distances on the map, to the east and to the south, of a distance in the world. The difference of
    /// two positions on the map is less exact.
    #[must_use]
    pub fn distances(&self, distance: f64) -> (f64, f64) {
        (distance / self.step * self.steps.0, distance / self.step * self.steps.1)
    }

    /// The tags of a raster over `domain`.
    #[must_use]
    pub fn georef(&self, domain: &Domain) -> GeoReference {
        let (east, north) = self.to_map(domain.origin);
        let (across, down) = self.distances(domain.spacing);
        let half = if self.reference.is_point() { 0.0 } else { 0.5 };
        // Without keys the tie point is the centre of the first sample: halves of a sample would be rounded.
        let tiepoints = match self.reference.key_directory.is_empty() {
            true => vec![0.5, 0.5, 0.0, east, north, 0.0],
            false => vec![0.0, 0.0, 0.0, east - half * across, north + half * down, 0.0],
        };
        GeoReference { pixel_scale: vec![across, down, 0.0], tiepoints, ..(*self.reference).clone() }
    }

    /// A position on the map at which the place is known: that of a sample of its raster.
    #[must_use]
    pub const fn known_at(&self) -> (f64, f64) {
        self.map
    }

    /// The reference system: keys without a position.
    #[must_use]
    pub fn reference(&self) -> &GeoReference {
        &self.reference
    }

    /// Whether both places have one reference system, and give the corners of `domain` the same coordinates,
    /// to `tolerance` in the world.
    #[must_use]
    pub fn agrees_with(&self, other: &Self, domain: &Domain, tolerance: f64) -> bool {
        if self.reference.epsg() != other.reference.epsg() {
            return false;
        }
        let (x, y) = domain.origin;
        let (width, height) = (domain.width() as f64 - 1.0, domain.height() as f64 - 1.0);
        let corners = [(x, y), (x + width * domain.spacing, y + height * domain.spacing)];
        corners.iter().all(|&corner| {
            let back = self.to_world(other.to_map(corner));
            (back.0 - corner.0).abs() <= tolerance && (back.1 - corner.1).abs() <= tolerance
        })
    }

    /// Canonical bytes.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let numbers =
            [self.world.0, self.world.1, self.map.0, self.map.1, self.step, self.steps.0, self.steps.1];
        let mut bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let GeoReference { key_directory, double_params, ascii_params, nodata, .. } = &*self.reference;
        bytes.extend((key_directory.len() as u64).to_le_bytes());
        bytes.extend(key_directory.iter().flat_map(|key| key.to_le_bytes()));
        bytes.extend((double_params.len() as u64).to_le_bytes());
        bytes.extend(double_params.iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend((ascii_params.len() as u64).to_le_bytes());
        bytes.extend(ascii_params.as_bytes());
        bytes.extend(nodata.as_deref().unwrap_or_default().as_bytes());
        bytes
    }
}

impl Place {
    /// The place of canonical bytes; `None` if the bytes are not those of a place.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes;
        let mut real = || {
            let (number, after) = rest.split_first_chunk()?;
            rest = after;
            Some(f64::from_le_bytes(*number))
        };
        let mut numbers = [0.0; 7];
        for number in &mut numbers {
            *number = real().filter(|number| number.is_finite())?;
        }
        let [x, y, east, north, step, across, down] = numbers;
        let keys = take(&mut rest, 2)?.as_chunks().0.iter().map(|&key| u16::from_le_bytes(key)).collect();
        let reals = take(&mut rest, 8)?.as_chunks().0.iter().map(|&real| f64::from_le_bytes(real)).collect();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
        let ascii_params = text(take(&mut rest, 1)?)?;
        let nodata = text(rest)?;
        let reference = GeoReference {
            key_directory: keys,
            double_params: reals,
            ascii_params,
            nodata: (!nodata.is_empty()).then_some(nodata),
            ..GeoReference::default()
        };
        (step > 0.0 && across > 0.0 && down > 0.0).then(|| Self {
            world: (x, y),
            map: (east, north),
            step,
            steps: (across, down),
            reference: Arc::new(reference),
        })
    }
}

/// Keys without those of heights.
fn without_heights(keys: &[u16]) -> Vec<u16> {
    let (entries, _) = keys.as_chunks::<4>();
    let is_kept = |key: &&[u16; 4]| !(4096..=4099).contains(&key[0]);
    let Some((header, entries)) = entries.split_first() else { return keys.to_vec() };
    let kept: Vec<[u16; 4]> = entries.iter().filter(is_kept).copied().collect();
    if kept.len() == entries.len() {
        return keys.to_vec();
    }
    let [version, revision, minor, _] = *header;
    let header = [version, revision, minor, kept.len() as u16];
    std::iter::once(header).chain(kept).flatten().collect()
}

/// The bytes of a list: its length, then items of `size` bytes.
fn take<'a>(rest: &mut &'a [u8], size: usize) -> Option<&'a [u8]> {
    let (count, after) = rest.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*count)).ok()?.checked_mul(size)?;
    let (list, after) = after.split_at_checked(length)?;
    *rest = after;
    Some(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn georef() -> GeoReference {
        GeoReference {
            pixel_scale: vec![30.0, 30.0, 0.0],
            tiepoints: vec![0.0, 0.0, 0.0, 400_000.0, 4_000_000.0, 0.0],
            key_directory: vec![1, 1, 0, 2, 1025, 0, 1, 1, 3072, 0, 1, 32611],
            nodata: Some("-9999".to_owned()),
            ..GeoReference::default()
        }
    }

    #[test]
    fn a_raster_keeps_its_tags_to_the_bit() {
        let place = Place::of(&georef(), (0.0, 0.0), 30.0, (1.0, 1.0)).unwrap();
        assert_eq!(place.georef(&Domain::new(40, 30).with_spacing(30.0)), georef());
        assert_eq!(place.to_map((60.0, 90.0)), (400_075.0, 3_999_895.0));
        assert_eq!(place.to_world((400_075.0, 3_999_895.0)), (60.0, 90.0));
    }

    #[test]
    fn parts_and_other_spacings_lie_at_the_same_coordinates() {
        // The raster of 3 x 3 samples is stretched over 5 x 5 with a spacing of 10 in a world that begins at
        // (7, 8): 15 m on the map are 10 units.
        let place = Place::of(&georef(), (7.0, 8.0), 10.0, (0.5, 0.5)).unwrap();
        let part = Domain::new(2, 2).with_spacing(20.0).with_origin(17.0, 18.0);
        assert_eq!(place.to_map(part.origin), (400_030.0, 3_999_970.0));
        let tags = place.georef(&part);
        assert_eq!(tags.pixel_scale, [30.0, 30.0, 0.0]);
        assert_eq!(tags.axes(), Some(((400_030.0, 3_999_970.0), (30.0, -30.0))));
    }

    #[test]
    fn a_place_says_nothing_of_heights() {
        let mut georef = georef();
        let without = georef.key_directory.clone();
        georef.key_directory.extend([4096, 0, 1, 6360, 4099, 0, 1, 9003]);
        georef.key_directory[3] = 4;
        let place = Place::of(&georef, (0.0, 0.0), 30.0, (1.0, 1.0)).unwrap();
        assert_eq!(place.reference().key_directory, without);
    }

    #[test]
    fn bytes_restore_a_place() {
        let georef =
            GeoReference { double_params: vec![0.3048], ascii_params: "name|".to_owned(), ..georef() };
        let place = Place::of(&georef, (7.0, 8.0), 10.0, (0.5, 0.25)).unwrap();
        let bytes = place.bytes();
        assert_eq!(Place::of_bytes(&bytes), Some(place));
        let nodata = "-9999".len();
        assert!((0..bytes.len() - nodata).all(|length| Place::of_bytes(&bytes[..length]).is_none()));
        assert!(Place::of_bytes(&[0xff; 200]).is_none());
    }

    #[test]
    fn ground_without_a_place_lies_at_its_own_coordinates_with_north_up() {
        let domain = Domain::new(5, 5).with_spacing(0.7).with_origin(0.3, -1.1);
        assert_eq!(Place::default().georef(&domain).axes(), Some(((0.3, 1.1), (0.7, -0.7))));
        assert!(Place::default().agrees_with(&Place::default(), &domain, 0.0));
        assert!(Place::of(&GeoReference::default(), (0.0, 0.0), 1.0, (1.0, 1.0)).is_none());
    }
}
