//! The surface of lakes, from depths of water.

/// The level of water at each sample, or `None` if there is no water on the map.
///
/// A dry sample beside a lake gets the lake's level or its own height, whichever is lower. So the shore lies
/// between samples, where the ground rises through the level. All other samples without water have negative
/// infinity. `scale` converts depths to the unit of heights.
pub fn levels(
    ground: &[f32],
    (columns, rows): (usize, usize),
    depths: &[f32],
    scale: f64,
) -> Option<Vec<f32>> {
    const NONE: f32 = f32::NEG_INFINITY;
    let own = |at: usize| {
        let depth = (f64::from(depths[at]) * scale) as f32;
        if depth > 0.0 { ground[at] + depth } else { NONE }
    };
    let mut levels = vec![NONE; ground.len()];
    for row in 0..rows {
        for column in 0..columns {
            let at = row * columns + column;
            let mut level = own(at);
            if level == NONE {
                for y in row.saturating_sub(1)..(row + 2).min(rows) {
                    for x in column.saturating_sub(1)..(column + 2).min(columns) {
                        level = level.max(own(y * columns + x));
                    }
                }
                level = level.min(ground[at]);
            }
            levels[at] = level;
        }
    }
    levels.iter().any(|level| *level > NONE).then_some(levels)
}
