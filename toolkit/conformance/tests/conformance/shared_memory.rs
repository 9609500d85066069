use anyhow::Result;
use warpwise_conformance::kernels::shared_memory::{BLOCK, TILE, exchange_shared};
use warpwise_device::launch::{Buffer, Shape};
use warpwise_harness::{Case, TestDevice, ensure_holds};

use crate::KERNELS;

#[derive(Debug)]
struct Exchange {
    blocks: u32,
}

impl Case for Exchange {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let shape = Shape::new(self.blocks, BLOCK).shared(TILE.shared_bytes);
        let mut out = Buffer::uninitialized(device, 7 * shape.threads())?;
        exchange_shared(device, shape, out.view_mut())?;
        let of_thread = |me: u32| {
            let other = u64::from(BLOCK - 1 - me);
            let inside = me > 0;
            let colour = other << 16 | (other + 1) << 8 | (other + 2);
            let real = (other as f32 / 4.0).to_bits();
            let record = (other << 35) ^ (other as f64 / 8.0).to_bits();
            [
                if inside { other } else { 1000 },
                other << 33 | 1,
                if inside { (other as i64).wrapping_neg() as u64 } else { 1000 },
                colour,
                real.into(),
                (other + 5) ^ other << 40,
                // -3 in four bits is 13.
                record ^ (other << 20 | (other + 1) << 4 | 13),
            ]
        };
        let block: Vec<u64> = (0..BLOCK).flat_map(of_thread).collect();
        ensure_holds("out", device, &out, &block.repeat(self.blocks as usize))
    }
}

#[test]
fn arrays_of_every_type_lie_behind_one_another() {
    // 95 bytes, a gap of 1, 96 words, 95 halves, 96 colours, a gap of 2, 96 reals, a gap, and so on.
    let mut end = 0usize;
    for (bytes, align) in [(95, 1), (768, 8), (190, 2), (288, 1), (384, 4), (1536, 16), (2304, 8)] {
        end = end.next_multiple_of(align) + bytes;
    }
    assert_eq!(TILE.shared_bytes as usize, end);
    KERNELS.kernel("exchange_shared").everywhere([1, 3].map(|blocks| Exchange { blocks }));
}
