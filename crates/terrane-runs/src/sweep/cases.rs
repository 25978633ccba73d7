//! The combinations of seeds and parameters.

use super::options::Sweep;
use super::size::header;
use super::table::OWN_COLUMNS;
use super::varied::{MAX_RUNS, Varied, check_unique, parsed};
use crate::Failure;

/// The name of the table's column for sizes, if several sizes are swept.
pub const SIZE: &str = "size";

/// All runs in order. Each parameter varies faster than those before it, and seeds vary fastest.
pub struct Cases {
    pub varied: Vec<Varied>,
    /// The seeds. If empty, the graph's own.
    pub seeds: Vec<u64>,
    /// Whether the first swept parameter is the size.
    pub sized: bool,
}

/// One run.
pub struct Case {
    pub seed: Option<u64>,
    /// The size, if it is swept, and then the parameters.
    pub set: Vec<(String, String)>,
    /// Whether the first entry of `set` is the size.
    pub sized: bool,
}

impl Case {
    /// The size, if it is swept.
    pub fn size(&self) -> Option<&str> {
        self.set.first().filter(|_| self.sized).map(|(_, size)| size.as_str())
    }

    /// The swept values in parsed form, sorted by name. Cases that differ only in spelling have equal values.
    pub fn parsed(&self) -> Vec<(String, String)> {
        let value = |(at, (name, value)): (usize, &(String, String))| {
            (name.clone(), if self.sized && at == 0 { size(value) } else { parsed(value) })
        };
        let mut set: Vec<(String, String)> = self.set.iter().enumerate().map(value).collect();
        set.sort_unstable();
        set
    }

    /// The parameters of the graph, without the size.
    pub fn parameters(&self) -> &[(String, String)] {
        &self.set[usize::from(self.sized)..]
    }
}

/// A size in parsed form: `33X033` is `(33, 33)`.
fn size(text: &str) -> String {
    header(text).map_or_else(|_| text.to_owned(), |(_, size)| size)
}

impl Cases {
    pub fn new(sweep: &Sweep) -> Result<Self, Failure> {
        sweep.sizes.iter().try_for_each(|size| header(size).map(|_| ()))?;
        let sized = sweep.sizes.len() > 1;
        let mut varied: Vec<Varied> = Vec::new();
        if sized {
            varied.push(Varied { name: SIZE.to_owned(), values: sweep.sizes.clone() });
        }
        for one in &sweep.varied {
            if OWN_COLUMNS.contains(&one.name.as_str()) || varied.iter().any(|other| other.name == one.name) {
                let message = format!("--set {one}: the table already has a column `{}`", one.name);
                return Err(Failure::usage(
                    message,
                    "name each parameter once; the seed is swept with --seeds",
                ));
            }
            if one.values.is_empty() {
                return Err(Failure::usage(format!("`{}` has no values", one.name), "give at least one"));
            }
            varied.push(one.clone());
        }
        let seeds = sweep.seeds.clone();
        for one in &varied {
            let parsed = |value: &String| if one.name == SIZE && sized { size(value) } else { parsed(value) };
            check_unique(&one.name, &one.values, parsed)?;
        }
        check_unique("seed", &seeds, |seed| *seed)?;
        let count = varied
            .iter()
            .map(|one| one.values.len())
            .chain([seeds.len().max(1)])
            .try_fold(1_usize, |all, count| all.checked_mul(count).filter(|all| *all <= MAX_RUNS));
        if count.is_none() {
            return Err(Failure::usage(
                format!("this would be more than {MAX_RUNS} runs"),
                "give fewer seeds or values",
            ));
        }
        Ok(Self { varied, seeds, sized })
    }

    /// The names of the swept parameters.
    pub fn names(&self) -> Vec<&str> {
        self.varied.iter().map(|one| one.name.as_str()).collect()
    }

    pub fn len(&self) -> usize {
        self.varied.iter().map(|one| one.values.len()).product::<usize>() * self.seeds.len().max(1)
    }

    pub fn nth(&self, index: usize) -> Case {
        let seeds = self.seeds.len().max(1);
        let seed = self.seeds.get(index % seeds).copied();
        let mut rest = index / seeds;
        let mut set: Vec<(String, String)> = Vec::new();
        for one in self.varied.iter().rev() {
            set.push((one.name.clone(), one.values[rest % one.values.len()].clone()));
            rest /= one.values.len();
        }
        set.reverse();
        Case { seed, set, sized: self.sized }
    }

    /// Cases that together contain each value at least once. All of these must load before anything runs.
    pub fn samples(&self) -> Vec<Case> {
        let mut cases = vec![self.nth(0)];
        for (at, one) in self.varied.iter().enumerate() {
            for value in &one.values[1..] {
                let mut case = self.nth(0);
                case.set[at].1.clone_from(value);
                cases.push(case);
            }
        }
        cases
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_occurs_in_order() {
        let varied = |name: &str, values: &[&str]| Varied {
            name: name.to_owned(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        };
        let cases = Cases {
            varied: vec![varied("a", &["1", "2"]), varied("b", &["x", "y", "z"])],
            seeds: vec![7, 8],
            sized: false,
        };
        assert_eq!(cases.len(), 12);
        let text = |index| {
            let case = cases.nth(index);
            format!("{}{}{}", case.set[0].1, case.set[1].1, case.seed.unwrap())
        };
        assert_eq!((0..5).map(text).collect::<Vec<_>>(), ["1x7", "1x8", "1y7", "1y8", "1z7"]);
        assert_eq!((text(6), text(11)), ("2x7".to_owned(), "2z8".to_owned()));
        assert_eq!(cases.samples().len(), 1 + 1 + 2);
    }
}
