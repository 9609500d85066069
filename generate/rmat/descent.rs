//! The descent through the quadrants, several edges side by side.
//!
//! Edges are independent, and each level of each is two multiplications: with wide instructions that
//! multiply 64 bits (AVX-512 DQ) a core descends four times as fast as with the x86-64 baseline, with
//! AVX2 twice. All of it is integer arithmetic, so the edges are the same.

use crate::random::{SplitMix64, Streams};

/// The settings that a descent depends on besides the edge's number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Descent {
    pub streams: Streams,
    pub scale: u32,
    /// Where the quadrants b, c and d begin in 64 bits.
    pub starts: [u64; 3],
}

/// Edges side by side: two of the widest registers.
pub(super) const LANES: usize = 16;

/// Rows and columns of edges.
pub(super) type LaneEnds = [[u32; LANES]; 2];

/// An instruction set that this processor has.
#[derive(Debug, Clone, Copy)]
pub(super) enum Instructions {
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2(Detected),
    #[cfg(target_arch = "x86_64")]
    Avx512(Detected),
}

/// Proof that the processor was asked.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
pub(super) struct Detected(());

impl Instructions {
    /// All that this processor has, the widest last.
    pub(super) fn available() -> Vec<Instructions> {
        let sets = [
            Some(Instructions::Baseline),
            #[cfg(target_arch = "x86_64")]
            is_x86_feature_detected!("avx2").then_some(Instructions::Avx2(Detected(()))),
            #[cfg(target_arch = "x86_64")]
            (is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl"))
            .then_some(Instructions::Avx512(Detected(()))),
        ];
        sets.into_iter().flatten().collect()
    }

    /// The places of the edges `first..first + LANES`.
    #[inline]
    pub(super) fn places(self, descent: &Descent, first: u64) -> LaneEnds {
        match self {
            Instructions::Baseline => places(descent, first),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: there is a `Detected` only where the processor has these features.
            Instructions::Avx2(Detected(())) => unsafe { avx2(descent, first) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: there is a `Detected` only where the processor has these features.
            Instructions::Avx512(Detected(())) => unsafe { avx512(descent, first) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(descent: &Descent, first: u64) -> LaneEnds {
    places(descent, first)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512dq,avx512vl")]
fn avx512(descent: &Descent, first: u64) -> LaneEnds {
    places(descent, first)
}

#[inline(always)]
fn places(descent: &Descent, first: u64) -> LaneEnds {
    let [b, c, d] = descent.starts;
    let mut random: [SplitMix64; LANES] =
        std::array::from_fn(|lane| descent.streams.stream(first.wrapping_add(lane as u64)));
    // As wide as the draws: no lane changes its width.
    let [mut rows, mut columns] = [[0u64; LANES]; 2];
    for _ in 0..descent.scale {
        for lane in 0..LANES {
            let draw = random[lane].draw();
            let lower = u64::from(draw >= c);
            // On the right from b to c and from d on.
            let right = u64::from(draw >= b) ^ lower ^ u64::from(draw >= d);
            rows[lane] = rows[lane] << 1 | lower;
            columns[lane] = columns[lane] << 1 | right;
        }
    }
    // A scale is at most 31.
    [rows, columns].map(|places| places.map(|place| place as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Probability;

    /// The model's definition, level by level.
    fn by_definition(descent: &Descent, number: u64) -> [u32; 2] {
        let mut random = descent.streams.stream(number);
        let [b, c, d] = descent.starts;
        (0..descent.scale).fold([0, 0], |[row, column], _| {
            let [lower, right] = match random.draw() {
                draw if draw < b => [0, 0],
                draw if draw < c => [0, 1],
                draw if draw < d => [1, 0],
                _ => [1, 1],
            };
            [2 * row + lower, 2 * column + right]
        })
    }

    #[test]
    fn every_instruction_set_gives_the_same_places() {
        let starts = [570, 760, 950].map(|part| Probability::per_mille(part).threshold());
        for scale in [0, 1, 2, 13, 31] {
            let descent = Descent { streams: Streams::new(9), scale, starts };
            for first in [0, 16, 1 << 40] {
                let expected: [[u32; 2]; LANES] =
                    std::array::from_fn(|lane| by_definition(&descent, first + lane as u64));
                for set in Instructions::available() {
                    let [rows, columns] = set.places(&descent, first);
                    let places = std::array::from_fn(|lane| [rows[lane], columns[lane]]);
                    assert_eq!(places, expected, "{set:?}, scale {scale}");
                }
            }
        }
    }
}
