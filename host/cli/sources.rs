//! Which graphs the files on a command line are.

use std::path::PathBuf;

use tribin::Result;
use tribin::read::{Source, matching};

/// The graphs: all files together, or each by itself. Patterns that no shell has replaced by their matches are
/// replaced here.
pub fn sources(files: &[PathBuf], merge: bool) -> Vec<Result<Source>> {
    if merge {
        return vec![Ok(Source::merged(files))];
    }
    let of = |path: &PathBuf| match matching(path) {
        Ok(paths) => paths.into_iter().map(|path| Ok(path.into())).collect(),
        Err(error) => vec![Err(error)],
    };
    files.iter().flat_map(of).collect()
}
