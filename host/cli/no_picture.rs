//! What stands for pictures where they are not built in.

use std::path::Path;

use tribin::bench::Record;
use tribin::report::OutputFile;
use tribin::{Error, Result};

use super::histogram::Histogram;

/// A file to draw into: there is none.
pub enum Target {}

impl Target {
    /// Names the feature that draws.
    pub fn new(path: impl AsRef<Path>) -> Result<Target> {
        Err(Error::Usage(format!(
            "{}: this tribin was built without its feature `plots`: build it with `--features plots`, or \
             leave out `--plot`",
            path.as_ref().display()
        )
        .into()))
    }

    /// Cannot be called.
    pub fn output(&self) -> &OutputFile {
        match *self {}
    }

    /// Cannot be called.
    pub fn write_measurement(&self, _: &Record) -> Result<()> {
        match *self {}
    }

    /// Cannot be called.
    pub fn write_histogram(&self, _: &Histogram) -> Result<()> {
        match *self {}
    }
}
