//! The text of a map in snapshots: size, statistics and a small relief.

use terrane_grid::Heightmap;
use terrane_kernels::metric::statistics;

/// The size, position and statistics of a map, the number of its holes if it has some, and a relief in
/// characters.
pub(super) fn described(map: &Heightmap) -> String {
    let s = statistics(map);
    let domain = map.domain();
    let holes = map.samples().iter().filter(|sample| sample.is_nan()).count();
    let holes = if holes > 0 { format!("holes: {holes}\n") } else { String::new() };
    format!(
        "size: {} x {}, spacing {}, origin {:?}\n{holes}\
        min: {:.6}\nmax: {:.6}\nmean: {:.6}\ndeviation: {:.6}\n{}",
        domain.width(),
        domain.height(),
        domain.spacing,
        domain.origin,
        s.min,
        s.max,
        s.mean,
        s.deviation,
        relief(map, s.min, s.max),
    )
}

/// A relief in characters, from low to high: ` .:-=+*#%@`. A hole is `o`.
fn relief(map: &Heightmap, low: f64, high: f64) -> String {
    const RAMP: &[u8] = b" .:-=+*#%@";
    let (columns, rows) = (map.width().min(48), map.height().min(18));
    let mut text = String::new();
    for row in 0..rows {
        text.push('|');
        for column in 0..columns {
            let at =
                ((2 * column + 1) * map.width() / (2 * columns), (2 * row + 1) * map.height() / (2 * rows));
            if map[at].is_nan() {
                text.push('o');
                continue;
            }
            let t = if high > low { (f64::from(map[at]) - low) / (high - low) } else { 0.0 };
            text.push(RAMP[(t * RAMP.len() as f64).clamp(0.0, (RAMP.len() - 1) as f64) as usize] as char);
        }
        text.push_str("|\n");
    }
    text
}
