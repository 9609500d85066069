//! Points in cells, joined where their cells touch.

use std::ops::Range;

use super::ids::{PlaceNumbering, RandomOrder};
use super::random::{Streams, below, permutation};
use super::{PlaceIds, check_memory, numbers, vertices};
use crate::graph::EdgeBlocks;
use crate::{Error, Result};
use tribin_base::par;

/// Points drawn uniformly over the cells of a torus, four a cell on average, each joined to every other
/// of its own cell and of the eight cells around it. Each edge comes once, no self-loops.
///
/// A vertex has 36 neighbours on average and more than half of their pairs are neighbours too.
///
/// Memory: 4 bytes a cell; shuffled ids take 4 bytes a vertex more, and ids in the order of places 8
/// bytes a cell.
#[derive(Debug)]
pub struct Clustered {
    rows: u64,
    columns: u64,
    /// The place of each cell's first point among the points in the order of cells, and their number.
    starts: Vec<u32>,
    ids: PlaceNumbering,
    /// The edges before those of each cell, and all edges; only where they are found by number.
    before: Vec<u64>,
}

/// Points for each cell.
const POINTS: u64 = 4;

/// Cells of a block, with some 72 edges each.
const CELLS: u64 = 1 << 10;

impl Clustered {
    /// Points in `rows` by `columns` cells. With [`PlaceIds::Places`], points have ids in the order of their
    /// cells, row by row.
    ///
    /// # Errors
    /// [`Error::Usage`] for too many vertices, and for less than three rows or columns: a cell would
    /// touch another one on two sides.
    pub fn new(rows: u64, columns: u64, ids: PlaceIds, seed: u64) -> Result<Clustered> {
        if rows < 3 || columns < 3 {
            return Err(Error::Usage(format!(
                "{rows} by {columns} cells are too few for a torus: use 3 or more rows and columns"
            ).into()));
        }
        let cells = u128::from(rows) * u128::from(columns);
        let count = vertices(cells.saturating_mul(POINTS.into()))? as u32;
        let cells = cells as u64;
        // Keys, and the ids that are made of them.
        check_memory(12 * u64::from(count))?;
        let streams = Streams::new(seed);
        let permuted = match ids {
            PlaceIds::Shuffled => permutation(count, seed),
            PlaceIds::Places => Vec::new(),
        };
        let id = |point: u32| permuted.get(point as usize).copied().unwrap_or(point);
        // Cells, as points, are fewer than 2³².
        let mut keys = par::tabulate(count as usize, |point| {
            let cell = below(streams.stream(point as u64).draw(), cells);
            cell << 32 | u64::from(id(point as u32))
        });
        par::sort_unstable(&mut keys);
        let starts = par::tabulate(cells as usize + 1, |cell| {
            keys.partition_point(|&key| key >> 32 < cell as u64) as u32
        });
        let by_cell = match ids {
            PlaceIds::Shuffled => par::tabulate(keys.len(), |place| keys[place] as u32),
            PlaceIds::Places => Vec::new(),
        };
        let mut model = Clustered {
            rows,
            columns,
            starts,
            ids: PlaceNumbering::Shuffled(by_cell),
            before: Vec::new(),
        };
        if ids == PlaceIds::Places {
            let mut before = Vec::with_capacity(cells as usize + 1);
            before.push(0);
            let mut edges = 0;
            for cell in 0..cells {
                edges += model.edges_of(cell);
                before.push(edges);
            }
            model.before = before;
            model.ids = PlaceNumbering::Places(RandomOrder::new(edges, seed));
        }
        Ok(model)
    }

    fn cells(&self) -> u64 {
        self.rows * self.columns
    }

    /// The places of a cell's points.
    fn places(&self, cell: u64) -> Range<u32> {
        self.starts[cell as usize]..self.starts[cell as usize + 1]
    }

    /// The points of half of the cells around: the others find this one.
    fn around(&self, cell: u64) -> [Range<u32>; 4] {
        let (row, column) = (cell / self.columns, cell % self.columns);
        [(1, 0), (0, 1), (1, 1), (1, self.columns - 1)].map(|(down, right)| {
            let row = (row + down) % self.rows;
            self.places(row * self.columns + (column + right) % self.columns)
        })
    }

    /// Edges whose first end is in a cell.
    fn edges_of(&self, cell: u64) -> u64 {
        let own = self.places(cell).len() as u64;
        let around: u64 = self.around(cell).map(|places| places.len() as u64).iter().sum();
        own * own.saturating_sub(1) / 2 + own * around
    }

    /// The edge of a number, in the order of cells.
    fn edge(&self, number: u64) -> [u32; 2] {
        let cell = self.before.partition_point(|&before| before <= number) as u64 - 1;
        let (own, around) = (self.places(cell), self.around(cell));
        let mut rest = number - self.before[cell as usize];
        let beside: u64 = around.iter().map(|places| places.len() as u64).sum();
        for first in own.clone() {
            let later = u64::from(own.end - 1 - first);
            if rest < later {
                return [first, first + 1 + rest as u32];
            }
            if rest < later + beside {
                let place = around.into_iter().flatten().nth((rest - later) as usize);
                return [first, place.expect("less than the places beside")];
            }
            rest -= later + beside;
        }
        unreachable!("a cell has an edge for each number between its own and the next cell's")
    }
}

impl EdgeBlocks for Clustered {
    fn vertices(&self) -> u64 {
        POINTS * self.cells()
    }

    fn entries(&self) -> u64 {
        match self.before.last() {
            Some(&edges) => edges,
            None => {
                let blocks = par::blocks(self.cells() as usize, par::BLOCK);
                let edges = |cells: Range<usize>| -> u64 {
                    cells.map(|cell| self.edges_of(cell as u64)).sum()
                };
                par::map(blocks, edges).into_iter().sum()
            }
        }
    }

    fn blocks(&self) -> u64 {
        match self.ids {
            PlaceNumbering::Shuffled(_) => self.cells().div_ceil(CELLS),
            PlaceNumbering::Places(_) => super::blocks_of(self.entries()),
        }
    }

    fn block(&self, block: u64, edges: &mut Vec<[u32; 2]>) {
        match &self.ids {
            PlaceNumbering::Shuffled(ids) => {
                let from = block * CELLS;
                for cell in from..self.cells().min(from + CELLS) {
                    let (own, around) = (self.places(cell), self.around(cell));
                    for first in own.clone() {
                        let others =
                            (first + 1..own.end).chain(around.clone().into_iter().flatten());
                        edges.extend(
                            others.map(|other| [first, other].map(|place| ids[place as usize])),
                        );
                    }
                }
            }
            PlaceNumbering::Places(order) => {
                edges.extend(
                    numbers(block, self.entries())
                        .map(|place| order.directed(place, self.edge(order.number(place)))),
                );
            }
        }
    }
}
