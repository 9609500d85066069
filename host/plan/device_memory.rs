//! The device memory that a count is predicted to take.

/// Predicted device memory.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DeviceMemory {
    /// Bytes that may be used: what is free, or the limit that the user set.
    pub free: u64,
    /// The bytes of each phase, in the order of the phases.
    pub phases: Vec<PhaseMemory>,
}

/// Device memory of one phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PhaseMemory {
    /// The phase, as `Phase::name` has it.
    pub phase: &'static str,
    /// Bytes of device memory at the phase's peak.
    pub bytes: u64,
}

impl DeviceMemory {
    /// Whether every phase fits.
    pub fn fits(&self) -> bool {
        self.phases.iter().all(|phase| phase.bytes <= self.free)
    }
}
