//! Foreign nodes of a job, one after the other on a few threads.

use std::collections::VecDeque;
use std::sync::Mutex;

use crate::engine::lock::lock;

/// What is ready to be run, and how many threads do that, which are there while there is something.
pub struct Turns<T>(Mutex<Queue<T>>);

struct Queue<T> {
    ready: VecDeque<T>,
    threads: usize,
}

impl<T> Default for Turns<T> {
    fn default() -> Self {
        Self(Mutex::new(Queue { ready: VecDeque::new(), threads: 0 }))
    }
}

impl<T> Turns<T> {
    /// Adds something. Whether a thread is to be started, which counts from now on.
    pub fn push(&self, ready: T, most: usize) -> bool {
        let mut queue = lock(&self.0);
        queue.ready.push_back(ready);
        let is_needed = queue.threads < most;
        queue.threads += usize::from(is_needed);
        is_needed
    }

    /// The next for a thread, which ends where there is none.
    pub fn next(&self) -> Option<T> {
        let mut queue = lock(&self.0);
        let next = queue.ready.pop_front();
        queue.threads -= usize::from(next.is_none());
        next
    }

    /// A thread was not started: what no other thread will run.
    pub fn not_started(&self) -> VecDeque<T> {
        let mut queue = lock(&self.0);
        queue.threads -= 1;
        if queue.threads == 0 { std::mem::take(&mut queue.ready) } else { VecDeque::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::Turns;

    #[test]
    fn threads_are_started_up_to_a_number_and_again_when_they_ended() {
        let turns = Turns::default();
        assert_eq!([1, 2, 3].map(|ready| turns.push(ready, 2)), [true, true, false]);
        assert_eq!([(); 4].map(|()| turns.next()), [Some(1), Some(2), Some(3), None]);
        assert_eq!((turns.push(4, 2), turns.push(5, 2)), (true, false), "one is left");
    }

    #[test]
    fn without_a_thread_others_run_what_is_ready_and_without_any_it_is_given_back() {
        let turns = Turns::default();
        assert!(turns.push(1, 2) && turns.push(2, 2) && !turns.push(3, 2));
        assert!(turns.not_started().is_empty(), "one more may have been started");
        assert_eq!(turns.not_started(), [1, 2, 3]);
        assert!(turns.push(4, 2), "another try");
    }
}
