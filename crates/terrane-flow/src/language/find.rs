//! Finds node types by words: names, synonyms, summaries, ports, parameters and docs.

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use serde_json::{Value as Json, json};

use crate::model::param::Shape;
use crate::model::spec::NodeSpec;
use crate::report::suggest;

/// The maximum number of types that a search finds.
const MOST: usize = 12;

/// Words that say nothing of what is looked for.
static EMPTY: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "a an and any are as at be by can do does for from get give has have how i in into is it its like \
        make makes me my need of on one or some so that the their them then there they this thing to up use \
        using want what when which will with without you your node nodes type types terrane"
        .split_ascii_whitespace()
        .collect()
});

/// An index of node types, for searches by words.
pub struct Finder {
    types: Vec<Indexed>,
    /// In how many types each stem occurs.
    known: BTreeMap<String, usize>,
    /// Words of names and synonyms, for suggestions: each stem with a word that has it.
    vocabulary: BTreeMap<String, String>,
}

/// A type, with the weight of each stem that describes it.
struct Indexed {
    spec: &'static NodeSpec,
    weights: BTreeMap<String, f64>,
}

/// What a search found.
#[derive(Debug)]
pub struct Found {
    /// The types, the best first.
    pub types: Vec<Match>,
    /// Words that no type has, each with the most similar word that one has.
    pub unknown: Vec<(String, Option<String>)>,
}

impl Found {
    /// The types as JSON: `type`, `category`, `summary`, and the `words` of the question that it has.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let types = self.types.iter().map(|Match { spec, words, .. }| {
            json!({ "type": spec.name, "category": spec.category, "summary": summary(spec), "words": words })
        });
        types.collect()
    }

    /// What to do if no type was found: the names or words that are most similar to the unknown words.
    #[must_use]
    pub fn help(&self, known: &[&str]) -> String {
        let near = |(word, near): &(String, Option<String>)| {
            suggest::nearest(word, known).map(str::to_owned).or_else(|| near.clone())
        };
        let near: Vec<String> =
            self.unknown.iter().filter_map(near).map(|word| format!("`{word}`")).collect();
        match &*near {
            [] => suggest::help("", known, "the types are"),
            near => format!("did you mean {}?", near.join(" or ")),
        }
    }
}

/// The summary of a type in one line.
#[must_use]
pub fn summary(spec: &NodeSpec) -> String {
    spec.summary().replace('\n', " ")
}

/// A type that was found.
#[derive(Debug)]
pub struct Match {
    /// The type.
    pub spec: &'static NodeSpec,
    /// How well it matches: more is better. Comparable within one search only.
    pub score: f64,
    /// The words of the question that it has.
    pub words: Vec<String>,
}

impl Finder {
    /// Indexes types.
    #[must_use]
    pub fn new(specs: impl IntoIterator<Item = &'static NodeSpec>) -> Self {
        let types: Vec<Indexed> = specs.into_iter().map(Indexed::new).collect();
        let (mut known, mut vocabulary) = (BTreeMap::new(), BTreeMap::new());
        for own in &types {
            own.weights.keys().for_each(|stem| *known.entry(stem.clone()).or_insert(0) += 1);
            let names = parts(own.spec.name).into_iter().chain(words(own.spec.words));
            for word in names {
                vocabulary.entry(stem(&word)).or_insert(word);
            }
        }
        Self { types, known, vocabulary }
    }

    /// The types that match a question best: words, or a sentence with them. At most twelve; none if no word
    /// is known.
    #[must_use]
    pub fn find(&self, question: &str) -> Found {
        let mut asked: Vec<String> = words(question).collect();
        let telling: Vec<String> = asked.iter().filter(|word| !is_empty(word)).cloned().collect();
        if !telling.is_empty() {
            asked = telling;
        }
        let (mut unknown, count) = (Vec::new(), asked.len());
        let mut terms: Vec<Term> =
            asked.into_iter().filter_map(|word| self.term(word, &mut unknown)).collect();
        if unknown.len() == count {
            // Words that are only similar to known ones help to tell types apart that other words find.
            terms.clear();
        }
        let whole: String =
            question.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        let mut types: Vec<Match> =
            self.types.iter().filter_map(|own| self.matched(own, &terms, &whole)).collect();
        types.sort_by(|a, b| b.score.total_cmp(&a.score));
        let best = types.first().map_or(0.0, |best| best.score);
        types.retain(|found| found.score >= best * 0.25);
        types.truncate(MOST);
        Found { types, unknown }
    }

    /// A word as it is searched for. A word that no type has is replaced by the most similar one.
    fn term(&self, word: String, unknown: &mut Vec<(String, Option<String>)>) -> Option<Term> {
        let own = stem(&word);
        let begins = |known: &str| own.len() >= 4 && known.starts_with(&own);
        if self.known.contains_key(&own) || self.known.keys().any(|known| begins(known)) {
            return Some(Term { word, stem: own, worth: 1.0 });
        }
        let all: Vec<&str> = self.vocabulary.values().map(String::as_str).collect();
        let near = suggest::nearest(&word, &all).map(str::to_owned);
        let stem = near.as_deref().map(stem);
        unknown.push((word.clone(), near));
        Some(Term { word, stem: stem?, worth: 0.5 })
    }

    fn matched(&self, own: &Indexed, terms: &[Term], whole: &str) -> Option<Match> {
        let count = self.types.len() as f64;
        let (mut score, mut words) = (0.0, Vec::new());
        for term in terms {
            let exact = own.weights.get(&term.stem).copied();
            let begun = || {
                let longer = own
                    .weights
                    .iter()
                    .filter(|(known, _)| term.stem.len() >= 4 && known.starts_with(&term.stem));
                longer.map(|(_, weight)| weight * 0.5).reduce(f64::max)
            };
            let Some(weight) = exact.or_else(begun) else { continue };
            let spread = self.known.get(&term.stem).copied().unwrap_or(1) as f64;
            score += weight * term.worth * (count / spread).sqrt().sqrt();
            words.push(term.word.clone());
        }
        if own.spec.name.to_lowercase() == whole {
            score += 1000.0;
        }
        (score > 0.0).then_some(Match { spec: own.spec, score, words })
    }
}

/// A word of a question.
struct Term {
    word: String,
    stem: String,
    worth: f64,
}

impl Indexed {
    fn new(spec: &'static NodeSpec) -> Self {
        let mut own = Self { spec, weights: BTreeMap::new() };
        own.add(6.0, parts(spec.name));
        own.add(9.0, [spec.name.to_lowercase()]);
        own.add(6.0, words(spec.words));
        own.add(3.0, words(spec.summary()));
        own.add(2.0, words(spec.category));
        for output in spec.outputs {
            own.add(3.0, words(output.name));
            own.add(2.0, words(output.kind.name).chain(words(output.docs)));
        }
        for input in spec.inputs {
            own.add(1.5, words(input.name));
            own.add(0.7, words(input.docs));
        }
        for param in spec.params {
            own.add(2.5, words(param.name));
            own.add(2.0, choices(&(param.shape)()).iter().flat_map(|choice| parts(choice)));
            own.add(0.7, words(param.docs));
        }
        own.add(1.0, words(spec.docs.split("```").next().unwrap_or_default()));
        own
    }

    /// Adds words with a weight. A word that occurs at several places has the largest of their weights.
    fn add(&mut self, weight: f64, words: impl IntoIterator<Item = String>) {
        for word in words.into_iter().filter(|word| !is_empty(word)) {
            let of = self.weights.entry(stem(&word)).or_insert(0.0);
            *of = of.max(weight);
        }
    }
}

/// The names of the choices that a shape allows.
fn choices(shape: &Shape) -> Vec<&'static str> {
    match shape {
        Shape::Choice(choices) => choices.iter().map(|choice| choice.name).collect(),
        Shape::Record(records) => records.iter().map(|record| record.name).collect(),
        Shape::Optional(item) | Shape::List(item) => choices(item),
        Shape::Tuple(items) => items.iter().flat_map(choices).collect(),
        _ => Vec::new(),
    }
}

fn is_empty(word: &str) -> bool {
    EMPTY.contains(word)
}

/// The words of a text, in lower case.
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// The words of a name in capitals, such as `thermal` and `erosion` of `ThermalErosion`.
fn parts(name: &str) -> Vec<String> {
    let mut spaced = String::new();
    let mut was_small = false;
    for c in name.chars() {
        if c.is_uppercase() && was_small {
            spaced.push(' ');
        }
        was_small = !c.is_uppercase();
        spaced.push(c);
    }
    words(&spaced).collect()
}

/// The stem of a word: without the ends of plurals and verbs.
fn stem(word: &str) -> String {
    let mut stem = word.to_owned();
    for (end, with) in
        [("ies", "y"), ("ing", ""), ("ed", ""), ("er", ""), ("es", ""), ("s", ""), ("e", ""), ("y", "i")]
    {
        let is_plural = end != "s" || !word.ends_with("ss");
        if let Some(rest) = stem.strip_suffix(end).filter(|rest| rest.len() >= 3 && is_plural) {
            stem = format!("{rest}{with}");
            if end != "ies" && end != "s" {
                break;
            }
        }
    }
    let mut ends = stem.chars().rev();
    if stem.len() > 3 && ends.next() == ends.next() {
        stem.pop();
    }
    stem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for forms in [
            &["terrace", "terraces", "terraced", "terracing"][..],
            &["cut", "cuts", "cutting", "cutter"],
            &["valley", "valleys"],
            &["hill", "hills"],
            &["slope", "slopes", "sloping", "sloped"],
            &["grass"],
            &["city", "cities"],
        ] {
            let stems: Vec<String> = forms.iter().map(|form| stem(form)).collect();
            assert!(stems.iter().all(|stem| *stem == stems[0]), "{forms:?} {stems:?}");
        }
        assert_ne!(stem("rain"), stem("ramp"));
    }

    #[test]
    fn names_are_split_into_words() {
        assert_eq!(parts("ThermalErosion"), ["thermal", "erosion"]);
        assert_eq!(parts("OpenSimplex"), ["open", "simplex"]);
    }
}
