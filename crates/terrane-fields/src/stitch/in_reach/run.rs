//! Evaluates all seams and shores for the samples of a run.

use crate::stitch::band::{NearSides, Run};
use crate::stitch::beyond::Beyond;
use crate::stitch::field_view::{Far, FieldView, SampleView};
use crate::stitch::line::Line;
use crate::stitch::rim::{Rim, Rims};
use crate::stitch::seam::{Plan, Seam, SeamSide, Shore, Side};
use crate::stitch::view::{SeamView, Target};

/// The borders of all fields.
pub struct Borders<'a> {
    pub plan: &'a Plan<'a>,
    /// The heights along seams.
    pub rims: Rims,
    /// The seams and shores that affect fields without bounding them.
    pub beyond: Beyond,
}

/// The seams and shores in reach of a run's samples. Reused between runs to keep its memory.
#[derive(Default)]
pub struct InReach<F> {
    pub(super) share: f64,
    /// Fields in reach, each with its share.
    pub(super) fields: Vec<(u32, f64)>,
    /// World x of the samples.
    xs: Vec<f64>,
    ys: Vec<f64>,
    /// Whether all seams have equal sides.
    pub(super) equal_sides: bool,
    /// The run's own field, by its own seams.
    pub(super) own: Vec<FieldView<F>>,
    /// The same field evaluated from the other side, used where sides differ.
    pub(super) own_others: Vec<FieldView<F>>,
    /// The method's value at the field's own seams, weighted by nearness.
    pub(super) seam_sum: Vec<f64>,
    /// How near the outside is.
    pub(super) nothing: Vec<f64>,
    /// The outside's part of the disc, by the field's own shores; negative.
    pub(super) shores: Vec<f64>,
    seam_view: SeamView,
    /// Per field, as evaluated from a border with another field: both sides agree on it.
    pub(super) others: Vec<Vec<FieldView<F>>>,
    /// The same, with the run's own seams evaluated from the run's field; used where sides differ.
    pub(super) nearer: Vec<Vec<FieldView<F>>>,
}

impl<F: Far> InReach<F> {
    /// Evaluates a run. `sides` are the field's sides of its own seams near the run. `value` is the method's
    /// value at one of these sides, from the position along the seam and the heights of both fields there.
    pub fn evaluate(
        &mut self,
        borders: &Borders<'_>,
        run: &Run<'_>,
        sides: NearSides<'_>,
        value: impl Fn(SeamSide, f64, [f64; 2]) -> f64,
    ) {
        let Borders { plan, rims, beyond } = borders;
        self.share = sides.iter().next().map_or(1.0, |own| plan.side(own).share);
        let is_equal = |seam: &Seam| seam.has_equal_sides() && seam.sides[0].share == self.share;
        self.equal_sides = self.share > 0.0
            && sides.iter().all(|own| is_equal(&plan.seams[own.seam()]))
            && beyond.seams(run.row, run.field).all(|seam| is_equal(&plan.seams[seam]));
        self.clear(run);
        if F::WIDE {
            let seams = sides.iter().map(|own| &plan.seams[own.seam()].line);
            let shores = beyond.shores(run.row, run.field).map(|shore| &plan.shores[shore]);
            let shores = shores.filter(|shore| shore.field == run.field).map(|shore| &shore.line);
            self.step_off_nodes(seams.chain(shores), plan.spacing);
        }
        for own in sides.iter() {
            if let Some(rim) = rims.of(own.seam()) {
                let seam = &plan.seams[own.seam()];
                self.see_own(seam, own.side(), rim, run, |along, heights| value(own, along, heights));
                if !self.equal_sides {
                    self.see(seam, Some(own.side()), rim, run);
                }
            }
        }
        // If no own seam is in reach, nothing else is.
        if self.fields.is_empty() {
            return;
        }
        for seam in beyond.seams(run.row, run.field) {
            if let Some(rim) = rims.of(seam) {
                self.see(&plan.seams[seam], None, rim, run);
            }
        }
        for shore in beyond.shores(run.row, run.field) {
            self.see_shore(&plan.shores[shore], run);
        }
    }

    /// Resets for a new run.
    fn clear(&mut self, run: &Run<'_>) {
        let columns = run.columns.len();
        self.fields.clear();
        self.xs.clear();
        self.xs.extend_from_slice(&run.xs[run.columns.clone()]);
        filled(&mut self.ys, columns, run.y);
        filled(&mut self.own, columns, FieldView::default());
        filled(&mut self.own_others, if self.equal_sides { 0 } else { columns }, FieldView::default());
        filled(&mut self.seam_sum, columns, 0.0);
        filled(&mut self.nothing, columns, 0.0);
        filled(&mut self.shores, columns, 0.0);
    }

    /// Moves samples off nodes: a sample on an end of one of the field's edges moves a millionth of a sample
    /// along that edge. The shadow is undefined at a node, but approaches the same value from all sides.
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

    /// Evaluates a line from the samples that may be in reach; `None` if there are none.
    fn look_at(&mut self, target: &Target<'_>, run: &Run<'_>) -> Option<std::ops::Range<usize>> {
        let distance = target.distance;
        let span = if distance > 0.0 { target.line.span(run.y, distance)? } else { return None };
        let columns = run.between(span);
        let columns = columns.start - run.columns.start..columns.end - run.columns.start;
        if columns.is_empty() {
            return None;
        }
        self.seam_view.at(target, &self.xs[columns.clone()], &self.ys[columns.clone()]);
        Some(columns)
    }

    /// The index of a field among those in reach.
    fn field_index(&mut self, side: &Side) -> usize {
        let found = self.fields.iter().position(|(field, _)| *field == side.field);
        found.unwrap_or_else(|| {
            let index = self.fields.len();
            self.fields.push((side.field, side.share));
            if self.others.len() == index {
                self.others.push(Vec::new());
                self.nearer.push(Vec::new());
            }
            let columns = self.own.len();
            filled(&mut self.others[index], columns, FieldView::default());
            filled(&mut self.nearer[index], if self.equal_sides { 0 } else { columns }, FieldView::default());
            index
        })
    }

    /// Adds one of the field's own seams, as far as this field's distance reaches there.
    fn see_own(
        &mut self,
        seam: &Seam,
        side: usize,
        rim: Rim<'_>,
        run: &Run<'_>,
        value: impl Fn(f64, [f64; 2]) -> f64,
    ) {
        let target = Target { line: &seam.line, side, distance: seam.sides[side].distance, wide: F::WIDE };
        let Some(columns) = self.look_at(&target, run) else { return };
        let other = self.field_index(&seam.sides[1 - side]);
        let others = if self.equal_sides { &mut self.others[other] } else { &mut self.nearer[other] };
        let own = self.own[columns.clone()].iter_mut().zip(&mut self.seam_sum[columns.clone()]);
        for (sample, ((own, seam_sum), other)) in own.zip(&mut others[columns]).enumerate() {
            let Some(view) = sample_view::<F>(&self.seam_view, sample, &target, seam, rim) else { continue };
            own.add(&view, side);
            other.add(&view, 1 - side);
            *seam_sum += view.near * value(view.foot.clamp(0.0, seam.line.length), view.heights.sides);
        }
    }

    /// Adds a shore, of the run's field or of another one in reach.
    fn see_shore(&mut self, shore: &Shore, run: &Run<'_>) {
        let target = Target { line: &shore.line, side: shore.side, distance: shore.distance, wide: true };
        let Some(columns) = self.look_at(&target, run) else { return };
        let other = self.fields.iter().position(|(field, _)| *field == shore.field);
        for (sample, column) in columns.enumerate() {
            let (near, right) = (self.seam_view.near[sample], self.seam_view.right[sample]);
            self.nothing[column] += near;
            let part = if shore.side == 0 { -right } else { right };
            if shore.field == run.field {
                self.shores[column] += part;
            } else if let Some(other) = other {
                self.others[other][column].part += part;
                if !self.equal_sides {
                    self.nearer[other][column].part += part;
                }
            }
        }
    }

    /// Adds a seam as evaluated from borders; `own` is the side on which the run's field is, if any.
    fn see(&mut self, seam: &Seam, own: Option<usize>, rim: Rim<'_>, run: &Run<'_>) {
        let side = own.unwrap_or(0);
        let target = Target { line: &seam.line, side, distance: seam.reach(), wide: F::WIDE };
        let Some(columns) = self.look_at(&target, run) else { return };
        let indices = [0, 1].map(|side| (own != Some(side)).then(|| self.field_index(&seam.sides[side])));
        // A seam that is not the field's own looks the same from both sides.
        let nearer = !self.equal_sides && own.is_none();
        for (sample, column) in columns.enumerate() {
            let Some(view) = sample_view::<F>(&self.seam_view, sample, &target, seam, rim) else { continue };
            for (side, index) in indices.iter().enumerate() {
                match index {
                    Some(index) => self.others[*index][column].add(&view, side),
                    None => self.own_others[column].add(&view, side),
                }
                if let Some(index) = index.filter(|_| nearer) {
                    self.nearer[index][column].add(&view, side);
                }
            }
        }
    }
}

/// One sample's view of a seam; `None` if out of reach.
#[inline(always)]
fn sample_view<F: Far>(
    view: &SeamView,
    sample: usize,
    target: &Target<'_>,
    seam: &Seam,
    rim: Rim<'_>,
) -> Option<SampleView> {
    let (near, foot) = (view.near[sample], view.foot[sample]);
    if near <= 0.0 {
        return None;
    }
    let square = view.square[sample] / (target.distance * target.distance);
    let heights = if F::WIDE { rim.smooth(seam, foot, view.width[sample]) } else { rim.at(seam, foot) };
    Some(SampleView { near, square, right: view.right[sample], foot, heights })
}

/// Resizes and fills a vector.
fn filled<T: Clone>(values: &mut Vec<T>, count: usize, value: T) {
    values.clear();
    values.resize(count, value);
}
