//! What stands for pictures where they are not built in.

use std::path::Path;

use tribin::Result;
use tribin::report::OutputFile;

use super::failure::left_out;
use super::histogram::Histogram;

/// A file to draw into: there is none.
pub enum Target {}

impl Target {
    /// Names the feature that draws.
    pub fn new(_: impl AsRef<Path>) -> Result<Target> {
        Err(left_out("bench", "pictures need"))
    }

    /// Cannot be called.
    pub fn output(&self) -> &OutputFile {
        match *self {}
    }

    /// Cannot be called.
    pub fn write_histogram(&self, _: &Histogram) -> Result<()> {
        match *self {}
    }
}
