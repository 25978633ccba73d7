//! Merging the rows of several sweeps in one order.

use std::collections::{HashMap, HashSet};

use super::plot::number;
use super::table::RunRow;

/// The rows of this sweep in their order, with the other rows sorted in between.
pub fn merged<'a>(own: Vec<&'a RunRow>, others: &'a [RunRow]) -> Vec<&'a RunRow> {
    let Some(first) = own.first().filter(|_| !others.is_empty()) else {
        return own.into_iter().chain(others).collect();
    };
    // For each parameter, and last for the seed, the rank of each value.
    let columns = first.set.len() + 1;
    let values =
        |row: &RunRow, at: usize| row.set.get(at).map_or_else(|| row.seed.to_string(), |s| s.1.clone());
    let ranks: Vec<HashMap<String, usize>> = (0..columns)
        .map(|at| {
            let own = own.iter().map(|row| values(row, at));
            ranks(own.collect(), others.iter().map(|row| values(row, at)).collect())
        })
        .collect();
    let mut rows: Vec<(Vec<usize>, &RunRow)> = own
        .into_iter()
        .chain(others)
        .map(|row| {
            let rank = |at: usize| ranks[at].get(&values(row, at)).copied().unwrap_or(usize::MAX);
            ((0..columns).map(rank).collect(), row)
        })
        .collect();
    rows.sort_by(|a, b| a.0.cmp(&b.0));
    rows.into_iter().map(|(_, row)| row).collect()
}

/// The ranks of values. If all values are numbers, and those of this sweep rise or fall, all are sorted in
/// that direction. Otherwise the values of other rows follow those of this sweep.
fn ranks(own: Vec<String>, others: Vec<String>) -> HashMap<String, usize> {
    let mut seen = HashSet::new();
    let own: Vec<String> = own.into_iter().filter(|value| seen.insert(value.clone())).collect();
    let others: Vec<String> = others.into_iter().filter(|value| seen.insert(value.clone())).collect();
    let parse = |value: &String| number(value);
    let numbers: Option<Vec<f64>> = own.iter().map(parse).collect();
    let follows = |fits: fn(f64, f64) -> bool| {
        let numbers = numbers.as_deref().filter(|_| others.iter().all(|value| parse(value).is_some()));
        numbers.is_some_and(|numbers| numbers.windows(2).all(|two| fits(two[0], two[1])))
    };
    let (rising, falling) = (follows(|a, b| a <= b), follows(|a, b| a >= b));
    let mut all: Vec<String> = own.into_iter().chain(others).collect();
    if rising || falling {
        let parse = |value: &String| number(value).unwrap_or(f64::NAN);
        all.sort_by(|a, b| {
            let order = parse(a).total_cmp(&parse(b));
            if rising { order } else { order.reverse() }
        });
    }
    all.into_iter().enumerate().map(|(rank, value)| (value, rank)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(k: &str, seed: u64) -> RunRow {
        let set = vec![("k".to_owned(), k.to_owned())];
        RunRow { seed, set, metrics: Vec::new(), error: String::new(), key: String::new() }
    }

    fn order(own: &[(&str, u64)], others: &[(&str, u64)]) -> Vec<(String, u64)> {
        let rows = |of: &[(&str, u64)]| of.iter().map(|(k, seed)| row(k, *seed)).collect::<Vec<RunRow>>();
        let (own, others) = (rows(own), rows(others));
        merged(own.iter().collect(), &others).iter().map(|row| (row.set[0].1.clone(), row.seed)).collect()
    }

    fn of(rows: &[(&str, u64)]) -> Vec<(String, u64)> {
        rows.iter().map(|(k, seed)| ((*k).to_owned(), *seed)).collect()
    }

    #[test]
    fn other_rows_are_sorted_in() {
        assert_eq!(
            order(&[("1", 3), ("1", 4)], &[("1", 10), ("1", 2), ("0.5", 3)]),
            of(&[("0.5", 3), ("1", 2), ("1", 3), ("1", 4), ("1", 10)])
        );
        assert_eq!(order(&[("8", 0), ("2", 0)], &[("4", 0)]), of(&[("8", 0), ("4", 0), ("2", 0)]), "falling");
        assert_eq!(order(&[("b", 0), ("a", 0)], &[("c", 0)]), of(&[("b", 0), ("a", 0), ("c", 0)]));
        assert_eq!(
            order(&[("1", 5), ("1", 1), ("1", 9)], &[("1", 3)]),
            of(&[("1", 5), ("1", 1), ("1", 9), ("1", 3)]),
            "an unsorted order is kept"
        );
        assert_eq!(order(&[], &[("2", 1), ("1", 1)]), of(&[("2", 1), ("1", 1)]));
    }
}
