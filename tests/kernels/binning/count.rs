use anyhow::Result;
use tribin_kernels::binning::{COUNT_BLOCK, COUNT_SHARED_BYTES, bin_count};
use warpwise_device::launch::{Buffer, Shape};

use super::level::{LEVEL, Level, large, levels};
use crate::devices::{Case, Kernel, TestDevice, ensure_holds};

#[derive(Debug)]
struct Count(Level);

impl Case for Count {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let level = &self.0;
        let expected = level.matrix();
        let queue = level.upload(device)?;
        let keys = Buffer::from_host(device, &level.keys)?;
        let mut matrix = Buffer::uninitialized(device, expected.len() as u64)?;
        bin_count(
            device,
            Shape::new(level.blocks, COUNT_BLOCK).shared(COUNT_SHARED_BYTES),
            keys.view(),
            queue.parts_before.view(),
            queue.segments.view(),
            queue.counters.view(),
            matrix.view_mut(),
            LEVEL,
            level.shift,
            level.bits,
        )?;
        ensure_holds("matrix", device, &matrix, &expected)
    }
}

#[test]
fn the_matrix_counts_every_tile() {
    let kernel = Kernel::named("bin_count");
    kernel
        .everywhere(levels().into_iter().map(Count))
        .on_gpu(|| large().into_iter().map(Count).collect());
}
