//! In the place of a device that was asked for and cannot be used: whoever asks whether it can is told why not.

use super::engine::Engine;
use super::options::DeviceChoice;
use super::resident::ResidentGraph;
use crate::control::Context;
use crate::count::EngineChoice;
use crate::{Error, Graph, Result};

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

    fn prepare(&self, _: &Graph, _: &Context) -> Result<Box<dyn ResidentGraph>> {
        self.error()
    }
}
