//! Whether the first column has the names of the rows, below a header that is one name short.
//!
//! R writes no name above the names of the rows. Of other tables the last column has none. The header says which two columns are the
//! ends, and each reading says where they stand. Ends share values. The numbers of rows are among small ids by chance, so that what they
//! share says little.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::super::end_names;
use super::super::overlap::{self, MUCH};
use super::cut::SampledRow;
use super::header::is_number;
use super::id::IdNotation;

/// Whether the first column of these rows has their names, and not the last one no name.
pub(super) fn begins_with_row_names(names: &[String], rows: &[SampledRow]) -> bool {
    let named = end_names::ends(names);
    let is_known = named.is_some() || names.len() == 2;
    let rows = ShortNamedRows { rows, ends: named.unwrap_or([0, 1]), is_known };
    if rows.are_numbered() { rows.begin_with_numbers() } else { rows.begin_with_names() }
}

/// Rows with a column more than there are names.
struct ShortNamedRows<'a, 't> {
    rows: &'a [SampledRow<'t>],
    /// The places of the ends among the names.
    ends: [usize; 2],
    /// Whether the header says what the ends are.
    is_known: bool,
}

impl ShortNamedRows<'_, '_> {
    /// The columns of the ends where the first column has the names of the rows.
    fn behind(&self) -> [usize; 2] {
        self.ends.map(|place| place + 1)
    }

    fn column(&self, place: usize) -> impl Iterator<Item = &[u8]> {
        self.rows.iter().map(move |row| row.text(place))
    }

    /// The share of values that two columns have in common; 0 of a column and its copy, which are the numbers of the rows.
    fn share(&self, [one, other]: [usize; 2]) -> f64 {
        if self.column(one).eq(self.column(other)) {
            return 0.0;
        }
        let [one, other] = [one, other].map(|place| self.column(place).collect::<HashSet<_>>());
        overlap::share(&one, &other)
    }

    fn integers(&self, place: usize) -> Option<Vec<u64>> {
        let integer = |row: &SampledRow| match row.look(place) {
            IdNotation::Integer(value) => Some(value),
            _ => None,
        };
        self.rows.iter().map(integer).collect()
    }

    fn are_integers(&self, place: usize) -> bool {
        self.integers(place).is_some()
    }

    fn are_decimals(&self, place: usize) -> bool {
        !self.are_integers(place) && self.column(place).all(is_number)
    }

    fn are_quoted(&self, place: usize) -> bool {
        self.rows.iter().all(|row| row.fields.get(place).is_some_and(|field| field.quoted))
    }

    /// Whether the first column has integers that ascend.
    fn are_numbered(&self) -> bool {
        self.integers(0).is_some_and(|numbers| numbers.is_sorted_by(|a, b| a < b))
    }

    /// Whether integers that ascend are the numbers of the rows.
    fn begin_with_numbers(&self) -> bool {
        // R writes names of rows between quotes, and integers without.
        if !self.is_known || (self.are_quoted(0) && !self.are_quoted(1)) {
            return true;
        }
        let behind = self.behind();
        let [own, shared_behind] = [self.ends, behind].map(|places| self.share(places));
        if !self.ends.contains(&0) {
            // An index with a name stands before the ends.
            let are_ids = behind.into_iter().all(|place| self.are_integers(place));
            return are_ids || shared_behind > 0.0 || own == 0.0;
        }
        let [one, other] = behind.map(|place| self.are_decimals(place));
        // The numbers of rows do not share as much by chance.
        one == other && !(shared_behind == 0.0 && own >= MUCH)
    }

    /// Whether other values are the names of the rows: these differ.
    fn begin_with_names(&self) -> bool {
        let behind = self.behind();
        let own = self.share(self.ends);
        let is_like = |[one, other]: [usize; 2]| self.are_integers(one) == self.are_integers(other);
        let are_different = self.column(0).collect::<HashSet<_>>().len() == self.rows.len();
        match self.share(behind).total_cmp(&own) {
            Ordering::Greater => are_different || own == 0.0,
            Ordering::Equal => {
                are_different && (!self.is_known || is_like(behind) >= is_like(self.ends))
            }
            Ordering::Less => false,
        }
    }
}
