//! How long nodes take on maps of several sizes: the table in the book's chapter on speed.

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use terrane_flow::{Engine, EngineOptions, LoadOptions, Reference, Wanted, load};

use crate::{Result, root, say};

/// The nodes of the table, each called `node` in a graph that has `ground`.
const NODES: &[(&str, &str)] = &[
    ("ThermalErosion", r#""node": ThermalErosion(height: "ground")"#),
    ("HydraulicErosion", r#""node": HydraulicErosion(height: "ground")"#),
    ("FluvialErosion", r#""node": FluvialErosion(height: "ground")"#),
    ("UpliftErosion", r#""node": UpliftErosion(height: "ground")"#),
    ("Drainage", r#""node": Drainage(height: "ground")"#),
    (
        "Rivers",
        r#""water": Drainage(height: "ground"),
        "node": Rivers(receivers: "water.receivers", drainage: "water", threshold: 16000.0)"#,
    ),
    ("Render", r#""node": Render(height: "ground")"#),
];

/// Memory is reported for the largest side up to this one.
const MEMORY_AT: usize = 2049;

/// Cells that would take longer than this are left out.
const LIMIT: Duration = Duration::from_secs(120);

/// World units between samples.
const SPACING: f64 = 4.0;

const START: &str = "<!-- table -->\n";
const END: &str = "<!-- /table -->";

/// Measures the nodes on square maps with these sides, in increasing order. Prints the table row by row and
/// writes it into the book, unless `print` is set.
pub fn sizes(sides: &[usize], print: bool) -> Result<()> {
    let memory_at = sides.iter().copied().filter(|side| *side <= MEMORY_AT).max();
    let mut text = format!("{}\n{}", machine()?, head(sides, memory_at));
    say(&text);
    for (name, nodes) in NODES {
        let row = row(name, nodes, sides, memory_at)?;
        say(&row);
        text = text + "\n" + &row;
    }
    if print {
        return Ok(());
    }
    let path = root().join("book/src/speed.md");
    let page = replace(&std::fs::read_to_string(&path)?, &text)?;
    terrane_io::write_atomic(&path, false, |file| file.write_all(page.as_bytes()))?;
    say("\nwritten into book/src/speed.md");
    Ok(())
}

/// The sentence above the table: what was measured, and on which machine.
fn machine() -> Result<String> {
    let threads = std::thread::available_parallelism()?.get();
    let system = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = system.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let processor = model.map_or(std::env::consts::ARCH, |(_, name)| name.trim());
    Ok(format!(
        "Seconds for each node with default parameters, on {processor} with {threads} threads. `Rivers` has\n\
        a threshold of 1000 samples. A dash stands for more than two minutes, estimated from the size\n\
        before. The memory is what the engine reserved at most, for the node and its inputs together.\n"
    ))
}

/// The head of the table.
fn head(sides: &[usize], memory_at: Option<usize>) -> String {
    let mut text = String::from("| node |");
    for side in sides {
        let _infallible = write!(text, " {side}² |");
    }
    if let Some(side) = memory_at {
        let _infallible = write!(text, " memory at {side}² |");
    }
    let columns = 1 + sides.len() + usize::from(memory_at.is_some());
    text + "\n|" + &"---|".repeat(columns)
}

/// The cells of one node, smallest map first: sizes that would exceed the limit are not tried.
fn row(name: &str, nodes: &str, sides: &[usize], memory_at: Option<usize>) -> Result<String> {
    let mut text = format!("| `{name}` |");
    let mut memory = String::from("–");
    let mut last: Option<(usize, Duration)> = None;
    for &side in sides {
        if last.is_some_and(|last| expected(last, side) > LIMIT) {
            text += " – |";
            continue;
        }
        let (time, peak) = best(nodes, side)?;
        last = Some((side, time));
        let _infallible = write!(text, " {} |", seconds(time));
        if memory_at == Some(side) {
            memory = format!("{:.0} MiB", peak as f64 / 1_048_576.0);
        }
    }
    if memory_at.is_some() {
        let _infallible = write!(text, " {memory} |");
    }
    Ok(text)
}

/// The time on a larger map, if it grows as the samples do.
fn expected((side, time): (usize, Duration), larger: usize) -> Duration {
    time.mul_f64((larger * larger) as f64 / (side * side) as f64)
}

/// The minimum time of [`measure`], and the memory. Short runs are repeated, three in total.
fn best(nodes: &str, side: usize) -> Result<(Duration, u64)> {
    let first = measure(nodes, side)?;
    if first.0 > Duration::from_secs(2) {
        return Ok(first);
    }
    let (second, third) = (measure(nodes, side)?, measure(nodes, side)?);
    Ok((first.0.min(second.0).min(third.0), first.1))
}

/// The time of the node `node` in one run on a new engine, and the maximum number of bytes that the engine
/// reserved.
fn measure(nodes: &str, side: usize) -> Result<(Duration, u64)> {
    let extent = (side - 1) as f64 * SPACING;
    let (wavelength, amplitude) = (extent / 4.0, extent / 8.0);
    let text = format!(
        r#"Graph(size: ({side}, {side}), spacing: {SPACING:?}, seed: 7, nodes: {{
            "ground": Perlin(
                fractal: Ridged, octaves: 8, wavelength: {wavelength:?}, amplitude: {amplitude:?},
            ),
            {nodes},
        }})"#
    );
    let loaded = load("sizes.ron", &text, &root(), &terrane::registry(), &LoadOptions::default())?;
    let engine = Engine::new(EngineOptions { memory: 0, ..EngineOptions::default() })?;
    let evaluation = engine.start(&Arc::new(loaded), [Wanted::from(Reference::parse("node"))])?.wait();
    let node = evaluation.nodes.iter().find(|node| &*node.node == "node");
    let node = node.filter(|_| evaluation.succeeded());
    let time = node.ok_or_else(|| format!("{nodes} fails on {side} x {side} samples"))?.time;
    Ok((time, engine.peak()))
}

/// Formats seconds with two or three digits.
fn seconds(time: Duration) -> String {
    let time = time.as_secs_f64();
    match time {
        ..0.1 => format!("{time:.3}"),
        ..1.0 => format!("{time:.2}"),
        ..10.0 => format!("{time:.1}"),
        _ => format!("{time:.0}"),
    }
}

/// Replaces the text between the marks of a page.
fn replace(page: &str, text: &str) -> Result<String> {
    let (before, rest) = page.split_once(START).ok_or("speed.md has no `<!-- table -->`")?;
    let (_, after) = rest.split_once(END).ok_or("speed.md has no `<!-- /table -->`")?;
    Ok(format!("{before}{START}{}\n{END}{after}", text.trim_end()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{expected, replace, seconds};

    #[test]
    fn only_the_text_between_the_marks_is_replaced() {
        let page = "# A\n\n<!-- table -->\nold\n<!-- /table -->\n\n## B\n";
        let once = replace(page, "| new |\n").unwrap();
        assert_eq!(once, "# A\n\n<!-- table -->\n| new |\n<!-- /table -->\n\n## B\n");
        assert_eq!(replace(&once, "| new |\n").unwrap(), once);
        let empty = "<!-- table -->\n<!-- /table -->\n";
        assert_eq!(replace(empty, "x").unwrap(), "<!-- table -->\nx\n<!-- /table -->\n");
    }

    #[test]
    fn a_page_without_marks_is_an_error() {
        for page in ["", "<!-- /table -->", "<!-- table -->\n"] {
            assert!(replace(page, "x").is_err(), "{page}");
        }
    }

    #[test]
    fn four_times_the_samples_take_four_times_as_long() {
        assert_eq!(expected((100, Duration::from_secs(3)), 200), Duration::from_secs(12));
        assert_eq!(seconds(Duration::from_millis(1250)), "1.2");
        assert_eq!(seconds(Duration::from_millis(12)), "0.012");
    }
}
