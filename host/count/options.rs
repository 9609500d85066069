//! How to count.

pub use crate::engine_choice::EngineChoice;

/// The options of a count. The default takes the fastest method that the device has.
///
/// ```
/// use tribin::count::{CountOptions, EngineChoice};
///
/// let mut options = CountOptions::default();
/// options.engine = EngineChoice::Forward;
/// options.verify = true;
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CountOptions {
    /// The counting method.
    pub engine: EngineChoice,
    /// Count again with an independent engine and compare every figure.
    pub verify: bool,
    /// Report what was decided and why, and what each step was predicted to take.
    pub explain: bool,
}
