//! How much memory an evaluation will take.

mod ahead;
mod play;
mod sizes;

pub use self::ahead::Ahead;
use self::play::Play;
use self::sizes::Values;
use super::graph::Graph;
use super::plan::Plan;

/// Values and nodes below this many bytes are not counted: there would be more to count than to save.
pub const SMALL: u64 = 64 << 10;

/// How much memory an evaluation will take, as far as kinds, header and nodes tell.
#[derive(Clone, Debug, Default)]
pub struct Forecast {
    /// Bytes held at once when nodes run one after the other: no evaluation does with less.
    pub serial: u64,
    /// The node that runs when that much is held.
    pub worst: Option<usize>,
    /// Bytes held at once when nodes run as soon as they can.
    pub parallel: u64,
    /// Per node, bytes that it takes while it runs beside its inputs: outputs, and what it works with.
    pub nodes: Vec<u64>,
    /// Per node, whether what it takes or what it reads is worth counting.
    pub large: Vec<bool>,
}

impl Plan {
    /// How much memory evaluating the wanted outputs takes on so many threads when nothing is known yet.
    #[must_use]
    pub fn forecast(&self, graph: &Graph, wanted: &[(usize, usize)], threads: usize) -> Forecast {
        let needed = self.needed(wanted.iter().map(|w| w.0));
        let asked = self.asked(&needed, wanted.iter().copied());
        let held: Vec<usize> = wanted.iter().map(|w| w.0).collect();
        let ahead = Ahead { asked: &asked, runs: &needed, held: &held, threads };
        self.forecast_of(graph, &ahead)
    }

    /// How much memory an evaluation takes of which it is known what runs.
    pub(crate) fn forecast_of(&self, graph: &Graph, ahead: &Ahead<'_>) -> Forecast {
        let values = Values::new(self, graph, ahead);
        let mut this = Forecast {
            nodes: vec![0; self.wires.len()],
            large: vec![false; self.wires.len()],
            ..Forecast::default()
        };
        for &node in &values.order {
            this.nodes[node] = values.made[node].saturating_add(values.beside[node]);
            this.large[node] = this.nodes[node].saturating_add(values.read[node]) >= SMALL;
        }
        let mut play = Play::new(self, &values);
        for &node in &values.order {
            let held = play.step(&[node], |node| values.beside[node]);
            if held > this.serial || this.worst.is_none() {
                (this.serial, this.worst) = (held, Some(node));
            }
        }
        this.serial = this.serial.max(play.finish(ahead.held));
        this.parallel = if ahead.threads > 1 {
            play::parallel(self, &values, &this.large, ahead).max(this.serial)
        } else {
            this.serial
        };
        this
    }
}
