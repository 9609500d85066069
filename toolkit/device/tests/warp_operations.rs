//! Every operation of a warp against its definition, lane by lane.

use tribin_device::emulated::{Config, Emulator, EmulatorError};
use tribin_device::launch::{Buffer, Shape};
use tribin_device::memory::{In, InOut, U64x2};
use tribin_device::{kernel, thread, warp};

kernel!(
    /// Operation `which` on one value a lane, by the lanes of `mask`.
    #[requires(out.len() >= values.len())]
    pub unsafe fn operate(values: In<u32>, out: InOut<u32>, which: u32, mask: u32, operand: u32) {
        let i = thread::index_1d();
        let value = values.get(i);
        if mask >> warp::lane_id() & 1 == 1 {
            let result = match which {
                0 => warp::warp_vote_ballot(mask, value % 2 == 1),
                1 => u32::from(warp::warp_vote_any(mask, value == 3)),
                2 => u32::from(warp::warp_vote_all(mask, value < 5)),
                3 => warp::match_any_32(mask, value),
                4 => warp::warp_shuffle_idx(mask, value, operand),
                5 => warp::warp_shuffle_up(mask, value, operand),
                6 => warp::warp_shuffle_down(mask, value, operand),
                7 => warp::warp_shuffle_xor(mask, value, operand),
                8 => warp::warp_reduce_add_32(mask, value),
                9 => warp::warp_reduce_max_32(mask, value),
                _ => warp::lane_mask_lt(),
            };
            out.set(i, result);
        }
    }
);

kernel!(
    /// 64-bit sums of warps and blocks, the largest and the union, through atomics.
    #[requires(!sum.is_empty(), !largest.is_empty(), !union.is_empty())]
    pub unsafe fn gather(
        pairs: In<U64x2>,
        sum: InOut<u64>,
        largest: InOut<u64>,
        union: InOut<u64>,
    ) {
        let pair = pairs.get(thread::index_1d());
        let warp_sum = warp::warp_reduce_add_64(pair.0[0]);
        if warp::lane_id() == 0 {
            sum.atomic_add(0, warp_sum);
        }
        largest.atomic_max(0, pair.0[1]);
        union.atomic_or(0, pair.0[1] & 0xFF00_0000_0000_00FF);
    }
);

/// What `lane` should get, with the values of its warp by lane.
fn expected(which: u32, mask: u32, operand: u32, values: &[u32], lane: u32) -> u32 {
    let lanes = || (0..values.len() as u32).filter(|lane| mask >> lane & 1 == 1);
    let value = |lane: u32| values[lane as usize];
    let mask_of = |holds: &dyn Fn(u32) -> bool| {
        lanes().filter(|&lane| holds(value(lane))).map(|lane| 1 << lane).sum()
    };
    let from = |lane: u32| if mask >> lane & 1 == 1 { value(lane) } else { 0xDEAD_BEEF };
    match which {
        0 => mask_of(&|value| value % 2 == 1),
        1 => u32::from(lanes().any(|lane| value(lane) == 3)),
        2 => u32::from(lanes().all(|lane| value(lane) < 5)),
        3 => mask_of(&|other| other == value(lane)),
        4 => from(operand % 32),
        5 => from(if lane >= operand { lane - operand } else { lane }),
        6 => from(if lane + operand < 32 { lane + operand } else { lane }),
        7 => from(lane ^ operand),
        8 => lanes().map(value).fold(0, u32::wrapping_add),
        9 => lanes().map(value).max().unwrap_or(0),
        _ => (0..lane).map(|lower| 1 << lower).sum(),
    }
}

#[test]
fn each_operation_on_whole_and_part_warps() -> Result<(), EmulatorError> {
    let values: Vec<u32> = (0..96u32).map(|i| i.wrapping_mul(2_654_435_761) >> 28).collect();
    let masks = [u32::MAX, 0x0000_FFFF, 0x8000_0001, 0xF0F0_1234, 1 << 31];
    for (seed, mask) in (0..).zip(masks) {
        for which in 0..=10 {
            for operand in [0, 1, 5, 16, 31] {
                let emulator = Emulator::with(Config::seeded(seed));
                let input = Buffer::from_host(&emulator, &values)?;
                let mut out = Buffer::from_host(&emulator, &[77; 96])?;
                let shape = Shape::new(1, 96);
                operate(&emulator, shape, input.view(), out.view_mut(), which, mask, operand)?;
                for (i, result) in out.to_vec(&emulator)?.into_iter().enumerate() {
                    let (lane, warp) = (i as u32 % 32, &values[i / 32 * 32..][..32]);
                    let takes_part = mask >> lane & 1 == 1;
                    let wanted =
                        if takes_part { expected(which, mask, operand, warp, lane) } else { 77 };
                    assert_eq!(result, wanted, "{which}, mask {mask:#x}, {operand}, thread {i}");
                }
            }
        }
    }
    Ok(())
}

#[test]
fn masks_may_name_lanes_that_a_last_warp_lacks() -> Result<(), EmulatorError> {
    let emulator = Emulator::new();
    let values: Vec<u32> = (0..40).collect();
    let input = Buffer::from_host(&emulator, &values)?;
    for (which, wanted) in [(8, [(0..32).sum(), (32..40).sum()]), (9, [31, 39])] {
        let mut out = Buffer::zeroed(&emulator, 40)?;
        let shape = Shape::new(1, 40);
        operate(&emulator, shape, input.view(), out.view_mut(), which, warp::ALL, 0)?;
        let out = out.to_vec(&emulator)?;
        assert!(out[..32].iter().all(|&result| result == wanted[0]), "{out:?}");
        assert!(out[32..].iter().all(|&result| result == wanted[1]), "{out:?}");
    }
    Ok(())
}

#[test]
fn atomics_of_64_bits_and_loads_of_128() -> Result<(), EmulatorError> {
    let pairs: Vec<[u64; 2]> =
        (0..128u64).map(|i| [u64::MAX - i, i.wrapping_mul(0x9E37_79B9_7F4A_7C15)]).collect();
    let words: Vec<U64x2> = pairs.iter().map(|&pair| U64x2(pair)).collect();
    let sum = pairs.iter().fold(0, |sum: u64, pair| sum.wrapping_add(pair[0]));
    let largest = pairs.iter().map(|pair| pair[1]).max().expect("pairs");
    let union = pairs.iter().fold(0, |union, pair| union | pair[1]) & 0xFF00_0000_0000_00FF;
    for (seed, parallel) in (0..20).map(|seed| (seed, seed % 2 == 1)) {
        let emulator = Emulator::with(Config { parallel, ..Config::seeded(seed) });
        let input = Buffer::from_host(&emulator, &words)?;
        let [mut out, mut most, mut all] = [
            Buffer::zeroed(&emulator, 1)?,
            Buffer::zeroed(&emulator, 1)?,
            Buffer::zeroed(&emulator, 1)?,
        ];
        let (most_view, all_view) = (most.view_mut(), all.view_mut());
        gather(&emulator, Shape::new(2, 64), input.view(), out.view_mut(), most_view, all_view)?;
        assert_eq!(out.to_vec(&emulator)?, [sum]);
        assert_eq!(most.to_vec(&emulator)?, [largest]);
        assert_eq!(all.to_vec(&emulator)?, [union]);
    }
    Ok(())
}
