//! The queue of a job's foreign nodes. A few threads run these nodes.

use std::collections::VecDeque;
use std::sync::Mutex;

use crate::model::lock::lock;

/// Items that are ready to run, and the number of threads that run them. Threads end when the queue is empty.
pub struct ForeignQueue<T>(Mutex<Queue<T>>);

struct Queue<T> {
    ready: VecDeque<T>,
    threads: usize,
}

impl<T> Default for ForeignQueue<T> {
    fn default() -> Self {
        Self(Mutex::new(Queue { ready: VecDeque::new(), threads: 0 }))
    }
}

impl<T> ForeignQueue<T> {
    /// Adds an item. Returns whether the caller must start another thread, which is then already counted.
    pub fn push(&self, ready: T, max_threads: usize) -> bool {
        let mut queue = lock(&self.0);
        queue.ready.push_back(ready);
        let is_needed = queue.threads < max_threads;
        queue.threads += usize::from(is_needed);
        is_needed
    }

    /// The next item for a thread. The thread must end if there is none.
    pub fn next(&self) -> Option<T> {
        let mut queue = lock(&self.0);
        let next = queue.ready.pop_front();
        queue.threads -= usize::from(next.is_none());
        next
    }

    /// Records that a thread could not be started. Returns the items that no other thread will run.
    pub fn not_started(&self) -> VecDeque<T> {
        let mut queue = lock(&self.0);
        queue.threads -= 1;
        if queue.threads == 0 { std::mem::take(&mut queue.ready) } else { VecDeque::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::ForeignQueue;

    #[test]
    fn threads_are_started_up_to_a_limit_and_again_after_they_end() {
        let queue = ForeignQueue::default();
        assert_eq!([1, 2, 3].map(|ready| queue.push(ready, 2)), [true, true, false]);
        assert_eq!([(); 4].map(|()| queue.next()), [Some(1), Some(2), Some(3), None]);
        assert_eq!((queue.push(4, 2), queue.push(5, 2)), (true, false), "one is left");
    }

    #[test]
    fn if_a_thread_fails_to_start_others_run_the_items_or_they_are_returned() {
        let queue = ForeignQueue::default();
        assert!(queue.push(1, 2) && queue.push(2, 2) && !queue.push(3, 2));
        assert!(queue.not_started().is_empty(), "one more may have been started");
        assert_eq!(queue.not_started(), [1, 2, 3]);
        assert!(queue.push(4, 2), "another try");
    }
}
