//! The Fast scheme: in place, all to the lowest neighbour, half the difference.
//!
//! The paper scans the samples in index order, which no two threads can do together. Here samples are visited colour by
//! colour: two samples of a colour are so far apart that neither reads or writes what the other touches. So samples of a
//! colour can be visited in any order, or all at once in vectors and on threads, and the bits are those of visiting them
//! one by one. Which samples come first is all that differs from the paper. It is drawn anew for every iteration, for rows
//! and, row by row, for columns: any regular order shows as streaks.

use rayon::prelude::*;
use terrane_grid::Seed;

use super::{Iterate, Neighbourhood, Thermal};
use crate::Boundary;
use crate::erosion::lanes::{LANES, lanes};
use crate::erosion::padded::Padded;

/// A torus this narrow has samples that are their own neighbours' neighbours: visited one by one.
const NARROW: usize = 6;

/// Rows of a colour that a task visits.
const ROWS_PER_TASK: usize = 12;

/// The scheme that fits a map.
pub fn scheme(map: &Padded, parameters: &Thermal, limit: f32) -> Box<dyn Iterate> {
    let colours = Colours::new(map, parameters);
    let neighbourhood = parameters.neighbourhood;
    if parameters.boundary == Boundary::Wrap && (map.width < NARROW || map.height < NARROW) {
        Box::new(OneByOne { colours, neighbourhood, limit, iteration: 0 })
    } else {
        let masks = colours.columns.iter().map(|columns| mask(columns, map.width)).collect();
        Box::new(Vectors {
            colours,
            masks,
            neighbourhood,
            limit,
            iteration: 0,
            wrap: parameters.boundary == Boundary::Wrap,
        })
    }
}

/// Rows and columns by colour; a sample's colour is that of its row and that of its column.
pub struct Colours {
    pub rows: Vec<Vec<usize>>,
    pub columns: Vec<Vec<usize>>,
}

impl Colours {
    pub fn new(map: &Padded, parameters: &Thermal) -> Self {
        let wrap = parameters.boundary == Boundary::Wrap;
        // Diagonal neighbourhoods of samples one or three columns apart do not meet; others need three columns.
        let columns = match parameters.neighbourhood {
            Neighbourhood::Rotated => classes(map.width, &[0, 0, 1, 1], wrap),
            _ => classes(map.width, &[0, 1, 2], wrap),
        };
        Self { rows: classes(map.height, &[0, 1, 2], wrap), columns }
    }

    /// Classes of rows in the order of an iteration.
    fn row_order(&self, iteration: usize) -> Vec<usize> {
        let lattice = Seed(iteration as u64).lattice();
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_by_key(|&class| lattice.bits(class as i64, -1));
        order
    }

    /// The class of columns that a row visits at a turn of an iteration.
    fn column_class(&self, iteration: usize, row: usize, turn: usize) -> usize {
        let start = Seed(iteration as u64).lattice().bits(row as i64, 0);
        (start as usize % self.columns.len() + turn) % self.columns.len()
    }
}

/// Indices by class of a repeating pattern; on a torus what is left over at the end meets the start, so each index of it
/// is a class by itself.
fn classes(count: usize, pattern: &[usize], wrap: bool) -> Vec<Vec<usize>> {
    let period = pattern.len();
    let regular = if wrap { count - count % period } else { count };
    let kinds = pattern.iter().max().map_or(0, |most| most + 1);
    let mut classes: Vec<Vec<usize>> = vec![Vec::new(); kinds];
    for index in 0..regular {
        classes[pattern[index % period]].push(index);
    }
    classes.extend((regular..count).map(|index| vec![index]));
    classes.retain(|class| !class.is_empty());
    classes
}

fn mask(columns: &[usize], width: usize) -> Vec<f32> {
    let mut mask = vec![0.0; width];
    for &column in columns {
        mask[column] = 1.0;
    }
    mask
}

/// Whole rows at once, with a mask over the columns of a colour.
struct Vectors {
    colours: Colours,
    masks: Vec<Vec<f32>>,
    neighbourhood: Neighbourhood,
    limit: f32,
    iteration: usize,
    wrap: bool,
}

impl Iterate for Vectors {
    fn iterate(&mut self, map: &mut Padded) -> bool {
        let mut changed = false;
        for row_class in self.colours.row_order(self.iteration) {
            for turn in 0..self.colours.columns.len() {
                changed |= self.visit(map, row_class, turn);
            }
        }
        self.iteration += 1;
        changed
    }
}

impl Vectors {
    fn visit(&self, map: &mut Padded, row_class: usize, turn: usize) -> bool {
        let rows = &self.colours.rows[row_class];
        let class = |row: usize| self.colours.column_class(self.iteration, row, turn);
        let (first, stride, width) = (rows[0], map.stride, map.width);
        let visitor = Visitor { stride, width, limit: self.limit, neighbourhood: self.neighbourhood };
        // Rows of a class are three apart: each with its two neighbours is a chunk of its own.
        let end = (first * stride + rows.len() * 3 * stride).min(map.data.len());
        let changed = map.data[first * stride..end]
            .par_chunks_mut(3 * stride * ROWS_PER_TASK)
            .enumerate()
            .map_init(
                || Buffers::new(stride),
                |buffers, (task, chunks)| {
                    let mut changed = false;
                    for (index, three) in chunks.chunks_exact_mut(3 * stride).enumerate() {
                        let row = rows[task * ROWS_PER_TASK + index];
                        changed |= visitor.visit(three, &self.masks[class(row)], buffers);
                    }
                    changed
                },
            )
            .reduce(|| false, |a, b| a | b);
        if self.wrap && changed {
            fold(map, rows, |row| &self.colours.columns[class(row)]);
            map.refresh();
        }
        changed
    }
}

/// Brings what was sent into the ring to the samples that it stands for.
fn fold<'a>(map: &mut Padded, rows: &[usize], columns: impl Fn(usize) -> &'a Vec<usize>) {
    let (stride, w, h) = (map.stride, map.width, map.height);
    for &row in rows {
        let columns = columns(row);
        let (first_column, last_column) = (columns.first() == Some(&0), columns.last() == Some(&(w - 1)));
        for padded in row..row + 3 {
            let start = padded * stride;
            if first_column {
                map.data[start + w] = map.data[start];
            }
            if last_column {
                map.data[start + 1] = map.data[start + w + 1];
            }
        }
    }
    if rows.first() == Some(&0) {
        map.data.copy_within(1..=w, h * stride + 1);
    }
    if rows.last() == Some(&(h - 1)) {
        map.data.copy_within((h + 1) * stride + 1..(h + 1) * stride + 1 + w, stride + 1);
    }
}

/// What each sample of a row sends, and to which of its neighbours.
struct Buffers {
    amount: Vec<f32>,
    to: Vec<f32>,
}

impl Buffers {
    fn new(stride: usize) -> Self {
        Self { amount: vec![0.0; stride], to: vec![0.0; stride] }
    }
}

struct Visitor {
    stride: usize,
    width: usize,
    limit: f32,
    neighbourhood: Neighbourhood,
}

impl Visitor {
    /// Visits the middle one of three padded rows.
    fn visit(&self, rows: &mut [f32], mask: &[f32], buffers: &mut Buffers) -> bool {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { self.visit_avx2(rows, mask, buffers) };
        }
        self.dispatch(rows, mask, buffers)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn visit_avx2(&self, rows: &mut [f32], mask: &[f32], buffers: &mut Buffers) -> bool {
        self.dispatch(rows, mask, buffers)
    }

    #[inline(always)]
    fn dispatch(&self, rows: &mut [f32], mask: &[f32], buffers: &mut Buffers) -> bool {
        match self.neighbourhood {
            Neighbourhood::Moore => self.body::<8>(Neighbourhood::Moore.offsets(), rows, mask, buffers),
            Neighbourhood::VonNeumann => {
                self.body::<4>(Neighbourhood::VonNeumann.offsets(), rows, mask, buffers)
            }
            Neighbourhood::Rotated => self.body::<4>(Neighbourhood::Rotated.offsets(), rows, mask, buffers),
        }
    }

    #[inline(always)]
    fn body<const N: usize>(
        &self,
        offsets: &[(isize, isize)],
        rows: &mut [f32],
        mask: &[f32],
        buffers: &mut Buffers,
    ) -> bool {
        let start =
            |i: usize| ((1 + offsets[i].1) as usize * self.stride + 1).wrapping_add_signed(offsets[i].0);
        let here = &rows[self.stride + 1..][..self.width];
        let around: [&[f32]; N] = std::array::from_fn(|i| &rows[start(i)..][..self.width]);
        let mask = &mask[..self.width];
        let (amount_row, to_row) = (&mut buffers.amount[..self.width], &mut buffers.to[..self.width]);
        let mut moved = 0.0f32;
        for start in (0..self.width).step_by(LANES) {
            let lowest = if start + LANES <= self.width {
                self.choose::<N, LANES>(here, &around, mask, start, amount_row, to_row)
            } else {
                (start..self.width)
                    .map(|at| self.choose::<N, 1>(here, &around, mask, at, amount_row, to_row))
                    .fold(0.0, |a, b| if b > a { b } else { a })
            };
            moved = if lowest > moved { lowest } else { moved };
        }
        if moved > 0.0 {
            for (h, amount) in rows[self.stride + 1..][..self.width].iter_mut().zip(&*amount_row) {
                *h -= amount;
            }
            for i in 0..N {
                let target = &mut rows[start(i)..][..self.width];
                for ((h, amount), to) in target.iter_mut().zip(&*amount_row).zip(&*to_row) {
                    *h += if *to == i as f32 { *amount } else { 0.0 };
                }
            }
        }
        moved > 0.0
    }

    /// What `L` samples send, and to which neighbour; gives the greatest amount.
    #[inline(always)]
    fn choose<const N: usize, const L: usize>(
        &self,
        here: &[f32],
        around: &[&[f32]; N],
        mask: &[f32],
        start: usize,
        amounts: &mut [f32],
        to: &mut [f32],
    ) -> f32 {
        let (here, mask) = (lanes::<L>(here, start), lanes::<L>(mask, start));
        let around = around.map(|row| lanes::<L>(row, start));
        let (mut amount, mut target, mut moved) = ([0.0f32; L], [0.0f32; L], [0.0f32; L]);
        for column in 0..L {
            let (mut greatest, mut lowest) = (0.0f32, 0.0f32);
            for (i, row) in around.iter().enumerate() {
                let d = here[column] - row[column];
                lowest = if d > greatest { i as f32 } else { lowest };
                greatest = if d > greatest { d } else { greatest };
            }
            let half = greatest * 0.5 * mask[column];
            amount[column] = if greatest > self.limit { half } else { 0.0 };
            target[column] = lowest;
            moved[column] = if amount[column] > moved[column] { amount[column] } else { moved[column] };
        }
        amounts[start..start + L].copy_from_slice(&amount);
        to[start..start + L].copy_from_slice(&target);
        moved.into_iter().fold(0.0, |a, b| if b > a { b } else { a })
    }
}

/// The same visits one after the other: for tori too narrow for rows of their own, and to check the vectors against.
pub struct OneByOne {
    pub colours: Colours,
    pub neighbourhood: Neighbourhood,
    pub limit: f32,
    pub iteration: usize,
}

impl Iterate for OneByOne {
    fn iterate(&mut self, map: &mut Padded) -> bool {
        let mut changed = false;
        for row_class in self.colours.row_order(self.iteration) {
            for turn in 0..self.colours.columns.len() {
                for &row in &self.colours.rows[row_class] {
                    for &column in &self.colours.columns[self.colours.column_class(self.iteration, row, turn)]
                    {
                        changed |= self.visit(map, column, row);
                    }
                }
            }
        }
        self.iteration += 1;
        changed
    }
}

impl OneByOne {
    fn visit(&self, map: &mut Padded, column: usize, row: usize) -> bool {
        let here = (row + 1) * map.stride + column + 1;
        let (mut greatest, mut lowest) = (0.0f32, None);
        for &(dx, dy) in self.neighbourhood.offsets() {
            let d = map.data[here] - map.data[here.wrapping_add_signed(dy * map.stride as isize + dx)];
            if d > greatest {
                (greatest, lowest) = (d, Some((dx, dy)));
            }
        }
        let Some((dx, dy)) = lowest.filter(|_| greatest > self.limit) else { return false };
        let along =
            |at: usize, by: isize, count: usize| (at as isize + by).rem_euclid(count as isize) as usize;
        let (to_column, to_row) = (along(column, dx, map.width), along(row, dy, map.height));
        map.data[here] -= greatest * 0.5;
        map.data[(to_row + 1) * map.stride + to_column + 1] += greatest * 0.5;
        map.refresh();
        true
    }
}
