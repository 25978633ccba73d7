//! How runs are set up, wherever they are asked for.

use std::path::{Path, PathBuf};

use etcetera::{BaseStrategy, choose_base_strategy};

/// Folder of the cache: as given, else the user's cache folder.
#[must_use]
pub fn cache_dir(given: Option<&Path>) -> Option<PathBuf> {
    let users = || Some(choose_base_strategy().ok()?.cache_dir().join("terrane"));
    given.map(Path::to_owned).or_else(users)
}

/// Bytes as people write them: 500M, 8G or 1T.
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
