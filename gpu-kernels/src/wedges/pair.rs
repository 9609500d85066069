/// Two places `i < j` in a row, numbered by `j` first: (0,1), (0,2), (1,2), (0,3), …; pair number
/// j(j-1)/2 + i. Neighbouring pairs have the same `j` and neighbouring `i`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// The smaller place.
    pub i: u32,
    /// The larger place.
    pub j: u32,
}

impl Pair {
    /// The pair of a number below 2⁶¹. Exact: integers only.
    ///
    /// j is the largest with j(j-1)/2 ≤ `number`, which is (2j-1)² ≤ 8·`number` + 1.
    #[inline(always)]
    pub fn of(number: u64) -> Pair {
        let j = square_root(8 * number + 1).div_ceil(2);
        Pair { i: (number - j * (j - 1) / 2) as u32, j: j as u32 }
    }

    /// The pair of a small number, in as many steps as its `j`.
    #[inline(always)]
    pub fn of_small(number: u32) -> Pair {
        Pair { i: number, j: 1 }.carried()
    }

    /// The pair `count` numbers further on. At most ⌈√(2·`count`)⌉ steps, one where `count` ≤ `j`.
    #[inline(always)]
    pub fn after(self, count: u32) -> Pair {
        // A place is below 2³¹, being one in a row that has a wedge number below 2⁶¹.
        Pair { i: self.i + count, j: self.j }.carried()
    }

    #[inline(always)]
    fn carried(mut self) -> Pair {
        while self.i >= self.j {
            self.i -= self.j;
            self.j += 1;
        }
        self
    }
}

/// ⌊√`value`⌋, digit by binary digit.
#[inline(always)]
fn square_root(value: u64) -> u64 {
    let mut rest = value;
    let mut root = 0;
    // The largest power of four that is not above a value of at least one.
    let mut bit = 1 << ((63 - value.leading_zeros()) & !1);
    while bit != 0 {
        if rest >= root + bit {
            rest -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
        bit >>= 2;
    }
    root
}

#[cfg(test)]
mod tests {
    use super::{Pair, square_root};

    #[test]
    fn pairs_come_in_order() {
        let mut number = 0;
        for j in 1..300 {
            for i in 0..j {
                assert_eq!(Pair::of(number), Pair { i, j });
                assert_eq!(Pair::of_small(number as u32), Pair { i, j });
                number += 1;
            }
        }
    }

    #[test]
    fn the_first_and_last_pair_of_large_places_are_exact() {
        for j in [3u32, 1 << 16, (1 << 16) + 1, 94_906_267, 1 << 30, (1 << 31) - 1] {
            let first = u64::from(j) * u64::from(j - 1) / 2;
            assert_eq!(Pair::of(first), Pair { i: 0, j });
            assert_eq!(Pair::of(first - 1), Pair { i: j - 2, j: j - 1 });
            assert_eq!(Pair::of(first + u64::from(j) - 1), Pair { i: j - 1, j });
        }
    }

    #[test]
    fn a_step_is_that_many_pairs() {
        for start in [0, 1, 2, 31, 1000, 123_456_789] {
            for count in [0, 1, 2, 32, 33, 500] {
                assert_eq!(
                    Pair::of(start).after(count),
                    Pair::of(start + u64::from(count)),
                    "{start} and {count}"
                );
            }
        }
    }

    #[test]
    fn roots_of_the_largest_numbers() {
        assert_eq!(square_root(u64::MAX), u64::from(u32::MAX));
        assert_eq!(square_root(u64::from(u32::MAX).pow(2)), u64::from(u32::MAX));
        assert_eq!(square_root(u64::from(u32::MAX).pow(2) - 1), u64::from(u32::MAX) - 1);
        assert_eq!((square_root(1), square_root(3), square_root(4)), (1, 1, 2));
    }
}
