//! How alike names are: those with the same words belong together, as `olsen_shade` and `olsen`.

/// The words of a name, in small letters.
#[must_use]
pub fn words(name: &str) -> Vec<String> {
    name.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).filter(|word| word.len() > 1).collect()
}

/// How alike a name is to another one, whose words are given. 0 if they have no word in common.
#[must_use]
pub fn likeness(mine: &[String], name: &str) -> i64 {
    let theirs = words(name);
    let common = theirs.iter().filter(|word| mine.iter().any(|own| is_alike(own, word))).count();
    match common as i64 {
        0 => 0,
        count if common == theirs.len() => 30 + 5 * count,
        count => 20 * count,
    }
}

/// Whether two words are the same, or begin alike: `displaced` and `displacement`.
fn is_alike(a: &str, b: &str) -> bool {
    let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    a == b || (common >= 5 && 3 * common >= 2 * a.chars().count().min(b.chars().count()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let of = |own: &str, other| likeness(&words(own), other);
        assert_eq!(of("olsen_shade", "olsen"), 35, "all of its words");
        assert_eq!(of("olsen_shade", "olsen_height"), 20, "one of them");
        assert_eq!(of("displaced", "Displacement.height"), 20);
        assert_eq!(of("hills", "ground"), 0);
        assert_eq!(of("a_b", "a"), 0, "letters are no words");
    }
}
