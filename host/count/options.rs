//! How to count.

pub use crate::engine_choice::EngineChoice;
use crate::methods::radix_binning::Orientation;
#[cfg(feature = "gpu")]
use crate::methods::{bitmap::Tiling, merge_path::Shares};
#[cfg(feature = "gpu")]
use crate::plan::{counting::CountShape, time::Rates};

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

/// The method that a choice names on a GPU, for a graph with this many ranks; `None` where the plan chooses one, and for
/// radix binning, which prepares the graph for itself.
#[cfg(feature = "gpu")]
pub(crate) fn in_place(engine: EngineChoice, ranks: u64) -> Option<NamedMethod> {
    match engine {
        EngineChoice::Forward => Some(NamedMethod::Merge(CountShape::default())),
        EngineChoice::MergePath => Some(NamedMethod::MergePath(Shares::default())),
        EngineChoice::Bitmap => Some(NamedMethod::Bitmap(Tiling::for_ranks(ranks))),
        EngineChoice::Auto | EngineChoice::Hybrid | EngineChoice::Radix => None,
    }
}

/// A method that an option names, with its settings.
#[cfg(feature = "gpu")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NamedMethod {
    /// Rows are merged entry by entry.
    Merge(CountShape),
    /// The merges of rows, cut into equal shares.
    MergePath(Shares),
    /// Rows as segments of bits, joined by AND.
    Bitmap(Tiling),
}

#[cfg(feature = "gpu")]
impl NamedMethod {
    /// How long it takes.
    pub fn rates(&self) -> Rates {
        match self {
            NamedMethod::Merge(_) => CountShape::RATES,
            NamedMethod::MergePath(_) => Shares::RATES,
            NamedMethod::Bitmap(_) => Tiling::RATES,
        }
    }

    /// Bytes of device memory that it takes beside a graph of these sizes, at most.
    pub fn bytes(&self, edges: u64, ranks: u64) -> u64 {
        match self {
            NamedMethod::Merge(_) | NamedMethod::MergePath(_) => 0,
            NamedMethod::Bitmap(tiling) => tiling.bytes(edges, ranks),
        }
    }
}
