//! Cutting lines of longitudes and latitudes where they lead across 180 degrees.

type Position = (f64, f64);

/// Whether the shorter way between two neighbouring longitudes leads across 180 degrees.
fn jumps(from: Position, to: Position) -> bool {
    (from.0 - to.0).abs() > 180.0
}

/// Whether a line leads across 180 degrees.
pub fn is_crossed(mut positions: impl Iterator<Item = Position>) -> bool {
    let Some(mut before) = positions.next() else { return false };
    positions.any(|position| jumps(std::mem::replace(&mut before, position), position))
}

/// The parts of a line on both sides of 180 degrees, without positions that repeat the one before them. The
/// latitude of a cut lies on the straight line between its neighbours.
pub fn cut(positions: impl Iterator<Item = Position>) -> Vec<Vec<Position>> {
    let mut parts: Vec<Vec<Position>> = vec![Vec::new()];
    let mut before: Option<Position> = None;
    for position in positions {
        if let Some(from) = before.filter(|from| jumps(*from, position)) {
            let border = f64::copysign(180.0, from.0);
            let whole = (position.0 + 2.0 * border - from.0).abs();
            let part = if whole > 0.0 { (border - from.0).abs() / whole } else { 0.5 };
            let latitude = from.1 + part * (position.1 - from.1);
            push(&mut parts, (border, latitude));
            parts.push(vec![(-border, latitude)]);
        }
        push(&mut parts, position);
        before = Some(position);
    }
    // A line that only touches 180 degrees has a part of a single position.
    if parts.iter().any(|part| part.len() > 1) {
        parts.retain(|part| part.len() > 1);
    }
    parts
}

fn push(parts: &mut [Vec<Position>], position: Position) {
    if let Some(part) = parts.last_mut().filter(|part| part.last() != Some(&position)) {
        part.push(position);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_at_each_crossing() {
        let line = [(179.0, 10.0), (-179.0, 12.0), (-178.0, 12.0), (179.0, 15.0)];
        assert!(is_crossed(line.into_iter()));
        let parts = cut(line.into_iter());
        assert_eq!(parts[0], [(179.0, 10.0), (180.0, 11.0)]);
        assert_eq!(parts[1], [(-180.0, 11.0), (-179.0, 12.0), (-178.0, 12.0), (-180.0, 14.0)]);
        assert_eq!(parts[2], [(180.0, 14.0), (179.0, 15.0)]);
        assert!(!is_crossed([(-90.0, 0.0), (90.0, 0.0), (90.0, 1.0)].into_iter()));
        assert!(!is_crossed(std::iter::empty()));
    }

    #[test]
    fn positions_on_the_border_are_not_repeated() {
        let line = [(180.0, 1.0), (-179.0, 2.0), (-180.0, 3.0), (179.0, 3.0)];
        let parts = cut(line.into_iter());
        assert_eq!(parts.len(), 2);
        assert_eq!(parts[0], [(-180.0, 1.0), (-179.0, 2.0), (-180.0, 3.0)]);
        assert_eq!(parts[1], [(180.0, 3.0), (179.0, 3.0)]);
        // From one side of the border to the other along it.
        assert_eq!(cut([(180.0, 1.0), (-180.0, 1.0)].into_iter()).len(), 2);
    }
}
