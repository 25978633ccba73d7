//! The tags of TIFF: which are used, which change no height, and which are named in a warning.

use tiff::{Directory, tags::Tag};

/// Tags that are read.
const USED: &[u16] = &[
    254, 255, 256, 257, 258, 259, 266, 273, 277, 278, 279, 284, 317, 322, 323, 324, 325, 338, 339, 33550,
    33922, 34264, 34735, 34736, 34737, 42112, 42113,
];

/// Tags that describe how a raster is displayed or printed, who made it, or what it is called: none changes a
/// height or its place. `Import`'s page lists them.
const HARMLESS: &[u16] = &[
    262, // PhotometricInterpretation: heights are numbers, whichever of them is shown white
    263, 264, 265, // halftones
    269, 270, 271, 272, // names and descriptions
    280, 281, // smallest and largest value
    282, 283, 296, // dots an inch
    285, 286, 287, 297, // page of a document
    288, 289, // unused bytes
    290, 291, 301, // tone curves
    305, 306, 315, 316, // program, date, author and computer
    318, 319, 321, 332, 333, 334, 336, 337, // colours and inks
    320, // palette
    330, // smaller copies
    340, 341, // smallest and largest value
    347, 529, 530, 531, 532, // JPEG
    700, 33432, 33723, 34377, 34665, 34675, 37724, // metadata of pictures
    50674, // LERC
    50838, 50839, // ImageJ
    50909, // metadata of maps
    65000, 65001, 65002, // private, of several programs
];

/// Names of tags that would change a raster or its place.
const NAMED: &[(u16, &str)] = &[
    (32997, "ImageDepth"),
    (32998, "TileDepth"),
    (33918, "Intergraph packet"),
    (33919, "Intergraph flags"),
    (33920, "IrasB transformation"),
    (34853, "GPS position"),
    (50844, "RPC coefficients"),
];

/// A warning that names the tags that are not used and not known to be harmless.
pub(super) fn unused(directory: &Directory) -> Option<String> {
    let names: Vec<String> = directory
        .iter()
        .map(|(tag, _)| tag.to_u16())
        .filter(|code| !USED.contains(code) && !HARMLESS.contains(code) && *code != Tag::Orientation.to_u16())
        .map(|code| match NAMED.iter().find(|(named, _)| *named == code) {
            Some((_, name)) => format!("{code} ({name})"),
            None => code.to_string(),
        })
        .collect();
    match &names[..] {
        [] => None,
        [one] => Some(format!("the TIFF tag {one} is not used")),
        several => Some(format!("the TIFF tags {} are not used", several.join(", "))),
    }
}

/// A warning of a stack of pictures behind a single directory, of which only the description tells:
/// `images=3` by `ImageJ`, or `{"shape": [3, 12, 16]}` by tifffile.
pub(super) fn stack(description: &str, (width, height): (usize, usize)) -> Option<String> {
    let named = description.starts_with("ImageJ=");
    let images = description.lines().find_map(|line| line.strip_prefix("images=")).filter(|_| named);
    let count = images.and_then(|count| count.trim().parse::<u64>().ok()).or_else(|| {
        let value: serde_json::Value = serde_json::from_str(description).ok()?;
        let sides = value.get("shape")?.as_array()?.iter().map(serde_json::Value::as_u64);
        let all = sides.collect::<Option<Vec<_>>>()?.into_iter().try_fold(1, u64::checked_mul)?;
        all.checked_div(width as u64 * height as u64)
    })?;
    (count > 1).then(|| {
        format!("by its description the TIFF has {count} pictures: those behind the first are not read")
    })
}

/// A warning for a picture whose first sample is not its upper left one: other programs for maps ignore the
/// tag too.
pub(super) fn orientation(code: u16) -> Option<String> {
    let first = match code {
        2 => "at the upper right",
        3 => "at the lower right",
        4 => "at the lower left",
        5..=8 => "with rows and columns exchanged",
        _ => return None,
    };
    Some(format!("the TIFF tag Orientation is {code}, first sample {first}: it is not applied"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_are_told_by_descriptions() {
        for (text, count) in [
            ("ImageJ=1.11a\nimages=3\nslices=3", Some(3)),
            ("{\"shape\": [3, 12, 16]}", Some(3)),
            ("{\"shape\": [12, 16]}", None),
            ("{\"shape\": [-1]}", None),
            ("images=3", None),
            ("a hill", None),
        ] {
            let told = stack(text, (16, 12));
            assert_eq!(told.is_some(), count.is_some(), "{text}");
            assert!(told.is_none_or(|told| told.contains("3 pictures")), "{text}");
        }
    }

    #[test]
    fn no_tag_is_in_two_lists() {
        let named: Vec<u16> = NAMED.iter().map(|(code, _)| *code).collect();
        let mut all = [USED, HARMLESS, &named].concat();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
