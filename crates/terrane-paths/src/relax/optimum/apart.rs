//! Runs work that stops late, apart from the thread that waits for it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use super::result::OptimumError;
use crate::Progress;

/// Interval between two checks for cancellation.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// Runs `work` on a thread of its own. If `progress` cancels, this returns at once, and `work` is told to
/// stop. It holds its memory until it does; until then, no other work is started.
pub fn apart<T: Send + 'static>(
    progress: &dyn Progress,
    work: impl FnOnce(Arc<AtomicBool>) -> Result<T, OptimumError> + Send + 'static,
) -> Result<T, OptimumError> {
    let check = || progress.check().map_err(|_| OptimumError::Cancelled);
    while left_behind(None) {
        check()?;
        thread::sleep(CHECK_INTERVAL);
    }
    let failed = |why: &dyn std::fmt::Display| OptimumError::Solver(why.to_string());
    let (stop, running) = (Arc::new(AtomicBool::new(false)), Arc::new(()));
    let (tell, told) = channel();
    let (its_stop, its_running) = (Arc::clone(&stop), Arc::clone(&running));
    let thread = thread::Builder::new().spawn(move || {
        let found = work(its_stop);
        drop(its_running);
        // After a cancel, no one listens.
        let _heard = tell.send(found);
    });
    thread.map_err(|error| failed(&error))?;
    loop {
        if let Err(cancelled) = check() {
            stop.store(true, Ordering::Relaxed);
            left_behind(Some(&running));
            return Err(cancelled);
        }
        match told.recv_timeout(CHECK_INTERVAL) {
            Ok(found) => return found,
            Err(RecvTimeoutError::Disconnected) => return Err(failed(&"the solver's thread ended early")),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Adds work to that which was cancelled and runs on. Returns whether there is any.
fn left_behind(more: Option<&Arc<()>>) -> bool {
    static ALL: Mutex<Vec<Weak<()>>> = Mutex::new(Vec::new());
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    all.extend(more.map(Arc::downgrade));
    all.retain(|running| running.strong_count() > 0);
    !all.is_empty()
}
