//! Parts of messages: "did you mean?", and articles.

/// The known name that is nearest to `given`, if it is similar enough: of equally near ones, the first.
#[must_use]
pub fn nearest<'a>(given: &str, known: &[&'a str]) -> Option<&'a str> {
    all_nearest(given, known).first().copied()
}

/// The known names that are equally near to `given`, and nearer than all others, if they are similar enough.
#[must_use]
pub fn all_nearest<'a>(given: &str, known: &[&'a str]) -> Vec<&'a str> {
    /// Longer names are not compared.
    const LONGEST: usize = 64;
    if given.len() > LONGEST {
        return Vec::new();
    }
    let lower = given.to_lowercase();
    let letters = Letters::of(&lower);
    let length = given.chars().count();
    let near: Vec<(usize, &str)> = known
        .iter()
        .filter(|name| name.len() <= LONGEST)
        .filter_map(|name| {
            let own = name.chars().count();
            // Two different names of one letter have nothing in common.
            let most = (own / 3).max(1).min(own.max(length).checked_sub(1)?);
            let near = letters.min_distance(&Letters::of(name)) <= most;
            let distance = near.then(|| strsim::damerau_levenshtein(&lower, &name.to_lowercase()))?;
            (distance <= most).then_some((distance, *name))
        })
        .collect();
    let least = near.iter().map(|(distance, _)| *distance).min();
    near.into_iter().filter(|(distance, _)| Some(*distance) == least).map(|(_, name)| name).collect()
}

/// How often each letter occurs in a name, ignoring case. Names whose counts differ in many letters cannot be
/// near each other. Comparing counts is faster than computing the distance.
struct Letters {
    counts: [i8; 32],
    ascii: bool,
}

impl Letters {
    fn of(name: &str) -> Self {
        let mut counts = [0; 32];
        // The low five bits of a letter are the same in both cases.
        name.bytes().for_each(|byte| counts[usize::from(byte % 32)] += 1);
        Self { counts, ascii: name.is_ascii() }
    }

    /// A lower bound of the edit distance; 0 if either name is not ASCII.
    fn min_distance(&self, other: &Self) -> usize {
        if !(self.ascii && other.ascii) {
            return 0;
        }
        let (mut more, mut fewer) = (0usize, 0usize);
        for (a, b) in self.counts.iter().zip(&other.counts) {
            more += usize::from((a - b).max(0).unsigned_abs());
            fewer += usize::from((b - a).max(0).unsigned_abs());
        }
        more.max(fewer)
    }
}

/// A piece of a graph's text, quoted for a message and cut if it is long.
#[must_use]
pub fn shorten(text: &str) -> String {
    cut(text, 40)
}

/// A path of a graph's text, quoted for a message and cut if it is longer than paths are.
#[must_use]
pub fn shorten_path(path: &str) -> String {
    cut(path, 240)
}

fn cut(text: &str, shown: usize) -> String {
    if text.chars().nth(shown).is_none() {
        return format!("`{text}`");
    }
    format!("`{}...`", text.chars().take(shown).collect::<String>())
}

/// A help line: the nearest known name, or otherwise all known names after `intro`.
#[must_use]
pub fn help(given: &str, known: &[&str], intro: &str) -> String {
    const MOST: usize = 24;
    if let Some(name) = nearest(given, known) {
        return format!("did you mean `{name}`?");
    }
    if known.is_empty() {
        return format!("{intro}: none");
    }
    let shown = known.iter().take(MOST).copied().collect::<Vec<_>>().join(", ");
    let more = if known.len() > MOST { ", ..." } else { "" };
    format!("{intro}: {shown}{more}")
}

/// A name with its article: `an OptimalPath`, `a RelaxPath`.
#[must_use]
pub fn one(name: &str) -> String {
    let article = if name.starts_with(|first| "aeiouAEIOU".contains(first)) { "an" } else { "a" };
    format!("{article} {name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested_and_far_ones_are_not() {
        let known = ["ThermalErosion", "Voronoi", "Perturb"];
        assert_eq!(nearest("thermalerosion", &known), Some("ThermalErosion"));
        assert_eq!(nearest("Voronio", &known), Some("Voronoi"));
        assert_eq!(nearest("Spline", &known), None);
        assert_eq!(help("Spline", &known, "types are"), "types are: ThermalErosion, Voronoi, Perturb");
    }

    proptest::proptest! {
        /// Compares with the distance to every name.
        #[test]
        fn the_letter_count_filter_skips_no_near_name(
            given in "[a-cA-C0é]{0,9}",
            known in proptest::collection::vec("[a-cA-C0é]{0,9}", 0..9),
        ) {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let apart = |name: &str| strsim::damerau_levenshtein(&given.to_lowercase(), &name.to_lowercase());
            let near = |name: &&&str| {
                let length = name.chars().count();
                apart(name) <= (length / 3).max(1) && apart(name) < length.max(given.chars().count())
            };
            let nearest_of_all = known.iter().filter(near).min_by_key(|name| apart(name));
            proptest::prop_assert_eq!(nearest(&given, &known), nearest_of_all.copied());
        }
    }

    #[test]
    fn articles_match_names() {
        assert_eq!(one("OptimalPath"), "an OptimalPath");
        assert_eq!(one("map"), "a map");
        assert_eq!(one("UpliftErosion"), "an UpliftErosion");
    }
}
