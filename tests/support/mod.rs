//! What several test crates share: the reference graphs and their known figures.

#![allow(dead_code, reason = "each test crate uses a part of it")]

pub mod places;
pub mod reference;
pub mod table_one;
pub mod theory;

use std::path::PathBuf;

/// A file of the reference data beside the repository, or `None`, with a line on standard output,
/// where the data are not there.
pub fn data(file: &str) -> Option<PathBuf> {
    let path = places::data().join(file);
    if path.exists() {
        return Some(path);
    }
    println!("no {}: only small generated graphs are tested", path.display());
    None
}
