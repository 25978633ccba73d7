//! What follows the first picture of a file: a mask of missing samples, smaller copies, more pictures.

use std::io::{Read, Seek};

use tiff::{
    Directory,
    decoder::Decoder,
    tags::{ByteOrder, Tag},
};

use super::{
    open::Opened,
    problems::unsupported,
    stored::{Chunks, Stored},
};
use crate::{Endian, error::Outcome, exact::Rules};

/// The largest number of pictures that are looked at. Elevation models have one, or one and its smaller
/// copies.
const MOST: usize = 256;

/// The pictures that follow the first one.
#[derive(Default)]
pub(super) struct Pages {
    /// The masks of the first picture: 0 where a sample is missing.
    pub masks: Vec<Directory>,
    /// The number of pictures that are neither masks nor smaller copies.
    pub others: usize,
    /// Whether a picture could not be looked at, or there are too many.
    pub is_cut: bool,
}

impl Pages {
    /// Looks at the tags of all pictures after the first one, which has this size.
    pub fn of<R: Read + Seek>(file: &mut Opened<R>, size: (usize, usize)) -> Self {
        let mut pages = Self::default();
        let Opened { decoder, first } = file;
        let mut next = first.next();
        let mut seen = Vec::new();
        while let Some(pointer) = next {
            if seen.len() == MOST || seen.contains(&pointer.0) {
                pages.is_cut = true;
                break;
            }
            seen.push(pointer.0);
            let Ok(directory) = decoder.read_directory(pointer) else {
                pages.is_cut = true;
                break;
            };
            next = directory.next();
            let mut tags = decoder.read_directory_tags(&directory);
            let mut number = |tag| tags.find_tag_unsigned::<u64>(tag).ok().flatten();
            let kind = number(Tag::NewSubfileType).unwrap_or_default();
            let is_smaller = kind & 1 == 1 || number(Tag::SubfileType) == Some(2);
            let own = (number(Tag::ImageWidth), number(Tag::ImageLength));
            match kind & 4 == 4 {
                true if own == (Some(size.0 as u64), Some(size.1 as u64)) && !is_smaller => {
                    pages.masks.push(directory);
                }
                true => {}
                false => pages.others += usize::from(!is_smaller),
            }
        }
        pages
    }

    /// What is not read, as a warning.
    pub fn warning(&self) -> Option<String> {
        match (self.others, self.is_cut) {
            (0, false) => None,
            (0, true) => Some("what follows the first picture of the TIFF cannot be read".to_owned()),
            (1, _) => Some("the TIFF has a second picture, which is not read".to_owned()),
            (more, _) => Some(format!("the TIFF has {more} more pictures, which are not read")),
        }
    }
}

/// The samples that one of the masks marks as missing.
pub(super) fn masked<R: Read + Seek>(
    decoder: &mut Decoder<R>,
    masks: &[Directory],
    length: u64,
    size: (usize, usize),
) -> Outcome<Option<Vec<bool>>> {
    let mut all: Option<Vec<bool>> = None;
    for mask in masks {
        let missing = masked_by(decoder, mask, length, size)?;
        match &mut all {
            None => all = Some(missing),
            Some(all) => all.iter_mut().zip(missing).for_each(|(all, missing)| *all |= missing),
        }
    }
    Ok(all)
}

fn masked_by<R: Read + Seek>(
    decoder: &mut Decoder<R>,
    mask: &Directory,
    length: u64,
    size: (usize, usize),
) -> Outcome<Vec<bool>> {
    let endian = endian(decoder);
    let mut tags = decoder.read_directory_tags(mask);
    let mut number = |tag, default| tags.find_tag_unsigned::<u64>(tag).ok().flatten().unwrap_or(default);
    let stored = match (number(Tag::BitsPerSample, 1), number(Tag::SamplesPerPixel, 1)) {
        (1, 1) => Stored::Bits(1),
        (8, 1) => Stored::Bytes(crate::Sample::U8),
        (bits, channels) => {
            return Err(unsupported(format!("a mask of {channels} channels of {bits} bits")));
        }
    };
    let chunks = Chunks::new(&mut tags, endian, length, size, stored)?;
    let mask = chunks.read(decoder.inner(), &Rules::default(), 0.0)?;
    Ok(mask.iter().map(|&known| known == 0.0).collect())
}

/// The byte order of a file.
pub(super) fn endian<R: Read + Seek>(decoder: &Decoder<R>) -> Endian {
    match decoder.byte_order() {
        ByteOrder::LittleEndian => Endian::Little,
        ByteOrder::BigEndian => Endian::Big,
    }
}
