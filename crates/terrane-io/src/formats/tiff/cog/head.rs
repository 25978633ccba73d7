//! Everything before the tiles: header, structural metadata, directories, values, tables.

use std::io;

use super::field::{Field, Width};

/// GDAL's structural metadata. It describes the file's layout, so that readers need not discover it:
/// directories first; the tiles of a level row by row; before each tile its length, after each its last four
/// bytes again. A program that changes the file writes `YES` over the end. The first line gives the number of
/// bytes after it.
pub(super) const STRUCTURE: &str = "\
GDAL_STRUCTURAL_METADATA_SIZE=000140 bytes
LAYOUT=IFDS_BEFORE_DATA
BLOCK_ORDER=ROW_MAJOR
BLOCK_LEADER=SIZE_AS_UINT4
BLOCK_TRAILER=LAST_4_BYTES_REPEATED
KNOWN_INCOMPATIBLE_EDITION=NO
 ";

/// The offset of a directory, and the offsets of values stored outside it.
struct DirectoryOffsets {
    at: usize,
    values: Vec<usize>,
}

/// The bytes of the head of a file with these directories, whose fields are sorted by tag. The length depends
/// on how many values each field has, not on their content.
///
/// The directories come first, each with its values, then the tile tables of all levels, so a program that
/// opens the file needs to read only a small part.
pub(super) fn head(width: Width, directories: &[Vec<Field>]) -> io::Result<Vec<u8>> {
    let mut bytes = match width {
        Width::Narrow => [b"II*\0".as_slice(), &[0; 4]].concat(),
        Width::Big => [b"II+\0\x08\0\0\0".as_slice(), &[0; 8]].concat(),
    };
    let first_offset = bytes.len() - width.bytes();
    bytes.extend(STRUCTURE.as_bytes());
    let (offsets, end) = offsets(width, directories, bytes.len());
    bytes.resize(end, 0);
    let mut put = |at: usize, values: &[u8]| bytes[at..at + values.len()].copy_from_slice(values);
    let followers = offsets.iter().skip(1).map(|own| own.at).chain([0]);
    put(first_offset, &width.offset(offsets[0].at as u64)?);
    for ((fields, own), next) in directories.iter().zip(&offsets).zip(followers) {
        put(own.at, &directory(width, fields, own, next)?);
        for (field, &at) in fields.iter().zip(&own.values).filter(|(field, _)| !field.is_inside(width)) {
            put(at, &field.bytes);
        }
    }
    Ok(bytes)
}

/// The offsets of all directories and their values, from the byte `start` on, and the end of the last. The
/// format requires even offsets.
fn offsets(width: Width, directories: &[Vec<Field>], start: usize) -> (Vec<DirectoryOffsets>, usize) {
    let mut end = start;
    let mut room = |bytes: usize| {
        let at = end.next_multiple_of(2);
        end = at + bytes;
        at
    };
    let mut offsets = Vec::with_capacity(directories.len());
    for fields in directories {
        let at = room(directory_bytes(width, fields.len()));
        let is_outside = |field: &Field| !field.is_inside(width) && !field.is_table();
        let values = fields.iter().map(|field| if is_outside(field) { room(field.bytes.len()) } else { 0 });
        offsets.push(DirectoryOffsets { at, values: values.collect() });
    }
    for (fields, own) in directories.iter().zip(&mut offsets) {
        for (field, at) in fields.iter().zip(&mut own.values) {
            if field.is_table() && !field.is_inside(width) {
                *at = room(field.bytes.len());
            }
        }
    }
    (offsets, end)
}

fn directory_bytes(width: Width, fields: usize) -> usize {
    match width {
        Width::Narrow => 2 + 12 * fields + 4,
        Width::Big => 8 + 20 * fields + 8,
    }
}

/// A directory, which ends with the offset of the next.
fn directory(width: Width, fields: &[Field], own: &DirectoryOffsets, next: usize) -> io::Result<Vec<u8>> {
    let mut bytes = match width {
        Width::Narrow => (fields.len() as u16).to_le_bytes().to_vec(),
        Width::Big => (fields.len() as u64).to_le_bytes().to_vec(),
    };
    for (field, &at) in fields.iter().zip(&own.values) {
        field.push(width, at as u64, &mut bytes)?;
    }
    bytes.extend(width.offset(next as u64)?);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structural_metadata_has_its_stated_length() {
        let (first, rest) = STRUCTURE.split_once('\n').unwrap();
        assert_eq!(first.len() + 1, 43);
        assert_eq!(first, format!("GDAL_STRUCTURAL_METADATA_SIZE={:06} bytes", rest.len()));
    }
}
