//! Generated graphs by kind and scale: `rmat20`.

use tribin::generate::{BarabasiAlbert, ErdosRenyi, GRAPH500, Probability, Rmat, WattsStrogatz};
use tribin::write::EdgeBlocks;
use tribin::{Error, Result};

#[cfg(not(feature = "models"))]
use super::failure::left_out;
#[cfg(feature = "models")]
use super::models;

/// Entries for each vertex of a generated graph.
const EDGE_FACTOR: u64 = 16;

/// The kinds of which any scale is made.
pub const KINDS: [&str; 14] = [
    "rmat",
    "erdos-renyi",
    "barabasi-albert",
    "watts-strogatz",
    "geometric",
    "clustered",
    "web",
    "road",
    "affiliation",
    "communities",
    "hub",
    "hyperbolic",
    "gap-kron",
    "gap-urand",
];

/// The scale of a kind that is named without one.
pub const SCALE: u32 = 16;

/// The kind that a name is, and its scale where it has one; `None` for other names.
///
/// # Errors
/// For a scale above 31.
pub fn named(name: &str) -> Result<Option<(&'static str, Option<u32>)>> {
    let bare = name.trim_end_matches(|last: char| last.is_ascii_digit());
    let digits = &name[bare.len()..];
    let Some(kind) = KINDS.into_iter().find(|kind| *kind == bare) else { return Ok(None) };
    if digits.is_empty() {
        return Ok(Some((kind, None)));
    }
    match digits.parse() {
        Ok(scale) if scale <= 31 => Ok(Some((kind, Some(scale)))),
        _ => Err(Error::Usage(
            format!("`{name}`: the scale is at most 31 (a file of this name is `./{name}`)").into(),
        )),
    }
}

/// What makes a generated graph. It may be asked for from several threads.
///
/// # Errors
/// Of the model, for a scale that it cannot have.
pub fn model(kind: &str, scale: u32, seed: u64) -> Result<Box<dyn EdgeBlocks + Send>> {
    let (n, m) = (1 << scale, EDGE_FACTOR << scale);
    let model: Box<dyn EdgeBlocks + Send> = match kind {
        "rmat" => Box::new(Rmat::new(scale, EDGE_FACTOR, GRAPH500, seed)?),
        "erdos-renyi" => Box::new(ErdosRenyi::new(n, m, seed)?),
        "barabasi-albert" => Box::new(BarabasiAlbert::new(n, EDGE_FACTOR, seed)?),
        "watts-strogatz" => {
            Box::new(WattsStrogatz::new(n, EDGE_FACTOR, Probability::per_mille(100), seed)?)
        }
        #[cfg(feature = "models")]
        rare => models::model(rare, scale, EDGE_FACTOR, seed)?,
        #[cfg(not(feature = "models"))]
        rare => return Err(left_out("models", &format!("`{rare}` needs"))),
    };
    Ok(model)
}
