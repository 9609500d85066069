//! The sum of what the blocks of a counting kernel found.

use tribin_device::launch::{Buffer, Device, ViewMut};
use tribin_kernels::forward::TOTALS;

/// The triangles that a kernel adds to its totals. Without an edge, none is launched.
///
/// The sum is below 2⁴⁷ for `edges` < 2³² ([`forward_merge`](tribin_kernels::forward::forward_merge) says why).
///
/// # Errors
/// What the device reports.
pub(super) fn sum_of<D: Device>(
    device: &D,
    edges: u64,
    launch: impl FnOnce(ViewMut<'_, u64, D>) -> Result<(), D::Error>,
) -> Result<u64, D::Error> {
    if edges == 0 {
        return Ok(0);
    }
    let mut totals = Buffer::zeroed(device, TOTALS)?;
    launch(totals.view_mut())?;
    Ok(totals.to_vec(device)?.iter().sum())
}
