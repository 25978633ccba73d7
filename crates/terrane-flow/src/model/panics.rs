//! Catches panics in code outside the engine.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs a function and returns the text of a panic as an error.
pub fn catch_panics<T>(act: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(act)).map_err(|panic| text(&*panic))
}

fn text(panic: &(dyn Any + Send)) -> String {
    if let Some(text) = panic.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = panic.downcast_ref::<String>() {
        text.clone()
    } else {
        "no message".to_owned()
    }
}
