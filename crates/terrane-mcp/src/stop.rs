//! When a call stops: when the client cancels it, or when its time is over.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::RecvTimeoutError;
use terrane_flow::Job;

use crate::refusal::Refusal;

/// When a call stops.
#[derive(Debug)]
pub struct Stop {
    cancelled: AtomicBool,
    /// When the call began; empty while it waits for its turn.
    began: OnceLock<Instant>,
    timeout: Duration,
}

impl Stop {
    /// A call that waits for its turn.
    pub fn new(timeout: Duration) -> Self {
        Self { cancelled: AtomicBool::new(false), began: OnceLock::new(), timeout }
    }

    /// The time of the call begins now.
    pub fn begin(&self) {
        self.began.get_or_init(Instant::now);
    }

    /// The client does not want the answer any more.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the client cancelled the call.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Why the call stops now; `None` if it goes on.
    pub fn reason(&self) -> Option<Refusal> {
        if self.is_cancelled() {
            return Some(Refusal::new("the call was cancelled", "call again"));
        }
        let passed = self.began.get().map_or(Duration::ZERO, Instant::elapsed);
        if passed < self.timeout {
            return None;
        }
        let found = format!("{:.1} s have passed", passed.as_secs_f64());
        let limit = format!("at most {:.1} s for a call", self.timeout.as_secs_f64());
        let remedy = "evaluate fewer samples with `size`, one port with `digest`, or start the server with a \
            longer --timeout";
        Some(Refusal::new("the call took too long and was stopped", remedy).expected(limit, found))
    }

    /// Waits for the end of an evaluation, and cancels it when the call stops.
    pub fn follow(&self, job: &Job) {
        const STEP: Duration = Duration::from_millis(20);
        loop {
            match job.events().recv_timeout(STEP) {
                Err(RecvTimeoutError::Disconnected) => return,
                Ok(_) | Err(RecvTimeoutError::Timeout) => {
                    if self.reason().is_some() {
                        job.cancel();
                        return;
                    }
                }
            }
        }
    }
}
