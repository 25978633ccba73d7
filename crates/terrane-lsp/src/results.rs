//! What earlier runs left of a node: a picture, its time, and whether it would run again.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use terrane_flow::{Engine, Loaded, Reference, Value, Wanted};
use terrane_runs::explain::explain_node;
use terrane_runs::lint::KnownValues;

/// Draws a value whose unit is given: the type of the picture, and its bytes.
pub type Draw = fn(&Value, &str) -> Option<(&'static str, Vec<u8>)>;

/// The results of earlier runs.
pub struct Results {
    /// An engine with the disk cache.
    pub engine: Engine,
    /// The folder of the cache.
    pub folder: Option<PathBuf>,
    /// Draws values.
    pub draw: Draw,
    /// What values showed.
    pub values: KnownValues,
}

/// Bytes of a value that is read for its picture, at most.
const LARGEST: u64 = 64 << 20;
/// Bytes of a picture, at most: an editor gets it within a text.
const PICTURE: usize = 64 << 10;

impl Results {
    /// What is known of an output of a graph, as Markdown. Nothing is evaluated.
    #[must_use]
    pub fn about(&self, loaded: &Arc<Loaded>, reference: &str, path: &std::path::Path) -> Option<String> {
        let reference = Reference::parse(reference);
        let (node, output) = loaded.graph.find(&reference).ok()?;
        let (resolved, own) =
            explain_node(&self.engine, loaded, self.folder.as_deref(), path, (node, output))?;
        let mut text = String::new();
        let time = own.seconds.map(|seconds| format!(", took {seconds:.2} s")).unwrap_or_default();
        let state = match (own.cached, own.not_kept) {
            (true, None) => format!("cached{time}"),
            (true, Some(why)) => format!("known{time}; not kept: {why}"),
            (false, _) => format!("runs next time{time}: {}", own.because.join("; ")),
        };
        let spec = &loaded.graph.nodes[node].node().spec().outputs[output];
        let bytes = loaded.graph.header_of(node).value_bytes(spec.kind.name);
        if !resolved.runs && bytes <= LARGEST {
            let job = self.engine.start(loaded, [Wanted::from(reference)]).ok()?;
            let evaluation = job.wait();
            let value = evaluation.outputs.into_iter().next().and_then(|output| output.value);
            let picture = value.and_then(|value| (self.draw)(&value, spec.unit));
            if let Some((kind, bytes)) = picture.filter(|(_, bytes)| bytes.len() <= PICTURE) {
                let _infallible =
                    write!(text, "![{}](data:{kind};base64,{})\n\n", spec.name, STANDARD.encode(bytes));
            }
        }
        Some(text + &state)
    }
}
