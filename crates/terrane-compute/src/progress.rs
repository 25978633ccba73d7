//! Progress reports of long kernels, and their cancellation.

/// The caller asked a kernel to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

impl std::fmt::Display for Cancelled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("cancelled")
    }
}

impl std::error::Error for Cancelled {}

/// Receives a kernel's progress, and cancels the kernel. A kernel calls one of the functions at least every
/// few milliseconds of work.
pub trait Progress: Sync {
    /// Reports that `fraction` of the work is done, in [0, 1].
    ///
    /// # Errors
    /// [`Cancelled`] when the kernel should stop; the kernel then returns that error at once.
    fn report(&self, fraction: f64) -> Result<(), Cancelled>;

    /// Checks whether to continue, without reporting how much work is done.
    ///
    /// # Errors
    /// As [`Self::report`].
    fn check(&self) -> Result<(), Cancelled>;
}

/// A [`Progress`] that ignores reports and never cancels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn report(&self, _fraction: f64) -> Result<(), Cancelled> {
        Ok(())
    }

    fn check(&self) -> Result<(), Cancelled> {
        Ok(())
    }
}

/// Called regularly by long loops; an error stops them.
pub type Alive<'a> = dyn Fn() -> Result<(), Cancelled> + Sync + 'a;

/// Number of samples between two calls of [`Alive`]: a few milliseconds.
pub const CHECK_INTERVAL: usize = 1 << 18;

/// Number of values that [`filled`] writes between two checks.
const AT_ONCE: usize = 1 << 20;

/// A vector of `count` equal values. Checks for cancellation while it fills, since writing to fresh memory is
/// slow.
///
/// # Errors
/// [`Cancelled`] when `progress` cancels.
pub fn filled<T: Copy>(count: usize, value: T, progress: &dyn Progress) -> Result<Vec<T>, Cancelled> {
    let mut all = Vec::with_capacity(count);
    while all.len() < count {
        all.resize(count.min(all.len() + AT_ONCE), value);
        progress.check()?;
    }
    Ok(all)
}

/// A [`Progress`] that cancels at once, for tests.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stop;

impl Progress for Stop {
    fn report(&self, _fraction: f64) -> Result<(), Cancelled> {
        Err(Cancelled)
    }

    fn check(&self) -> Result<(), Cancelled> {
        Err(Cancelled)
    }
}
