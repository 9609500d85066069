//! Work on two streams of one GPU.

use warpwise_cuda::{Gpu, Result};
use warpwise_device::launch::{Buffer, Shape};

use crate::kernels::saxpy::{BLOCK, saxpy};

/// `a * x + 1` for each number of each part. While the GPU computes one part, it copies the next one.
///
/// # Errors
/// What the driver reports.
pub fn scale(gpu: &Gpu, a: f32, parts: &[Vec<f32>]) -> Result<Vec<Vec<f32>>> {
    let streams = [gpu.stream()?, gpu.stream()?];
    let mut under_way = Vec::new();
    for (part, stream) in parts.iter().zip(streams.iter().cycle()) {
        let n = part.len() as u64;
        let mut from = stream.pinned(part.len())?;
        from.copy_from_slice(part);
        let mut to = stream.pinned(part.len())?;
        to.fill(1.0);
        let (mut x, mut y) = (Buffer::uninitialized(stream, n)?, Buffer::uninitialized(stream, n)?);
        let uploads =
            [stream.begin_upload(from, x.view_mut())?, stream.begin_upload(to, y.view_mut())?];
        saxpy(stream, Shape::cover(n, BLOCK, u32::MAX), a, x.view(), y.view_mut(), n)?;
        let download = stream.begin_download(y.view(), stream.pinned(part.len())?)?;
        // What is dropped is waited for: all of it is kept until the last part was asked for.
        under_way.push((uploads, download));
    }
    under_way.into_iter().map(|(_, download)| Ok(download.wait()?.to_vec())).collect()
}
