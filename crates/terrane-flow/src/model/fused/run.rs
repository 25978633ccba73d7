//! The evaluation of a program, block by block.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use smallvec::SmallVec;
use terrane_compute::parallel::{slices, try_fill_with, try_for_each_with};
use terrane_compute::{Cancelled, Samples, not_finite};

use super::program::{Program, Read};
use super::samples::keep_holes;
use super::scratch::{BLOCK, Scratch, Total};
use crate::model::lock::lock;
use crate::model::panics::catch_panics;
use crate::model::pointwise::Pointwise;
use crate::model::value::Value;

/// The number of blocks that a thread evaluates at least.
const BLOCKS: usize = 1 << 4;

/// The number of samples of these blocks.
const PART: usize = BLOCKS * BLOCK;

/// One of so many blocks is timed.
const TIMED: usize = 8;

/// The result of a program.
pub struct Ran {
    /// The value of the last member.
    pub value: Value,
    /// Per member, its function, its share of the time, and the number of samples that are not finite; those
    /// that are holes do not count.
    pub members: Vec<(Pointwise, Duration, usize)>,
}

/// Why a program did not end.
pub enum Failed {
    /// It was stopped.
    Stopped,
    /// The function of the member at a position panicked.
    Panicked(usize, String),
}

/// The samples of all maps of a program.
struct Inputs<'a> {
    /// Per map, all samples. A map that is overwritten has none.
    maps: &'a [&'a [f32]],
    /// The samples that are overwritten, of the present block.
    overwritten: Option<&'a [f32]>,
    /// The first sample of the present block.
    from: usize,
    /// The number of its samples.
    count: usize,
}

/// What is done about samples that are not finite.
#[derive(Clone, Copy)]
enum Check {
    /// Find out whether there are any, after those steps whose samples must be checked.
    Any,
    /// Count them after each step.
    Count,
}

impl Program {
    /// Evaluates all blocks, in parallel. `proceed` receives the fraction that is done, and returns whether
    /// to continue. If nothing else holds the map whose place the result has, the map is overwritten.
    ///
    /// # Errors
    /// [`Failed`].
    pub fn run(mut self, proceed: &(dyn Fn(f64) -> bool + Sync)) -> Result<Ran, Failed> {
        let started = Instant::now();
        let totals: Vec<Total> = self.steps.iter().map(|_| Total::default()).collect();
        let mut value = self.maps[0].take().ok_or_else(no_raster)?;
        let is_overwritten = value.raster_mut().is_some();
        if !is_overwritten {
            self.maps[0] = Some(value.clone());
        }
        let maps = self.maps.iter().map(|map| map.as_ref().and_then(Value::raster).unwrap_or_default());
        let maps: Vec<&[f32]> = maps.collect();
        let samples = value.raster().map_or(0, <[f32]>::len);
        let (done, panicked) = (AtomicUsize::new(0), Mutex::new(None));
        let next = || {
            let before = done.fetch_add(PART, Ordering::Relaxed);
            if proceed(before as f64 / samples.max(1) as f64) { Ok(()) } else { Err(Cancelled) }
        };
        let block = |scratch: &mut Scratch, inputs: &Inputs<'_>| {
            self.block(scratch, inputs).map_err(|failed| {
                lock(&panicked).get_or_insert(failed);
                Cancelled
            })
        };
        let result = self.steps[self.steps.len() - 1].register;
        let evaluated = if is_overwritten {
            let all = value.raster_mut().unwrap_or_default();
            let parts = slices(all, PART);
            try_for_each_with(
                parts,
                1,
                || self.scratch(),
                |scratch, part, samples| {
                    next()?;
                    for (at, samples) in samples.chunks_mut(BLOCK).enumerate() {
                        let (from, count) = (part * PART + at * BLOCK, samples.len());
                        block(scratch, &Inputs { maps: &maps, overwritten: Some(samples), from, count })?;
                        samples.copy_from_slice(&scratch.registers[result][..count]);
                    }
                    scratch.add_to(&totals);
                    Ok(())
                },
            )
            .map(|()| Vec::new())
        } else {
            try_fill_with(
                samples,
                PART,
                || self.scratch(),
                |scratch, part, growing| {
                    next()?;
                    let end = samples.min((part + 1) * PART);
                    for from in (part * PART..end).step_by(BLOCK) {
                        let count = BLOCK.min(end - from);
                        block(scratch, &Inputs { maps: &maps, overwritten: None, from, count })?;
                        growing.append(&scratch.registers[result][..count]);
                    }
                    scratch.add_to(&totals);
                    Ok(())
                },
            )
        };
        let Ok(samples) = evaluated else {
            let panicked = panicked.into_inner().unwrap_or_else(PoisonError::into_inner);
            return Err(panicked.unwrap_or(Failed::Stopped));
        };
        if !is_overwritten {
            value = value.with_raster(samples).ok_or_else(no_raster)?;
        }
        let (time, timed) = (started.elapsed(), totals.iter().map(Total::seconds).sum::<f64>());
        let members = self.steps.into_iter().zip(&totals).map(|(step, total)| {
            let share = if timed > 0.0 { total.seconds() / timed } else { 1.0 / totals.len() as f64 };
            (step.function, time.mul_f64(share), total.lost())
        });
        Ok(Ran { value, members: members.collect() })
    }

    fn scratch(&self) -> Scratch {
        Scratch::new(self.registers, self.steps.len())
    }

    /// Evaluates one block. The result is in the register of the last step.
    fn block(&self, scratch: &mut Scratch, inputs: &Inputs<'_>) -> Result<(), Failed> {
        let running = Cell::new(0);
        let evaluated = catch_panics(|| {
            // Nearly always all samples are finite. If not, the steps are repeated to find out where they
            // come from.
            if !self.steps(scratch, inputs, Check::Any, &running) {
                self.steps(scratch, inputs, Check::Count, &running);
            }
        });
        evaluated.map_err(|text| Failed::Panicked(running.get(), text))
    }

    /// Evaluates one block; `running` is the position of the step that runs. Returns whether all samples are
    /// finite, as far as they are checked.
    fn steps(&self, scratch: &mut Scratch, inputs: &Inputs<'_>, check: Check, running: &Cell<usize>) -> bool {
        let Inputs { maps, overwritten, from, count } = *inputs;
        let Scratch { registers, holes, found } = scratch;
        // A register is taken out while it is written.
        let mut registers: SmallVec<[&mut [f32]; 8]> =
            registers.iter_mut().map(|block| &mut block[..count]).collect();
        let mut are_finite = true;
        let is_timed = matches!(check, Check::Any) && (from / BLOCK).is_multiple_of(TIMED);
        let mut clock = is_timed.then(Instant::now);
        for (at, (step, found)) in self.steps.iter().zip(found).enumerate() {
            running.set(at);
            let samples = std::mem::take(&mut registers[step.register]);
            let mut inputs: SmallVec<[Samples<'_>; 4]> = SmallVec::new();
            for input in &step.inputs {
                inputs.push(match (*input, overwritten) {
                    (Read::Nowhere, _) => Samples::default(),
                    (Read::Number(number), _) => Samples::of_number(&self.numbers[number][..count]),
                    (Read::Register(register), _) => Samples::from(&*registers[register]),
                    (Read::Map(0), Some(overwritten)) => Samples::from(overwritten),
                    (Read::Map(map), _) => Samples::from(&maps[map][from..][..count]),
                });
            }
            step.function.write(samples, &inputs);
            if matches!(check, Check::Any) {
                step.function.show(samples, &inputs);
            }
            if step.holes {
                let rasters = step.inputs.iter().zip(&inputs).filter(|(from, _)| from.is_raster());
                keep_holes(samples, rasters.map(|(_, samples)| &**samples), &mut holes[..count]);
            }
            match check {
                Check::Any => are_finite &= !step.is_checked || not_finite(samples, step.holes) == 0,
                Check::Count => found.lost += not_finite(samples, step.holes) as u64,
            }
            drop(inputs);
            registers[step.register] = samples;
            if let Some(clock) = &mut clock {
                let now = Instant::now();
                found.time += now - *clock;
                *clock = now;
            }
        }
        are_finite
    }
}

/// The failure of a kind of value that has only some of the functions of rasters.
fn no_raster() -> Failed {
    Failed::Panicked(0, "the samples of its input cannot be written".to_owned())
}
