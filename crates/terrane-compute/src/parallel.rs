//! Parallel loops.
//!
//! rayon compiles its splitting and work stealing anew for each loop. Here that part is compiled once
//! (`split_range`), and calls the loop of each kernel as a function.

#![allow(unsafe_code, reason = "threads write to separate parts of one map")]

use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::Cancelled;

/// The arguments of a loop, one for each iteration.
pub trait Parts: Sync + Sized {
    /// The argument of one iteration.
    type Part;

    /// The number of iterations.
    fn count(&self) -> usize;

    /// The argument of iteration `index`.
    ///
    /// # Safety
    /// `index` is below the count, and no other call has the same `index`.
    unsafe fn part(&self, index: usize) -> Self::Part;
}

/// A slice cut into parts of equal length.
pub struct Slices<'a, T> {
    start: *mut T,
    length: usize,
    size: usize,
    slice: PhantomData<&'a mut [T]>,
}

// SAFETY: threads share only the slice's address. Each takes different elements, which are `Send`.
unsafe impl<T: Send> Sync for Slices<'_, T> {}

/// Parts of `size` elements; the last may be shorter.
///
/// # Panics
/// When the size is 0.
pub fn slices<T: Send>(slice: &mut [T], size: usize) -> Slices<'_, T> {
    assert!(size > 0, "parts need at least one element");
    Slices { start: slice.as_mut_ptr(), length: slice.len(), size, slice: PhantomData }
}

impl<'a, T: Send> Parts for Slices<'a, T> {
    type Part = &'a mut [T];

    fn count(&self) -> usize {
        self.length.div_ceil(self.size)
    }

    unsafe fn part(&self, index: usize) -> &'a mut [T] {
        let from = index * self.size;
        // SAFETY: the part is inside the slice, which is borrowed for `'a`. Parts of other iterations do not
        // overlap.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(from), self.size.min(self.length - from)) }
    }
}

/// The elements of a slice.
pub struct Elements<'a, T>(Slices<'a, T>);

/// One element of a slice per iteration.
pub fn elements<T: Send>(slice: &mut [T]) -> Elements<'_, T> {
    Elements(slices(slice, 1))
}

impl<'a, T: Send> Parts for Elements<'a, T> {
    type Part = &'a mut T;

    fn count(&self) -> usize {
        self.0.length
    }

    unsafe fn part(&self, index: usize) -> &'a mut T {
        // SAFETY: the element is inside the slice, which is borrowed for `'a`. Other iterations have other
        // elements.
        unsafe { &mut *self.0.start.add(index) }
    }
}

/// A number of iterations without arguments.
pub struct Iterations(pub usize);

impl Parts for Iterations {
    type Part = ();

    fn count(&self) -> usize {
        self.0
    }

    unsafe fn part(&self, _: usize) {}
}

impl<A: Parts, B: Parts> Parts for (A, B) {
    type Part = (A::Part, B::Part);

    /// The smaller of the two counts.
    fn count(&self) -> usize {
        self.0.count().min(self.1.count())
    }

    unsafe fn part(&self, index: usize) -> Self::Part {
        // SAFETY: the caller's promise covers both.
        unsafe { (self.0.part(index), self.1.part(index)) }
    }
}

/// Runs all iterations, at least `min_run` consecutive ones on one thread.
pub fn for_each<P: Parts>(parts: P, min_run: usize, body: impl Fn(usize, P::Part) + Sync) {
    for_each_with(parts, min_run, || (), |(), index, part| body(index, part));
}

/// Like [`for_each`], with state from `new` shared by consecutive iterations on one thread.
pub fn for_each_with<P: Parts, S>(
    parts: P,
    min_run: usize,
    new: impl Fn() -> S + Sync,
    body: impl Fn(&mut S, usize, P::Part) + Sync,
) {
    let all = split_range(parts.count(), min_run, &|range| {
        let mut shared = new();
        for index in range {
            // SAFETY: each iteration runs once.
            body(&mut shared, index, unsafe { parts.part(index) });
        }
        Ok(())
    });
    debug_assert!(all.is_ok());
}

/// Runs iterations, at least `min_run` consecutive ones on one thread, until one is cancelled.
pub fn try_for_each<P: Parts>(
    parts: P,
    min_run: usize,
    body: impl Fn(usize, P::Part) -> Result<(), Cancelled> + Sync,
) -> Result<(), Cancelled> {
    try_for_each_with(parts, min_run, || (), |(), index, part| body(index, part))
}

/// Like [`try_for_each`], with state from `new` shared by consecutive iterations on one thread.
pub fn try_for_each_with<P: Parts, S>(
    parts: P,
    min_run: usize,
    new: impl Fn() -> S + Sync,
    body: impl Fn(&mut S, usize, P::Part) -> Result<(), Cancelled> + Sync,
) -> Result<(), Cancelled> {
    split_range(parts.count(), min_run, &|range| {
        let mut shared = new();
        for index in range {
            // SAFETY: each iteration runs once.
            body(&mut shared, index, unsafe { parts.part(index) })?;
        }
        Ok(())
    })
}

/// A part of a vector that is being filled.
pub struct Growing<'a, T> {
    rest: &'a mut [MaybeUninit<T>],
}

impl<T: Copy> Growing<'_, T> {
    /// Appends elements.
    ///
    /// # Panics
    /// If the part is full.
    pub fn append(&mut self, elements: &[T]) {
        assert!(elements.len() <= self.rest.len(), "the part is full");
        let (now, rest) = std::mem::take(&mut self.rest).split_at_mut(elements.len());
        for (place, &element) in now.iter_mut().zip(elements) {
            place.write(element);
        }
        self.rest = rest;
    }
}

/// A vector of `count` elements, filled in parts of `size`, with state from `new` shared by consecutive parts
/// on one thread. The memory is first touched by the threads that fill it.
///
/// # Errors
/// [`Cancelled`] when a part is cancelled.
///
/// # Panics
/// If `fill` leaves a part incomplete.
pub fn try_fill_with<T: Copy + Send, S>(
    count: usize,
    size: usize,
    new: impl Fn() -> S + Sync,
    fill: impl Fn(&mut S, usize, &mut Growing<'_, T>) -> Result<(), Cancelled> + Sync,
) -> Result<Vec<T>, Cancelled> {
    let mut all = Vec::with_capacity(count);
    let parts = slices(&mut all.spare_capacity_mut()[..count], size);
    try_for_each_with(parts, 1, new, |state, index, part| {
        let mut growing = Growing { rest: part };
        fill(state, index, &mut growing)?;
        assert!(growing.rest.is_empty(), "part {index} is incomplete");
        Ok(())
    })?;
    // SAFETY: all parts are complete, and together they are the first `count` elements.
    unsafe { all.set_len(count) };
    Ok(all)
}

/// The results of all iterations, in order.
pub fn collect<T: Send>(count: usize, min_run: usize, body: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let mut all: Vec<Option<T>> = std::iter::repeat_with(|| None).take(count).collect();
    for_each(elements(&mut all), min_run, |index, out| *out = Some(body(index)));
    all.into_iter().flatten().collect()
}

/// The results of all iterations, in order, unless one is cancelled.
pub fn try_collect<T: Send>(
    count: usize,
    min_run: usize,
    body: impl Fn(usize) -> Result<T, Cancelled> + Sync,
) -> Result<Vec<T>, Cancelled> {
    let mut all: Vec<Option<T>> = std::iter::repeat_with(|| None).take(count).collect();
    try_for_each(elements(&mut all), min_run, |index, out| {
        *out = Some(body(index)?);
        Ok(())
    })?;
    Ok(all.into_iter().flatten().collect())
}

/// Runs `work` on ranges that cover all iterations below `count`, until one range is cancelled.
fn split_range(count: usize, min_run: usize, work: &RangeWork<'_>) -> Result<(), Cancelled> {
    let stop = AtomicBool::new(false);
    split(0..count, min_run.max(1), rayon::current_num_threads(), work, &stop);
    if stop.into_inner() { Err(Cancelled) } else { Ok(()) }
}

/// A loop over consecutive iterations.
type RangeWork<'a> = dyn Fn(Range<usize>) -> Result<(), Cancelled> + Sync + 'a;

/// Halves a range of iterations until there are roughly as many parts as threads. Divides a part further when
/// another thread has stolen it, as rayon does.
fn split(range: Range<usize>, min_run: usize, splits: usize, work: &RangeWork<'_>, stop: &AtomicBool) {
    if range.is_empty() || stop.load(Ordering::Relaxed) {
        return;
    }
    if range.len() / 2 < min_run || splits == 0 {
        if work(range).is_err() {
            stop.store(true, Ordering::Relaxed);
        }
        return;
    }
    let middle = range.start + range.len() / 2;
    let half = |range: Range<usize>, context: rayon::FnContext| {
        let taken = if context.migrated() { rayon::current_num_threads() } else { 0 };
        split(range, min_run, taken.max(splits / 2), work, stop);
    };
    rayon::join_context(
        |context| half(range.start..middle, context),
        |context| half(middle..range.end, context),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_iteration_runs_once_with_its_own_part() {
        for (length, size, min_run) in [(0, 3, 1), (1, 3, 1), (1000, 1, 1), (1000, 7, 16), (10, 100, 1)] {
            let (mut left, mut right) = (vec![0usize; length], vec![0u8; length.div_ceil(size)]);
            for_each((slices(&mut left, size), elements(&mut right)), min_run, |index, (left, right)| {
                left.iter_mut().enumerate().for_each(|(at, left)| *left += index * size + at);
                *right += 1;
            });
            assert!(left.iter().enumerate().all(|(at, &found)| at == found), "{length} {size} {min_run}");
            assert!(right.iter().all(|&times| times == 1), "{length} {size} {min_run}");
        }
    }

    #[test]
    fn a_vector_is_filled_in_parts() {
        let fill = |count: usize, size: usize, missing: usize| {
            try_fill_with(count, size, Vec::new, |block, part, growing| {
                block.clear();
                block.extend(part * size..count.min((part + 1) * size) - missing);
                let (first, second) = block.split_at(block.len() / 2);
                growing.append(first);
                growing.append(second);
                Ok(())
            })
        };
        for (count, size) in [(0, 5), (1, 5), (1000, 7), (1000, 1000)] {
            assert_eq!(fill(count, size, 0), Ok((0..count).collect()));
        }
        assert!(std::panic::catch_unwind(|| fill(100, 10, 1)).is_err(), "an incomplete part");
        let overfull = || {
            try_fill_with(
                9,
                9,
                || (),
                |(), _, growing| {
                    // A caught panic must not make the part look complete.
                    let more = std::panic::AssertUnwindSafe(|| growing.append(&[0u8; 10]));
                    assert!(std::panic::catch_unwind(more).is_err());
                    Ok(())
                },
            )
        };
        assert!(std::panic::catch_unwind(overfull).is_err(), "an overfull part");
        assert_eq!(try_fill_with::<u8, ()>(9, 2, || (), |(), _, _| Err(Cancelled)), Err(Cancelled));
    }

    #[test]
    fn results_keep_the_order_of_iterations() {
        assert_eq!(collect(1000, 3, |index| index * 2), (0..1000).map(|index| index * 2).collect::<Vec<_>>());
        assert_eq!(try_collect(0, 1, Ok), Ok(Vec::<usize>::new()));
    }

    #[test]
    fn one_cancelled_iteration_cancels_the_loop() {
        let found = try_collect(1000, 1, |index| if index == 700 { Err(Cancelled) } else { Ok(index) });
        assert_eq!(found, Err(Cancelled));
    }

    #[test]
    fn consecutive_iterations_share_state() {
        let mut all = vec![0usize; 100];
        for_each_with(elements(&mut all), 30, Vec::new, |before: &mut Vec<usize>, index, out| {
            before.push(index);
            *out = before.len();
        });
        // Each thread's state serves at least 30 consecutive iterations, so there are at most three states.
        assert!(all.iter().filter(|&&place| place == 1).count() <= 3);
    }
}
