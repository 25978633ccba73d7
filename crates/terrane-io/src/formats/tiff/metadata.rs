//! GDAL's own metadata in a TIFF (tag 42112): the scale, offset and unit of the stored numbers.

use roxmltree::{Document, ParsingOptions};

use crate::xml_limits;

/// The largest text that is looked at, in bytes. Usual ones have a few hundred.
const LONGEST: usize = 1 << 20;

/// What the metadata says of the only channel.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Metadata {
    /// Height of a stored number n: `n * scale + offset`.
    pub scale: Option<(f64, f64)>,
    /// The unit of heights.
    pub unit: Option<String>,
}

/// Reads the metadata; the error is a warning.
pub(super) fn parse(text: &str) -> Result<Metadata, String> {
    let ignored = |why: &str| format!("GDAL's metadata in the TIFF is not used: {why}");
    if text.len() > LONGEST {
        return Err(ignored("it is longer than 1 MiB"));
    }
    xml_limits::check(text).map_err(|heavy| ignored(&heavy.to_string()))?;
    let options = ParsingOptions { nodes_limit: 100_000, ..ParsingOptions::default() };
    let document =
        Document::parse_with_options(text, options).map_err(|error| ignored(&error.to_string()))?;
    let item = |role: &str| {
        document
            .descendants()
            .filter(|node| node.has_tag_name("Item"))
            .filter(|node| node.attribute("sample").is_none_or(|sample| sample.trim() == "0"))
            .find(|node| node.attribute("role").is_some_and(|own| own.eq_ignore_ascii_case(role)))
            .map(|node| node.text().unwrap_or_default().trim())
    };
    let number = |role: &str, default: f64| match item(role) {
        None => Ok(default),
        Some(text) => match text.replace(',', ".").parse::<f64>() {
            Ok(number) if number.abs() <= 1e12 && (role != "scale" || number.abs() >= 1e-12) => Ok(number),
            _ => Err(ignored(&format!("the {role} is `{text}`"))),
        },
    };
    let (scale, offset) = (number("scale", 1.0)?, number("offset", 0.0)?);
    let unit = item("unittype").filter(|unit| !unit.is_empty()).map(str::to_owned);
    Ok(Metadata { scale: ((scale, offset) != (1.0, 0.0)).then_some((scale, offset)), unit })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(items: &str) -> Result<Metadata, String> {
        parse(&format!("<GDALMetadata>{items}</GDALMetadata>"))
    }

    #[test]
    fn scale_offset_and_unit_are_those_of_the_first_channel() {
        let other = r#"<Item name="SCALE" sample="1" role="scale">9</Item>"#;
        let own = r#"<Item name="OFFSET" sample="0" role="offset">-100</Item>
            <Item name="SCALE" sample="0" role="scale">0.1</Item>
            <Item name="UNITTYPE" sample="0" role="unittype">ft &amp; in</Item>"#;
        let read = of(&format!("{other}{own}")).unwrap();
        assert_eq!(read, Metadata { scale: Some((0.1, -100.0)), unit: Some("ft & in".to_owned()) });
        let comma = of(r#"<Item sample="0" role="scale">0,5</Item>"#).unwrap();
        assert_eq!(comma.scale, Some((0.5, 0.0)));
    }

    #[test]
    fn metadata_without_meaning_for_heights_is_accepted() {
        assert_eq!(of(r#"<Item name="AREA">9</Item>"#), Ok(Metadata::default()));
        let identity = of(r#"<Item role="scale">1</Item><Item role="offset">0</Item>"#);
        assert_eq!(identity, Ok(Metadata::default()));
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        for (items, why) in [
            (r#"<Item role="scale">none</Item>"#, "the scale is `none`"),
            (r#"<Item role="scale">0</Item>"#, "the scale is `0`"),
            (r#"<Item role="offset">inf</Item>"#, "the offset is `inf`"),
            ("<Item", "1:"),
        ] {
            let warning = of(items).unwrap_err();
            assert!(warning.contains(why), "{warning}");
        }
    }
}
