//! How to count.

pub use crate::engine_choice::EngineChoice;
use crate::methods::radix_binning::Orientation;
#[cfg(feature = "gpu")]
use crate::methods::{InPlace, bitmap::Tiling, forward::gpu::CountShape, merge_path::Shares};

/// How to count. The default takes the fastest method that the device has.
///
/// ```
/// use tribin::count::{CountOptions, EngineChoice};
///
/// let mut options = CountOptions::default();
/// options.engine = EngineChoice::Forward;
/// options.verify = true;
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CountOptions {
    /// The counting method.
    pub engine: EngineChoice,
    /// Count again with an independent engine and compare every figure.
    pub verify: bool,
    /// Which wedges the radix engine takes as candidates; `None` takes those of the graph oriented by degree.
    /// Other engines refuse it.
    pub orientation: Option<Orientation>,
    /// Report what was decided and why, and what each step was predicted to take.
    pub explain: bool,
}

#[cfg(feature = "gpu")]
impl EngineChoice {
    /// The method that the choice names on a GPU, for a graph with this many ranks; `None` where the plan chooses one, and for radix binning, which
    /// prepares the graph for itself.
    pub(crate) fn in_place(self, ranks: u64) -> Option<InPlace> {
        match self {
            EngineChoice::Forward => Some(InPlace::Merge(CountShape::default())),
            EngineChoice::MergePath => Some(InPlace::MergePath(Shares::default())),
            EngineChoice::Bitmap => Some(InPlace::Bitmap(Tiling::for_ranks(ranks))),
            EngineChoice::Auto | EngineChoice::Hybrid | EngineChoice::Radix => None,
        }
    }
}
