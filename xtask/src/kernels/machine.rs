//! What the machine can do, and what its threads did.

use std::time::Instant;

/// The GB/s at which one thread reads two arrays and writes a third.
pub fn bandwidth() -> f64 {
    const COUNT: usize = 1 << 24;
    let (b, c) = (vec![1.0f32; COUNT], vec![2.0f32; COUNT]);
    let mut a = vec![0.0f32; COUNT];
    let mut best = f64::MAX;
    for _ in 0..7 {
        let start = Instant::now();
        for ((a, b), c) in a.iter_mut().zip(&b).zip(&c) {
            *a = b + c;
        }
        std::hint::black_box(&mut a);
        best = best.min(start.elapsed().as_secs_f64());
    }
    3.0 * 4.0 * COUNT as f64 / best / 1e9
}

/// The processor's clock in GHz, where the system tells it.
pub fn clock() -> Option<f64> {
    let system = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = system.lines().find_map(|line| line.strip_prefix("cpu MHz")?.split_once(": "))?;
    line.1.trim().parse::<f64>().ok().map(|clock| clock / 1000.0)
}

/// The processor time of each thread of this process so far, in nanoseconds, where the system tells it.
pub fn thread_times() -> Option<Vec<(String, u64)>> {
    let mut times = Vec::new();
    for thread in std::fs::read_dir("/proc/self/task").ok()?.flatten() {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        let time = text.split_whitespace().next()?.parse().ok()?;
        times.push((thread.file_name().to_string_lossy().into_owned(), time));
    }
    Some(times)
}

/// The processor time that threads took between two readings, divided by that of the busiest of them: the
/// speed-up that their work allows. Threads that did nearly nothing do not count.
pub fn spread(before: &[(String, u64)], after: &[(String, u64)]) -> Option<f64> {
    let earlier = |name: &str| before.iter().find(|(other, _)| other == name).map_or(0, |(_, time)| *time);
    let taken: Vec<u64> = after.iter().map(|(name, time)| time.saturating_sub(earlier(name))).collect();
    let busiest = *taken.iter().max()?;
    (busiest > 0).then(|| taken.iter().sum::<u64>() as f64 / busiest as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_busiest_thread_bounds_the_speed_up() {
        let times =
            |times: [u64; 3]| ["a", "b", "c"].iter().map(|name| (*name).to_owned()).zip(times).collect();
        let (before, after): (Vec<_>, Vec<_>) = (times([5, 100, 0]), times([105, 150, 50]));
        // 100, 50 and 50 were taken.
        assert_eq!(spread(&before, &after), Some(2.0));
        assert_eq!(spread(&before, &before), None);
    }
}
