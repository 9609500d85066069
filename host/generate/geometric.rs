//! Random geometric graphs: high clustering, as social networks have it.

use rayon::prelude::*;

use super::random::Streams;
use super::vertices;
use crate::write::EdgeBlocks;
use crate::{Error, Result};

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
    /// Their coordinates.
    points: Vec<[u32; 2]>,
    /// Where each cell begins in them, and their end.
    starts: Vec<u32>,
}

/// Cells of a block.
const CELLS: u64 = 1 << 12;

impl Geometric {
    /// `vertices` points with the radius that gives the expected degree `degree`.
    ///
    /// # Errors
    /// [`Error::Usage`] for too many vertices, and for a degree that takes more than a radius of 1/2,
    /// 0.785 times the vertices.
    pub fn new(vertices: u64, degree: u64, seed: u64) -> Result<Geometric> {
        let count = self::vertices(vertices.into())?;
        // degree = π r² vertices, with six digits of π.
        let reach = (u128::from(degree) << 64) / 3_141_592 * 1_000_000;
        let reach = reach.checked_div(u128::from(count)).unwrap_or(0);
        if reach > 1 << 62 {
            return Err(Error::Usage(format!(
                "{vertices} vertices cannot have a degree of {degree}: use at most {}",
                u128::from(count) * 785 / 1000
            )));
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
        let mut keys: Vec<u64> =
            (0..count).into_par_iter().map(|id| cell(point(id)) << 32 | u64::from(id)).collect();
        keys.par_sort_unstable();
        let starts = (0..=side * side)
            .into_par_iter()
            .map(|cell| keys.partition_point(|&key| key >> 32 < cell) as u32)
            .collect();
        let ids: Vec<u32> = keys.into_par_iter().map(|key| key as u32).collect();
        let points = ids.par_iter().map(|&id| point(id)).collect();
        Geometric { reach, side, ids, points, starts }
    }

    /// Calls `found` with the places of every pair within reach, of which the first is in `cell`.
    fn pairs(&self, cell: u64, mut found: impl FnMut(usize, usize)) {
        let inside = self.places(cell);
        for i in inside.clone() {
            (i + 1..inside.end).filter(|&j| self.near(i, j)).for_each(|j| found(i, j));
        }
        if self.side == 1 {
            return;
        }
        let (row, column) = (cell / self.side, cell % self.side);
        // Half of the neighbours: the others find this cell. With three cells on a side or more, all
        // eight are different.
        let (west, east) = (self.side - 1, 1);
        for (down, right) in [(0, east), (1, west), (1, 0), (1, east)] {
            let row = (row + down) % self.side;
            let other = self.places(row * self.side + (column + right) % self.side);
            for i in inside.clone() {
                other.clone().filter(|&j| self.near(i, j)).for_each(|j| found(i, j));
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

    fn cells(&self, block: u64) -> std::ops::Range<u64> {
        let from = block * CELLS;
        from..(self.side * self.side).min(from + CELLS)
    }
}

impl EdgeBlocks for Geometric {
    fn vertices(&self) -> u64 {
        self.ids.len() as u64
    }

    /// Found by making all of them.
    fn entries(&self) -> u64 {
        (0..self.blocks())
            .into_par_iter()
            .map(|block| {
                let mut entries = 0;
                self.cells(block).for_each(|cell| self.pairs(cell, |_, _| entries += 1));
                entries
            })
            .sum()
    }

    fn blocks(&self) -> u64 {
        (self.side * self.side).div_ceil(CELLS)
    }

    fn block(&self, block: u64, edges: &mut Vec<[u32; 2]>) {
        for cell in self.cells(block) {
            self.pairs(cell, |i, j| edges.push([self.ids[i], self.ids[j]]));
        }
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
        for (vertices, degree) in [(0, 0), (1, 0), (2, 1), (50, 39), (60, 20), (300, 8), (400, 40)]
        {
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
