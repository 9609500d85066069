use anyhow::Result;
use tribin_kernels::binning::{SCAN_BLOCK, SCAN_SHARED_BYTES, SCAN_TILE, bin_scan};
use warpwise_device::launch::{Buffer, Shape};

use super::level::{LEVEL, LEVELS, Level, large, levels};
use crate::devices::{Case, Kernel, TestDevice, ensure_holds};

#[derive(Debug)]
struct Scan(Level);

impl Case for Scan {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let level = &self.0;
        let queue = level.upload(device)?;
        let mut matrix = Buffer::from_host(device, &level.matrix())?;
        let tiles = matrix.len().div_ceil(u64::from(SCAN_TILE));
        // Words of the level before.
        let mut words = Buffer::from_host(device, &vec![(2 << 32) + 77; tiles as usize])?;
        bin_scan(
            device,
            Shape::new(level.blocks, SCAN_BLOCK).shared(SCAN_SHARED_BYTES),
            queue.counters.view(),
            matrix.view_mut(),
            words.view_mut(),
            Buffer::zeroed(device, u64::from(LEVELS))?.view_mut(),
            LEVEL,
            level.bits,
        )?;
        ensure_holds("sums", device, &matrix, &level.scanned())
    }
}

#[test]
fn the_scan_of_a_matrix() {
    let kernel = Kernel::named("bin_scan");
    kernel
        .everywhere(levels().into_iter().map(Scan))
        .on_gpu(|| large().into_iter().map(Scan).collect());
}
