//! The shape of courses on the map.

use super::river::RiverCarving;
use super::station::Station;

/// How often points move to the middle of their neighbours, half of the way.
const MOVES: usize = 6;

/// How often corners are cut.
const CUTS: usize = 2;

/// The length of a meander, in widths of the river (Leopold & Wolman 1960: 10 to 14).
const MEANDER: f64 = 11.0;

/// The slope at which meanders are half as wide.
const STEEP: f64 = 0.01;

/// A course without the corners of the grid: points move to the middle of their neighbours, and corners are
/// cut at quarters of their sides (Chaikin 1974). The ends stay.
pub(super) fn smoothed(stations: &[Station]) -> Vec<Station> {
    let mut smooth = stations.to_vec();
    for _ in 0..MOVES {
        let before: Vec<(f64, f64)> = smooth.iter().map(|station| station.point).collect();
        for (triple, station) in before.windows(3).zip(smooth.iter_mut().skip(1)) {
            let [(ax, ay), (x, y), (bx, by)] = [triple[0], triple[1], triple[2]];
            station.point = (0.25 * (ax + bx) + 0.5 * x, 0.25 * (ay + by) + 0.5 * y);
        }
    }
    for _ in 0..CUTS {
        let (Some(first), Some(last)) = (smooth.first(), smooth.last()) else { break };
        let mut cut = vec![*first];
        for pair in smooth.windows(2) {
            cut.extend([pair[0].between(&pair[1], 0.25), pair[0].between(&pair[1], 0.75)]);
        }
        cut.push(*last);
        smooth = cut;
    }
    smooth
}

/// A course with meanders: it swings from side to side as a sine of its length, measured in its own widths.
/// The swings are smaller where the river is steep, and none at its ends and in lakes.
pub(super) fn bent(stations: Vec<Station>, carving: &RiverCarving, spacing: f64) -> Vec<Station> {
    let total: f64 = stations.windows(2).map(|pair| pair[0].distance(&pair[1])).sum();
    if carving.meanders <= 0.0 || total <= 0.0 {
        return stations;
    }
    let even = evenly(&stations, 0.5 * spacing);
    // Directions over the length of a meander, so that the corners of the grid do not count.
    let mut bent = Vec::with_capacity(even.len());
    let (mut phase, mut along) = (0.0, 0.0);
    for (at, station) in even.iter().enumerate() {
        let step = at.checked_sub(1).map_or(0.0, |before| even[before].distance(station));
        along += step;
        let length = (MEANDER * station.width).max(6.0 * spacing);
        phase += step / length;
        let span = (0.5 * length / (0.5 * spacing)) as usize;
        let (before, after) = (even[at.saturating_sub(span)], even[(at + span).min(even.len() - 1)]);
        let (dx, dy) = (after.point.0 - before.point.0, after.point.1 - before.point.1);
        let apart = (dx * dx + dy * dy).sqrt();
        if apart <= 0.0 {
            bent.push(*station);
            continue;
        }
        let slope = (before.level - after.level) / apart;
        let ends = (along.min(total - along) / length).clamp(0.0, 1.0);
        let amplitude = carving.meanders * station.width * ends * station.land / (1.0 + slope / STEEP);
        let aside = amplitude * libm::sin(phase * std::f64::consts::TAU) / apart;
        let point = (station.point.0 - dy * aside, station.point.1 + dx * aside);
        bent.push(Station { point, ..*station });
    }
    bent
}

/// Stations at about equal distances.
fn evenly(stations: &[Station], step: f64) -> Vec<Station> {
    let mut even = Vec::new();
    for pair in stations.windows(2) {
        let parts = (pair[0].distance(&pair[1]) / step).ceil().clamp(1.0, 1e6) as usize;
        even.extend((0..parts).map(|part| pair[0].between(&pair[1], part as f64 / parts as f64)));
    }
    even.extend(stations.last());
    even
}

/// Moves the end of a tributary to the nearest point of its river, and raises the tributary to the level
/// there. Returns, for stations from the end upstream as far as the river reaches, the nearest station of the
/// river and the distance.
pub(super) fn attached(
    stations: &mut Vec<Station>,
    river: &[Station],
    reach: impl Fn(&Station) -> f64,
) -> Vec<(usize, f64)> {
    let Some(end) = stations.last().copied() else { return Vec::new() };
    let nearest = |station: &Station| {
        let all = river.iter().enumerate().map(|(at, other)| (at, station.distance(other)));
        all.min_by(|a, b| a.1.total_cmp(&b.1))
    };
    let Some((at, apart)) = nearest(&end) else { return Vec::new() };
    let mouth = Station { point: river[at].point, level: river[at].level, ..end };
    if apart > 0.0 {
        stations.push(mouth);
    } else if let Some(last) = stations.last_mut() {
        *last = mouth;
    }
    for station in stations.iter_mut() {
        station.level = station.level.max(mouth.level);
    }
    let mut near = Vec::new();
    for station in stations.iter().rev() {
        let Some(found) = nearest(station) else { break };
        if found.1 > reach(&river[found.0]) {
            break;
        }
        near.push(found);
    }
    near
}
