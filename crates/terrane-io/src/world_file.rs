//! World files: six numbers beside a raster that place it on a map.

use std::{
    ffi::OsStr,
    io::{self, Read},
    path::{Path, PathBuf},
};

use crate::open::Open;

/// The largest file that is read. Usual ones have a hundred bytes.
const MAX_BYTES: u64 = 4096;

/// The names that a world file may have: `dem.tfw`, `dem.tifw` or `dem.wld` beside `dem.tif`, in any mixture
/// of small and capital letters of the ending, or all in one of them.
pub(crate) fn names(file: &Path) -> Vec<PathBuf> {
    let (Some(stem), Some(extension)) =
        (file.file_stem().and_then(OsStr::to_str), file.extension().and_then(OsStr::to_str))
    else {
        return Vec::new();
    };
    let mut letters = extension.chars();
    let (Some(first), last) = (letters.next(), letters.next_back()) else { return Vec::new() };
    let short: String = [Some(first), last, Some('w')].into_iter().flatten().collect();
    let mut names = Vec::new();
    let mut add = |stem: &str, extension: &str| {
        let name = file.with_file_name(format!("{stem}.{extension}"));
        if !names.contains(&name) {
            names.push(name);
        }
    };
    let is_upper = extension.chars().all(|letter| !letter.is_lowercase());
    let endings = [short, format!("{extension}w"), "wld".to_owned()];
    for own in [is_upper, !is_upper] {
        endings.iter().for_each(|ending| add(stem, &in_case(ending, own)));
    }
    for upper in [true, false] {
        endings.iter().for_each(|ending| add(&in_case(stem, upper), &in_case(ending, upper)));
    }
    for ending in &endings {
        mixtures(ending).iter().for_each(|ending| add(stem, ending));
    }
    names
}

fn in_case(text: &str, upper: bool) -> String {
    if upper { text.to_uppercase() } else { text.to_lowercase() }
}

/// All mixtures of small and capital letters, for at most six letters.
fn mixtures(text: &str) -> Vec<String> {
    let count = text.chars().count().min(6);
    let mixture = |bits: u32| {
        let case = |(at, letter): (usize, char)| in_case(&letter.to_string(), at < 6 && bits >> at & 1 == 1);
        text.chars().enumerate().map(case).collect()
    };
    (0..1 << count).map(mixture).collect()
}

/// The matrix of a world file, as a tag of GeoTIFF has it, for a raster whose position is that of the corners
/// or, with `is_point`, the centres of samples. The error is a warning.
pub(crate) fn read(open: &Open<'_>, file: &Path, is_point: bool) -> Result<Option<Vec<f64>>, String> {
    for name in names(file) {
        let mut text = String::new();
        let shown = name.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match open(&name).and_then(|f| f.content.take(MAX_BYTES).read_to_string(&mut text)) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(format!("the world file {shown} cannot be read ({error})")),
        }
        let numbers: Option<Vec<f64>> =
            text.split_whitespace().map(|number| number.replace(',', ".").parse().ok()).collect();
        return match numbers.as_deref() {
            Some(&[a, d, b, e, c, f]) if [a, d, b, e, c, f].iter().all(|v| v.is_finite()) => {
                // The last two numbers are the centre of the first sample.
                let half = if is_point { 0.0 } else { 0.5 };
                let (x, y) = (c - half * (a + b), f - half * (d + e));
                let mut matrix = vec![0.0; 16];
                (matrix[0], matrix[1], matrix[3]) = (a, b, x);
                (matrix[4], matrix[5], matrix[7]) = (d, e, y);
                matrix[15] = 1.0;
                Ok(Some(matrix))
            }
            _ => Err(format!("the world file {shown} does not consist of six numbers and is not used")),
        };
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open::from_disk;

    #[test]
    fn names_follow_the_extension() {
        let of = |file: &str| {
            let names = names(Path::new(file));
            names.iter().map(|name| name.to_string_lossy().into_owned()).collect::<Vec<_>>()
        };
        assert_eq!(of("a/dem.tif")[..3], ["a/dem.tfw", "a/dem.tifw", "a/dem.wld"]);
        assert_eq!(of("dem.JPEG")[..3], ["dem.JGW", "dem.JPEGW", "dem.WLD"]);
        for (file, beside) in
            [("dem.tif", "DEM.TFW"), ("dem.tif", "dem.TfW"), ("DEM.TIF", "dem.tfw"), ("Dem.tif", "Dem.Tifw")]
        {
            assert!(of(file).iter().any(|name| name == beside), "{file} {beside}");
        }
        assert!(of("dem").is_empty() && of("dem.").is_empty());
    }

    #[test]
    fn six_numbers_place_the_centre_of_the_first_sample() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("dem.png");
        assert_eq!(read(&from_disk, &file, true), Ok(None));
        std::fs::write(folder.path().join("dem.pgw"), "30.0\r\n0\n0\n-30\n400015,0\n3999985\n").unwrap();
        let matrix = read(&from_disk, &file, false).unwrap().unwrap();
        assert_eq!((matrix[0], matrix[5], matrix[3], matrix[7]), (30.0, -30.0, 400_000.0, 4_000_000.0));
        std::fs::write(folder.path().join("dem.pgw"), "30\n0\n0\n-30\n400015\n").unwrap();
        assert!(read(&from_disk, &file, false).unwrap_err().contains("dem.pgw"));
    }
}
