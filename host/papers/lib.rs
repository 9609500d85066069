//! The engines of papers, each as its paper has it: what the fastest engine is measured against.
//!
//! | folder | engine | what it does | paper |
//! | --- | --- | --- | --- |
//! | `radix_binning` | `radix-binning` | makes the candidate edges that would close the wedges of the graph oriented by degree, and intersects them with the edges by radix binning | 003 |
//! | | `radix-binning-undirected` | the same of all wedges of the undirected graph | 003 |
//! | `merge_path` | `merge-path` | merges the two rows of every edge, cut into equal shares for several threads | 001 |
//! | `bit_tiles` | `bitmap` | multiplies rows that are segments of bits | 002 |
//!
//! The papers are named by their numbers in docs/papers.md. `oriented` has what the engines share that count the oriented
//! graph.
//!
//! Each is an [`Engine`] on one GPU, made from its name. Nothing else in the library knows of them:
//!
//! ```no_run
//! # std::env::set_current_dir("../..").unwrap();
//! use tribin::papers::PaperEngine;
//! use tribin::{Options, Session};
//!
//! let mut options = Options::default();
//! options.engine = Some(PaperEngine::RadixBinningUndirected.open(&options)?);
//! let session = Session::open(options)?;
//! let count = session.count(&tribin::open("tests/data/karate.mtx")?)?;
//! assert_eq!((count.triangles, &*count.engine), (45, "radix-binning-undirected"));
//! assert_eq!((count.figures[0].name, count.figures[0].values[0]), ("candidates", 528));
//! # Ok::<(), tribin::Error>(())
//! ```
//!
//! This crate is a part of [`tribin`](https://docs.rs/tribin) and makes no promises of its own: use that one.

#[doc(hidden)]
pub mod bit_tiles;
#[doc(hidden)]
pub mod merge_path;
mod oriented;
#[doc(hidden)]
pub mod radix_binning;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use tribin_base::Result;
use tribin_session::gpu::{Accelerator, DrivenDevice};
use tribin_session::{Engine, Options, one_gpu};

use bit_tiles::Tiling;
use merge_path::Shares;
use oriented::OnOriented;
use radix_binning::{Orientation, RadixBinning};

/// An engine of a paper, such as `merge-path`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaperEngine {
    /// Candidate edges for the wedges of the graph oriented by degree, intersected with the edges by radix binning (paper 003).
    RadixBinning,
    /// Candidate edges for all wedges of the undirected graph, as paper 003 has it.
    RadixBinningUndirected,
    /// Two rows for each edge, merged in equal shares by several threads (paper 001).
    MergePath,
    /// The rows as segments of bits, multiplied (paper 002).
    Bitmap,
}

impl PaperEngine {
    /// Every engine.
    pub const ALL: [PaperEngine; 4] = [
        PaperEngine::MergePath,
        PaperEngine::Bitmap,
        PaperEngine::RadixBinning,
        PaperEngine::RadixBinningUndirected,
    ];

    /// The engine as `--engine` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            PaperEngine::RadixBinning => "radix-binning",
            PaperEngine::RadixBinningUndirected => "radix-binning-undirected",
            PaperEngine::MergePath => "merge-path",
            PaperEngine::Bitmap => "bitmap",
        }
    }

    /// Opens the engine on the first GPU that `options` name, within their device memory.
    ///
    /// # Errors
    /// [`Error::Usage`](tribin_base::Error::Usage) where the CPU was asked for;
    /// [`Error::Device`](tribin_base::Error::Device) where no GPU can be used.
    pub fn open(self, options: &Options) -> Result<Arc<dyn Engine>> {
        Ok(self.on(one_gpu(self.name(), options)?))
    }

    /// The engine on a device.
    fn on<D: Accelerator>(self, gpu: Arc<DrivenDevice<D>>) -> Arc<dyn Engine> {
        let name = self.name();
        match self {
            PaperEngine::RadixBinning => {
                Arc::new(RadixBinning::new(gpu, name, Orientation::Degree))
            }
            PaperEngine::RadixBinningUndirected => {
                Arc::new(RadixBinning::new(gpu, name, Orientation::None))
            }
            PaperEngine::MergePath => Arc::new(OnOriented::new(gpu, name, |_| Shares::default())),
            PaperEngine::Bitmap => Arc::new(OnOriented::new(gpu, name, Tiling::for_ranks)),
        }
    }
}

impl FromStr for PaperEngine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        PaperEngine::ALL.into_iter().find(|engine| engine.name() == text).ok_or_else(|| {
            let names = PaperEngine::ALL.map(|engine| format!("`{engine}`"));
            format!("`{text}` is none of {}", names.join(", "))
        })
    }
}

impl fmt::Display for PaperEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
