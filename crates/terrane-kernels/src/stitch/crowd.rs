//! All fields that a sample sees, and how near each of them is.

use std::cmp::Ordering;

use rayon::prelude::*;
use terrane_grid::Domain;

use super::band::{Near, Run};
use super::look::Look;
use super::nearness::Nearness;
use super::rim::{Rim, Rims};
use super::seam::{Plan, Seam, Side};

/// Seams that samples of fields see which are not the fields' own.
pub struct Beyond {
    /// Fields with what they see.
    seams: Vec<(u32, u32)>,
    near: Near,
}

impl Beyond {
    /// Those of a domain; none where only the two fields of each edge meet.
    pub fn new(plan: &Plan<'_>, domain: &Domain, pinch: bool) -> Self {
        // Seams go by the least x; this is the greatest up to each.
        let mut greatest = f64::NEG_INFINITY;
        let up_to = |seam: &Seam| {
            greatest = greatest.max(seam.line.ends[1].0);
            greatest
        };
        let greatest: Vec<f64> = plan.seams.iter().map(up_to).collect();
        let seen = |seam: &Seam| {
            let [low, high] = seam.line.ends.map(|end| end.0);
            let first = greatest.partition_point(|&x| x < low - plan.reach);
            let last = plan.seams.partition_point(|other| other.line.ends[0].0 <= high + plan.reach);
            let in_reach = |index: usize| {
                let other = &plan.seams[index];
                let fields = seam.sides.map(|side| side.field);
                let foreign =
                    fields.into_iter().filter(|field| other.sides.iter().all(|side| side.field != *field));
                let near = other.reach() > 0.0 && seam.within(other, other.reach());
                foreign.filter(move |_| near).map(move |field| (field, index as u32))
            };
            (first..last.max(first)).flat_map(in_reach).collect::<Vec<_>>()
        };
        let matter = |seam: &&Seam| pinch && plan.matters(seam, domain);
        let mut seams: Vec<(u32, u32)> = plan.seams.par_iter().filter(matter).flat_map_iter(seen).collect();
        seams.par_sort_unstable();
        seams.dedup();
        let rows = seams.iter().map(|&(field, seam)| {
            let seam = &plan.seams[seam as usize];
            let [a, b] = seam.line.ends.map(|end| end.1);
            (field, a.min(b) - seam.reach(), a.max(b) + seam.reach())
        });
        let near = Near::new(rows, domain);
        Self { seams, near }
    }

    /// Those that a run of a field may see.
    fn of(&self, row: usize, field: u32) -> impl Iterator<Item = usize> {
        self.near.of(row, field).iter().map(|&(_, item)| self.seams[item as usize].1 as usize)
    }
}

/// A way to tell how far a field is of which several seams are seen.
pub trait Far: Copy + Default + Sync + Send {
    /// Of one seam, from how near it is and the square of its distance as a part of the reach.
    fn of(near: Nearness, square: f64) -> Self;
    /// Adds another seam.
    fn join(&mut self, other: Self);
    /// How much of it is here: 1 at no distance, 0 out of reach. What is `steep` falls from 1 by so much at once.
    fn presence(self, steep: f64) -> f64;
    /// What is steep where both sides are alike.
    const EVEN: f64;
    /// Whether heights on seams are smoothed.
    const WIDE: bool;
}

/// What is seen of one field at a sample.
#[derive(Clone, Copy, Debug, Default)]
struct Sight<F> {
    far: F,
    weight: f64,
    /// By weight, what of its heights is known, and its heights.
    known: f64,
    heights: f64,
    /// By weight, how much more steeply it falls than where both sides are alike.
    steep: f64,
}

impl<F: Far> Sight<F> {
    #[inline(always)]
    fn add(&mut self, (far, weight): (F, f64), known: f64, height: f64) {
        self.far.join(far);
        self.weight += weight;
        self.known += weight * known;
        self.heights += weight * height;
    }

    fn height(&self) -> f64 {
        self.heights / self.known
    }

    #[inline(always)]
    fn presence(&self) -> f64 {
        if self.known > 0.0 { self.far.presence(F::EVEN + self.steep / self.weight) } else { 0.0 }
    }
}

/// One field of several at a sample.
#[derive(Clone, Copy, Debug)]
pub struct Other {
    /// How much of it is here, none where nothing is of the sample's own borders.
    pub presence: f64,
    /// Its height less that of the sample's own field, both at borders.
    pub above: f64,
    /// How willingly it moves.
    pub share: f64,
}

/// What samples of a run see. It is kept from run to run for its memory.
#[derive(Default)]
pub struct Crowd<F> {
    share: f64,
    /// Fields, each with its share.
    fields: Vec<(u32, f64)>,
    columns: usize,
    /// Whether all sides of all seams are alike.
    even: bool,
    own: Vec<Sight<F>>,
    /// By weight, what a method asks of each of the field's own seams.
    asked: Vec<f64>,
    look: Look,
    /// Field by field, as seen from a border with another field: both its sides agree on it.
    others: Vec<Vec<Sight<F>>>,
    /// The same as the run's field sees its own seams, where sides are not alike.
    nearer: Vec<Vec<Sight<F>>>,
}

/// A run's field, and one of its samples.
#[derive(Clone, Copy, Debug, Default)]
pub struct Own {
    pub share: f64,
    /// How much of any other field there is.
    pub presence: f64,
    /// The mean of what was asked of its seams.
    pub asked: f64,
}

impl<F: Far> Crowd<F> {
    /// Looks around a run. `ask` is asked of the field's own seams: of the seam's number, its side, and the place along it.
    pub fn look(
        &mut self,
        plan: &Plan<'_>,
        rims: &Rims,
        beyond: &Beyond,
        run: &Run<'_>,
        sides: &[(u32, u32)],
        ask: impl Fn(usize, usize, f64, [f64; 2]) -> f64,
    ) {
        let of = |who: u32| (who as usize / 2, who as usize % 2);
        let share = sides.first().map_or(1.0, |&(_, who)| plan.seams[of(who).0].sides[of(who).1].share);
        let alike = |seam: &Seam| seam.even() && seam.sides[0].share == share;
        self.share = share;
        self.even = share > 0.0
            && sides.iter().all(|&(_, who)| alike(&plan.seams[of(who).0]))
            && beyond.of(run.row, run.field).all(|seam| alike(&plan.seams[seam]));
        self.columns = run.columns.len();
        self.fields.clear();
        cleared(&mut self.own, self.columns);
        self.asked.clear();
        self.asked.resize(self.columns, 0.0);
        for &(_, who) in sides {
            let (index, side) = of(who);
            let seam = &plan.seams[index];
            if let Some(rim) = rims.of(index) {
                self.see_own(seam, side, rim, run, |along, heights| ask(index, side, along, heights));
                if !self.even {
                    self.see(seam, &[1 - side], rim, run);
                }
            }
        }
        // Where none of its own is in reach nothing is.
        if self.fields.is_empty() {
            return;
        }
        for index in beyond.of(run.row, run.field) {
            if let Some(rim) = rims.of(index) {
                self.see(&plan.seams[index], &[0, 1], rim, run);
            }
        }
    }

    /// The place of a field among those seen.
    fn place(&mut self, side: &Side) -> usize {
        let found = self.fields.iter().position(|(field, _)| *field == side.field);
        found.unwrap_or_else(|| {
            let place = self.fields.len();
            self.fields.push((side.field, side.share));
            if self.others.len() == place {
                self.others.push(Vec::new());
                self.nearer.push(Vec::new());
            }
            cleared(&mut self.others[place], self.columns);
            cleared(&mut self.nearer[place], if self.even { 0 } else { self.columns });
            place
        })
    }

    /// One of the field's own seams, as far as this field changes there.
    fn see_own(
        &mut self,
        seam: &Seam,
        side: usize,
        rim: Rim<'_>,
        run: &Run<'_>,
        ask: impl Fn(f64, [f64; 2]) -> f64,
    ) {
        let distance = seam.sides[side].distance;
        let Some(columns) = within(seam, run, distance) else { return };
        let place = self.place(&seam.sides[1 - side]);
        let others = if self.even { &mut self.others[place] } else { &mut self.nearer[place] };
        let steep = F::EVEN * seam.lesser_slope(side) - F::EVEN;
        let look = &mut self.look;
        look.at(&seam.line, &run.xs[run.columns.clone()][columns.clone()], run.y, distance);
        let per_square = 1.0 / (distance * distance);
        let own = self.own[columns.clone()].iter_mut().zip(&mut self.asked[columns.clone()]);
        for (sample, ((own, asked), other)) in own.zip(&mut others[columns]).enumerate() {
            let near = look.near[sample];
            if near.third <= 0.0 {
                continue;
            }
            let far = (F::of(near, look.square[sample] * per_square), near.third);
            let foot = look.foot[sample];
            let heights =
                if F::WIDE { rim.smooth(seam, foot, look.width[sample]) } else { rim.at(seam, foot) };
            own.add(far, heights.known, heights.sides[side]);
            other.add(far, heights.known, heights.sides[1 - side]);
            own.steep += far.1 * steep;
            other.steep += far.1 * steep;
            *asked += far.1 * ask(foot.clamp(0.0, seam.line.length), heights.sides);
        }
    }

    /// Some sides of a seam, as it is seen from borders.
    fn see(&mut self, seam: &Seam, sides: &[usize], rim: Rim<'_>, run: &Run<'_>) {
        let reach = seam.reach();
        let Some(columns) = within(seam, run, reach) else { return };
        // What is not the field's own looks the same from both.
        let nearer = !self.even && sides.len() == 2;
        let places = sides.iter().map(|&side| (side, self.place(&seam.sides[side]))).collect::<Vec<_>>();
        let look = &mut self.look;
        look.at(&seam.line, &run.xs[run.columns.clone()][columns.clone()], run.y, reach);
        let per_square = 1.0 / (reach * reach);
        for (sample, column) in columns.enumerate() {
            let near = look.near[sample];
            if near.third <= 0.0 {
                continue;
            }
            let far = (F::of(near, look.square[sample] * per_square), near.third);
            let foot = look.foot[sample];
            let heights =
                if F::WIDE { rim.smooth(seam, foot, look.width[sample]) } else { rim.at(seam, foot) };
            for &(side, place) in &places {
                self.others[place][column].add(far, heights.known, heights.sides[side]);
                if nearer {
                    self.nearer[place][column].add(far, heights.known, heights.sides[side]);
                }
            }
        }
    }

    /// Whether all that is seen is alike.
    pub fn even(&self) -> bool {
        self.even
    }

    /// What a sample sees of its own field's seams; `None` where there are none.
    pub fn own(&self, column: usize) -> Option<Own> {
        let own = &self.own[column];
        let presence = own.presence();
        (presence > 0.0).then(|| Own { share: self.share, presence, asked: self.asked[column] / own.weight })
    }

    /// The other fields that a sample sees.
    pub fn others(&self, column: usize, presence: f64, found: &mut Vec<Other>) {
        found.clear();
        let mean = self.own[column].height();
        for (place, &(_, share)) in self.fields.iter().enumerate() {
            let far = &self.others[place][column];
            let (part, height) = match self.even {
                true if far.known <= 0.0 => continue,
                true => (far.presence(), far.height()),
                false => self.uneven(place, column),
            };
            if part > 0.0 {
                found.push(Other { presence: part * allowed(presence / part), above: height - mean, share });
            }
        }
        // Which field a run sees first depends on how far the run goes, and sums on the order.
        if found.len() > 2 {
            found.sort_unstable_by(|a, b| {
                let key = |other: &Other| [other.presence, other.above, other.share];
                let (a, b) = (key(a), key(b));
                (0..3).map(|i| a[i].total_cmp(&b[i])).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
            });
        }
    }

    /// How much of a field is here, and its height: near its own border as the run's field sees it, near other borders as these see it.
    fn uneven(&self, place: usize, column: usize) -> (f64, f64) {
        let (near, far) = (&self.nearer[place][column], &self.others[place][column]);
        let others = self.nearer[..self.fields.len()].iter().enumerate().filter(|(other, _)| *other != place);
        let mut parts: Vec<f64> = others.map(|(_, other)| 1.0 - other[column].presence()).collect();
        parts.sort_unstable_by(f64::total_cmp);
        let clear: f64 = parts.into_iter().product();
        let (a, b) = (near.presence(), far.presence());
        let part = a + (1.0 - clear) * (b - a);
        if b <= 0.0 || part <= 0.0 {
            return (part, near.height());
        }
        let height = if a > 0.0 { near.height() } else { far.height() };
        (part, height + (1.0 - clear) * b / part * (far.height() - height))
    }
}

/// How much of a field's presence counts, where there is so many times as much of all: across what is in no field nothing is seen. Without a crease.
fn allowed(all: f64) -> f64 {
    if all < 1.0 { all * (2.0 - all) } else { 1.0 }
}

/// Nothing seen, by so many samples.
fn cleared<F: Far>(sights: &mut Vec<Sight<F>>, columns: usize) {
    sights.clear();
    sights.resize(columns, Sight::default());
}

/// The columns of a run, counted from its first, that may be within a distance of a seam.
fn within(seam: &Seam, run: &Run<'_>, distance: f64) -> Option<std::ops::Range<usize>> {
    let span = if distance > 0.0 { seam.line.span(run.y, distance)? } else { return None };
    let columns = run.between(span);
    (!columns.is_empty()).then(|| columns.start - run.columns.start..columns.end - run.columns.start)
}

impl Other {
    /// What shares are measured by: their mean here, others counted by their presence as a part of `full`; `None` where nothing moves.
    pub fn share(own: &Own, others: &[Self], full: f64) -> Option<f64> {
        let (sum, all) = others
            .iter()
            .map(|other| (other.presence / full, other.share))
            .fold((own.share, 1.0), |(sum, all), (part, share)| (sum + part * share, all + part));
        (sum > 0.0).then_some(sum / all)
    }

    /// Its share, which of what has none shrinks to 0 towards the field only.
    pub fn held(&self, mean: f64, part: f64) -> f64 {
        self.share.max(0.5 * mean * (1.0 - part)).max(1e-9 * mean)
    }
}
