//! Writes a generated graph as raw pairs of little-endian `u32`, for measurements that anybody can
//! repeat: `cargo run --release --example generate -- GRAPH FILE.bin`, with GRAPH one of `rmatS`
//! (Graph500's Kronecker graph of 2^S vertices and 16 · 2^S entries), `erS` (uniform), `ba`
//! (Barabási-Albert) and `ws` (Watts-Strogatz). The same edges come out on every machine.

#[path = "../tests/generators/mod.rs"]
mod generators;

use std::error::Error;
use std::io::Write;

fn main() -> Result<(), Box<dyn Error>> {
    let [name, path] = <[String; 2]>::try_from(std::env::args().skip(1).collect::<Vec<_>>())
        .map_err(|_| "usage: generate GRAPH FILE.bin")?;
    let edges = generators::by_name(&name).ok_or_else(|| format!("no graph is called {name}"))?;
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    for id in edges.iter().flatten() {
        file.write_all(&id.to_le_bytes())?;
    }
    file.flush()?;
    Ok(())
}
