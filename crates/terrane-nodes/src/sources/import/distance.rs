//! The distance between the samples of a file, beside the graph's.

use terrane_grid::{Domain, GeoReference};
use terrane_io::{Ground, Placement};

use crate::place::{square_rows, step};

/// The difference from which slopes are noticeably wrong.
const TOLERANCE: f64 = 0.01;

/// A warning if the samples of a file of this size, stretched over the graph's samples, are not as far apart
/// as the graph says. `apart` is the distance between its columns and between its rows, in metres. `kept` is
/// the georeference of a file that is not stretched, because its import has an `origin`.
pub fn warning(
    apart: (f64, f64),
    size: (usize, usize),
    graph: &Domain,
    kept: Option<&GeoReference>,
) -> Option<String> {
    let x = apart.0 * step(size.0, graph.width());
    let y = apart.1 * step(size.1, graph.height());
    // A single column or row has no distance.
    let differs =
        |count: usize, distance: f64, from: f64| count > 1 && (distance / from - 1.0).abs() > TOLERANCE;
    let (columns, rows) = graph.size;
    // Rows are whole: their distance cannot be met more closely than by half a row over the map.
    let rounds = (y / graph.spacing - 1.0).abs() * (rows.max(2) - 1) as f64 <= 0.51;
    if !differs(columns, x, graph.spacing) && (rounds || !differs(rows, y, graph.spacing)) {
        return resampled(apart, size, graph);
    }
    let stretched = if size == graph.size { "" } else { ", stretched over the graph," };
    let graphs = short(graph.spacing);
    if columns > 1 && rows > 1 && differs(rows, y, x) {
        let right = match kept {
            Some(georef) => format!(
                "with `origin` the import keeps its cells: `{}` makes them squares, for `spacing: {}`",
                squares(georef, size, x),
                short(x)
            ),
            None => {
                format!("`size: ({columns}, {}), spacing: {}` is right", square_rows((x, y), rows), short(x))
            }
        };
        return Some(format!(
            "the file's samples{stretched} are {} m apart from west to east and {} m from north to \
            south, and the graph's spacing is {graphs}: slopes are {} times the true ones from west to \
            east and {} times from north to south; {right}",
            short(x),
            short(y),
            short(x / graph.spacing),
            short(y / graph.spacing)
        ));
    }
    let distance = if columns > 1 { x } else { y };
    let (right, factor) = (short(distance), short(distance / graph.spacing));
    Some(format!(
        "the file's samples{stretched} are {right} m apart and the graph's spacing is {graphs}: slopes \
        are {factor} times the true ones; `spacing: {right}` is right"
    ))
}

/// The command that makes a file with cells that are squares, `metres` wide.
fn squares(georef: &GeoReference, size: (usize, usize), metres: f64) -> String {
    let (Some(place), Some(ground)) = (Placement::of(georef), Ground::of(georef)) else {
        return "gdalwarp".to_owned();
    };
    // Squares of a map that is equally long in both directions are squares of the ground.
    let is_even = ground
        .metres(size)
        .is_some_and(|(x, y)| (x / y / (place.spacing_x / place.spacing_y) - 1.0).abs() < TOLERANCE);
    if let Some((longitude, latitude)) = ground.position(size).filter(|_| place.geographic || !is_even) {
        let metres = short(metres);
        return format!("gdalwarp -r cubic -t_srs EPSG:{} -tr {metres} {metres}", utm(longitude, latitude));
    }
    let own = short(place.spacing_x);
    format!("gdalwarp -r cubic -tr {own} {own}")
}

/// The EPSG code of the UTM zone of a position or, near a pole, of its polar stereographic projection.
fn utm(longitude: f64, latitude: f64) -> u16 {
    let zone = libm::floor((longitude + 180.0).rem_euclid(360.0) / 6.0) as u16 + 1;
    match latitude {
        _ if latitude > 84.0 => 3995,
        _ if latitude < -80.0 => 3031,
        _ if latitude < 0.0 => 32700 + zone,
        _ => 32600 + zone,
    }
}

/// A note if rows and columns were stretched differently, so that cells are squares.
fn resampled((x, y): (f64, f64), size: (usize, usize), graph: &Domain) -> Option<String> {
    let factor = step(size.0, graph.width()) / step(size.1, graph.height());
    ((factor - 1.0).abs() > 1e-3).then(|| {
        let factor = short(factor);
        if (x / y - 1.0).abs() < 1e-3 {
            return format!(
                "rows were resampled by {factor} beside columns: the graph's {} x {} samples do not have the \
                proportions of the file's {} x {}, which are equally far apart",
                graph.width(),
                graph.height(),
                size.0,
                size.1
            );
        }
        format!(
            "rows were resampled by {factor} for square cells: the file's samples are {} m apart from west \
            to east and {} m from north to south",
            short(x),
            short(y)
        )
    })
}

/// A number with six digits.
fn short(number: f64) -> String {
    let digits = (5 - libm::floor(libm::log10(number.abs())) as i32).clamp(0, 12) as usize;
    let text = format!("{number:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(apart: (f64, f64), size: (usize, usize), graph: (usize, usize), spacing: f64) -> Option<String> {
        warning(apart, size, &Domain::new(graph.0, graph.1).with_spacing(spacing), None)
    }

    #[test]
    fn equal_distances_need_no_warning() {
        assert_eq!(of((30.0, 30.06), (60, 60), (60, 60), 30.0), None);
        assert_eq!(of((80.0, 80.0), (257, 257), (513, 513), 40.0), None);
        assert_eq!(of((5.0, 9.0), (60, 1), (60, 1), 5.0), None);
        assert_eq!(of((1.0, 1.0), (60, 60), (60, 60), 1.0), None);
    }

    #[test]
    fn what_is_wrong_is_said_with_what_is_right() {
        let one = of((1.0, 1.0), (60, 60), (60, 60), 30.0).unwrap();
        assert!(one.contains("are 1 m apart and the graph's spacing is 30"), "{one}");
        assert!(one.contains("slopes are 0.0333333 times the true ones"), "{one}");
        let stretched = of((80.0, 80.0), (257, 257), (513, 513), 33.0).unwrap();
        assert!(stretched.contains("stretched over the graph, are 40 m apart"), "{stretched}");
        let degrees = of((71.6, 92.7), (493, 337), (493, 337), 90.0).unwrap();
        assert!(
            degrees.contains("71.6 m apart from west to east and 92.7 m from north to south"),
            "{degrees}"
        );
        let factors = "slopes are 0.795556 times the true ones from west to east and 1.03 times from north";
        assert!(degrees.contains(factors), "{degrees}");
        assert!(degrees.ends_with("`size: (493, 436), spacing: 71.6` is right"), "{degrees}");
        // The remedy works: rows are then within 0.2 % of square.
        let note = of((71.6, 92.7), (493, 337), (493, 436), 71.6).unwrap();
        assert!(note.starts_with("rows were resampled by 1.29464 for square cells"), "{note}");
        // Square cells, and a graph of other proportions.
        let note = of((80.0, 80.0), (525, 528), (65, 65), 658.75).unwrap();
        assert!(
            note.contains("65 x 65 samples do not have the proportions of the file's 525 x 528"),
            "{note}"
        );
    }

    /// An import with `origin` keeps its samples: no size of the graph makes its cells squares.
    #[test]
    fn a_file_that_is_not_stretched_is_warped_by_another_program() {
        let georef = |keys: &[u16], (x, y): (f64, f64)| GeoReference {
            pixel_scale: vec![x, y, 0.0],
            tiepoints: vec![0.0, 0.0, 0.0, -120.3, 38.2, 0.0],
            key_directory: [&[1, 1, 0, 2, 1025, 0, 1, 2], keys].concat(),
            ..GeoReference::default()
        };
        let graph = Domain::new(60, 50).with_spacing(30.0);
        let told = |apart, georef: &GeoReference| warning(apart, (60, 50), &graph, Some(georef)).unwrap();
        let degrees = told((24.3, 30.9), &georef(&[1024, 0, 1, 2], (1.0 / 3600.0, 1.0 / 3600.0)));
        let command =
            "`gdalwarp -r cubic -t_srs EPSG:32610 -tr 24.3 24.3` makes them squares, for `spacing: 24.3`";
        assert!(degrees.contains(command) && !degrees.contains("size:"), "{degrees}");
        let feet = told((30.48, 60.96), &georef(&[1024, 0, 1, 1], (100.0, 200.0)));
        assert!(feet.contains("`gdalwarp -r cubic -tr 100 100`"), "{feet}");
        // An equal-area map of the whole Earth has squares that are none on the ground.
        let keys = [1024, 0, 1, 1, 3072, 0, 1, 6933];
        let mut world = georef(&keys, (30.0, 30.0));
        world.tiepoints = vec![0.0, 0.0, 0.0, 1.0e6, 6.0e6, 0.0];
        let command = "`gdalwarp -r cubic -t_srs EPSG:32632 -tr 19.9 19.9` makes them squares";
        let world = told((19.9, 45.1), &world);
        assert!(world.contains(command), "{world}");
        assert_eq!((utm(-180.0, 10.0), utm(179.9, -10.0), utm(0.0, 85.0)), (32601, 32760, 3995));
        // Squares of another size need no other program.
        let squares = told((60.0, 60.0), &georef(&[1024, 0, 1, 1], (60.0, 60.0)));
        assert!(squares.ends_with("`spacing: 60` is right"), "{squares}");
    }
}
