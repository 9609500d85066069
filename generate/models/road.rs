//! Road-like grids.

use super::ids::{PlaceNumbering, RandomOrder};
use super::random::{Streams, permutation};
use super::{PlaceIds, Probability, blocks_of, check_memory, numbers, vertices};
use crate::Result;
use crate::graph::EdgeBlocks;
use tribin_base::par;

/// A rectangular grid in which every vertex joins the next of its row and of its column and, with the
/// probability `diagonals`, the next on the diagonal. Each edge comes once, no self-loops.
///
/// Each diagonal closes two triangles, and no three vertices have another one: a graph of R rows and C
/// columns has R(C-1) + (R-1)C + d edges and 2d triangles, for d diagonals of (R-1)(C-1) at most.
///
/// Shuffled ids take 4 bytes a vertex.
#[derive(Debug)]
pub struct Road {
    rows: u64,
    columns: u64,
    diagonals: u64,
    streams: Streams,
    ids: PlaceNumbering,
}

/// Entries that start at a vertex: to the right, down, and on the diagonal.
const SLOTS: u64 = 3;

impl Road {
    /// A grid of `rows` by `columns`. With [`PlaceIds::Places`], the vertex in row r and column c is
    /// r · columns + c.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) for too many vertices.
    pub fn new(
        rows: u64,
        columns: u64,
        diagonals: Probability,
        ids: PlaceIds,
        seed: u64,
    ) -> Result<Road> {
        let vertices = vertices(u128::from(rows) * u128::from(columns))?;
        let ids = match ids {
            PlaceIds::Shuffled => {
                check_memory(4 * vertices)?;
                PlaceNumbering::Shuffled(permutation(vertices as u32, seed))
            }
            PlaceIds::Places => PlaceNumbering::Places(RandomOrder::new(SLOTS * vertices, seed)),
        };
        let (diagonals, streams) = (diagonals.threshold(), Streams::new(seed));
        Ok(Road { rows, columns, diagonals, streams, ids })
    }

    /// Whether the vertex in a row and column joins the next on the diagonal.
    fn has_diagonal(&self, row: u64, column: u64) -> bool {
        row + 1 < self.rows
            && column + 1 < self.columns
            && self.streams.stream(row).nth(column) < self.diagonals
    }

    /// The entry in one of a vertex' slots.
    fn entry(&self, vertex: u64, slot: u64) -> Option<[u32; 2]> {
        let (row, column) = (vertex / self.columns, vertex % self.columns);
        let other = match slot {
            0 => (column + 1 < self.columns).then_some(vertex + 1),
            1 => (row + 1 < self.rows).then_some(vertex + self.columns),
            _ => self.has_diagonal(row, column).then_some(vertex + self.columns + 1),
        };
        Some([vertex as u32, other? as u32])
    }
}

impl EdgeBlocks for Road {
    fn vertices(&self) -> u64 {
        self.rows * self.columns
    }

    /// Found by drawing all diagonals.
    fn entries(&self) -> u64 {
        let of_row = |row: usize| {
            let row = row as u64;
            (0..self.columns).filter(|&column| self.has_diagonal(row, column)).count() as u64
        };
        let together = par::BLOCK.div_ceil(self.columns.max(1) as usize);
        let blocks = par::blocks(self.rows as usize, together);
        let diagonals: u64 =
            par::map(blocks, |rows| rows.map(of_row).sum::<u64>()).into_iter().sum();
        let straight =
            self.rows * self.columns.saturating_sub(1) + self.rows.saturating_sub(1) * self.columns;
        straight + diagonals
    }

    fn blocks(&self) -> u64 {
        match self.ids {
            PlaceNumbering::Shuffled(_) => blocks_of(self.vertices()),
            PlaceNumbering::Places(_) => blocks_of(SLOTS * self.vertices()),
        }
    }

    fn block(&self, block: u64, edges: &mut Vec<[u32; 2]>) {
        match &self.ids {
            PlaceNumbering::Shuffled(ids) => {
                let slots = numbers(block, self.vertices())
                    .flat_map(|vertex| (0..SLOTS).filter_map(move |slot| self.entry(vertex, slot)));
                edges.extend(slots.map(|ends| ends.map(|place| ids[place as usize])));
            }
            PlaceNumbering::Places(order) => {
                edges.extend(numbers(block, SLOTS * self.vertices()).filter_map(|place| {
                    let slot = order.number(place);
                    Some(order.directed(place, self.entry(slot / SLOTS, slot % SLOTS)?))
                }));
            }
        }
    }
}
