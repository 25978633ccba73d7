//! The executor that runs nodes.

/// A task to run.
pub type Task = Box<dyn FnOnce() + Send>;

/// Runs the nodes of an engine. By default, each engine creates a thread pool for this. Nodes also use the
/// pool for parallel work.
pub trait Executor: Send + Sync {
    /// Runs a task soon. The task must not run inside this call, since the caller may hold locks that the
    /// task waits for.
    fn spawn(&self, task: Task);

    /// Runs some work and waits for it. The work runs on the threads that run nodes, if the executor supports
    /// this, and otherwise on the current thread.
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
