//! Evaluation of graphs: caches, jobs, events, and the loop that follows changing files.

mod budget;
pub mod cache;
mod evaluation;
mod event;
mod executor;
mod handle;
mod job;
#[cfg(feature = "watch")]
pub mod live;
mod located;
mod memo;
mod observer;
mod options;
mod previous;
mod resolve;
mod round;
mod running;
mod session;
mod shared;
mod sparse;
mod start;
mod step;
mod value;
mod wanted;
#[cfg(feature = "watch")]
pub mod watch;

pub use budget::Room;
pub use evaluation::{Evaluated, Evaluation};
pub use event::{Event, NodeTiming, Outcome};
pub use executor::{Executor, Task};
pub use handle::Engine;
pub use job::{Canceller, Job};
pub use observer::{Observer, Seen};
pub use options::EngineOptions;
pub use session::Session;
pub use value::NoValue;
pub use wanted::{Resolved, Wanted};
