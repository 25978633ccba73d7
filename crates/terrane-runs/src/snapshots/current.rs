//! The present state of a subject.

use terrane_flow::Value;

use super::describe::{described, picture};
use super::subject::Subject;
use crate::thumbnail::{Rgb, shrink};

/// The longest side of a stored picture.
const SIDE: usize = 128;

/// A subject as it is now.
pub struct Current {
    pub subject: Subject,
    pub text: String,
    /// A small picture, for maps and pictures.
    pub picture: Option<Rgb>,
}

impl Current {
    pub fn new(subject: Subject, value: &Value) -> Self {
        let picture = picture(value).map(|picture| shrink(&picture, SIDE));
        Self { subject, text: described(value), picture }
    }
}
