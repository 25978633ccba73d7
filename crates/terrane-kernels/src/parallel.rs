//! Loops whose turns many threads share.
//!
//! rayon's own loops are compiled anew, with all that splits and steals, for each loop that there is. Here
//! the part that threads share is compiled once ([`spread`]), and a kernel's loop is a function that it
//! calls.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::Cancelled;

/// What a loop's turns are given: no two the same.
pub trait Parts: Sync + Sized {
    /// What a turn is given.
    type Part;

    /// How many there are.
    fn count(&self) -> usize;

    /// The part of a turn.
    ///
    /// # Safety
    /// The turn is below the count, and no other call is for the same turn.
    unsafe fn part(&self, turn: usize) -> Self::Part;
}

/// A slice in parts of one length.
pub struct Slices<'a, T> {
    start: *mut T,
    length: usize,
    size: usize,
    slice: PhantomData<&'a mut [T]>,
}

// SAFETY: what threads share of it is where the slice lies; each takes other elements, which may be sent.
unsafe impl<T: Send> Sync for Slices<'_, T> {}

/// Parts of `size` elements, the last of what is left.
///
/// # Panics
/// When the size is 0.
pub fn slices<T: Send>(slice: &mut [T], size: usize) -> Slices<'_, T> {
    assert!(size > 0, "parts of nothing");
    Slices { start: slice.as_mut_ptr(), length: slice.len(), size, slice: PhantomData }
}

impl<'a, T: Send> Parts for Slices<'a, T> {
    type Part = &'a mut [T];

    fn count(&self) -> usize {
        self.length.div_ceil(self.size)
    }

    unsafe fn part(&self, turn: usize) -> &'a mut [T] {
        let from = turn * self.size;
        // SAFETY: inside the slice, which is borrowed for as long; parts of other turns are elsewhere.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(from), self.size.min(self.length - from)) }
    }
}

/// A slice's elements.
pub struct Elements<'a, T>(Slices<'a, T>);

/// The elements of a slice, one by one.
pub fn elements<T: Send>(slice: &mut [T]) -> Elements<'_, T> {
    Elements(slices(slice, 1))
}

impl<'a, T: Send> Parts for Elements<'a, T> {
    type Part = &'a mut T;

    fn count(&self) -> usize {
        self.0.length
    }

    unsafe fn part(&self, turn: usize) -> &'a mut T {
        // SAFETY: inside the slice, which is borrowed for as long; other turns have other elements.
        unsafe { &mut *self.0.start.add(turn) }
    }
}

/// So many turns that are given nothing.
pub struct Turns(pub usize);

impl Parts for Turns {
    type Part = ();

    fn count(&self) -> usize {
        self.0
    }

    unsafe fn part(&self, _: usize) {}
}

impl<A: Parts, B: Parts> Parts for (A, B) {
    type Part = (A::Part, B::Part);

    /// As many as both have.
    fn count(&self) -> usize {
        self.0.count().min(self.1.count())
    }

    unsafe fn part(&self, turn: usize) -> Self::Part {
        // SAFETY: as the caller says.
        unsafe { (self.0.part(turn), self.1.part(turn)) }
    }
}

/// Does all turns, at least `least` in a row on one thread.
pub fn for_each<P: Parts>(parts: P, least: usize, turn: impl Fn(usize, P::Part) + Sync) {
    for_each_with(parts, least, || (), |(), index, part| turn(index, part));
}

/// The same, where turns in a row on one thread share something.
pub fn for_each_with<P: Parts, S>(
    parts: P,
    least: usize,
    new: impl Fn() -> S + Sync,
    turn: impl Fn(&mut S, usize, P::Part) + Sync,
) {
    let all = spread(parts.count(), least, &|turns| {
        let mut shared = new();
        for index in turns {
            // SAFETY: each turn is done once.
            turn(&mut shared, index, unsafe { parts.part(index) });
        }
        Ok(())
    });
    debug_assert!(all.is_ok());
}

/// Does turns, at least `least` in a row on one thread, until one is cancelled.
pub fn try_for_each<P: Parts>(
    parts: P,
    least: usize,
    turn: impl Fn(usize, P::Part) -> Result<(), Cancelled> + Sync,
) -> Result<(), Cancelled> {
    try_for_each_with(parts, least, || (), |(), index, part| turn(index, part))
}

/// The same, where turns in a row on one thread share something.
pub fn try_for_each_with<P: Parts, S>(
    parts: P,
    least: usize,
    new: impl Fn() -> S + Sync,
    turn: impl Fn(&mut S, usize, P::Part) -> Result<(), Cancelled> + Sync,
) -> Result<(), Cancelled> {
    spread(parts.count(), least, &|turns| {
        let mut shared = new();
        for index in turns {
            // SAFETY: each turn is done once.
            turn(&mut shared, index, unsafe { parts.part(index) })?;
        }
        Ok(())
    })
}

/// What turns give, in their order.
pub fn collect<T: Send>(count: usize, least: usize, turn: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let mut all: Vec<Option<T>> = std::iter::repeat_with(|| None).take(count).collect();
    for_each(elements(&mut all), least, |index, out| *out = Some(turn(index)));
    all.into_iter().flatten().collect()
}

/// What turns give, in their order, unless one is cancelled.
pub fn try_collect<T: Send>(
    count: usize,
    least: usize,
    turn: impl Fn(usize) -> Result<T, Cancelled> + Sync,
) -> Result<Vec<T>, Cancelled> {
    let mut all: Vec<Option<T>> = std::iter::repeat_with(|| None).take(count).collect();
    try_for_each(elements(&mut all), least, |index, out| {
        *out = Some(turn(index)?);
        Ok(())
    })?;
    Ok(all.into_iter().flatten().collect())
}

/// Does the turns below a count, some in a row at once, until some are cancelled.
fn spread(count: usize, least: usize, work: &Row<'_>) -> Result<(), Cancelled> {
    let stop = AtomicBool::new(false);
    split(0..count, least.max(1), rayon::current_num_threads(), work, &stop);
    if stop.into_inner() { Err(Cancelled) } else { Ok(()) }
}

/// Some turns in a row.
type Row<'a> = dyn Fn(Range<usize>) -> Result<(), Cancelled> + Sync + 'a;

/// Halves turns as often as there are threads to do them, and again where a thread took some from another, as
/// rayon does.
fn split(turns: Range<usize>, least: usize, splits: usize, work: &Row<'_>, stop: &AtomicBool) {
    if turns.is_empty() || stop.load(Ordering::Relaxed) {
        return;
    }
    if turns.len() / 2 < least || splits == 0 {
        if work(turns).is_err() {
            stop.store(true, Ordering::Relaxed);
        }
        return;
    }
    let middle = turns.start + turns.len() / 2;
    let half = |turns: Range<usize>, context: rayon::FnContext| {
        let taken = if context.migrated() { rayon::current_num_threads() } else { 0 };
        split(turns, least, taken.max(splits / 2), work, stop);
    };
    rayon::join_context(
        |context| half(turns.start..middle, context),
        |context| half(middle..turns.end, context),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_turn_is_done_once_and_has_its_part() {
        for (length, size, least) in [(0, 3, 1), (1, 3, 1), (1000, 1, 1), (1000, 7, 16), (10, 100, 1)] {
            let (mut left, mut right) = (vec![0usize; length], vec![0u8; length.div_ceil(size)]);
            for_each((slices(&mut left, size), elements(&mut right)), least, |turn, (left, right)| {
                left.iter_mut().enumerate().for_each(|(at, left)| *left += turn * size + at);
                *right += 1;
            });
            assert!(left.iter().enumerate().all(|(at, &found)| at == found), "{length} {size} {least}");
            assert!(right.iter().all(|&times| times == 1), "{length} {size} {least}");
        }
    }

    #[test]
    fn what_is_collected_has_its_order() {
        assert_eq!(collect(1000, 3, |turn| turn * 2), (0..1000).map(|turn| turn * 2).collect::<Vec<_>>());
        assert_eq!(try_collect(0, 1, Ok), Ok(Vec::<usize>::new()));
    }

    #[test]
    fn a_turn_that_is_cancelled_cancels_all() {
        let found = try_collect(1000, 1, |turn| if turn == 700 { Err(Cancelled) } else { Ok(turn) });
        assert_eq!(found, Err(Cancelled));
    }

    #[test]
    fn turns_in_a_row_share_something() {
        let mut all = vec![0usize; 100];
        for_each_with(elements(&mut all), 30, Vec::new, |before: &mut Vec<usize>, turn, out| {
            before.push(turn);
            *out = before.len();
        });
        // At least thirty in a row.
        assert!(all.iter().filter(|&&place| place == 1).count() <= 3);
    }
}
