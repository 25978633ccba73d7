//! What a subject looks like now.

use terrane_flow::Value;

use super::subject::Subject;
use super::words::{described, picture};
use crate::thumbnail::{Rgb, shrink};

/// The longest side of a stored picture.
const SIDE: usize = 128;

/// A subject as it is now.
pub struct Shot {
    pub subject: Subject,
    pub text: String,
    /// Of maps and pictures, a small picture.
    pub picture: Option<Rgb>,
}

impl Shot {
    pub fn new(subject: Subject, value: &Value) -> Self {
        let picture = picture(value).map(|picture| shrink(&picture, SIDE));
        Self { subject, text: described(value), picture }
    }
}
