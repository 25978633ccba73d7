//! The available memory.

use std::sync::LazyLock;

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// The memory in bytes that this process may use. This is the memory of the machine, or the limit of a
/// container if it is smaller. `None` if the system does not report it.
pub fn total() -> Option<u64> {
    static TOTAL: LazyLock<Option<u64>> = LazyLock::new(|| {
        let only_memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
        let system = System::new_with_specifics(only_memory);
        let limit = system.cgroup_limits().map_or(u64::MAX, |limits| limits.total_memory);
        Some(system.total_memory().min(limit)).filter(|&bytes| bytes > 0)
    });
    *TOTAL
}

/// Bytes in a readable unit.
pub fn human(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let (mut value, mut unit) = (bytes as f64, 0);
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{value:.1} {}", UNITS[unit]) }
}
