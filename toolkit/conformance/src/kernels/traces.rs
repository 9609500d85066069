//! Lines of text.

use warpwise_device::memory::InOut;
use warpwise_device::{kernel, thread, trace};

kernel!(
    /// Adds `step` to each number, and says so in two lines: of numbers of every kind, of `bool`s, and of what C's formats mean otherwise.
    #[requires(|shape| shape.threads() <= numbers.len())]
    pub unsafe fn tells(numbers: InOut<i32>, step: i8, half: f32, share: f64, mask: u64) {
        let i = thread::index_1d();
        let number = numbers.get(i);
        let sum = number + i32::from(step);
        numbers.set(i, sum);
        trace!("{} + {} = {sum:>6}, 100% of {{}}: {:5}|", number, step, sum > 0, sum = sum);
        if i.is_multiple_of(2) {
            trace!("{:08.3} {:.1} {:x} {:<6}| {0:.2}", half, share, mask, i as u8);
        }
    }
);
