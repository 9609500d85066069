//! What was decided and why, what was predicted, and what really happened.

use super::reason::Decision;

/// A step: what it was predicted to take, and what it took.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Step {
    /// The step, as `Phase::name` has it, or `group` for what a counting method builds.
    pub step: &'static str,
    /// Predicted seconds.
    pub predicted_seconds: f64,
    /// Predicted bytes of device memory at the step's peak; `None` on a CPU.
    pub predicted_bytes: Option<u64>,
    /// Seconds that the step took.
    pub seconds: f64,
}

/// The plan of a count and what became of it.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Explanation {
    /// Every decision, in the order in which they were made.
    pub decisions: Vec<Decision>,
    /// Every step, in order.
    pub steps: Vec<Step>,
    /// Predicted bytes of device memory at the peak of all steps; `None` on a CPU.
    pub predicted_peak_bytes: Option<u64>,
    /// Bytes of device memory that were in use at the peak; `None` where nothing meters them.
    pub peak_bytes: Option<u64>,
    /// Bytes that GPUs took from one another; `None` where one device did all.
    pub exchanged_bytes: Option<u64>,
}

/// The prediction of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepPrediction {
    /// Seconds.
    pub seconds: f64,
    /// Bytes of device memory that are in use at the peak; `None` on a CPU.
    pub bytes: Option<u64>,
}

impl StepPrediction {
    /// The prediction of a step of the CPU.
    pub fn on_cpu(seconds: f64) -> StepPrediction {
        StepPrediction { seconds, bytes: None }
    }

    /// The prediction of a step of a device.
    pub fn on_device(seconds: f64, bytes: u64) -> StepPrediction {
        StepPrediction { seconds, bytes: Some(bytes) }
    }
}

impl Explanation {
    /// Adds a step.
    pub fn step(&mut self, step: &'static str, predicted: StepPrediction, seconds: f64) {
        let StepPrediction { seconds: predicted_seconds, bytes: predicted_bytes } = predicted;
        self.predicted_peak_bytes = self.predicted_peak_bytes.max(predicted_bytes);
        self.steps.push(Step { step, predicted_seconds, predicted_bytes, seconds });
    }

    /// Adds the decisions and steps of a count that was made beside `held` bytes of device memory.
    pub fn extend_beside(&mut self, held: u64, count: Explanation) {
        self.decisions.extend(count.decisions);
        for Step { step, predicted_seconds, predicted_bytes, seconds } in count.steps {
            let bytes = predicted_bytes.map(|bytes| held + bytes);
            self.step(step, StepPrediction { seconds: predicted_seconds, bytes }, seconds);
        }
    }
}
