//! Guards inputs while they run: panics are caught and reported; when an input hangs or uses too much
//! memory, it is saved and the program ends.

use std::cell::RefCell;
use std::fs::File;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Target;

/// Maximum duration of an input.
const PATIENCE: Duration = Duration::from_secs(10);
/// Maximum memory of the program, in bytes.
const MEMORY: u64 = 2 << 30;
/// Bytes per line of the file that records running inputs.
const LINE: usize = 48;

thread_local! {
    /// The last panic of this thread.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
    /// The first panic of this thread in Terrane's code, even if it was caught.
    static OURS: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps panics off standard error and records their locations.
pub fn listen() {
    std::panic::set_hook(Box::new(|info| {
        let text = panic_message(info);
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

fn panic_message(info: &PanicHookInfo<'_>) -> String {
    let location = info.location().map_or_else(String::new, ToString::to_string);
    let what = info.payload_as_str().unwrap_or("a panic without a message");
    format!("panic at {location}: {what}")
}

/// Runs an input. A panic is a finding; one in Terrane's code is a finding even if it is caught.
pub fn guarded(target: &dyn Target, input: &[u8], folder: &Path) -> Result<bool, String> {
    OURS.with_borrow_mut(|first| *first = None);
    let result = catch_unwind(AssertUnwindSafe(|| target.run(input, folder)));
    let ours = OURS.with_borrow_mut(Option::take);
    match result {
        Err(_) => Err(PANIC.with_borrow_mut(Option::take).unwrap_or_else(|| "a panic".to_owned())),
        Ok(result) => ours.map_or(result, |ours| Err(format!("{ours} (caught)"))),
    }
}

/// An input that a thread is running.
struct Now {
    since: Instant,
    target: &'static str,
    number: u64,
    input: Arc<[u8]>,
}

/// The input that one thread is running, for the watchdog and for inspection after a crash.
pub struct Slot {
    now: Mutex<Option<Now>>,
    file: Option<File>,
    line: u64,
}

impl Slot {
    fn lock(&self) -> MutexGuard<'_, Option<Now>> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that an input begins.
    pub fn begin(&self, target: &'static str, number: u64, input: &Arc<[u8]>) {
        *self.lock() = Some(Now { since: Instant::now(), target, number, input: Arc::clone(input) });
        if let Some(file) = &self.file {
            let line = format!("{:<width$}\n", format!("{target} {number}"), width = LINE - 1);
            let _unnoted = write_at(file, line.as_bytes(), self.line * LINE as u64);
        }
    }

    /// Records that it ended.
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

/// The file that records running inputs.
pub fn under_way(out: &Path) -> PathBuf {
    out.join("under-way.txt")
}

/// Creates a slot for each thread. If an input takes 10 s, or if all inputs together use 2 GiB, the input is
/// written to `out` and the program ends.
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
                if hangs { "runs for more than 10 s" } else { "ran while the program held more than 2 GiB" };
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

/// The memory of this program in bytes, if the system reports it.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}
