//! Atomic operations that order other accesses, for each scope.

use warpwise_device::memory::{In, InOut, Scope};
use warpwise_device::{kernel, thread, warp};

fn scope(number: u32) -> Scope {
    match number {
        0 => Scope::Block,
        1 => Scope::Device,
        _ => Scope::System,
    }
}

kernel!(
    /// The first warp hands numbers to the second, round after round: each round's are read before the next are written.
    #[requires(
        |shape| shape.threads() == 64, letters.len() >= 32, flags.len() >= 2, sums.len() >= 32
    )]
    pub unsafe fn hand_over(
        letters: InOut<u64>,
        flags: InOut<u32>,
        sums: InOut<u64>,
        rounds: u32,
        which: u32,
    ) {
        let flags = flags.ordered(scope(which));
        let lane = warp::lane_id();
        let is_first = thread::index_1d() < 32;
        let mut sum = 0;
        let mut round = 1;
        while round <= rounds {
            if is_first {
                letters.set(lane.into(), u64::from(lane) * 1000 + u64::from(round));
                warp::sync_warp(warp::ALL);
            }
            if lane == 0 {
                if is_first {
                    flags.store(0, round);
                }
                let other = if is_first { 1 } else { 0 };
                while flags.load(other) != round {
                    thread::nanosleep(20);
                }
            }
            warp::sync_warp(warp::ALL);
            if !is_first {
                sum += letters.get((lane ^ 1).into());
                warp::sync_warp(warp::ALL);
                if lane == 0 {
                    flags.store(1, round);
                }
            }
            round += 1;
        }
        if !is_first {
            sums.set(lane.into(), sum);
        }
    }

    /// One thread of each warp adds the number of its warp to a sum that a lock protects. It takes the lock by a compare-exchange, or by an
    /// exchange.
    #[requires(!lock.is_empty(), !sum.is_empty())]
    pub unsafe fn add_locked(lock: InOut<u32>, sum: InOut<u64>, exchanges: bool, which: u32) {
        let lock = lock.ordered(scope(which));
        if warp::lane_id() == 0 {
            loop {
                let before =
                    if exchanges { lock.exchange(0, 1) } else { lock.compare_exchange(0, 0, 1) };
                if before == 0 {
                    break;
                }
                thread::nanosleep(20);
            }
            sum.set(0, sum.get(0) + thread::index_1d() / 32);
            lock.store(0, 0);
        }
    }

    /// The first lane of each warp writes a part. The warp that comes last adds them up.
    #[requires(|shape| parts.len() >= shape.threads() / 32, !done.is_empty(), !sum.is_empty())]
    pub unsafe fn add_last(parts: InOut<u64>, done: InOut<u64>, sum: InOut<u64>, which: u32) {
        let done = done.ordered(scope(which));
        if warp::lane_id() == 0 {
            let (me, all) = (thread::index_1d() / 32, thread::grid_size() / 32);
            parts.set(me, me * me);
            if done.add(0, 1) == all - 1 {
                let mut total = 0;
                let mut i = 0;
                while i < all {
                    total += parts.get(i);
                    i += 1;
                }
                sum.set(0, total);
            }
        }
    }
);

macro_rules! updates {
    ($($name:ident: $type:ty, |$word:ident, $value:ident| $update:expr;)*) => {
        $(kernel!(
            /// Every thread adds its value, exchanges it, and applies an update.
            #[requires(|shape| shape.threads() <= values.len(), words.len() >= 9, old.len() >= values.len())]
            pub unsafe fn $name(values: In<$type>, words: InOut<$type>, old: InOut<$type>, which: u32) {
                let i = thread::index_1d();
                let $value = values.get(i);
                let $word = words.ordered(scope(which));
                $word.add(0, $value);
                old.set(i, $word.exchange(1, $value));
                $update;
                if i == 0 {
                    $word.store(3, $value);
                    $word.store(3, $word.load(3) + $value);
                }
            }
        );)*
    };
}

/// Adds a value by compare-exchanges, and makes the other updates of integers.
macro_rules! integer_updates {
    ($word:ident, $value:ident) => {{
        let mut expected = $word.load(2);
        loop {
            let before = $word.compare_exchange(2, expected, expected + $value);
            if before == expected {
                break;
            }
            expected = before;
        }
        $word.min(4, $value);
        $word.max(5, $value);
        $word.and(6, $value);
        $word.or(7, $value);
        $word.xor(8, $value);
    }};
}

updates! {
    update_u32: u32, |word, value| integer_updates!(word, value);
    update_i32: i32, |word, value| integer_updates!(word, value);
    update_u64: u64, |word, value| integer_updates!(word, value);
    update_i64: i64, |word, value| integer_updates!(word, value);
    update_f32: f32, |word, value| word.add(2, value);
    update_f64: f64, |word, value| word.add(2, value);
}
