//! Parsing sizes.

use crate::Failure;

/// Parses `257x257` into a field of the graph's header.
///
/// # Errors
/// Fails if the text is not a size.
pub fn header(text: &str) -> Result<(String, String), Failure> {
    let sides =
        text.split_once(['x', 'X']).and_then(|(w, h)| Some((w.parse::<u64>().ok()?, h.parse::<u64>().ok()?)));
    let Some((w, h)) = sides else {
        let message = format!("--size {text} is not a size");
        return Err(Failure::usage(message, "write --size 257x257: columns, x, rows"));
    };
    Ok(("size".to_owned(), format!("({w}, {h})")))
}
