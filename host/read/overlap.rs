//! Whether the ends of edges are in other columns than in two that were taken for them.
//!
//! The two ends of an edge are drawn from one set of values, the vertices. So the share of values that two columns have in common
//! (Paul Jaccard, "The distribution of the flora in the alpine zone", 1912: those of both among those of either) says which two
//! columns they are. One measure finds indexes, times, kinds of edges and names of data sets that stand before or between the
//! ends.

use std::collections::HashSet;
use std::hash::Hash;

/// Columns that are looked at: each pair of them is compared.
const MOST_COLUMNS: usize = 12;

/// Rows from which on the measure may refuse a table.
pub(super) const SURE: usize = 20;

/// The least share that ends have, and the most that two columns have which are none, where the measure is overwhelming.
pub(super) const MUCH: f64 = 0.5;
const NOTHING: f64 = 0.01;

/// Distinct values that ends have at least; a column of fewer is a kind, a sign or a weight.
const FEW: usize = 3;

/// The doubt that the values of all columns cast on two that were taken for the ends.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Doubt {
    /// No other two columns share more.
    None,
    /// Two other columns share more. It `is_sure` that the two that were taken are not the ends if these share nearly none of their values,
    /// and others share most.
    Other { places: [usize; 2], own: f64, share: f64, is_sure: bool },
    /// The two that were taken share no value, although there are many: each vertex is on one side.
    TwoSides,
}

/// The share of values that two columns have in common.
pub(super) fn share<T: Eq + Hash>(one: &HashSet<T>, other: &HashSet<T>) -> f64 {
    let both = one.intersection(other).count();
    both as f64 / (one.len() + other.len() - both).max(1) as f64
}

/// Compares the columns `taken` with all other pairs among the columns of a `sample`, which has the values of each from the top, or all of
/// them where it is `whole`. Columns that are `left_out` are no ends. O(values × columns).
///
/// The beginning of a list that is sorted by its first column may have the edges of one vertex alone, which say nothing.
pub(super) fn doubt(
    (sample, whole): (&[Vec<String>], bool),
    taken: [usize; 2],
    left_out: &[usize],
) -> Doubt {
    let rows = taken.map(|place| sample.get(place).map_or(0, Vec::len));
    let rows = rows[0].min(rows[1]);
    let some = sample.len().min(MOST_COLUMNS).max(taken[0].max(taken[1]) + 1).min(sample.len());
    let sets: Vec<HashSet<&str>> = sample[..some]
        .iter()
        .map(|column| column.iter().map(|text| text.trim()).collect())
        .collect();
    if rows == 0 || taken.iter().any(|&place| place >= some) {
        return Doubt::None;
    }
    let is_number = |text: &&str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !whole && sets[taken[0]].len() < FEW && sets[taken[0]].iter().all(is_number) {
        return Doubt::None;
    }
    let share = |[one, other]: [usize; 2]| share(&sets[one], &sets[other]);
    // The first row may have the names of the columns.
    let are_few = |place: usize| sample[place].iter().skip(1).collect::<HashSet<_>>().len() < FEW;
    let own = share(taken);
    let is_other = |&pair: &[usize; 2]| {
        let [one, other] = taken;
        ![[one, other], [other, one]].contains(&pair)
            && !pair.iter().any(|&place| are_few(place))
            // A copy of a column has an edge of each vertex to itself alone.
            && sample[pair[0]] != sample[pair[1]]
    };
    let best = (0..some)
        .flat_map(|one| (one + 1..some).map(move |other| [one, other]))
        .filter(|pair| pair.iter().all(|place| !left_out.contains(place)))
        .filter(is_other)
        .map(|pair| (pair, share(pair)))
        .max_by(|a, b| a.1.total_cmp(&b.1));
    match best {
        Some((places, share)) if share > own => {
            // At the beginning of a sorted list the few first ends are among the many second ones.
            let fewest = sets[taken[0]].len().min(sets[taken[1]].len()).max(1) as f64;
            let common = sets[taken[0]].intersection(&sets[taken[1]]).count() as f64;
            let is_sure =
                rows >= SURE && own < NOTHING && common / fewest < NOTHING && share >= MUCH;
            Doubt::Other { places, own, share, is_sure }
        }
        _ if own == 0.0 && rows >= SURE && whole => Doubt::TwoSides,
        _ => Doubt::None,
    }
}

/// A share in per cent, for a message.
pub(super) fn per_cent(share: f64) -> String {
    match share {
        share if share > 0.0 && share < 0.01 => "less than 1%".into(),
        share => format!("{:.0}%", 100.0 * share),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(columns: &[&[usize]]) -> Vec<Vec<String>> {
        columns.iter().map(|column| column.iter().map(usize::to_string).collect()).collect()
    }

    #[test]
    fn the_columns_that_share_most_are_found() {
        let (u, v): (Vec<usize>, Vec<usize>) = (0..40).map(|i| (i % 20, (i * 7 + 1) % 20)).unzip();
        let index: Vec<usize> = (1000..1040).collect();
        let constant = vec![7; 40];
        let of = |columns: &[&[usize]], places| doubt((&sample(columns), true), places, &[]);
        assert_eq!(of(&[&u, &v], [0, 1]), Doubt::None);
        assert_eq!(of(&[&u, &v, &index, &constant], [0, 1]), Doubt::None);
        let found = Doubt::Other { places: [1, 2], own: 0.0, share: 1.0, is_sure: true };
        assert_eq!(of(&[&index, &u, &v], [0, 1]), found);
        assert_eq!(doubt((&sample(&[&index, &u, &v]), true), [0, 1], &[2]), Doubt::TwoSides);
        assert_eq!(doubt((&sample(&[&constant, &index, &index]), false), [0, 1], &[]), Doubt::None);
        // Several pairs that share everything, and an index of the same range.
        let found = of(&[&index, &u, &v, &v], [0, 1]);
        assert!(matches!(found, Doubt::Other { share: 1.0, is_sure: true, .. }), "{found:?}");
        let near: Vec<usize> = (0..40).collect();
        let found = Doubt::Other { places: [1, 2], own: 0.5, share: 1.0, is_sure: false };
        assert_eq!(of(&[&near, &u, &v], [0, 1]), found);
        // The first ends of a sorted list are few, and an index shares its values with the many second ones.
        let (few, many): (Vec<usize>, Vec<usize>) = (0..1000).map(|i| (i / 250, i + 1)).unzip();
        let turned: Vec<usize> = many.iter().rev().copied().collect();
        let found = doubt((&sample(&[&few, &many, &turned, &few]), false), [0, 1], &[]);
        assert!(matches!(found, Doubt::Other { is_sure: false, .. }), "{found:?}");
        // Two flags below what names them.
        let [likes, sees] = [0, 1]
            .map(|x| (0..40).map(|i| if i == 0 { 9 } else { (i + x) % 2 }).collect::<Vec<usize>>());
        assert_eq!(of(&[&u, &index, &likes, &sees], [0, 1]), Doubt::TwoSides);
        // A copy of an end is no other end.
        assert_eq!(of(&[&u, &index, &u, &index], [0, 1]), Doubt::TwoSides);
        // Few rows, and columns of few values.
        let found = of(&[&index[..5], &u[..5], &v[..5]], [0, 1]);
        assert!(matches!(found, Doubt::Other { places: [1, 2], is_sure: false, .. }), "{found:?}");
        let signs: Vec<usize> = (0..40).map(|i| i % 2).collect();
        assert_eq!(of(&[&u, &index, &signs, &signs], [0, 1]), Doubt::TwoSides);
    }
}
