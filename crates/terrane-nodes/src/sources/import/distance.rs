//! The distance between the samples of a file, beside the graph's.

use terrane_grid::Domain;

use crate::place::{square_rows, step};

/// The difference from which slopes are noticeably wrong.
const TOLERANCE: f64 = 0.01;

/// A warning if the samples of a file of this size, stretched over the graph's samples, are not as far apart
/// as the graph says. `apart` is the distance between its columns and between its rows, in metres.
pub fn warning(apart: (f64, f64), size: (usize, usize), graph: &Domain) -> Option<String> {
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
        let fitting = square_rows((x, y), rows);
        return Some(format!(
            "the file's samples{stretched} are {} m apart from west to east and {} m from north to \
            south, and the graph's spacing is {graphs}: slopes are wrong by these factors; `size: \
            ({columns}, {fitting}), spacing: {}` is right",
            short(x),
            short(y),
            short(x)
        ));
    }
    let right = short(if columns > 1 { x } else { y });
    Some(format!(
        "the file's samples{stretched} are {right} m apart and the graph's spacing is {graphs}: slopes \
        are wrong by that factor; `spacing: {right}` is right"
    ))
}

/// A note if rows and columns were stretched differently, so that cells are squares.
fn resampled((x, y): (f64, f64), size: (usize, usize), graph: &Domain) -> Option<String> {
    let factor = step(size.0, graph.width()) / step(size.1, graph.height());
    ((factor - 1.0).abs() > 1e-3).then(|| {
        format!(
            "rows were resampled by {} for square cells: the file's samples are {} m apart from west \
            to east and {} m from north to south",
            short(factor),
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
        warning(apart, size, &Domain::new(graph.0, graph.1).with_spacing(spacing))
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
        let stretched = of((80.0, 80.0), (257, 257), (513, 513), 33.0).unwrap();
        assert!(stretched.contains("stretched over the graph, are 40 m apart"), "{stretched}");
        let degrees = of((71.6, 92.7), (493, 337), (493, 337), 90.0).unwrap();
        assert!(
            degrees.contains("71.6 m apart from west to east and 92.7 m from north to south"),
            "{degrees}"
        );
        assert!(degrees.ends_with("`size: (493, 436), spacing: 71.6` is right"), "{degrees}");
        // The remedy works: rows are then within 0.2 % of square.
        let note = of((71.6, 92.7), (493, 337), (493, 436), 71.6).unwrap();
        assert!(note.starts_with("rows were resampled by 1.29464 for square cells"), "{note}");
    }
}
