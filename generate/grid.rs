//! Grids.

use super::{BLOCK, vertices};
use crate::Result;
use crate::graph::EdgeBlocks;

/// A rectangular grid, each vertex joined to its neighbours above, below, left and right: no triangle,
/// and no degree above 4. The vertex in row r and column c is r · columns + c.
#[derive(Debug)]
pub struct Grid {
    rows: u64,
    columns: u64,
}

impl Grid {
    /// A grid of `rows` by `columns`.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) for too many vertices.
    pub fn new(rows: u64, columns: u64) -> Result<Grid> {
        vertices(u128::from(rows) * u128::from(columns))?;
        Ok(Grid { rows, columns })
    }
}

impl EdgeBlocks for Grid {
    fn vertices(&self) -> u64 {
        self.rows * self.columns
    }

    fn entries(&self) -> u64 {
        self.rows * self.columns.saturating_sub(1) + self.rows.saturating_sub(1) * self.columns
    }

    fn blocks(&self) -> u64 {
        self.vertices().div_ceil(BLOCK)
    }

    fn block(&self, block: u64, edges: &mut Vec<[u32; 2]>) {
        let from = block * BLOCK;
        for vertex in from..self.vertices().min(from + BLOCK) {
            if (vertex + 1) % self.columns != 0 {
                edges.push([vertex as u32, vertex as u32 + 1]);
            }
            if vertex / self.columns + 1 < self.rows {
                edges.push([vertex as u32, (vertex + self.columns) as u32]);
            }
        }
    }
}
