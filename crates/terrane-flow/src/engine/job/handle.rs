//! The handle of a running evaluation.

use std::sync::Arc;

use crossbeam_channel::Receiver;

use super::state::JobState;
use crate::engine::evaluation::Evaluation;
use crate::engine::event::Event;
use crate::engine::memo::Memo;
use crate::engine::observer::Showing;
use crate::engine::shared::Shared;
use crate::engine::wanted::Target;
use crate::language::Loaded;

/// A running evaluation.
pub struct Job {
    state: Arc<JobState>,
    events: Receiver<Event>,
    done: Receiver<()>,
}

impl Job {
    /// Starts a job.
    pub(crate) fn start(
        shared: &Arc<Shared>,
        memo: &Arc<Memo>,
        graph: &Arc<Loaded>,
        targets: Vec<Target>,
        observer: Option<Showing>,
    ) -> Self {
        let (state, events, done) = JobState::new((shared, memo), graph, targets, observer);
        state.begin();
        Self { state, events, done }
    }

    /// The events of the job. The channel closes when the job ends.
    #[must_use]
    pub fn events(&self) -> &Receiver<Event> {
        &self.events
    }

    /// A handle that can cancel the job from another thread.
    #[must_use]
    pub fn canceller(&self) -> Canceller {
        Canceller(Arc::clone(&self.state))
    }

    /// Cancels the job. Nodes that no other job needs stop at their next report of progress.
    pub fn cancel(&self) {
        self.state.cancel();
    }

    /// Waits for the end, and returns the result.
    #[must_use]
    pub fn wait(self) -> Evaluation {
        // This waits for the end of the job. It cannot fail before, because the state keeps the sender.
        let _sent = self.done.recv();
        self.state.evaluation()
    }
}

/// Cancels a job.
#[derive(Clone)]
pub struct Canceller(Arc<JobState>);

impl Canceller {
    /// See [`Job::cancel`].
    pub fn cancel(&self) {
        self.0.cancel();
    }
}
