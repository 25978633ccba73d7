//! Words of messages: "did you mean?", and articles.

/// The known name nearest to `given`, when it is near enough to be meant.
#[must_use]
pub fn nearest<'a>(given: &str, known: &[&'a str]) -> Option<&'a str> {
    let lower = given.to_lowercase();
    known
        .iter()
        .map(|name| (strsim::damerau_levenshtein(&lower, &name.to_lowercase()), *name))
        .filter(|(distance, name)| {
            let length = name.chars().count();
            // One letter for another is no likeness.
            *distance <= (length / 3).max(1) && *distance < length.max(given.chars().count())
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// A line of help: the nearest known name where there is one, else the known names, introduced by `intro`.
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

/// A name behind its article: `an OptimalPath`, `a RelaxPath`.
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

    #[test]
    fn articles_go_with_names() {
        assert_eq!(one("OptimalPath"), "an OptimalPath");
        assert_eq!(one("map"), "a map");
        assert_eq!(one("UpliftErosion"), "an UpliftErosion");
    }
}
