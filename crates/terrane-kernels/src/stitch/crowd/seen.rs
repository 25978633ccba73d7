//! Looking around a run: what its samples see of all seams and shores.

use crate::stitch::band::Run;
use crate::stitch::beyond::Beyond;
use crate::stitch::line::Line;
use crate::stitch::look::{Look, Target};
use crate::stitch::rim::{Rim, Rims};
use crate::stitch::seam::{Plan, Seam, Side};
use crate::stitch::sight::{Far, Glance, Sight};

/// What samples of a run see. It is kept from run to run for its memory.
#[derive(Default)]
pub struct Crowd<F> {
    pub(super) share: f64,
    /// Fields, each with its share.
    pub(super) fields: Vec<(u32, f64)>,
    /// Where samples are.
    xs: Vec<f64>,
    ys: Vec<f64>,
    /// Whether all sides of all seams are alike.
    pub(super) even: bool,
    /// The run's field, by its own seams.
    pub(super) own: Vec<Sight<F>>,
    /// The same as others see it, where sides are not alike.
    pub(super) own_others: Vec<Sight<F>>,
    /// By nearness, what a method asks of each of the field's own seams.
    pub(super) asked: Vec<f64>,
    /// How near what is in no field is, and what that has of what is around by the field's own shores,
    /// negative.
    pub(super) nothing: Vec<f64>,
    pub(super) shores: Vec<f64>,
    look: Look,
    /// Field by field, as seen from a border with another field: both its sides agree on it.
    pub(super) others: Vec<Vec<Sight<F>>>,
    /// The same as the run's field sees its own seams, where sides are not alike.
    pub(super) nearer: Vec<Vec<Sight<F>>>,
}

impl<F: Far> Crowd<F> {
    /// Looks around a run. `ask` is asked of the field's own seams: of the seam's number, its side, and the
    /// place along it.
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
            && beyond.seams(run.row, run.field).all(|seam| alike(&plan.seams[seam]));
        self.clear(run);
        if F::WIDE {
            let seams = sides.iter().map(|&(_, who)| &plan.seams[of(who).0].line);
            let shores = beyond.shores(run.row, run.field).map(|shore| &plan.shores[shore]);
            let shores = shores.filter(|shore| shore.field == run.field).map(|shore| &shore.line);
            self.step_off_nodes(seams.chain(shores), plan.spacing);
        }
        for &(_, who) in sides {
            let (index, side) = of(who);
            if let Some(rim) = rims.of(index) {
                let seam = &plan.seams[index];
                self.see_own(seam, side, rim, run, |along, heights| ask(index, side, along, heights));
                if !self.even {
                    self.see(seam, Some(side), rim, run);
                }
            }
        }
        // Where none of its own is in reach nothing is.
        if self.fields.is_empty() {
            return;
        }
        for index in beyond.seams(run.row, run.field) {
            if let Some(rim) = rims.of(index) {
                self.see(&plan.seams[index], None, rim, run);
            }
        }
        for index in beyond.shores(run.row, run.field) {
            let shore = &plan.shores[index];
            let place = self.fields.iter().position(|(field, _)| *field == shore.field);
            let target = Target { line: &shore.line, side: shore.side, distance: shore.distance, wide: true };
            let Some(columns) = self.look_at(&target, run) else { continue };
            for (sample, column) in columns.enumerate() {
                let (near, right) = (self.look.near[sample], self.look.right[sample]);
                self.nothing[column] += near;
                let part = if shore.side == 0 { -right } else { right };
                if shore.field == run.field {
                    self.shores[column] += part;
                } else if let Some(place) = place {
                    self.others[place][column].part += part;
                    if !self.even {
                        self.nearer[place][column].part += part;
                    }
                }
            }
        }
    }

    /// Nothing seen.
    fn clear(&mut self, run: &Run<'_>) {
        let columns = run.columns.len();
        self.fields.clear();
        self.xs.clear();
        self.xs.extend_from_slice(&run.xs[run.columns.clone()]);
        filled(&mut self.ys, columns, run.y);
        filled(&mut self.own, columns, Sight::default());
        filled(&mut self.own_others, if self.even { 0 } else { columns }, Sight::default());
        filled(&mut self.asked, columns, 0.0);
        filled(&mut self.nothing, columns, 0.0);
        filled(&mut self.shores, columns, 0.0);
    }

    /// Moves samples that stand on an end of one of the field's edges a millionth of a sample along it: what
    /// a node has in its shadow cannot be told there, and is the same from all sides.
    fn step_off_nodes<'a>(&mut self, lines: impl Iterator<Item = &'a Line>, spacing: f64) {
        let (Some(&first), Some(&row)) = (self.xs.first(), self.ys.first()) else { return };
        let tiny = 1e-9 * spacing;
        for (line, end, way) in lines.flat_map(|line| [(line, 0, 1.0), (line, 1, -1.0)]) {
            let (x, y) = line.ends[end];
            let column = ((x - first) / spacing).round();
            if (y - row).abs() > tiny || !(column >= 0.0 && column < self.xs.len() as f64) {
                continue;
            }
            let column = column as usize;
            if (self.xs[column] - x).abs() <= tiny && self.ys[column] == row {
                let step = way * 1e-6 * spacing.min(line.length);
                self.xs[column] = x + step * line.along.0;
                self.ys[column] = y + step * line.along.1;
            }
        }
    }

    /// Looks at a line from the samples that may be in reach; `None` where there are none.
    fn look_at(&mut self, target: &Target<'_>, run: &Run<'_>) -> Option<std::ops::Range<usize>> {
        let distance = target.distance;
        let span = if distance > 0.0 { target.line.span(run.y, distance)? } else { return None };
        let columns = run.between(span);
        let columns = columns.start - run.columns.start..columns.end - run.columns.start;
        if columns.is_empty() {
            return None;
        }
        self.look.at(target, &self.xs[columns.clone()], &self.ys[columns.clone()]);
        Some(columns)
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
            let columns = self.own.len();
            filled(&mut self.others[place], columns, Sight::default());
            filled(&mut self.nearer[place], if self.even { 0 } else { columns }, Sight::default());
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
        let target = Target { line: &seam.line, side, distance: seam.sides[side].distance, wide: F::WIDE };
        let Some(columns) = self.look_at(&target, run) else { return };
        let place = self.place(&seam.sides[1 - side]);
        let others = if self.even { &mut self.others[place] } else { &mut self.nearer[place] };
        let own = self.own[columns.clone()].iter_mut().zip(&mut self.asked[columns.clone()]);
        for (sample, ((own, asked), other)) in own.zip(&mut others[columns]).enumerate() {
            let Some(glance) = glance::<F>(&self.look, sample, &target, seam, rim) else { continue };
            own.add(&glance, side);
            other.add(&glance, 1 - side);
            *asked += glance.near * ask(glance.foot.clamp(0.0, seam.line.length), glance.heights.sides);
        }
    }

    /// A seam as it is seen from borders; `own` is the side of it that the run's field is on.
    fn see(&mut self, seam: &Seam, own: Option<usize>, rim: Rim<'_>, run: &Run<'_>) {
        let side = own.unwrap_or(0);
        let target = Target { line: &seam.line, side, distance: seam.reach(), wide: F::WIDE };
        let Some(columns) = self.look_at(&target, run) else { return };
        let places = [0, 1].map(|side| (own != Some(side)).then(|| self.place(&seam.sides[side])));
        // What is not the field's own looks the same from both.
        let nearer = !self.even && own.is_none();
        for (sample, column) in columns.enumerate() {
            let Some(glance) = glance::<F>(&self.look, sample, &target, seam, rim) else { continue };
            for (side, place) in places.iter().enumerate() {
                match place {
                    Some(place) => self.others[*place][column].add(&glance, side),
                    None => self.own_others[column].add(&glance, side),
                }
                if let Some(place) = place.filter(|_| nearer) {
                    self.nearer[place][column].add(&glance, side);
                }
            }
        }
    }
}

/// One sample's look at a seam; `None` where it is out of reach.
#[inline(always)]
fn glance<F: Far>(
    look: &Look,
    sample: usize,
    target: &Target<'_>,
    seam: &Seam,
    rim: Rim<'_>,
) -> Option<Glance> {
    let (near, foot) = (look.near[sample], look.foot[sample]);
    if near <= 0.0 {
        return None;
    }
    let square = look.square[sample] / (target.distance * target.distance);
    let heights = if F::WIDE { rim.smooth(seam, foot, look.width[sample]) } else { rim.at(seam, foot) };
    Some(Glance { near, square, right: look.right[sample], foot, heights })
}

/// So many times a value.
fn filled<T: Clone>(values: &mut Vec<T>, count: usize, value: T) {
    values.clear();
    values.resize(count, value);
}
