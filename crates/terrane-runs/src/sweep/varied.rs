//! Parsing the values of swept parameters.

use std::collections::HashSet;
use std::fmt::{self, Display, Formatter};
use std::hash::Hash;

use terrane_flow::syntax::split;

use crate::Failure;

/// The maximum number of runs: more is probably a mistake in a range.
pub const MAX_RUNS: usize = 1_000_000;

/// A parameter with its values, as RON text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Varied {
    /// The parameter's name.
    pub name: String,
    /// The values, all distinct.
    pub values: Vec<String>,
}

impl Display for Varied {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.values.join(","))
    }
}

/// A value in its parsed form: `0.50` becomes `0.5`.
pub fn parsed(text: &str) -> String {
    match (text.parse::<i128>(), text.parse::<f64>()) {
        (Ok(whole), _) => whole.to_string(),
        // 0 and -0 are equal, and so are 2 and 2.0.
        (_, Ok(number)) if number.fract() == 0.0 && number.abs() < 1e15 => (number as i128).to_string(),
        (_, Ok(number)) => format!("{number:?}"),
        _ => text.to_owned(),
    }
}

/// Checks that values are distinct. A run that is counted twice would make deviations too small.
pub fn check_unique<T: Display, K: Eq + Hash>(
    name: &str,
    values: &[T],
    parsed: impl Fn(&T) -> K,
) -> Result<(), Failure> {
    let mut seen = HashSet::new();
    match values.iter().find(|value| !seen.insert(parsed(value))) {
        Some(value) => Err(Failure::usage(
            format!("{name} is {value} twice"),
            "give each value once, so that no run counts twice",
        )),
        None => Ok(()),
    }
}

impl Varied {
    /// Reads `NAME=V1,V2`, or `NAME=A..B:N` for N values from A to B.
    ///
    /// # Errors
    /// Fails with the mistake in the text.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let bad = |what: &str| {
            Failure::usage(
                format!("--set {text} {what}"),
                "write NAME=V1,V2 or NAME=0..1:5 for five values from 0 to 1",
            )
        };
        let (name, list) = text.split_once('=').ok_or_else(|| bad("has no `=`"))?;
        let mut values = Vec::new();
        for value in split(list) {
            // Two dots inside a string are part of it.
            match value.split_once("..").filter(|_| !value.contains('"')) {
                Some((from, rest)) => values.extend(steps(from, rest).map_err(bad)?),
                None if value.is_empty() => return Err(bad("has an empty value")),
                None => values.push(value.to_owned()),
            }
        }
        Ok(Self { name: name.trim().to_owned(), values })
    }
}

/// Parses the rest of `A..B:N`: N numbers from A to B, both included. The error says what the text is not.
fn steps(from: &str, rest: &str) -> Result<Vec<String>, &'static str> {
    const NO_RANGE: &str = "is not a range";
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let (to, count) = rest.split_once(':').ok_or(NO_RANGE)?;
    let (Some(a), Some(b), Ok(count)) = (number(from), number(to), count.trim().parse::<usize>()) else {
        return Err(NO_RANGE);
    };
    if !(2..=MAX_RUNS).contains(&count) {
        return Err("has fewer than two values, or more than a million");
    }
    // Numbers are rounded to twelve digits, so that a step is written 0.4 instead of 0.39999999999999997.
    let round = |x: f64| format!("{x:.11e}").parse().unwrap_or(x);
    let at = |i: usize| -> f64 { round(a + (b - a) * i as f64 / (count - 1) as f64) };
    // If both ends are written as integers and all steps are whole, the steps are integers.
    let whole =
        !from.contains(['.', 'e']) && !to.contains(['.', 'e']) && (0..count).all(|i| at(i).fract() == 0.0);
    Ok((0..count).map(|i| if whole { format!("{}", at(i)) } else { format!("{:?}", at(i)) }).collect())
}

/// Parses seeds such as `0..10` (excluding 10) or `1,5,9`.
///
/// # Errors
/// Fails if the text contains no seeds.
pub fn seeds(text: &str) -> Result<Vec<u64>, Failure> {
    let bad =
        || Failure::usage(format!("--seeds {text} names no seeds"), "write 0..10 (excluding 10) or 1,5,9");
    let mut seeds = Vec::new();
    for part in text.split(',') {
        match part.split_once("..") {
            Some((a, b)) => {
                let (a, b) = (a.trim().parse::<u64>(), b.trim().parse::<u64>());
                let (Ok(a), Ok(b)) = (a, b) else { return Err(bad()) };
                if a >= b {
                    return Err(bad());
                }
                if b - a > MAX_RUNS as u64 {
                    let message = format!("--seeds {text} names more than {MAX_RUNS} seeds");
                    return Err(Failure::usage(message, "write fewer"));
                }
                seeds.extend(a..b);
            }
            None => seeds.push(part.trim().parse().map_err(|_| bad())?),
        }
    }
    Ok(seeds)
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
        assert_eq!(values("k=\"../a.npy\",\"b..c:3\""), ["\"../a.npy\"", "\"b..c:3\""]);
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
    fn spelling_does_not_distinguish_values() {
        for (a, b) in [("0.5", "0.50"), ("2", "2.0"), ("-0.0", "0"), ("1e2", "100"), ("+3", "3")] {
            assert_eq!(parsed(a), parsed(b));
            assert!(check_unique("k", &[a, b], |text| parsed(text)).is_err(), "{a} and {b}");
        }
        assert_ne!(parsed("9007199254740993"), parsed("9007199254740992"));
        assert_ne!(parsed("\"0.5\""), parsed("\"0.50\""));
    }
}
