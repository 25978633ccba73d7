//! Ground along courses.

use std::ops::Range;

use terrane_compute::{Alive, Cancelled};
use terrane_grid::{DIRECTIONS, Domain, Grid, Heightmap, Shape};

use super::courses::Course;
use super::river::RiverCarving;
use super::section::Section;
use super::station::Station;
use crate::parallel::{slices, try_for_each};

/// Rows of a task.
const BAND: usize = 16;

/// The distance, in samples, within which points of a course have nearly the same weight.
const NEAR: f64 = 0.5;

/// The nearest point of a course.
#[derive(Clone, Copy)]
struct Nearest {
    /// The course that was last near, plus 1.
    course: u32,
    segment: u32,
    share: f32,
    /// The squared distance.
    squared: f32,
    /// The sum of weights of the course's points in reach, and of their floodplains' heights times these.
    weight: f64,
    plain: f64,
    /// Whether the point is beyond an end of the course.
    is_beyond: bool,
}

/// What is left of a sample.
#[derive(Clone, Copy)]
struct Sample {
    /// The lowest ground that a course leaves.
    cut: f32,
    /// The highest ground to which a course raises it.
    raised: f32,
    /// The highest ground that any course allows.
    highest: f32,
    bed: f32,
    level: f32,
    /// The discharge of the course that has the level.
    discharge: f32,
}

/// The ground along courses, and the level of their water.
///
/// # Errors
/// [`Cancelled`] when `alive` cancels.
pub(super) fn carved(
    map: &Heightmap,
    water: Option<&Heightmap>,
    courses: &[Course],
    carving: &RiverCarving,
    alive: &Alive<'_>,
) -> Result<(Heightmap, Heightmap), Cancelled> {
    let (domain, spacing) = (map.domain(), map.spacing());
    let (width, height) = domain.size;
    let reaches: Vec<Reach> = courses.iter().map(|course| Reach::of(course, carving, &domain)).collect();
    let is_wet = |at: usize| water.is_some_and(|water| water.samples()[at] > map.samples()[at]);
    let mut ground = map.samples().to_vec();
    let mut levels = vec![f32::NAN; ground.len()];
    let rows = BAND * width.max(1);
    try_for_each((slices(&mut ground, rows), slices(&mut levels, rows)), 1, |band, (ground, levels)| {
        let rows = band * BAND..(band * BAND + ground.len() / width.max(1));
        let mut band = Band::new(&domain, rows, ground.len());
        for (index, (course, reach)) in (0u32..).zip(courses.iter().zip(&reaches)) {
            if reach.rows.start < band.rows.end && band.rows.start < reach.rows.end {
                alive()?;
                band.add(index, &course.stations, carving, spacing, ground, &reach.of_segments);
            }
        }
        for (at, (ground, level)) in ground.iter_mut().zip(levels.iter_mut()).enumerate() {
            let sample = band.samples[at];
            let own = *ground;
            if own.is_nan() {
                continue;
            }
            if !is_wet(band.rows.start * width + at) {
                let raised = sample.raised.min(sample.highest);
                *ground = if sample.cut < own { sample.cut } else { own.max(raised) };
            }
            *ground = ground.min(sample.bed);
            if sample.level > *ground {
                *level = sample.level;
            }
        }
        Ok(())
    })?;
    hold(map, &mut ground, &levels, water);
    let whole = |samples: Vec<f32>| map.with_grid(Grid::from_vec(width, height, samples));
    Ok((whole(ground), whole(levels)))
}

/// Raises dry ground beside water to its level: beside rivers, and beside lakes where it was cut.
fn hold(map: &Heightmap, ground: &mut [f32], levels: &[f32], water: Option<&Heightmap>) {
    let (width, height) = map.domain().size;
    let shape = Shape { width, height, wrap: false };
    let heights = map.samples();
    let lake = |at: usize| water.map_or(f32::NAN, |water| water.samples()[at]);
    let is_lake = |at: usize| lake(at) > heights[at];
    for (at, level) in levels.iter().enumerate() {
        let is_river = !level.is_nan();
        // The lake where its level is higher, and where there is no river.
        let level = if lake(at) > heights[at].max(*level) { lake(at) } else { *level };
        if level.is_nan() {
            continue;
        }
        let position = shape.position(at);
        for offset in &DIRECTIONS[1..] {
            let Some(to) = shape.neighbour_at(at, position, *offset) else { continue };
            let is_dry = levels[to].is_nan() && !is_lake(to);
            if is_dry && ground[to] < level && (is_river || heights[to] >= level) {
                ground[to] = level;
            }
        }
    }
}

/// How far a course reaches.
struct Reach {
    /// The rows in which it changes samples.
    rows: Range<usize>,
    /// For each segment, the greatest distance at which it changes ground.
    of_segments: Vec<f64>,
}

impl Reach {
    fn of(course: &Course, carving: &RiverCarving, domain: &Domain) -> Self {
        let reach = |station: &Station| Section::new(station, carving, domain.spacing).reach;
        let of_segments: Vec<f64> =
            course.stations.windows(2).map(|pair| reach(&pair[0]).max(reach(&pair[1]))).collect();
        let (mut first, mut end) = (usize::MAX, 0);
        for (pair, reach) in course.stations.windows(2).zip(&of_segments) {
            let [a, b] = [pair[0].point.1, pair[1].point.1];
            let own =
                within(a.min(b) - reach, a.max(b) + reach, domain.origin.1, domain.spacing, domain.height());
            if !own.is_empty() {
                (first, end) = (first.min(own.start), end.max(own.end));
            }
        }
        Self { rows: first.min(end)..end, of_segments }
    }
}

/// The samples of an axis from `low` to `high`.
fn within(low: f64, high: f64, origin: f64, spacing: f64, count: usize) -> Range<usize> {
    let first = ((low - origin) / spacing).ceil().max(0.0);
    let last = ((high - origin) / spacing).floor().min(count as f64 - 1.0);
    if first > last { 0..0 } else { first as usize..last as usize + 1 }
}

/// Some rows of the map.
struct Band<'a> {
    domain: &'a Domain,
    rows: Range<usize>,
    nearest: Vec<Nearest>,
    samples: Vec<Sample>,
    /// The samples that the current course reaches.
    touched: Vec<u32>,
}

impl<'a> Band<'a> {
    fn new(domain: &'a Domain, rows: Range<usize>, count: usize) -> Self {
        let far = Nearest {
            course: 0,
            segment: 0,
            share: 0.0,
            squared: f32::INFINITY,
            weight: 0.0,
            plain: 0.0,
            is_beyond: false,
        };
        let free = Sample {
            cut: f32::INFINITY,
            raised: f32::NEG_INFINITY,
            highest: f32::INFINITY,
            bed: f32::INFINITY,
            level: f32::NAN,
            discharge: -1.0,
        };
        Self { domain, rows, nearest: vec![far; count], samples: vec![free; count], touched: Vec::new() }
    }

    /// Adds a course.
    fn add(
        &mut self,
        course: u32,
        stations: &[Station],
        carving: &RiverCarving,
        spacing: f64,
        ground: &[f32],
        reaches: &[f64],
    ) {
        self.touched.clear();
        for (segment, (pair, reach)) in stations.windows(2).zip(reaches).enumerate() {
            let plains = [&pair[0], &pair[1]].map(|station| station.level + carving.banks * station.depth);
            self.measure(course, (segment, stations.len() - 1), (pair, plains), *reach);
        }
        for &at in &self.touched {
            let Nearest { segment, share, squared, weight, plain, is_beyond, .. } = self.nearest[at as usize];
            if weight <= 0.0 {
                continue;
            }
            let segment = segment as usize;
            let station = stations[segment].between(&stations[segment + 1], f64::from(share));
            let section = Section::new(&station, carving, spacing).with_plain(plain / weight);
            let distance = f64::from(squared).sqrt();
            let sample = &mut self.samples[at as usize];
            let own = f64::from(ground[at as usize]);
            if station.land > 0.5 && !is_beyond && distance < section.reach {
                sample.cut = sample.cut.min(section.cut(distance, own) as f32);
                sample.raised = sample.raised.max(section.raised(distance, own) as f32);
                sample.highest = sample.highest.min(section.highest(distance) as f32);
            }
            if distance <= section.half {
                let bed = section.level - (section.level - section.bed(distance)) * station.land.max(0.0);
                if station.land > 0.0 {
                    sample.bed = sample.bed.min(bed as f32);
                }
                let discharge = station.discharge as f32;
                if station.land > 0.0 && discharge > sample.discharge {
                    (sample.level, sample.discharge) = (section.level as f32, discharge);
                }
            }
        }
    }

    /// Measures the distances of samples from a segment, whose ends have floodplains of these heights.
    ///
    /// The height of the floodplain at a sample is the mean of those in reach, weighted by the fourth power
    /// of their distance. So it has no step where the nearest point of the course jumps, as it does in a
    /// bend.
    fn measure(
        &mut self,
        course: u32,
        (segment, last): (usize, usize),
        (pair, plains): (&[Station], [f64; 2]),
        reach: f64,
    ) {
        let ((ax, ay), (bx, by)) = (pair[0].point, pair[1].point);
        let Domain { origin, spacing, .. } = *self.domain;
        let columns = within(
            ax.min(bx) - reach - spacing,
            ax.max(bx) + reach + spacing,
            origin.0,
            spacing,
            self.domain.width(),
        );
        let rows = within(
            ay.min(by) - reach - spacing,
            ay.max(by) + reach + spacing,
            origin.1,
            spacing,
            self.domain.height(),
        );
        let rows = rows.start.max(self.rows.start)..rows.end.min(self.rows.end);
        let (dx, dy) = (bx - ax, by - ay);
        let length = dx * dx + dy * dy;
        let near = (NEAR * spacing) * (NEAR * spacing);
        for row in rows {
            let y = self.domain.y(row) - ay;
            for column in columns.clone() {
                let x = self.domain.x(column) - ax;
                let along = if length > 0.0 { (x * dx + y * dy) / length } else { 0.0 };
                let share = along.clamp(0.0, 1.0);
                let (px, py) = (x - dx * share, y - dy * share);
                let squared = px * px + py * py;
                if squared > reach * reach {
                    continue;
                }
                let at = (row - self.rows.start) * self.domain.width() + column;
                let nearest = &mut self.nearest[at];
                let is_new = nearest.course != course + 1;
                if is_new {
                    self.touched.push(at as u32);
                    (nearest.weight, nearest.plain) = (0.0, 0.0);
                }
                let weight = length.sqrt() / ((squared + near) * (squared + near));
                nearest.weight += weight;
                nearest.plain += weight * (plains[0] + (plains[1] - plains[0]) * share);
                let squared = squared as f32;
                if is_new || squared < nearest.squared {
                    let is_beyond = segment == 0 && along < 0.0 || segment + 1 == last && along > 1.0;
                    let (segment, share) = (segment as u32, share as f32);
                    let Nearest { weight, plain, .. } = *nearest;
                    *nearest =
                        Nearest { course: course + 1, segment, share, squared, weight, plain, is_beyond };
                }
            }
        }
    }
}
