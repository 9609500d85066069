//! Serialized graphs of the GAP benchmark suite.
//!
//! Layout, all little-endian (Beamer, Asanović, Patterson, "The GAP Benchmark Suite", and what its
//! `converter` writes):
//!
//! | bytes | content |
//! | --- | --- |
//! | 1 | 1 if the graph is directed, else 0 |
//! | 8 | entries e: each edge of an undirected graph is two |
//! | 8 | vertices n |
//! | 8 (n + 1) | where each vertex's neighbours begin, and the end of the last's |
//! | 4 e | the neighbours |
//! | as the last two | directed graphs: the same of the incoming edges |
//!
//! Incoming edges repeat the outgoing ones and are not read. An undirected graph's edges are read
//! once; where a file that calls itself undirected does not list every edge twice, all of its entries
//! are, so that no edge is lost.

use std::ops::Range;

use rayon::prelude::*;

use super::ids;
use super::input::Input;
use crate::{Graph, Result};

/// What the first bytes say, and where the rest is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head {
    pub(super) vertices: u64,
    directed: bool,
    entries: u64,
}

/// Bytes before the offsets.
const HEAD: usize = 17;

/// Vertices that one task reads.
const BLOCK: usize = 1 << 14;

impl Head {
    /// Entries that the graph will have.
    pub(super) fn edges(&self) -> u64 {
        if self.directed { self.entries } else { self.entries / 2 }
    }

    /// Bytes of the whole file.
    fn size(&self) -> u128 {
        let adjacency = 8 * (u128::from(self.vertices) + 1) + 4 * u128::from(self.entries);
        HEAD as u128 + if self.directed { 2 * adjacency } else { adjacency }
    }
}

/// Reads the fixed part of the file.
pub(super) fn head(input: &Input) -> Result<Head> {
    let bytes = input.content;
    let word = |at: usize| {
        bytes.get(at..).and_then(|rest| rest.first_chunk()).map(|word| u64::from_le_bytes(*word))
    };
    let (Some(entries), Some(vertices)) = (word(1), word(9)) else {
        return Err(input.at_byte(
            bytes.len(),
            "the file ends inside its first 17 bytes: it is cut off, convert the graph again",
        ));
    };
    let directed = match bytes[0] {
        0 => false,
        1 => true,
        other => {
            return Err(input.at_byte(
                0,
                format!(
                    "the first byte is {other}, and a GAP serialized graph begins with 0 or 1: it is \
                     of another format (name it with `--format`)"
                ),
            ));
        }
    };
    Ok(Head { vertices, directed, entries })
}

pub(super) fn parse(input: &Input) -> Result<Graph> {
    let head = head(input)?;
    let bytes = input.content;
    if head.size() != bytes.len() as u128 {
        return Err(input.at_byte(
            1,
            format!(
                "{} entries and {} vertices take a file of {} bytes, and this one has {}: it is cut \
                 off or has weights (.wsg), convert the graph again",
                head.entries,
                head.vertices,
                head.size(),
                bytes.len()
            ),
        ));
    }
    // Both are below the file's length.
    let (n, entries) = (head.vertices as usize, head.entries as usize);
    let (offsets, rest) = bytes[HEAD..].split_at(8 * (n + 1));
    let offsets = offsets.as_chunks::<8>().0;
    let neighbours = rest[..4 * entries].as_chunks::<4>().0;
    let offset = |v: usize| u64::from_le_bytes(offsets[v]);
    let row = |v: usize| -> Result<Range<usize>> {
        let (from, to) = (offset(v), offset(v + 1));
        if from > to || to > entries as u64 || (v == 0 && from != 0) {
            return Err(input.at_byte(
                HEAD + 8 * v,
                format!(
                    "the neighbours of vertex {v} are said to be {from} to {to} of {entries}: the \
                     file is damaged, convert the graph again"
                ),
            ));
        }
        Ok(from as usize..to as usize)
    };
    let rows = |from: usize| -> Result<Listed> {
        let mut listed = Listed::default();
        for v in from..n.min(from + BLOCK) {
            for place in row(v)? {
                let neighbour = u32::from_le_bytes(neighbours[place]);
                if neighbour as usize >= n {
                    return Err(input.at_byte(
                        HEAD + 8 * (n + 1) + 4 * place,
                        format!(
                            "vertex {v} has the neighbour {neighbour}, and there are {n} vertices: \
                             the file is damaged, convert the graph again"
                        ),
                    ));
                }
                // Vertices are below 2³², as neighbours are, where one is looked at.
                listed.add(v as u32, neighbour);
            }
        }
        Ok(listed)
    };
    let starts: Vec<usize> = (0..n).step_by(BLOCK).collect();
    // All of them, then the first error: which one it is does not depend on the threads.
    let listed: Vec<Result<Listed>> = starts.into_par_iter().map(rows).collect();
    let listed = listed.into_iter().collect::<Result<Vec<Listed>>>()?;
    if offset(n) != entries as u64 {
        return Err(input.at_byte(
            HEAD + 8 * n,
            format!(
                "the neighbours of the last vertex end at {} of {entries}: the file is damaged, \
                 convert the graph again",
                offset(n)
            ),
        ));
    }
    input.meter.finish();
    let balance = listed.iter().fold(0u64, |sum, part| sum.wrapping_add(part.balance));
    let twice = !head.directed && balance == 0;
    let mut edges = Vec::new();
    for part in listed {
        edges.extend(part.up);
        if !twice {
            edges.extend(part.down);
        }
    }
    ids::indexed(input, edges, head.vertices)
}

/// Entries of some rows.
#[derive(Default)]
struct Listed {
    /// To the vertex itself and to larger ones.
    up: Vec<[u32; 2]>,
    /// To smaller ones.
    down: Vec<[u32; 2]>,
    /// A hash of each edge, added for `up` and taken off for `down`: 0 over a graph that lists every
    /// edge in both directions, and otherwise by chance once in 2⁶⁴.
    balance: u64,
}

impl Listed {
    fn add(&mut self, v: u32, w: u32) {
        let hash = |low: u32, high: u32| {
            let key = (u64::from(low) << 32 | u64::from(high)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (key ^ (key >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
        };
        match v.cmp(&w) {
            std::cmp::Ordering::Equal => self.up.push([v, w]),
            std::cmp::Ordering::Less => {
                self.up.push([v, w]);
                self.balance = self.balance.wrapping_add(hash(v, w));
            }
            std::cmp::Ordering::Greater => {
                self.down.push([v, w]);
                self.balance = self.balance.wrapping_sub(hash(w, v));
            }
        }
    }
}
