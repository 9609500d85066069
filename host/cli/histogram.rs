//! Histograms of degree, support and trussness: in the report, and as a picture.

use std::path::{Path, PathBuf};

use clap::ValueHint;
use tribin::report::OutputFile;
use tribin::report::plot::Plot;
use tribin::{Error, Result};

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

/// A file to draw into.
pub struct Target(OutputFile);

impl Target {
    /// Checks the name.
    fn new(path: impl AsRef<Path>) -> Result<Target> {
        let path = path.as_ref();
        let is_svg =
            path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
        if !is_svg && path != Path::new("-") {
            let message =
                format!("{}: pictures are drawn as SVG: end the name in .svg", path.display());
            return Err(Error::Usage(message.into()));
        }
        Ok(Target(OutputFile::new(path)?))
    }

    /// Where the picture goes.
    pub fn output(&self) -> &OutputFile {
        &self.0
    }

    /// Draws and writes a histogram.
    pub fn write_histogram(&self, histogram: &Histogram) -> Result<()> {
        let Histogram { graph, of, rows, counts } = histogram;
        let title = format!("{graph}: {rows} by {of}");
        let counts: Vec<(u64, u64)> =
            counts.iter().map(|&(value, rows)| (value.into(), rows)).collect();
        self.0.write(Plot::histogram(&title, of, rows, &counts).file().as_bytes())
    }
}
