//! A slow reader of cloud-optimised files for tests, which shares no code with the writer and checks every
//! offset in the file.

use std::{collections::BTreeMap, io::Read};

/// The type of a field, the number of its values, and their bytes.
pub(super) struct Values {
    pub kind: u64,
    pub count: u64,
    pub bytes: Vec<u8>,
}

impl Values {
    pub fn numbers(&self) -> Vec<u64> {
        let width = match self.kind {
            3 => 2,
            4 => 4,
            16 => 8,
            other => panic!("type {other}"),
        };
        self.bytes.chunks(width).map(number).collect()
    }

    pub fn reals(&self) -> Vec<f64> {
        assert_eq!(self.kind, 12);
        self.bytes.chunks(8).map(|bytes| f64::from_bits(number(bytes))).collect()
    }

    pub fn text(&self) -> &str {
        assert_eq!((self.kind, self.bytes.last()), (2, Some(&0)));
        std::str::from_utf8(&self.bytes[..self.bytes.len() - 1]).unwrap()
    }
}

/// A directory.
pub(super) struct Image {
    pub at: usize,
    pub fields: BTreeMap<u64, Values>,
}

/// A file.
pub(super) struct File<'a> {
    bytes: &'a [u8],
    pub big: bool,
    pub images: Vec<Image>,
    /// The end of the last directory, value or table.
    pub head: usize,
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte))
}

impl<'a> File<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        let big = &bytes[..4] == b"II+\0";
        assert!(big || &bytes[..4] == b"II*\0");
        assert!(!big || bytes[4..8] == [8, 0, 0, 0]);
        let mut file = Self { bytes, big, images: Vec::new(), head: 0 };
        let mut next = if big { number(&bytes[8..16]) } else { number(&bytes[4..8]) };
        while next != 0 {
            next = file.image(next as usize);
        }
        file
    }

    /// Reads a directory, and returns the offset of the next.
    fn image(&mut self, at: usize) -> u64 {
        let (counts, offset_bytes) = if self.big { (8, 8) } else { (2, 4) };
        assert_eq!(at % 2, 0, "directories are at even offsets");
        let mut here = at;
        let bytes = self.bytes;
        let mut take = |length: usize| {
            here += length;
            &bytes[here - length..here]
        };
        let mut fields = BTreeMap::new();
        for _ in 0..number(take(counts)) {
            let (tag, kind, count) = (number(take(2)), number(take(2)), number(take(offset_bytes)));
            let length = count as usize * [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8][kind as usize];
            let value = take(offset_bytes);
            let value = if length <= offset_bytes {
                assert!(value[length..].iter().all(|&byte| byte == 0));
                &value[..length]
            } else {
                let from = number(value) as usize;
                assert_eq!(from % 2, 0, "values are at even offsets");
                self.head = self.head.max(from + length);
                &bytes[from..from + length]
            };
            assert!(fields.keys().all(|&other| other < tag), "fields are sorted by tag");
            fields.insert(tag, Values { kind, count, bytes: value.to_vec() });
        }
        let next = number(take(offset_bytes));
        self.head = self.head.max(here);
        self.images.push(Image { at, fields });
        next
    }

    /// Checks the offsets of everything: the text, the directories, and the tiles, which fill the rest of the
    /// file to the last byte.
    pub fn check_layout(&self) {
        let start = if self.big { 16 } else { 8 };
        let text = std::str::from_utf8(&self.bytes[start..start + 183]).unwrap();
        assert!(text.starts_with("GDAL_STRUCTURAL_METADATA_SIZE=000140 bytes\nLAYOUT=IFDS_BEFORE_DATA\n"));
        assert!(text.ends_with("\nKNOWN_INCOMPATIBLE_EDITION=NO\n "));
        assert_eq!(self.images[0].at, start + 184);
        assert!(self.images.windows(2).all(|pair| pair[0].at < pair[1].at));
        let mut end = self.head;
        for image in self.images.iter().rev() {
            let (offsets, lengths) = (image.fields[&324].numbers(), image.fields[&325].numbers());
            assert_eq!(offsets.len(), lengths.len());
            for (offset, length) in offsets.into_iter().zip(lengths) {
                let (offset, length) = (offset as usize, length as usize);
                assert_eq!(offset, end + 4);
                assert_eq!(number(&self.bytes[end..offset]), length as u64, "the length precedes the tile");
                let trailer = &self.bytes[offset + length..offset + length + 4];
                assert_eq!(trailer, &self.bytes[offset + length - 4..offset + length]);
                end = offset + length + 4;
            }
        }
        assert_eq!(end, self.bytes.len());
    }

    /// Columns and rows.
    pub fn size(image: &Image) -> (usize, usize) {
        let one = |tag: u64| image.fields[&tag].numbers()[0] as usize;
        (one(256), one(257))
    }

    /// The samples of a level, row by row, with `bytes` bytes each. Also checks that tiles repeat the last
    /// samples beyond the level.
    pub fn samples(&self, image: &Image, bytes: usize) -> Vec<u8> {
        let (width, height) = Self::size(image);
        let (across, down) = (width.div_ceil(512), height.div_ceil(512));
        let offsets = image.fields[&324].numbers();
        assert_eq!(offsets.len(), across * down);
        let mut samples = vec![0; width * height * bytes];
        let tiles: Vec<Vec<u8>> = (0..offsets.len()).map(|number| self.tile(image, number, bytes)).collect();
        let of_tile = |x: usize, y: usize| {
            let at = (y % 512 * 512 + x % 512) * bytes;
            &tiles[y / 512 * across + x / 512][at..at + bytes]
        };
        for y in 0..down * 512 {
            for x in 0..across * 512 {
                if x < width && y < height {
                    let at = (y * width + x) * bytes;
                    samples[at..at + bytes].copy_from_slice(of_tile(x, y));
                } else {
                    assert_eq!(of_tile(x, y), of_tile(x.min(width - 1), y.min(height - 1)));
                }
            }
        }
        samples
    }

    fn tile(&self, image: &Image, number: usize, sample: usize) -> Vec<u8> {
        let offset = image.fields[&324].numbers()[number] as usize;
        let length = image.fields[&325].numbers()[number] as usize;
        let mut tile = Vec::new();
        flate2::read::ZlibDecoder::new(&self.bytes[offset..offset + length]).read_to_end(&mut tile).unwrap();
        assert_eq!(tile.len(), 512 * 512 * sample);
        for row in tile.chunks_mut(512 * sample) {
            match image.fields[&317].numbers()[..] {
                [2] => (3..row.len()).for_each(|i| row[i] = row[i].wrapping_add(row[i - 3])),
                [3] => {
                    (1..row.len()).for_each(|i| row[i] = row[i].wrapping_add(row[i - 1]));
                    let planes = row.to_vec();
                    for (i, byte) in row.iter_mut().enumerate() {
                        *byte = planes[(3 - i % 4) * 512 + i / 4];
                    }
                }
                ref other => panic!("predictor {other:?}"),
            }
        }
        tile
    }
}
