//! The engines of papers, each as its paper has it: what the fastest engine is measured against.
//!
//! | folder | engine | what it does | paper |
//! | --- | --- | --- | --- |
//! | `radix_binning` | `radix-binning` | makes the candidate edges that would close the wedges, and intersects them with the edges by radix binning | 003 |
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
//! options.engine = Some(PaperEngine::RadixBinning.open(&["orientation=none"], &options)?);
//! let session = Session::open(options)?;
//! let count = session.count(&tribin::open("tests/data/karate.mtx")?)?;
//! assert_eq!((count.triangles, &*count.engine), (45, "radix-binning"));
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

use tribin_base::{Error, Result};
use tribin_session::gpu::{Accelerator, OnGpu};
use tribin_session::{Engine, Options, one_gpu};

use bit_tiles::Tiling;
use merge_path::Shares;
use oriented::OnOriented;
use radix_binning::RadixBinning;

/// An engine of a paper: `radix-binning`, `merge-path` or `bitmap`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaperEngine {
    /// Candidate edges for all wedges, intersected with the edges by radix binning (paper 003).
    RadixBinning,
    /// Two rows for each edge, merged in equal shares by several threads (paper 001).
    MergePath,
    /// The rows as segments of bits, multiplied (paper 002).
    Bitmap,
}

impl PaperEngine {
    /// Every engine.
    pub const ALL: [PaperEngine; 3] =
        [PaperEngine::MergePath, PaperEngine::Bitmap, PaperEngine::RadixBinning];

    /// The engine as `--engine` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            PaperEngine::RadixBinning => "radix-binning",
            PaperEngine::MergePath => "merge-path",
            PaperEngine::Bitmap => "bitmap",
        }
    }

    /// Opens the engine on the first GPU that `options` name, within their device memory.
    ///
    /// Each of the settings is `KEY=VALUE`. The engine `radix-binning` has one: `orientation` is `degree` (the default), or `none` to
    /// take all wedges of the undirected graph as candidates, as its paper does.
    ///
    /// # Errors
    /// [`Error::Usage`] for a setting that the engine does not have, and where the CPU was asked for; [`Error::Device`] where no
    /// GPU can be used.
    pub fn open(self, settings: &[impl AsRef<str>], options: &Options) -> Result<Arc<dyn Engine>> {
        let settings = Settings::of(self, settings)?;
        Ok(self.on(one_gpu(self.name(), options)?, settings))
    }

    /// The engine on a device.
    fn on<D: Accelerator>(self, gpu: OnGpu<D>, settings: Settings) -> Arc<dyn Engine> {
        let name = self.name();
        match self {
            PaperEngine::RadixBinning => Arc::new(RadixBinning::new(gpu, settings.orientation)),
            PaperEngine::MergePath => Arc::new(OnOriented::new(gpu, name, |_| Shares::default())),
            PaperEngine::Bitmap => Arc::new(OnOriented::new(gpu, name, Tiling::for_ranks)),
        }
    }
}

/// The settings of all engines of papers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Settings {
    orientation: radix_binning::Orientation,
}

impl Settings {
    /// Reads what was given as `KEY=VALUE`.
    fn of(engine: PaperEngine, given: &[impl AsRef<str>]) -> Result<Settings> {
        let mut settings = Settings::default();
        for text in given {
            let text = text.as_ref();
            let refused =
                |why: String| Error::Usage(format!("engine option `{text}`: {why}").into());
            match (engine, text.split_once('=')) {
                (PaperEngine::RadixBinning, Some(("orientation", value))) => {
                    settings.orientation = value.parse().map_err(refused)?;
                }
                (PaperEngine::RadixBinning, _) => {
                    let known = "`radix-binning` takes `orientation=degree` or `orientation=none`";
                    return Err(refused(known.into()));
                }
                _ => return Err(refused(format!("`{engine}` has no options: leave it out"))),
            }
        }
        Ok(settings)
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
