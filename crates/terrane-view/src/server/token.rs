//! The secret in the page's address. Requests without it are rejected.

use std::fmt;

use crate::view_error::ViewError;

/// Minimum length of a token that a user sets.
const SHORTEST: usize = 16;
/// Maximum length.
const LONGEST: usize = 128;

/// A secret that an address must begin with. It is compared by hash, in constant time.
#[derive(Clone)]
pub struct Token {
    text: String,
    hash: blake3::Hash,
}

impl Token {
    /// A token that the user sets, so that pages reconnect after a restart.
    ///
    /// # Errors
    /// [`ViewError::Token`] if it is too short, too long, or has characters that addresses escape.
    pub fn given(text: &str) -> Result<Self, ViewError> {
        let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        if !plain || !(SHORTEST..=LONGEST).contains(&text.len()) {
            return Err(ViewError::Token);
        }
        Ok(Self { text: text.to_owned(), hash: blake3::hash(text.as_bytes()) })
    }

    /// A new token of 160 random bits.
    ///
    /// # Errors
    /// [`ViewError::Random`] when the system gives no random numbers.
    pub fn random() -> Result<Self, ViewError> {
        Self::given(&random_hex::<20>()?)
    }

    /// Whether a text is the token.
    #[must_use]
    pub fn is(&self, given: &str) -> bool {
        // BLAKE3 hashes are compared in constant time.
        self.hash == blake3::hash(given.as_bytes())
    }

    /// The token's text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Random bytes as hexadecimal digits.
///
/// # Errors
/// [`ViewError::Random`] when the system gives no random numbers.
pub fn random_hex<const BYTES: usize>() -> Result<String, ViewError> {
    let mut bytes = [0u8; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| ViewError::Random(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_plain_and_never_the_same() {
        let (a, b) = (Token::random().unwrap(), Token::random().unwrap());
        assert!(a.is(a.text()) && !a.is(b.text()) && !a.is(""));
        assert_eq!(a.text().len(), 40);
        assert!(Token::given("0123456789abcde").is_err() && Token::given("0123456789abcde/").is_err());
        assert!(Token::given("0123456789abcdef").is_ok());
        assert!(!format!("{a:?}").contains(a.text()));
    }
}
