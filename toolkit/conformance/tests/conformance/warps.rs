use anyhow::{Result, ensure};
use warpwise_conformance::kernels::warps as kernels;
use warpwise_device::launch::{Buffer, Shape};
use warpwise_harness::{Case, TestDevice, ensure_holds};

use crate::{KERNELS, noise};

const MASKS: [u32; 5] = [u32::MAX, 0x0000_FFFF, 0x8000_0001, 0xF0F0_1234, 1 << 31];

/// The lane whose value a lane takes by exchange `which`, if the mask has it.
fn source(which: u32, mask: u32, operand: u32, lane: u32) -> Option<u32> {
    // A GPU looks at five bits.
    let operand = operand % 32;
    let from = match which {
        0 => operand,
        1 => lane.checked_sub(operand).unwrap_or(lane),
        2 => Some(lane + operand).filter(|&at| at < 32).unwrap_or(lane),
        _ => lane ^ operand,
    };
    (mask >> from & 1 == 1).then_some(from)
}

macro_rules! exchanges {
    ($($kernel:ident: $type:ty, $value:expr, $combine:expr;)*) => {
        $(
            #[test]
            fn $kernel() {
                #[derive(Debug)]
                struct Exchange {
                    which: u32,
                    mask: u32,
                    operand: u32,
                }

                impl Case for Exchange {
                    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
                        let &Exchange { which, mask, operand } = self;
                        let values: Vec<$type> = noise(64).map($value).collect();
                        let on_device = Buffer::from_host(device, &values)?;
                        let mut out = Buffer::from_host(device, &values)?;
                        let (shape, view) = (Shape::new(1, 64), on_device.view());
                        kernels::$kernel(device, shape, view, out.view_mut(), which, mask, operand)?;
                        let out = out.to_vec(device)?;
                        for (i, (&result, &own)) in out.iter().zip(&values).enumerate() {
                            let (lane, warp) = (i as u32 % 32, &values[i / 32 * 32..][..32]);
                            let expected = match source(which, mask, operand, lane) {
                                _ if mask >> lane & 1 == 0 => own,
                                _ if which == 4 => warp.iter().copied().reduce($combine).expect("lanes"),
                                Some(from) => warp[from as usize],
                                // What a lane outside the mask gives is not determined.
                                None => continue,
                            };
                            ensure!(result == expected, "thread {i}: {result:?}, not {expected:?}");
                        }
                        Ok(())
                    }
                }

                let exchanges = (0..4).flat_map(|which| {
                    let case = move |(mask, operand)| Exchange { which, mask, operand };
                    MASKS.into_iter().flat_map(|mask| [0, 1, 13, 31, 32, 45, u32::MAX].map(|o| (mask, o))).map(case)
                });
                let reduction = Exchange { which: 4, mask: u32::MAX, operand: 0 };
                KERNELS.kernel(stringify!($kernel)).everywhere(exchanges.chain([reduction]));
            }
        )*
    };
}

exchanges! {
    exchange_u32: u32, |bits| bits as u32, u32::max;
    exchange_i32: i32, |bits| bits as i32, i32::wrapping_add;
    // Sums of small integers are exact in any order.
    exchange_f32: f32, |bits| f32::from(bits as i16), |a, b| a + b;
    exchange_u64: u64, |bits| bits, u64::wrapping_add;
    exchange_i64: i64, |bits| bits as i64, i64::min;
    exchange_f64: f64, |bits| f64::from(bits as i32), |a, b| a + b;
}

#[derive(Debug)]
struct Decide {
    which: u32,
    mask: u32,
    same: bool,
}

impl Decide {
    /// What `lane` should get, with the values of its warp by lane.
    fn expected(&self, values: &[u32], lane: u32) -> u32 {
        let &Decide { which, mask, .. } = self;
        let lanes = || (0..32).filter(|lane| mask >> lane & 1 == 1);
        let value = |lane: u32| values[lane as usize];
        let own = value(lane);
        let of = |holds: &dyn Fn(u32) -> bool| {
            lanes().filter(|&lane| holds(value(lane))).map(|lane| 1 << lane).sum::<u32>()
        };
        let fold = |apply: fn(u32, u32) -> u32| lanes().map(value).reduce(apply).expect("lanes");
        let signed = || lanes().map(|lane| value(lane) as i32 - 4);
        let all_same = lanes().all(|lane| value(lane) == own);
        match which {
            0 => of(&|value| value % 2 == 1),
            1 => u32::from(lanes().any(|lane| value(lane) == 3)),
            2 => u32::from(lanes().all(|lane| value(lane) < 5)),
            3 | 4 => of(&|other| other == own),
            5 | 6 => u32::from(all_same),
            7 => fold(u32::wrapping_add),
            8 => fold(u32::min),
            9 => fold(u32::max),
            10 => fold(|a, b| a & b),
            11 => fold(|a, b| a | b),
            12 => fold(|a, b| a ^ b),
            13 => signed().min().expect("lanes") as u32,
            14 => signed().max().expect("lanes") as u32,
            15 => 1,
            _ => (0..lane).map(|lower| 1 << lower).sum(),
        }
    }
}

impl Case for Decide {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let value = |bits| if self.same { 3 } else { (bits % 8) as u32 };
        let values: Vec<u32> = noise(64).map(value).collect();
        let on_device = Buffer::from_host(device, &values)?;
        let mut out = Buffer::from_host(device, &[77; 64])?;
        let (shape, view) = (Shape::new(2, 32), on_device.view());
        kernels::decide(device, shape, view, out.view_mut(), self.which, self.mask)?;
        let expected = (0..64u32).map(|i| match self.mask >> (i % 32) & 1 {
            1 => self.expected(&values[i as usize / 32 * 32..][..32], i % 32),
            _ => 77,
        });
        ensure_holds("out", device, &out, &expected.collect::<Vec<_>>())
    }
}

#[test]
fn votes_matches_and_reductions() {
    let kernel = KERNELS.kernel("decide");
    for same in [false, true] {
        for which in 0..=16 {
            kernel.everywhere(MASKS.map(|mask| Decide { which, mask, same }));
        }
    }
}

#[derive(Debug)]
struct Reverse(Shape);

impl Case for Reverse {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let values: Vec<u32> = noise(self.0.threads() as usize).map(|bits| bits as u32).collect();
        let mut buffer = Buffer::from_host(device, &values)?;
        kernels::reverse_warps(device, self.0, buffer.view_mut())?;
        let reversed = values.chunks(32).flat_map(|warp| warp.iter().rev().copied());
        ensure_holds("values", device, &buffer, &reversed.collect::<Vec<_>>())
    }
}

#[test]
fn a_warp_waits_for_its_lanes() {
    KERNELS.kernel("reverse_warps").everywhere([Shape::new(1, 32), Shape::new(3, 96)].map(Reverse));
}
