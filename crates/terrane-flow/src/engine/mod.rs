//! Evaluation of graphs: caches, jobs, events, and the loop that follows changing files.

pub mod cache;
mod evaluation;
mod event;
mod job;
mod last;
pub mod live;
pub(crate) mod lock;
mod observe;
mod observer;
mod options;
mod placed;
mod resolve;
mod round;
mod running;
mod shared;
mod start;
mod step;
mod wanted;
pub mod watch;

pub use evaluation::{Evaluated, Evaluation};
pub use event::{Event, NodeTiming, Outcome};
pub use job::{Canceller, Job};
pub use observer::{Observer, Seen};
pub use options::EngineOptions;
pub use start::Engine;
pub use wanted::{Resolved, Wanted};
