//! GDAL's auxiliary files, such as `dem.tif.aux.xml`: what they say of a raster counts before its own tags,
//! as in GDAL.

use roxmltree::{Document, Node, ParsingOptions};

use crate::{exact::number, xml_limits};

/// The largest text that is read, in bytes. Histograms are the longest part of usual ones.
pub(crate) const LONGEST: usize = 1 << 24;

/// What an auxiliary file says of the only channel and its place.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Pam {
    /// The number that marks missing samples.
    pub nodata: Option<String>,
    /// Height of a stored number n: `n * scale + offset`.
    pub scale: Option<(f64, f64)>,
    /// The unit of heights.
    pub unit: Option<String>,
    /// Easting of the upper left corner, its changes by column and by row, and the same for northing.
    pub transform: Option<[f64; 6]>,
    /// The reference system.
    pub reference: Option<String>,
    /// What is not used.
    pub unused: Option<&'static str>,
}

/// Reads an auxiliary file; the error says why it cannot be used.
pub(crate) fn parse(text: &str) -> Result<Pam, String> {
    xml_limits::check(text).map_err(|heavy| heavy.to_string())?;
    let options = ParsingOptions { nodes_limit: 200_000, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| error.to_string())?;
    let root = document.root_element();
    let own = |of: Node<'_, '_>, name: &str| {
        let node = of.children().find(|node| node.has_tag_name(name))?;
        node.text().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let band = root
        .children()
        .find(|node| node.has_tag_name("PAMRasterBand") && node.attribute("band") == Some("1"));
    let of_band = |name: &str| own(band?, name);
    let real = |name: &str, default: f64| match of_band(name) {
        None => Ok(default),
        Some(text) => match number(&text) {
            Some(number) if number.abs() <= 1e12 && (name != "Scale" || number.abs() >= 1e-12) => Ok(number),
            _ => Err(format!("the {} is `{}`", name.to_lowercase(), text.escape_debug())),
        },
    };
    let has_scale = of_band("Scale").is_some() || of_band("Offset").is_some();
    let scale = (real("Scale", 1.0)?, real("Offset", 0.0)?);
    let transform = match own(root, "GeoTransform") {
        None => None,
        Some(text) => {
            let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
            let numbers = numbers.and_then(|numbers| <[f64; 6]>::try_from(numbers).ok());
            let numbers = numbers.filter(|all| all.iter().all(|v| v.is_finite()));
            let numbers = numbers.ok_or("its GeoTransform does not consist of six numbers")?;
            if numbers[1] * numbers[5] == numbers[2] * numbers[4] {
                return Err("the cells of its GeoTransform have no extent".to_owned());
            }
            Some(numbers)
        }
    };
    let has = |name: &str| root.descendants().any(|node| node.has_tag_name(name));
    let unused = if transform.is_some() {
        None
    } else if has("GCPList") {
        Some("ground control points")
    } else {
        has("GeodataXform").then_some("a transformation of ArcGIS")
    };
    let nodata = of_band("NoDataValue");
    if let Some(text) = nodata.as_deref().filter(|text| number(text).is_none()) {
        return Err(format!(
            "the nodata value is `{}`",
            text.chars().take(60).collect::<String>().escape_debug()
        ));
    }
    // Names of units are short.
    let unit = of_band("UnitType").filter(|unit| unit.len() <= 60);
    let reference = own(root, "SRS");
    Ok(Pam { nodata, scale: has_scale.then_some(scale), unit, transform, reference, unused })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_said_of_the_first_channel_is_read() {
        let text = r#"<PAMDataset>
            <SRS dataAxisToSRSAxisMapping="1,2">EPSG:32612</SRS>
            <GeoTransform> 5.0e+05, 10, 0, 4.0e+06, 0, -10</GeoTransform>
            <Metadata><MDI key="AREA_OR_POINT">Area</MDI></Metadata>
            <PAMRasterBand band="2"><NoDataValue>9</NoDataValue></PAMRasterBand>
            <PAMRasterBand band="1"><NoDataValue>5</NoDataValue><UnitType>ft</UnitType><Offset>10</Offset>
            <Scale>0.5</Scale></PAMRasterBand></PAMDataset>"#;
        let found = parse(text).unwrap();
        assert_eq!(found.nodata.as_deref(), Some("5"));
        assert_eq!((found.scale, found.unit.as_deref()), (Some((0.5, 10.0)), Some("ft")));
        assert_eq!(found.transform, Some([5e5, 10.0, 0.0, 4e6, 0.0, -10.0]));
        assert_eq!((found.reference.as_deref(), found.unused), (Some("EPSG:32612"), None));
        assert_eq!(parse("<PAMDataset><Metadata/></PAMDataset>"), Ok(Pam::default()));
    }

    #[test]
    fn what_cannot_be_used_is_said() {
        let band = |items: &str| parse(&format!("<P><PAMRasterBand band=\"1\">{items}</PAMRasterBand></P>"));
        assert!(band("<Scale>0</Scale>").unwrap_err().contains("the scale is `0`"));
        assert!(band("<NoDataValue>abc</NoDataValue>").unwrap_err().contains("the nodata value is `abc`"));
        let placed = |numbers: &str| parse(&format!("<P><GeoTransform>{numbers}</GeoTransform></P>"));
        assert!(placed("0,1,garbage,0,0,0,-1").unwrap_err().contains("six numbers"));
        assert!(placed("0,0,0,0,0,0").unwrap_err().contains("no extent"));
        assert!(parse("<P><GeoTransform>1, 2</GeoTransform></P>").unwrap_err().contains("six numbers"));
        assert!(parse("<P").is_err());
        assert_eq!(parse("<P><GCPList/></P>").unwrap().unused, Some("ground control points"));
    }
}
