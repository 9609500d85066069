//! Read: a file of any supported format becomes a [`Graph`].

use std::path::Path;

use crate::{Graph, Result};

/// How to read.
#[derive(Debug, Clone, Default)]
pub struct Options {}

/// Reads a file.
///
/// # Errors
/// One message with file and line.
pub fn open(_path: &Path, _options: &Options) -> Result<Graph> {
    todo!()
}
