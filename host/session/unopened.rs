//! In the place of a device that was asked for and cannot be used: all that is asked of it is that error.

use super::engine::Engine;
#[cfg(feature = "gpu")]
use super::engine::FromDevice;
use super::options::DeviceChoice;
use super::resident::ResidentGraph;
use crate::control::Context;
use crate::count::{CountOptions, EngineChoice, EngineCount};
use crate::graph::EdgeBlocks;
use crate::plan::{Decision, DeviceMemory};
use crate::{Error, Graph, Result};
#[cfg(feature = "gpu")]
use tribin_gpu::device_graph::DeviceEdges;

/// A device that cannot be used.
pub(super) struct Unopened {
    device: DeviceChoice,
    error: Error,
}

impl Unopened {
    /// The device that was asked for, and why it cannot be used.
    pub fn new(device: DeviceChoice, error: Error) -> Unopened {
        Unopened { device, error }
    }

    fn error<T>(&self) -> Result<T> {
        Err(match &self.error {
            Error::Device(message) => Error::Device(message.again()),
            Error::Usage(message) => Error::Usage(message.again()),
            Error::DeviceMemory { needed, free, device } => {
                Error::DeviceMemory { needed: *needed, free: *free, device: device.clone() }
            }
            other => Error::Device(other.to_string().into()),
        })
    }
}

impl Engine for Unopened {
    fn name(&self) -> &str {
        EngineChoice::Auto.name()
    }

    fn device(&self) -> String {
        self.device.to_string()
    }

    fn device_name(&self) -> String {
        self.device()
    }

    fn usable(&self) -> Result<()> {
        self.error()
    }

    fn count(&self, _: &Graph, _: &CountOptions, _: &Context) -> Result<EngineCount> {
        self.error()
    }

    fn count_blocks(
        &self,
        _: &dyn EdgeBlocks,
        _: &CountOptions,
        _: &Context,
    ) -> Result<Option<EngineCount>> {
        self.error()
    }

    fn prepare(&self, _: &Graph, _: &Context) -> Result<Box<dyn ResidentGraph>> {
        self.error()
    }

    fn take(&self, _: &dyn ResidentGraph, _: &Context) -> Result<Option<Box<dyn ResidentGraph>>> {
        self.error()
    }

    #[cfg(feature = "gpu")]
    fn prepare_device_edges(&self, _: &[DeviceEdges], _: &Context) -> Result<FromDevice> {
        self.error()
    }

    fn decisions(&self, _: u64, _: u64) -> Result<Vec<Decision>> {
        self.error()
    }

    fn device_memory(&self, _: u64, _: u64, _: &CountOptions) -> Result<Option<DeviceMemory>> {
        self.error()
    }
}
