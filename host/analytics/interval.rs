//! Exact intervals of confidence for shares.

use libm::lgamma;

/// Halvings of where a bound may be: more than a double has bits.
const HALVINGS: usize = 60;

/// The share of all that have a property, where `hits` of `draws` independent draws have it: an interval that covers the share with
/// this confidence at least, whatever the share is. (Clopper and Pearson, "The use of confidence or fiducial limits illustrated in
/// the case of the binomial", Biometrika 26, 1934.)
///
/// The draws may be from parts of equal size, one from each. The number of hits is then no more spread than by draws from the whole
/// (Hoeffding, "On the distribution of the number of successes in independent trials", Annals of Mathematical Statistics 27, 1956),
/// so that the interval covers at least as often.
pub fn interval(hits: u64, draws: u64, confidence: f64) -> [f64; 2] {
    let tail = (1.0 - confidence) / 2.0;
    [least(hits, draws, tail), 1.0 - least(draws - hits, draws, tail)]
}

/// The share for which as many hits or more are as rare as this.
fn least(hits: u64, draws: u64, tail: f64) -> f64 {
    if hits == 0 {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, hits as f64 / draws as f64);
    for _ in 0..HALVINGS {
        let middle = low + (high - low) / 2.0;
        match at_least(hits, draws, middle) < tail {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}

/// How likely as many hits or more are, if each draw hits with this probability, which is below `hits / draws`.
fn at_least(hits: u64, draws: u64, share: f64) -> f64 {
    let (k, n) = (hits as f64, draws as f64);
    let ways = lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0);
    let exactly = (ways + k * share.ln() + (n - k) * (-share).ln_1p()).exp();
    let odds = share / (1.0 - share);
    let (mut sum, mut term, mut hits) = (1.0, 1.0, k);
    // Terms fall from the first on, and ever faster.
    while term > sum * 1e-17 {
        term *= (n - hits) / (hits + 1.0) * odds;
        hits += 1.0;
        sum += term;
    }
    exactly * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From sums of all terms with 60 decimals.
    #[test]
    fn intervals_are_those_of_exact_sums() {
        for (hits, draws, confidence, expected) in [
            (0, 10, 0.95, [0.0, 0.308_497_107_818_761]),
            (1, 10, 0.95, [0.002_528_578_544_462, 0.445_016_117_028_195]),
            (5, 10, 0.95, [0.187_086_028_447_399, 0.812_913_971_552_601]),
            (10, 10, 0.95, [0.691_502_892_181_239, 1.0]),
            (50, 1000, 0.99, [0.033_926_662_710_220, 0.070_504_375_201_458]),
        ] {
            let found = interval(hits, draws, confidence);
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12, "{hits} of {draws}: {found}, {expected}");
            }
        }
    }

    /// All that can be drawn is summed up: an interval misses no more often than it says.
    #[test]
    fn an_interval_misses_as_rarely_as_it_says() {
        let draws = 60u64;
        for share in [0.001, 0.02, 0.1, 0.37, 0.5, 0.81, 0.99] {
            let mut likely = (1.0f64 - share).powi(draws as i32);
            let mut covered = 0.0;
            for hits in 0..=draws {
                let [low, high] = interval(hits, draws, 0.9);
                covered += if (low..=high).contains(&share) { likely } else { 0.0 };
                likely *= (draws - hits) as f64 / (hits + 1) as f64 * share / (1.0 - share);
            }
            assert!((0.9..=1.0 + 1e-9).contains(&covered), "{share}: {covered}");
        }
    }

    #[test]
    fn many_draws_are_as_by_the_normal_distribution() {
        let (hits, draws) = (40_000_000u64, 1 << 40);
        let [low, high] = interval(hits, draws, 0.95);
        let half = 1.959_964 / (hits as f64).sqrt();
        let share = hits as f64 / draws as f64;
        for (found, expected) in [(1.0 - low / share, half), (high / share - 1.0, half)] {
            assert!((found / expected - 1.0).abs() < 1e-2, "{found}, {expected}");
        }
    }
}
