//! The methods that an option names.

use crate::engine_choice::EngineChoice;
use crate::methods::{bitmap::Tiling, merge_path::Shares};
use crate::plan::{counting::CountShape, time::Rates};

/// The method that a choice names on a GPU, for a graph with this many ranks; `None` where the plan chooses one, and for
/// radix binning, which prepares the graph for itself.
pub fn in_place(engine: EngineChoice, ranks: u64) -> Option<NamedMethod> {
    match engine {
        EngineChoice::Forward => Some(NamedMethod::Merge(CountShape::default())),
        EngineChoice::MergePath => Some(NamedMethod::MergePath(Shares::default())),
        EngineChoice::Bitmap => Some(NamedMethod::Bitmap(Tiling::for_ranks(ranks))),
        EngineChoice::Auto | EngineChoice::Hybrid | EngineChoice::Radix => None,
    }
}

/// A method that an option names, with its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedMethod {
    /// Rows are merged entry by entry.
    Merge(CountShape),
    /// The merges of rows, cut into equal shares.
    MergePath(Shares),
    /// Rows as segments of bits, joined by AND.
    Bitmap(Tiling),
}

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
