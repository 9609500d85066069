//! Count: choose an engine and a device, and run them.
//!
//! [`Counter`] is the library's main door: [`Options`] say what is wanted, [`Counter::new`] chooses
//! an [`Engine`] and says why ([`Selection`]), [`Counter::count`] runs it and returns a [`Count`].

mod counter;
mod engine;
pub mod forward;
mod forward_on_cpu;
pub mod hybrid;
mod on_gpu;
mod options;
mod outcome;
mod plan;
pub mod radix;
mod radix_on_gpu;
pub mod sample;
mod selection;
pub mod verify;

pub use crate::methods::radix_binning::{Level, Orientation};
pub use counter::Counter;
pub use engine::{
    Binning, Context, DeviceMemory, Engine, EngineCount, EngineSeconds, Phase, PhaseMemory, Stats,
};
pub(crate) use on_gpu::{Unusable, open as open_gpu};
pub use options::{DeviceChoice, EngineChoice, Options};
pub(crate) use outcome::transitivity;
pub use outcome::{Count, Seconds};
pub use plan::Plan;
pub use selection::{Fallback, Selection};
