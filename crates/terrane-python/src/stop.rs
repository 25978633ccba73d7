//! Work that Python waits for, and can stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::{Receiver, Sender, unbounded};
use pyo3::prelude::*;
use serde_json::Value as Json;
use terrane_runs::Failure;

use crate::json::to_python;
use crate::problem::raised;
use crate::run::LOOK_EVERY;

/// What work tells while it goes on, and whether it is to go on.
#[derive(Clone)]
pub struct Teller {
    events: Sender<Json>,
    stopped: Arc<AtomicBool>,
}

impl Teller {
    /// Tells of something.
    pub fn tell(&self, event: Json) {
        // Nobody listening is no fault.
        let _unheard = self.events.send(event);
    }

    /// Whether nobody has stopped it.
    pub fn goes_on(&self) -> bool {
        !self.stopped.load(Ordering::Relaxed)
    }
}

/// Does work on a thread of its own. An exception in Python, such as that of Ctrl-C, is raised at once; the work then begins
/// nothing new, and what it has begun comes to its end.
pub fn stoppable<T: Send + 'static>(
    py: Python<'_>,
    on_event: Option<&Py<PyAny>>,
    work: impl FnOnce(&Teller) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let (events, heard): (_, Receiver<Json>) = unbounded();
    let teller = Teller { events, stopped: Arc::default() };
    let stopped = Arc::clone(&teller.stopped);
    let thread = std::thread::spawn(move || work(&teller));
    loop {
        let event = py.detach(|| heard.recv_timeout(LOOK_EVERY));
        let told = match (&event, on_event) {
            (Ok(event), Some(hears)) => hears.call1(py, (to_python(py, event)?,)).map(drop),
            _ => Ok(()),
        };
        if let Err(stop) = told.and_then(|()| py.check_signals()) {
            stopped.store(true, Ordering::Relaxed);
            return Err(stop);
        }
        if event.is_err_and(|error| error.is_disconnected()) {
            break;
        }
    }
    match py.detach(|| thread.join()) {
        Ok(done) => done.map_err(|failure| raised(py, failure)),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}
