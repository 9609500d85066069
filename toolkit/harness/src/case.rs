//! What is tested: an input and what is right for it.

use std::fmt::Debug;

use anyhow::{Result, ensure};
use warpwise_device::launch::{Buffer, Device};
use warpwise_device::memory::Element;

/// A device whose errors tests can report.
pub trait TestDevice: Device<Error: std::error::Error + Send + Sync + 'static> {}

impl<D: Device<Error: std::error::Error + Send + Sync + 'static>> TestDevice for D {}

/// An input of a kernel and what is right for it.
pub trait Case: Debug {
    /// Launches the kernel and compares all that it wrote with what an oracle says.
    ///
    /// # Errors
    /// What the device reports, or the first difference.
    fn check<D: TestDevice>(&self, device: &D) -> Result<()>;
}

/// Fails at the first element of the buffer that is not what is expected.
///
/// # Errors
/// The element, or what the device reports.
pub fn ensure_holds<T, D>(
    what: &str,
    device: &D,
    buffer: &Buffer<T, D>,
    expected: &[T],
) -> Result<()>
where
    T: Element + PartialEq + Debug,
    D: TestDevice,
{
    let actual = buffer.to_vec(device)?;
    ensure!(
        actual.len() == expected.len(),
        "{what}: {} elements, expected {}",
        actual.len(),
        expected.len()
    );
    for (i, (actual, expected)) in actual.iter().zip(expected).enumerate() {
        ensure!(actual == expected, "{what}[{i}] is {actual:?}, expected {expected:?}");
    }
    Ok(())
}
