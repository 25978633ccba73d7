//! What is varied: seeds and parameters, combined.

use std::collections::HashSet;
use std::fmt::Display;
use std::hash::Hash;

use super::args::Sweep;
use crate::cli::console::Failure;
use crate::cli::session;

/// More runs than anyone waits for are a mistake in a range.
const MOST: usize = 1_000_000;

/// Columns that every table has; no parameter can be called so.
pub const OWN_COLUMNS: [&str; 3] = ["seed", "error", "key"];
/// Several sizes are varied under this name.
pub const SIZE: &str = "size";

/// A parameter with its values, as RON text.
#[derive(Debug, PartialEq)]
pub struct Varied {
    pub name: String,
    pub values: Vec<String>,
}

/// All runs, in order: the last seed or parameter changes fastest, and seeds last.
pub struct Cases {
    pub varied: Vec<Varied>,
    /// Without any, the graph's own seed.
    pub seeds: Vec<u64>,
    /// Whether what is varied first is the size.
    pub sized: bool,
}

/// One run.
pub struct Case {
    pub seed: Option<u64>,
    /// The size where it is varied, and parameters.
    pub set: Vec<(String, String)>,
    sized: bool,
}

impl Case {
    /// The size where it is varied.
    pub fn size(&self) -> Option<&str> {
        self.set.first().filter(|_| self.sized).map(|(_, size)| size.as_str())
    }

    /// Parameters of the graph alone.
    pub fn parameters(&self) -> &[(String, String)] {
        &self.set[usize::from(self.sized)..]
    }
}

/// Looks whether each value is there once: runs that are counted twice would make deviations too small.
fn once<T: Eq + Hash + Display>(name: &str, values: &[T]) -> Result<(), Failure> {
    let mut seen = HashSet::new();
    match values.iter().find(|value| !seen.insert(*value)) {
        Some(value) => Err(Failure::usage(
            format!("{name} is {value} twice"),
            "name each value once, so that no run counts twice",
        )),
        None => Ok(()),
    }
}

/// The sizes, where there are several.
fn sizes(text: &str) -> Result<Option<Varied>, Failure> {
    let values: Vec<String> = text.split(',').map(|size| size.trim().to_owned()).collect();
    values.iter().try_for_each(|size| session::size(size).map(|_| ()))?;
    Ok((values.len() > 1).then(|| Varied { name: SIZE.to_owned(), values }))
}

impl Cases {
    pub fn new(args: &Sweep) -> Result<Self, Failure> {
        let sizes = args.size.as_deref().map(sizes).transpose()?.flatten();
        let sized = sizes.is_some();
        let mut varied: Vec<Varied> = sizes.into_iter().collect();
        for set in &args.set {
            let one = Varied::parse(set)?;
            if OWN_COLUMNS.contains(&one.name.as_str()) || varied.iter().any(|other| other.name == one.name) {
                let message = format!("--set {set}: the table has a column `{}` already", one.name);
                return Err(Failure::usage(
                    message,
                    "name each parameter once; the seed is swept with --seeds",
                ));
            }
            varied.push(one);
        }
        let seeds = args.seeds.as_deref().map(seeds).transpose()?.unwrap_or_default();
        for one in &varied {
            once(&one.name, &one.values)?;
        }
        once("seed", &seeds)?;
        let count = varied
            .iter()
            .map(|one| one.values.len())
            .chain([seeds.len().max(1)])
            .try_fold(1_usize, |all, count| all.checked_mul(count).filter(|all| *all <= MOST));
        if count.is_none() {
            return Err(Failure::usage(
                format!("these are more than {MOST} runs"),
                "take fewer seeds or values",
            ));
        }
        Ok(Self { varied, seeds, sized })
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

    /// Cases that together have every value once: what must load before anything runs.
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

impl Varied {
    fn parse(text: &str) -> Result<Self, Failure> {
        let bad = |what: &str| {
            Failure::usage(
                format!("--set {text} {what}"),
                "write NAME=V1,V2 or NAME=0..1:5 for five steps from 0 to 1",
            )
        };
        let (name, list) = text.split_once('=').ok_or_else(|| bad("has no `=`"))?;
        let mut values = Vec::new();
        for value in split(list) {
            match value.split_once("..") {
                Some((from, rest)) => values.extend(steps(from, rest).ok_or_else(|| bad("is no range"))?),
                None if value.is_empty() => return Err(bad("has an empty value")),
                None => values.push(value.to_owned()),
            }
        }
        Ok(Self { name: name.trim().to_owned(), values })
    }
}

/// `A..B:N` after its first number: N numbers from A to B, both included.
fn steps(from: &str, rest: &str) -> Option<Vec<String>> {
    let (to, count) = rest.split_once(':')?;
    let (a, b) = (from.trim().parse::<f64>().ok()?, to.trim().parse::<f64>().ok()?);
    let count = count.trim().parse::<usize>().ok().filter(|count| (2..=MOST).contains(count))?;
    if !(a.is_finite() && b.is_finite()) {
        return None;
    }
    // Twelve digits: a step of 0.4 is written so, and not as 0.39999999999999997.
    let round = |x: f64| format!("{x:.11e}").parse().unwrap_or(x);
    let at = |i: usize| -> f64 { round(a + (b - a) * i as f64 / (count - 1) as f64) };
    // Whole numbers written as such stay whole where all steps are.
    let whole =
        !from.contains(['.', 'e']) && !to.contains(['.', 'e']) && (0..count).all(|i| at(i).fract() == 0.0);
    Some((0..count).map(|i| if whole { format!("{}", at(i)) } else { format!("{:?}", at(i)) }).collect())
}

fn seeds(text: &str) -> Result<Vec<u64>, Failure> {
    let bad =
        || Failure::usage(format!("--seeds {text} names no seeds"), "write 0..10 (without 10) or 1,5,9");
    let mut seeds = Vec::new();
    for part in text.split(',') {
        match part.split_once("..") {
            Some((a, b)) => {
                let (a, b) = (a.trim().parse::<u64>(), b.trim().parse::<u64>());
                let (Ok(a), Ok(b)) = (a, b) else { return Err(bad()) };
                if a >= b || b - a > MOST as u64 {
                    return Err(bad());
                }
                seeds.extend(a..b);
            }
            None => seeds.push(part.trim().parse().map_err(|_| bad())?),
        }
    }
    Ok(seeds)
}

/// Splits at commas outside brackets and quotes.
fn split(list: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quoted, mut escaped) = (Vec::new(), 0, 0_i32, false, false);
    for (at, c) in list.char_indices() {
        match c {
            '"' if !escaped => quoted = !quoted,
            '(' | '[' | '{' if !quoted => depth += 1,
            ')' | ']' | '}' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                parts.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        escaped = quoted && c == '\\' && !escaped;
    }
    parts.push(list[start..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<String> {
        match Varied::parse(text) {
            Ok(varied) => varied.values,
            Err(_) => Vec::new(),
        }
    }

    #[test]
    fn values_are_lists_and_ranges() {
        assert_eq!(values("k=1, 2.50,Lerp"), ["1", "2.50", "Lerp"]);
        assert_eq!(values("k=[1,2],\"a,\\\"b\",(3,)"), ["[1,2]", "\"a,\\\"b\"", "(3,)"]);
        assert_eq!(values("k=0..1:5"), ["0.0", "0.25", "0.5", "0.75", "1.0"]);
        assert_eq!(values("k=0.3..0.7:5"), ["0.3", "0.4", "0.5", "0.6", "0.7"]);
        assert_eq!(values("k=8..2:4,1"), ["8", "6", "4", "2", "1"]);
        assert_eq!(values("k=-1..1.0:2"), ["-1.0", "1.0"]);
        for bad in ["k", "k=", "k=1,", "k=1..2", "k=1..2:1", "k=1..x:3", "k=0..inf:3"] {
            assert!(values(bad).is_empty(), "{bad}");
        }
    }

    #[test]
    fn seeds_are_ranges_and_lists() {
        assert_eq!(seeds("3..6, 1").ok(), Some(vec![3, 4, 5, 1]));
        for bad in ["", "5..5", "1..x", "-1", "0..99999999999"] {
            assert!(seeds(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn all_are_combined_in_order() {
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
