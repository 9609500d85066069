//! Generated graphs by kind and scale: `rmat20`.

use tribin_base::{Error, Result};
use tribin_graph::EdgeBlocks;

use super::of_arguments;

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
    of_arguments(&format!("{kind} {}", options(kind, scale)), seed)
}

/// What `tribin generate` takes for about 2^`scale` vertices and [`EDGE_FACTOR`] times as many entries.
fn options(kind: &str, scale: u32) -> String {
    let n = 1u64 << scale;
    // The sides of a rectangle, as near to a square as can be.
    let sides =
        |scale: u32| format!("--rows {} --columns {}", 1 << (scale / 2), 1 << scale.div_ceil(2));
    match kind {
        "erdos-renyi" => format!("--vertices {n} --edges {}", EDGE_FACTOR * n),
        "barabasi-albert" | "web" => format!("--vertices {n} --links {EDGE_FACTOR}"),
        "watts-strogatz" => format!("--vertices {n} --half-degree {EDGE_FACTOR}"),
        "geometric" | "hyperbolic" => format!("--vertices {n} --degree {}", 2 * EDGE_FACTOR),
        // Four points a cell; a scale below 6 has less than three rows and is refused.
        "clustered" => sides(scale.saturating_sub(2)),
        "road" => sides(scale),
        // A group has 60 pairs on average, and a vertex' community 215 vertices.
        "affiliation" => format!("--vertices {n} --groups {}", n / 4),
        "communities" => format!("--vertices {n} --between {}", 5 * n),
        "hub" => format!("--vertices {n} --edges {}", (EDGE_FACTOR - 1) * n),
        _ => format!("--scale {scale}"),
    }
}
