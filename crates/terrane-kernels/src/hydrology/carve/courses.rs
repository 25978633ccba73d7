//! Courses of rivers, from their sources to their mouths.

use std::collections::HashMap;

use terrane_compute::{Alive, Cancelled};

use super::planform::{attached, bent, smoothed};
use super::river::{RiverCarving, RiverLine};
use super::section::Section;
use super::station::Station;

/// A river from its source to its mouth.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// Its points, downstream.
    pub stations: Vec<Station>,
    /// The course that it joins.
    pub joins: Option<u32>,
}

/// The bits of a position, without the sign of 0.
fn key((x, y): (f64, f64)) -> (u64, u64) {
    ((x + 0.0).to_bits(), (y + 0.0).to_bits())
}

/// Joins lines to courses, and computes their levels, widths and planforms.
///
/// # Errors
/// [`Cancelled`] when `alive` cancels.
pub(super) fn courses(
    lines: &[RiverLine],
    carving: &RiverCarving,
    spacing: f64,
    alive: &Alive<'_>,
) -> Result<Vec<Course>, Cancelled> {
    let chains = chains(lines);
    let mut courses: Vec<Course> = chains
        .iter()
        .map(|chain| Course { stations: stations(lines, chain, carving), joins: None })
        .collect();
    alive()?;
    // Where each point of a course is. The last point of a course that joins another one is a point of that.
    let mut places: HashMap<(u64, u64), (u32, u32)> = HashMap::new();
    for (course, Course { stations, .. }) in (0..).zip(&courses) {
        for (at, station) in (0..).zip(&stations[..stations.len() - 1]) {
            places.entry(key(station.point)).or_insert((course, at));
        }
    }
    let joins = joins(&courses, &places);
    let order = outlets_first(&joins);
    // Levels first, then planforms: a tributary needs both of its river.
    for &course in &order {
        let join = joins[course as usize];
        let end = join.map(|(river, at)| courses[river as usize].stations[at as usize].level);
        courses[course as usize].joins = join.map(|(river, _)| river);
        fall(&mut courses[course as usize].stations, end, carving);
    }
    for &course in &order {
        alive()?;
        let smooth = smoothed(&courses[course as usize].stations);
        let mut stations = bent(smooth, carving, spacing);
        if let Some(river) = courses[course as usize].joins {
            let river = &courses[river as usize].stations;
            let reach = |station: &Station| Section::new(station, carving, spacing).reach;
            let near = attached(&mut stations, river, reach);
            lower(&mut stations, river, near, carving, spacing);
        }
        courses[course as usize].stations = stations;
    }
    Ok(courses)
}

/// Where each course joins another one, as a course and a point of it. Of courses that end at the same point,
/// such as a sample of the border, those with less water join the one with most.
fn joins(courses: &[Course], places: &HashMap<(u64, u64), (u32, u32)>) -> Vec<Option<(u32, u32)>> {
    let end = |course: &Course| course.stations.last().copied().unwrap_or_default();
    let mut joins: Vec<Option<(u32, u32)>> = (0..)
        .zip(courses)
        .map(|(course, own)| places.get(&key(end(own).point)).copied().filter(|(other, _)| *other != course))
        .collect();
    let mut largest: HashMap<(u64, u64), u32> = HashMap::new();
    let ends: Vec<u32> =
        (0..courses.len() as u32).filter(|course| joins[*course as usize].is_none()).collect();
    let discharge = |course: u32| end(&courses[course as usize]).discharge;
    for &course in &ends {
        let best = largest.entry(key(end(&courses[course as usize]).point)).or_insert(course);
        if discharge(course) > discharge(*best) {
            *best = course;
        }
    }
    for &course in &ends {
        let best = largest[&key(end(&courses[course as usize]).point)];
        if best != course {
            joins[course as usize] = Some((best, courses[best as usize].stations.len() as u32 - 1));
        }
    }
    joins
}

/// The lines of each course. A course continues from a line to the one that begins where it ends, if no other
/// line with more drainage does.
fn chains(lines: &[RiverLine]) -> Vec<Vec<usize>> {
    let is_line = |line: &&RiverLine| line.points.len() > 1;
    let mut starts: HashMap<(u64, u64), usize> = HashMap::new();
    for (index, line) in lines.iter().enumerate().filter(|(_, line)| is_line(line)) {
        starts.entry(key(line.points[0])).or_insert(index);
    }
    // The drainage at the end, before the point at which another line begins.
    let drainage = |line: usize| {
        let all = &lines[line].drainage;
        all[all.len() - 2]
    };
    let mut before: Vec<Option<usize>> = vec![None; lines.len()];
    for (index, line) in lines.iter().enumerate().filter(|(_, line)| is_line(line)) {
        let next = line.points.last().and_then(|end| starts.get(&key(*end)));
        if let Some(&next) = next.filter(|next| **next != index) {
            let best = before[next].is_none_or(|other| drainage(index) > drainage(other));
            if best {
                before[next] = Some(index);
            }
        }
    }
    let mut after: Vec<Option<usize>> = vec![None; lines.len()];
    for (next, before) in before.iter().enumerate() {
        if let Some(before) = before {
            after[*before] = Some(next);
        }
    }
    let mut is_taken: Vec<bool> = lines.iter().map(|line| !is_line(&line)).collect();
    let heads = (0..lines.len()).filter(|line| before[*line].is_none());
    let mut chains = Vec::new();
    // What is left after all heads are rings.
    for head in heads.chain(0..lines.len()) {
        let mut chain = Vec::new();
        let mut next = Some(head);
        while let Some(line) = next.filter(|line| !is_taken[*line]) {
            is_taken[line] = true;
            chain.push(line);
            next = after[line];
        }
        if !chain.is_empty() {
            chains.push(chain);
        }
    }
    chains
}

/// The points of a course. Levels are those of the banks.
fn stations(lines: &[RiverLine], chain: &[usize], carving: &RiverCarving) -> Vec<Station> {
    let mut stations: Vec<Station> = Vec::new();
    for (index, &line) in chain.iter().enumerate() {
        let line = &lines[line];
        let count = line.points.len();
        // The last point is the first of the next line. Otherwise it belongs to the river that is joined.
        let is_last = index + 1 == chain.len();
        for at in 0..if is_last { count } else { count - 1 } {
            let own = if is_last && at + 1 == count { at - 1 } else { at };
            let discharge = (line.drainage[own] * carving.runoff).max(0.0);
            stations.push(Station {
                point: line.points[at],
                level: line.heights[at],
                width: carving.width * libm::pow(discharge, carving.width_exponent),
                depth: carving.depth * libm::pow(discharge, carving.depth_exponent),
                discharge,
                order: line.order,
                land: if line.in_lake[at] { 0.0 } else { 1.0 },
            });
        }
    }
    stations
}

/// An order in which each course comes after the one that it joins.
fn outlets_first(joins: &[Option<(u32, u32)>]) -> Vec<u32> {
    let mut order = Vec::with_capacity(joins.len());
    let mut is_placed = vec![false; joins.len()];
    let mut path = Vec::new();
    for course in 0..joins.len() as u32 {
        let mut next = Some(course);
        while let Some(course) = next.filter(|course| !is_placed[*course as usize]) {
            is_placed[course as usize] = true;
            path.push(course);
            next = joins[course as usize].map(|(river, _)| river);
        }
        order.extend(path.drain(..).rev());
    }
    order
}

/// Lowers the levels of a course from those of its banks to those of its water, which ends at `end`.
fn fall(stations: &mut [Station], end: Option<f64>, carving: &RiverCarving) {
    let mut below = f64::NEG_INFINITY;
    for (from_end, station) in stations.iter_mut().rev().enumerate() {
        let banks = carving.banks * station.depth * station.land;
        let own = match end.filter(|_| from_end == 0) {
            Some(end) => end,
            None => station.level - banks,
        };
        below = own.max(below);
        station.level = below;
    }
}

/// Lowers the end of a tributary to the ground that its river leaves, from the first station in its reach on.
/// `near` has, for stations from the end upstream, the nearest station of the river and its distance.
fn lower(
    stations: &mut [Station],
    river: &[Station],
    near: Vec<(usize, f64)>,
    carving: &RiverCarving,
    spacing: f64,
) {
    let Some(end) = stations.last().map(|end| end.level) else { return };
    let count = stations.len();
    let mut above = f64::INFINITY;
    for (back, (nearest, distance)) in near.into_iter().enumerate().rev() {
        let station = &mut stations[count - 1 - back];
        let highest = Section::new(&river[nearest], carving, spacing).highest(distance);
        let banks = carving.banks * station.depth * station.land;
        above = above.min(station.level).min(highest - banks).max(end);
        station.level = above;
    }
    // What lies upstream of the reach of the river is higher.
}
