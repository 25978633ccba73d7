//! Work that Python waits for, and can stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::{Receiver, Sender, unbounded};
use pyo3::prelude::*;
use serde_json::Value as Json;
use terrane_flow::Job;
use terrane_runs::Failure;

use crate::leaving::detached;
use crate::problem::raised;
use crate::signals::{LOOK_EVERY, heard};

/// Reports events of running work, and knows whether it should continue.
#[derive(Clone)]
pub struct Teller {
    events: Sender<Json>,
    stopped: Arc<AtomicBool>,
}

impl Teller {
    /// Reports an event.
    pub fn tell(&self, event: Json) {
        // It is not an error if the receiver is gone.
        let _unheard = self.events.send(event);
    }

    /// Reports a job's events until it ends. Cancels the job if the work is stopped.
    pub fn follow(&self, job: &Job) {
        loop {
            match job.events().recv_timeout(LOOK_EVERY) {
                Ok(event) => self.tell(event.to_json()),
                Err(error) if error.is_disconnected() => return,
                Err(_) => {}
            }
            if !self.goes_on() {
                job.cancel();
                return;
            }
        }
    }

    /// Whether the work has not been stopped.
    pub fn goes_on(&self) -> bool {
        !self.stopped.load(Ordering::Relaxed)
    }
}

/// Runs work on its own thread. A Python exception, such as by Ctrl-C, is raised at once. The work then
/// starts nothing new, and finishes what it has started.
pub fn stoppable<T: Send + 'static>(
    py: Python<'_>,
    on_event: Option<&Py<PyAny>>,
    work: impl FnOnce(&Teller) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let (told, events): (_, Receiver<Json>) = unbounded();
    let teller = Teller { events: told, stopped: Arc::default() };
    let stopped = Arc::clone(&teller.stopped);
    let thread = std::thread::spawn(move || work(&teller));
    loop {
        let stop = |_: &PyErr| stopped.store(true, Ordering::Relaxed);
        let event = match detached(py, || events.recv_timeout(LOOK_EVERY)).inspect_err(stop)? {
            Err(error) if error.is_disconnected() => break,
            event => event.ok(),
        };
        heard(py, event.as_ref(), on_event).inspect_err(stop)?;
    }
    match detached(py, || thread.join())? {
        Ok(done) => done.map_err(|failure| raised(py, failure)),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}
