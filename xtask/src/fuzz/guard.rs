//! Guards inputs while they run: panics are caught and reported, and an input that hangs or takes too much
//! memory ends the program after it is written out.

use std::cell::RefCell;
use std::fs::File;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Target;

/// An input may take so long.
const PATIENCE: Duration = Duration::from_secs(10);
/// The program may hold so many bytes.
const MEMORY: u64 = 2 << 30;
/// Bytes of a line of the file of what runs.
const LINE: usize = 48;

thread_local! {
    /// The last panic of this thread.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
    /// The first panic of this thread in our own code, whoever caught it.
    static OURS: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps panics from standard error and notes where they were.
pub fn listen() {
    std::panic::set_hook(Box::new(|info| {
        let text = told(info);
        let ours = info
            .location()
            .is_some_and(|at| !at.file().contains(".cargo") && !at.file().starts_with("/rustc"));
        if ours {
            OURS.with_borrow_mut(|first| {
                first.get_or_insert_with(|| text.clone());
            });
        }
        PANIC.with_borrow_mut(|last| *last = Some(text));
    }));
}

fn told(info: &PanicHookInfo<'_>) -> String {
    let place = info.location().map_or_else(String::new, ToString::to_string);
    let what = info.payload_as_str().unwrap_or("a panic without text");
    format!("panic at {place}: {what}")
}

/// Runs an input; a panic is a finding, and one in our own code also where somebody catches it.
pub fn guarded(target: &dyn Target, input: &[u8], folder: &Path) -> Result<bool, String> {
    OURS.with_borrow_mut(|first| *first = None);
    let result = catch_unwind(AssertUnwindSafe(|| target.run(input, folder)));
    let ours = OURS.with_borrow_mut(Option::take);
    match result {
        Err(_) => Err(PANIC.with_borrow_mut(Option::take).unwrap_or_else(|| "a panic".to_owned())),
        Ok(result) => ours.map_or(result, |ours| Err(format!("{ours} (caught)"))),
    }
}

/// What a thread runs.
struct Now {
    since: Instant,
    target: &'static str,
    number: u64,
    input: Arc<[u8]>,
}

/// What one thread runs at the moment, for the watchdog and for the parent process after a crash.
pub struct Slot {
    now: Mutex<Option<Now>>,
    file: Option<File>,
    line: u64,
}

impl Slot {
    fn lock(&self) -> MutexGuard<'_, Option<Now>> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An input begins.
    pub fn begin(&self, target: &'static str, number: u64, input: &Arc<[u8]>) {
        *self.lock() = Some(Now { since: Instant::now(), target, number, input: Arc::clone(input) });
        if let Some(file) = &self.file {
            let line = format!("{:<width$}\n", format!("{target} {number}"), width = LINE - 1);
            let _unnoted = write_at(file, line.as_bytes(), self.line * LINE as u64);
        }
    }

    /// It ended.
    pub fn end(&self) {
        *self.lock() = None;
    }
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], at: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

#[cfg(not(unix))]
fn write_at(_: &File, _: &[u8], _: u64) -> std::io::Result<()> {
    Ok(())
}

/// Where it stands what runs.
pub fn under_way(out: &Path) -> PathBuf {
    out.join("under-way.txt")
}

/// A slot for each thread. An input that takes 10 s, or all of them 2 GiB, is written to `out`, and the
/// program ends.
pub fn watched(threads: usize, out: &Path, over: &Arc<AtomicBool>) -> std::io::Result<Arc<Vec<Slot>>> {
    let file = File::create(under_way(out))?;
    let slot =
        |line: usize| Ok(Slot { now: Mutex::new(None), file: Some(file.try_clone()?), line: line as u64 });
    let slots: Arc<Vec<Slot>> = Arc::new((0..threads).map(slot).collect::<std::io::Result<_>>()?);
    let (watched, out, over) = (Arc::clone(&slots), out.to_owned(), Arc::clone(over));
    std::thread::spawn(move || {
        while !over.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(20));
            look(&watched, &out);
        }
    });
    Ok(slots)
}

fn look(slots: &[Slot], out: &Path) {
    let large = memory().is_some_and(|bytes| bytes > MEMORY);
    let mut found = false;
    for slot in slots {
        let Some(now) = &*slot.lock() else { continue };
        let hangs = now.since.elapsed() > PATIENCE;
        if hangs || large {
            let why =
                if hangs { "takes more than 10 s" } else { "ran while the program held more than 2 GiB" };
            crate::say(&format!("{} {}: {why}", now.target, now.number));
            let _told_above =
                std::fs::write(out.join(format!("{}-{}.bin", now.target, now.number)), &now.input);
            found = true;
        }
    }
    if found {
        std::process::exit(1);
    }
}

/// Bytes of memory that this program holds, where the system tells.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}
