//! All that stands before the tiles: header, structural metadata, directories, values, tables.

use std::io;

use super::field::{Field, Width};

/// What GDAL calls structural metadata, which says how a file is laid out, so that readers need not find out:
/// directories first; the tiles of a level row by row; before each tile its length, after each its last four
/// bytes once more. A program that changes the file puts `YES` over the end. It begins with the number of
/// bytes that follow its first line.
pub(super) const STRUCTURE: &str = "\
GDAL_STRUCTURAL_METADATA_SIZE=000140 bytes
LAYOUT=IFDS_BEFORE_DATA
BLOCK_ORDER=ROW_MAJOR
BLOCK_LEADER=SIZE_AS_UINT4
BLOCK_TRAILER=LAST_4_BYTES_REPEATED
KNOWN_INCOMPATIBLE_EDITION=NO
 ";

/// Where a directory stands, and where the values of each of its fields that are not in it do.
struct Place {
    at: usize,
    values: Vec<usize>,
}

/// The bytes of the head of a file with these directories, each of which has its fields by tag. Their number
/// follows from how many values each field has, not from what they are.
///
/// First come the directories, each with its values, then the tables of all: whoever opens the file needs
/// little of it.
pub(super) fn head(width: Width, directories: &[Vec<Field>]) -> io::Result<Vec<u8>> {
    let mut bytes = match width {
        Width::Narrow => [b"II*\0".as_slice(), &[0; 4]].concat(),
        Width::Big => [b"II+\0\x08\0\0\0".as_slice(), &[0; 8]].concat(),
    };
    let first_place = bytes.len() - width.bytes();
    bytes.extend(STRUCTURE.as_bytes());
    let (places, end) = places(width, directories, bytes.len());
    bytes.resize(end, 0);
    let mut put = |at: usize, values: &[u8]| bytes[at..at + values.len()].copy_from_slice(values);
    let followers = places.iter().skip(1).map(|place| place.at).chain([0]);
    put(first_place, &width.place(places[0].at as u64)?);
    for ((fields, place), next) in directories.iter().zip(&places).zip(followers) {
        put(place.at, &directory(width, fields, place, next)?);
        for (field, &at) in fields.iter().zip(&place.values).filter(|(field, _)| !field.is_inside(width)) {
            put(at, &field.bytes);
        }
    }
    Ok(bytes)
}

/// Where all stand that begin at a byte, and where they end. The format has them at even places.
fn places(width: Width, directories: &[Vec<Field>], begin: usize) -> (Vec<Place>, usize) {
    let mut end = begin;
    let mut room = |bytes: usize| {
        let at = end.next_multiple_of(2);
        end = at + bytes;
        at
    };
    let mut places = Vec::with_capacity(directories.len());
    for fields in directories {
        let at = room(directory_bytes(width, fields.len()));
        let beside = |field: &Field| !field.is_inside(width) && !field.is_table();
        let values = fields.iter().map(|field| if beside(field) { room(field.bytes.len()) } else { 0 });
        places.push(Place { at, values: values.collect() });
    }
    for (fields, place) in directories.iter().zip(&mut places) {
        for (field, at) in fields.iter().zip(&mut place.values) {
            if field.is_table() && !field.is_inside(width) {
                *at = room(field.bytes.len());
            }
        }
    }
    (places, end)
}

fn directory_bytes(width: Width, fields: usize) -> usize {
    match width {
        Width::Narrow => 2 + 12 * fields + 4,
        Width::Big => 8 + 20 * fields + 8,
    }
}

/// A directory, which ends with the place of the next.
fn directory(width: Width, fields: &[Field], place: &Place, next: usize) -> io::Result<Vec<u8>> {
    let mut bytes = match width {
        Width::Narrow => (fields.len() as u16).to_le_bytes().to_vec(),
        Width::Big => (fields.len() as u64).to_le_bytes().to_vec(),
    };
    for (field, &at) in fields.iter().zip(&place.values) {
        field.push(width, at as u64, &mut bytes)?;
    }
    bytes.extend(width.place(next as u64)?);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structural_metadata_has_the_length_that_it_says() {
        let (first, rest) = STRUCTURE.split_once('\n').unwrap();
        assert_eq!(first.len() + 1, 43);
        assert_eq!(first, format!("GDAL_STRUCTURAL_METADATA_SIZE={:06} bytes", rest.len()));
    }
}
