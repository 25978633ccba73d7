//! Running many tasks on a fixed number of workers.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs `make` for each number from 0 to `count` - 1 on `workers` threads. Tasks start in this order.
///
/// Passes each result to `take` with its number, in order of completion. After `take` says to stop, no
/// further task starts. Results of tasks that are already running still arrive.
pub fn each<T: Send>(
    workers: usize,
    count: usize,
    make: impl Fn(usize) -> T + Sync,
    mut take: impl FnMut(usize, T) -> Go,
) {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = crossbeam_channel::bounded(workers);
    std::thread::scope(|scope| {
        for _ in 0..workers.min(count) {
            let (sender, next, make) = (sender.clone(), &next, &make);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count || sender.send((number, make(number))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (number, made) in receiver {
            if take(number, made) == Go::Stop {
                next.store(count, Ordering::Relaxed);
            }
        }
    });
}

/// Whether to start further tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Go {
    /// Continue.
    On,
    /// Start no further tasks.
    Stop,
}

/// The number of runs at once: one per thread, or fewer if memory does not suffice.
#[must_use]
pub fn fitting(threads: usize, forecast: u64, budget: u64) -> usize {
    let room = budget / forecast.max(1);
    threads.min(usize::try_from(room).unwrap_or(usize::MAX)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_runs_once_and_none_starts_after_a_stop() {
        for workers in [1, 3, 8] {
            let mut seen = Vec::new();
            each(
                workers,
                50,
                |number| number * 2,
                |number, made| {
                    assert_eq!(made, 2 * number);
                    seen.push(number);
                    Go::On
                },
            );
            seen.sort_unstable();
            assert_eq!(seen, (0..50).collect::<Vec<_>>());
            let mut count = 0;
            each(
                workers,
                1_000_000,
                |number| number,
                |_, _| {
                    count += 1;
                    Go::Stop
                },
            );
            // These are the tasks that had already begun: one running and one waiting for each worker.
            assert!(count <= 2 * workers + workers, "{count} with {workers}");
        }
    }

    #[test]
    fn memory_limits_the_number_of_runs() {
        assert_eq!(fitting(8, 100, 350), 3);
        assert_eq!(fitting(8, 100, 50), 1);
        assert_eq!(fitting(8, 0, 50), 8);
    }
}
