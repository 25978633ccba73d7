//! Where nodes run.

/// Something to be done.
pub type Task = Box<dyn FnOnce() + Send>;

/// Runs the nodes of an engine: by default a pool of threads of its own, on which nodes also share their work.
pub trait Executor: Send + Sync {
    /// Does a task, soon. It must not be done before this returns, since the caller may hold what the task waits for.
    fn spawn(&self, task: Task);
}

impl Executor for rayon::ThreadPool {
    fn spawn(&self, task: Task) {
        Self::spawn(self, task);
    }
}
