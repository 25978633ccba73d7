//! Where nodes run.

/// Something to be done.
pub type Task = Box<dyn FnOnce() + Send>;

/// Runs the nodes of an engine: by default a pool of threads of its own, on which nodes also share their
/// work.
pub trait Executor: Send + Sync {
    /// Does a task, soon. It must not be done before this returns, since the caller may hold what the task
    /// waits for.
    fn spawn(&self, task: Task);

    /// Does some work and waits for its end: on the same threads as nodes, where work is shared among these,
    /// else on this one.
    fn within(&self, work: &mut (dyn FnMut() + Send)) {
        work();
    }
}

impl Executor for rayon::ThreadPool {
    fn spawn(&self, task: Task) {
        Self::spawn(self, task);
    }

    fn within(&self, work: &mut (dyn FnMut() + Send)) {
        self.install(work);
    }
}
