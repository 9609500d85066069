//! Whether an estimate of the triangles is worth its while, or all of them are found as soon.

use super::time::{self, workers};

/// Thread-seconds of a wedge that is drawn and looked up: two or three rows far from each other. (rmat20 on two threads, 1.7 million
/// draws beside 1,500: 0.66 s of processor time more.)
const DRAW: f64 = 4.0e-7;

/// Thread-seconds an edge, for the neighbours of all vertices that their rows do not have. (The same graph with 1,500 draws: 0.115 s on
/// two threads.)
const OTHER_ROWS: f64 = 1.5e-8;

/// The wedges that can be drawn while the CPU would find all triangles at all vertices, from the rows on.
pub fn affordable_draws(edges: u64, vertices: u64, threads: usize) -> u64 {
    let exact = time::find_on_cpu(edges, vertices, threads, 1.5 * time::CPU_COUNT);
    let left = exact * workers(threads) - edges as f64 * OTHER_ROWS;
    (left / DRAW) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_graphs_are_counted_and_large_ones_sampled() {
        assert_eq!(affordable_draws(0, 0, 2), 0);
        // A percent of error takes some 400,000 wedges where a tenth of them is closed.
        assert!(affordable_draws(1_000_000, 100_000, 2) < 200_000);
        assert!(affordable_draws(100_000_000, 10_000_000, 2) > 5_000_000);
        // Dense rows take longer to go through, and no longer to draw from.
        assert!(affordable_draws(1_000_000, 2_000, 2) > affordable_draws(1_000_000, 100_000, 2));
    }
}
