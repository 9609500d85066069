//! How often each number occurs.

use std::collections::BTreeMap;

use tribin_base::par::{self, Spare};

/// Numbers below this one are counted in an array.
const SMALL: usize = 1 << 12;

/// Numbers that one task counts.
const CHUNK: usize = 1 << 16;

/// Each number that occurs and how often, ascending. O(n) on all threads.
pub(super) fn histogram(numbers: &[u32]) -> BTreeMap<u32, u64> {
    let counts = Spare::new();
    par::for_each(numbers.chunks(CHUNK), |numbers| {
        counts.with(ValueCounts::default, |counts| {
            numbers.iter().for_each(|&number| counts.add(number))
        });
    });
    let ValueCounts { small, large } =
        counts.into_values().into_iter().reduce(ValueCounts::and).unwrap_or_default();
    let small = (0u32..).zip(small).filter(|(_, times)| *times > 0);
    small.chain(large).collect()
}

#[derive(Default)]
struct ValueCounts {
    small: Vec<u64>,
    large: BTreeMap<u32, u64>,
}

impl ValueCounts {
    fn add(&mut self, number: u32) {
        if self.small.is_empty() {
            self.small.resize(SMALL, 0);
        }
        match self.small.get_mut(number as usize) {
            Some(times) => *times += 1,
            None => *self.large.entry(number).or_default() += 1,
        }
    }

    fn and(mut self, other: ValueCounts) -> ValueCounts {
        for (times, more) in self.small.iter_mut().zip(other.small) {
            *times += more;
        }
        for (number, more) in other.large {
            *self.large.entry(number).or_default() += more;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_numbers_of_many_chunks() {
        assert_eq!(histogram(&[]), BTreeMap::new());
        let numbers: Vec<u32> = (0..200_000).map(|i| [7, 0, u32::MAX, 4096][i % 4]).collect();
        let times = 50_000;
        let expected = [(0, times), (7, times), (4096, times), (u32::MAX, times)];
        assert_eq!(histogram(&numbers), expected.into());
    }
}
