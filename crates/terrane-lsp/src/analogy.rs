//! Names by analogy: if `slope_a` reads `base_a`, then `slope_b` reads `base_b`.

/// What a node reads whose name differs from another node's in some words, if the other one reads
/// `reference`. `None` if the reference does not have the words by which they differ.
#[must_use]
pub fn analogue(own: &str, other: &str, reference: &str) -> Option<String> {
    let [own, other, reference] = [own, other, reference].map(words);
    let before = own.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let (own_rest, other_rest) = (&own[before..], &other[before..]);
    let after = own_rest.iter().rev().zip(other_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let mine = &own_rest[..own_rest.len() - after];
    let theirs = &other_rest[..other_rest.len() - after];
    if theirs.is_empty() || mine.is_empty() {
        return None;
    }
    let at = reference.windows(theirs.len()).position(|part| part == theirs)?;
    Some([&reference[..at], mine, &reference[at + theirs.len()..]].concat().concat())
}

/// The words of a name, with what separates them.
fn words(name: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let end = if first.is_alphanumeric() {
            rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        words.push(&rest[..end]);
        rest = &rest[end..];
    }
    words
}

#[cfg(test)]
mod tests {
    use super::analogue;

    #[test]
    fn by_hand() {
        let of = |own, other, reference| analogue(own, other, reference);
        assert_eq!(of("slope_b", "slope_a", "base_a").as_deref(), Some("base_b"));
        assert_eq!(
            of("wet_north_west", "wet_south_east", "south_east.rain").as_deref(),
            Some("north_west.rain")
        );
        assert_eq!(of("picture 2", "picture 1", "1").as_deref(), Some("2"));
        assert_eq!(of("flat", "steep", "steep_bounds").as_deref(), Some("flat_bounds"));
        assert_eq!(of("slope_b", "slope_a", "base"), None, "one source for both");
        assert_eq!(of("no_shade", "shade", "base"), None);
    }
}
