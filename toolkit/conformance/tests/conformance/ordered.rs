use anyhow::{Result, ensure};
use warpwise_conformance::kernels::ordered as kernels;
use warpwise_device::launch::{Buffer, Shape};
use warpwise_harness::{Case, TestDevice, ensure_holds};

use crate::KERNELS;

/// Every scope with a shape of two warps that are in it.
fn scopes() -> [(u32, Shape); 4] {
    let (block, blocks) = (Shape::new(1, 64), Shape::new(2, 32));
    [(0, block), (1, block), (1, blocks), (2, blocks)]
}

#[derive(Debug)]
struct HandOver {
    rounds: u32,
    scope: (u32, Shape),
}

impl Case for HandOver {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let (which, shape) = self.scope;
        let mut letters = Buffer::zeroed(device, 32)?;
        let mut flags = Buffer::zeroed(device, 2)?;
        let mut sums = Buffer::uninitialized(device, 32)?;
        let (to, marks) = (letters.view_mut(), flags.view_mut());
        kernels::hand_over(device, shape, to, marks, sums.view_mut(), self.rounds, which)?;
        let rounds = u64::from(self.rounds);
        let expected = (0..32).map(|lane| (lane ^ 1) * 1000 * rounds + rounds * (rounds + 1) / 2);
        ensure_holds("sums", device, &sums, &expected.collect::<Vec<u64>>())
    }
}

#[test]
fn what_is_released_is_there_for_who_acquires() {
    let kernel = KERNELS.kernel("hand_over");
    kernel.everywhere(scopes().map(|scope| HandOver { rounds: 9, scope }));
    kernel.on_gpu(|| scopes().map(|scope| HandOver { rounds: 10_000, scope }).into());
}

#[derive(Debug)]
struct Add {
    /// With a lock that is taken by a compare-exchange or an exchange, or by who comes last.
    how: u32,
    shape: Shape,
    which: u32,
}

impl Case for Add {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let &Add { how, shape, which } = self;
        let warps = shape.threads() / 32;
        let mut word = Buffer::<u32, _>::zeroed(device, 2)?;
        let mut sum = Buffer::zeroed(device, 1)?;
        let expected = if how < 2 {
            kernels::add_locked(device, shape, word.view_mut(), sum.view_mut(), how == 1, which)?;
            (0..warps).sum::<u64>()
        } else {
            let mut parts = Buffer::uninitialized(device, warps)?;
            let (done, to) = (word.view_mut().cast(), sum.view_mut());
            kernels::add_last(device, shape, parts.view_mut(), done, to, which)?;
            (0..warps).map(|warp| warp * warp).sum()
        };
        ensure_holds("sum", device, &sum, &[expected])
    }
}

#[test]
fn updates_take_locks_and_find_who_is_last() {
    for (name, how) in [("add_locked", 0), ("add_locked", 1), ("add_last", 2)] {
        let kernel = KERNELS.kernel(name);
        let shapes = [(0, 1, 256), (1, 7, 64), (2, 7, 64)];
        let case = |(which, grid, block)| Add { how, shape: Shape::new(grid, block), which };
        kernel.everywhere(shapes.map(case));
        kernel.on_gpu(|| [(0, 1, 1024), (1, 500, 256), (2, 500, 256)].map(case).into());
    }
}

macro_rules! updates {
    ($($name:ident: $type:ty, $changed:expr;)*) => {
        $(
            #[test]
            fn $name() {
                #[derive(Debug)]
                struct Update(u32);

                impl Case for Update {
                    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
                        // Sums of small numbers are exact in any order.
                        let values: Vec<$type> = (1..=64u8).map(<$type>::from).collect();
                        let sum = values.iter().sum::<$type>();
                        let on_device = Buffer::from_host(device, &values)?;
                        let mut words = Buffer::from_host(device, &[1, 1, 1, 1, 100, 1, 127, 1, 1].map(|of: u8| of as $type))?;
                        let mut old = Buffer::uninitialized(device, 64)?;
                        let (view, to) = (on_device.view(), words.view_mut());
                        kernels::$name(device, Shape::new(1, 64), view, to, old.view_mut(), self.0)?;
                        let words = words.to_vec(device)?;
                        let added = [1 as $type + sum, words[1], 1 as $type + sum, 2 as $type];
                        let changed: [u8; 5] = $changed;
                        let expected = [&added[..], &changed.map(|of| of as $type)].concat();
                        ensure!(words == expected, "words are {words:?}, expected {expected:?}");
                        let came = [&[1 as $type], &values[..]].concat();
                        let mut left = [&old.to_vec(device)?[..], &words[1..2]].concat();
                        left.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
                        ensure!(left == came, "exchanges left {left:?}");
                        Ok(())
                    }
                }

                KERNELS.kernel(stringify!($name)).everywhere([0, 1, 2].map(Update));
            }
        )*
    };
}

/// What the words that an integer has its own updates for become: the least, the largest, and those with bits of all values.
const CHANGED: [u8; 5] = [1, 64, 0, 127, 65];

updates! {
    update_u32: u32, CHANGED;
    update_i32: i32, CHANGED;
    update_u64: u64, CHANGED;
    update_i64: i64, CHANGED;
    update_f32: f32, [100, 1, 127, 1, 1];
    update_f64: f64, [100, 1, 127, 1, 1];
}
