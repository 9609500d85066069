//! Histograms of degree, support and trussness: in the report, and as a picture.

use std::path::PathBuf;

use clap::ValueHint;
use tribin::Result;

use super::picture::Target;

/// How often each number occurs.
pub struct Histogram {
    /// The graph's name.
    pub graph: String,
    /// What the numbers are, for example `degree`.
    pub of: &'static str,
    /// What has them, for example `vertices`.
    pub rows: &'static str,
    /// Each number and how often it occurs, ascending.
    pub counts: Vec<(u32, u64)>,
}

/// The option that draws.
#[derive(Debug, clap::Args)]
pub struct PlotArgs {
    /// Draw the histogram, as .svg
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    plot: Option<PathBuf>,
}

impl PlotArgs {
    /// Checks the name before the work.
    pub fn target(&self) -> Result<Option<Target>> {
        self.plot.as_ref().map(Target::new).transpose()
    }
}
