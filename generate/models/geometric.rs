//! Random geometric graphs: high clustering, as social networks have it.

use super::random::Streams;
use super::{BLOCK, check_memory, vertices};
use crate::graph::EdgeBlocks;
use crate::{Error, Result};
use tribin_base::par;

/// Points that are uniform on a torus of side 1, joined where they are at most a radius apart. Each
/// edge comes once, no self-loops.
///
/// The clustering coefficient tends to 1 - 3√3/4π = 0.5865 whatever the degree (Dall, Christensen,
/// "Random geometric graphs", Phys. Rev. E 66, 2002), where an Erdős-Rényi graph's tends to 0.
///
/// Coordinates are 32-bit integers, so distances are exact. Points are kept, 20 bytes each.
#[derive(Debug)]
pub struct Geometric {
    /// The square of the radius, in units of 2⁻³² of the side.
    reach: u64,
    /// Cells on a side, each at least a radius wide; 1 where there would be less than three.
    side: u64,
    /// The vertices, cell by cell.
    ids: Vec<u32>,
    /// The coordinates of the vertices of `ids`.
    points: Vec<[u32; 2]>,
    /// The place in `ids` where each cell begins, and where the last one ends.
    starts: Vec<u32>,
    blocks: CellBlocks,
}

/// How cells become blocks: with about as many edges as blocks have elsewhere.
#[derive(Debug, Clone, Copy)]
enum CellBlocks {
    /// Several cells in each.
    Cells(u64),
    /// Several for each cell: this many parts of its points, with each of the cells that they meet.
    Parts(u64),
}

impl CellBlocks {
    /// The form of the blocks for the expected number of edges of a cell.
    fn new(edges: u64) -> CellBlocks {
        match BLOCK / edges.max(1) {
            0 => CellBlocks::Parts(edges.div_ceil(BLOCK)),
            cells => CellBlocks::Cells(cells.min(CELLS)),
        }
    }
}

/// The most cells of a block: empty ones take time too.
const CELLS: u64 = 1 << 12;

/// What a cell's points meet: the points of the cell itself, and half of the cells around it. The others find
/// this cell.
const MET: u64 = 5;

impl Geometric {
    /// `vertices` points with the radius that gives the expected degree `degree`.
    ///
    /// # Errors
    /// [`Error::Usage`] for too many vertices, and for a degree that takes more than a radius of 1/2,
    /// 0.785 times the vertices.
    pub fn new(vertices: u64, degree: u64, seed: u64) -> Result<Geometric> {
        let count = self::vertices(vertices.into())?;
        // Ids and points, or the keys that the ids are made of.
        check_memory(12 * count)?;
        // degree = π r² vertices, with six digits of π.
        let reach = (u128::from(degree) << 64) / 3_141_592 * 1_000_000;
        let reach = reach.checked_div(u128::from(count)).unwrap_or(0);
        if reach > 1 << 62 {
            return Err(Error::Usage(
                format!(
                    "{vertices} vertices cannot have a degree of {degree}: use at most {}",
                    u128::from(count) * 785 / 1000
                )
                .into(),
            ));
        }
        let reach = reach as u64;
        Ok(Geometric::of_points(count as u32, reach, seed))
    }

    fn of_points(count: u32, reach: u64, seed: u64) -> Geometric {
        let streams = Streams::new(seed);
        let radius = reach.isqrt() + 1;
        // No more cells than points: empty ones cost time too.
        let side = ((1 << 32) / radius).min(u64::from(count).isqrt());
        let side = if side < 3 { 1 } else { side };
        let point = |id: u32| {
            let draw = streams.stream(u64::from(id)).draw();
            [draw as u32, (draw >> 32) as u32]
        };
        let cell = |[x, y]: [u32; 2]| {
            let of = |coordinate: u32| (u64::from(coordinate) * side) >> 32;
            of(y) * side + of(x)
        };
        // Below 2⁶⁴: cells, as points, are fewer than 2³².
        let mut keys = par::tabulate(count as usize, |id| cell(point(id as u32)) << 32 | id as u64);
        par::sort_unstable(&mut keys);
        let starts = par::tabulate((side * side) as usize + 1, |cell| {
            keys.partition_point(|&key| key >> 32 < cell as u64) as u32
        });
        let ids = par::tabulate(keys.len(), |place| keys[place] as u32);
        drop(keys);
        let points = par::tabulate(ids.len(), |place| point(ids[place]));
        // Points of a cell, times half the points that each is joined to; π is 3.2 where it is generous to be.
        let joined = (u128::from(reach) * u128::from(count) * 16 / 5) >> 65;
        let edges = u128::from(count) * joined / u128::from(side * side);
        // Below 2⁶⁴: not even all pairs of points are more.
        let blocks = CellBlocks::new(edges as u64);
        Geometric { reach, side, ids, points, starts, blocks }
    }

    /// Calls `found` with the places of every pair within reach, of which the first is in `part` of the
    /// `parts` of a cell's points and the second in what they meet, of the number `met`.
    fn pairs(
        &self,
        cell: u64,
        met: u64,
        part: u64,
        parts: u64,
        mut found: impl FnMut(usize, usize),
    ) {
        let inside = self.places(cell);
        // A cell's points, and so parts where there are any, are fewer than 2³².
        let end = |part: u64| inside.start + (inside.len() as u64 * part / parts) as usize;
        let own = end(part)..end(part + 1);
        if met == 0 {
            for i in own {
                (i + 1..inside.end).filter(|&j| self.near(i, j)).for_each(|j| found(i, j));
            }
            return;
        }
        // A single cell meets no other.
        if self.side == 1 {
            return;
        }
        let (row, column) = (cell / self.side, cell % self.side);
        // With three cells on a side or more, all eight around a cell are different.
        let (west, east) = (self.side - 1, 1);
        let (down, right) = [(0, east), (1, west), (1, 0), (1, east)][met as usize - 1];
        let row = (row + down) % self.side;
        let other = self.places(row * self.side + (column + right) % self.side);
        for i in own {
            other.clone().filter(|&j| self.near(i, j)).for_each(|j| found(i, j));
        }
    }

    /// The pairs of a block.
    fn pairs_of(&self, block: u64, mut found: impl FnMut(usize, usize)) {
        match self.blocks {
            CellBlocks::Cells(cells) => {
                let from = block * cells;
                for cell in from..(self.side * self.side).min(from + cells) {
                    (0..MET).for_each(|met| self.pairs(cell, met, 0, 1, &mut found));
                }
            }
            CellBlocks::Parts(parts) => {
                let (cell, rest) = (block / (MET * parts), block % (MET * parts));
                self.pairs(cell, rest / parts, rest % parts, parts, found);
            }
        }
    }

    fn places(&self, cell: u64) -> std::ops::Range<usize> {
        self.starts[cell as usize] as usize..self.starts[cell as usize + 1] as usize
    }

    #[inline]
    fn near(&self, i: usize, j: usize) -> bool {
        let ([x, y], [other_x, other_y]) = (self.points[i], self.points[j]);
        // The shorter way around the torus: at most 2³¹, and the sum of squares at most 2⁶³.
        let square = |a: u32, b: u32| {
            let difference = a.wrapping_sub(b);
            let distance = u64::from(difference.min(difference.wrapping_neg()));
            distance * distance
        };
        square(x, other_x) + square(y, other_y) <= self.reach
    }
}

impl EdgeBlocks for Geometric {
    fn vertices(&self) -> u64 {
        self.ids.len() as u64
    }

    /// The number of entries, found by making all of them.
    fn entries(&self) -> u64 {
        let of_blocks = par::map(0..self.blocks(), |block| {
            let mut entries = 0;
            self.pairs_of(block, |_, _| entries += 1);
            entries
        });
        of_blocks.into_iter().sum()
    }

    fn blocks(&self) -> u64 {
        let cells = self.side * self.side;
        match self.blocks {
            CellBlocks::Cells(together) => cells.div_ceil(together),
            CellBlocks::Parts(parts) => cells * MET * parts,
        }
    }

    fn block(&self, block: u64, edges: &mut Vec<[u32; 2]>) {
        self.pairs_of(block, |i, j| edges.push([self.ids[i], self.ids[j]]));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Every pair's distance, with coordinates from the same draws.
    fn by_pairs(model: &Geometric) -> BTreeSet<[u32; 2]> {
        let distance = |a: u32, b: u32| {
            let straight = i64::from(a) - i64::from(b);
            straight.abs().min((1 << 32) - straight.abs()) as u128
        };
        let mut edges = BTreeSet::new();
        for i in 0..model.ids.len() {
            for j in 0..i {
                let [dx, dy] =
                    [0, 1].map(|axis| distance(model.points[i][axis], model.points[j][axis]));
                if dx * dx + dy * dy <= u128::from(model.reach) {
                    let (u, v) = (model.ids[i], model.ids[j]);
                    edges.insert([u.min(v), u.max(v)]);
                }
            }
        }
        edges
    }

    #[test]
    fn cells_find_every_pair_once() {
        for (vertices, degree) in [
            (0, 0),
            (1, 0),
            (2, 1),
            (50, 39),
            (60, 20),
            (300, 8),
            (400, 40),
            (1500, 1100),
            (3000, 900),
        ] {
            let model = Geometric::new(vertices, degree, 5).unwrap();
            let mut edges = Vec::new();
            (0..model.blocks()).for_each(|block| model.block(block, &mut edges));
            assert_eq!(model.entries(), edges.len() as u64);
            edges.iter_mut().for_each(|pair| pair.sort_unstable());
            let set: BTreeSet<[u32; 2]> = edges.iter().copied().collect();
            assert_eq!(set.len(), edges.len(), "{vertices} vertices: an edge came twice");
            assert_eq!(set, by_pairs(&model), "{vertices} vertices of degree {degree}");
        }
    }

    /// A block was that of a cell at least: of 2 million edges here.
    #[test]
    fn blocks_of_large_degrees_are_no_larger() {
        let model = Geometric::new(12_000, 3000, 1).unwrap();
        let mut edges = Vec::new();
        let mut all = 0;
        for block in 0..model.blocks() {
            edges.clear();
            model.block(block, &mut edges);
            // Twice what is expected: within a cell the first points meet the most others.
            assert!(edges.len() as u64 <= 2 * BLOCK, "{}", edges.len());
            all += edges.len();
        }
        assert!(all > 17_000_000, "{all}");
    }

    #[test]
    fn the_degree_is_as_asked() {
        let model = Geometric::new(20_000, 30, 1).unwrap();
        // 300,000 are expected; pairs are independent two by two, so the deviation is below 600.
        assert!(model.entries().abs_diff(300_000) < 3_000, "{}", model.entries());
    }

    #[test]
    fn a_degree_too_large() {
        assert_eq!(
            Geometric::new(1000, 786, 1).unwrap_err().to_string(),
            "1000 vertices cannot have a degree of 786: use at most 785"
        );
        assert!(Geometric::new(1000, 785, 1).is_ok());
    }
}
