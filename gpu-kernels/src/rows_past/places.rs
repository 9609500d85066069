use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

/// Threads that write a row.
pub const LANES: u32 = 8;

kernel!(
    /// Writes the row of each place to `tails`: row `r` of `rows` has the places from `starts[r] - base` to before
    /// `starts[r + 1] - base`. [`LANES`] threads write a row.
    #[requires(
        |shape| rows < 1 << 32, starts.len() > rows, shape.threads().is_multiple_of(LANES.into()),
    )]
    pub unsafe fn rows_of_places(starts: In<u32>, tails: InOut<u32>, base: u32, rows: u64) {
        let stride = thread::grid_size() / u64::from(LANES);
        for row in thread::strided(thread::index_1d() / u64::from(LANES)..rows, stride) {
            let end = u64::from(starts.get(row + 1) - base);
            let mut place =
                u64::from(starts.get(row) - base) + thread::index_1d() % u64::from(LANES);
            while place < end {
                tails.set(place, row as u32);
                place += u64::from(LANES);
            }
        }
    }
);
