//! How much memory there is.

use std::sync::LazyLock;

/// The memory in bytes that this process may use, where the system tells: the machine's, or less in a container with a limit.
pub fn total() -> Option<u64> {
    static TOTAL: LazyLock<Option<u64>> = LazyLock::new(|| machine().filter(|&bytes| bytes > 0));
    *TOTAL
}

/// Linux tells in files.
#[cfg(target_os = "linux")]
fn machine() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let total = kibibytes(&read("/proc/meminfo")?, "MemTotal:")? * 1024;
    // Of control groups version 2, and of version 1. Without a limit the first is a word.
    let limits = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let limit = limits.iter().find_map(|path| read(path)?.trim().parse().ok());
    Some(total.min(limit.unwrap_or(u64::MAX)))
}

/// The number of a line of `/proc/meminfo`.
#[cfg(target_os = "linux")]
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(not(target_os = "linux"))]
fn machine() -> Option<u64> {
    use sysinfo::{MemoryRefreshKind, RefreshKind, System};
    let only_memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(only_memory);
    let limit = system.cgroup_limits().map_or(u64::MAX, |limits| limits.total_memory);
    Some(system.total_memory().min(limit))
}

/// Bytes as one reads them.
pub fn human(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let (mut value, mut unit) = (bytes as f64, 0);
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{value:.1} {}", UNITS[unit]) }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_as_the_kernel_writes_it() {
        let text = "MemTotal:       16384000 kB\nMemFree:         1234567 kB\n";
        assert_eq!(kibibytes(text, "MemTotal:"), Some(16_384_000));
        assert_eq!(kibibytes(text, "SwapTotal:"), None);
        assert!(total().is_some());
    }
}
