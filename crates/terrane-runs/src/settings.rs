//! Settings shared by all kinds of runs.

use std::path::{Path, PathBuf};

use etcetera::{BaseStrategy, choose_base_strategy};

/// The cache folder. Default: `terrane` in the user's cache folder.
#[must_use]
pub fn cache_dir(given: Option<&Path>) -> Option<PathBuf> {
    let users = || Some(choose_base_strategy().ok()?.cache_dir().join("terrane"));
    given.map(Path::to_owned).or_else(users)
}

/// Parses a size such as 500M, 8G or 1T into bytes.
#[must_use]
pub fn bytes(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor: u64 =
        match text[digits.len()..].to_ascii_uppercase().trim_end_matches("IB").trim_end_matches('B') {
            "" => 1,
            "K" => 1 << 10,
            "M" => 1 << 20,
            "G" => 1 << 30,
            "T" => 1 << 40,
            _ => return None,
        };
    digits.parse::<u64>().ok()?.checked_mul(factor)
}
