use anyhow::Result;
use testkit::effort;
use tribin_kernels::directed_triangles::{
    BLOCK, CODES, DOWN, KINDS, MOST_AT_ONCE, UP, directed_codes, directed_kinds, directed_thirds,
    shared_bytes, words_of_edge,
};
use warpwise_device::launch::{Buffer, Shape};

use crate::devices::{Case, Kernel, TestDevice, ensure_holds};
use crate::rows::{Rows, graphs_of_triangles, oriented};

/// A graph whose edges have directions.
#[derive(Debug, Clone)]
struct Arcs {
    graph: Rows,
    bits: Vec<u8>,
}

impl Arcs {
    /// Directions by chance: two in `both_of` edges have arcs each way.
    fn random(graph: Rows, both_of: u8, seed: u64) -> Arcs {
        let mut rng = fastrand::Rng::with_seed(seed);
        let bits = graph.heads.iter().map(|_| match rng.u8(0..both_of) {
            0 | 1 => DOWN | UP,
            other if other % 2 == 0 => DOWN,
            _ => UP,
        });
        Arcs { bits: bits.collect(), graph }
    }

    /// Whether there is an arc.
    fn has(&self, from: u32, to: u32) -> bool {
        let place = self.graph.place(from, to).unwrap();
        self.bits[place as usize] & if from > to { DOWN } else { UP } != 0
    }

    /// Directed triangles of each kind at a corner of a triangle, by their definitions.
    fn kinds_at(&self, i: u32, others: [u32; 2]) -> [u64; 4] {
        let mut kinds = [0; 4];
        for [j, k] in [others, [others[1], others[0]]] {
            let joined = self.has(j, k);
            kinds[0] += u64::from(self.has(i, j) && joined && self.has(k, i));
            kinds[1] += u64::from(self.has(j, i) && self.has(i, k) && joined);
            kinds[2] += u64::from(self.has(j, i) && self.has(k, i) && joined);
            kinds[3] += u64::from(self.has(i, j) && self.has(i, k) && joined);
        }
        kinds
    }

    /// Every triangle: the places of its edges, and its ranks u > a > b.
    fn triangles(&self) -> Vec<([u32; 3], [u32; 3])> {
        let corners = |[ua, ub, _]: [u32; 3]| {
            let Rows { tails, heads, .. } = &self.graph;
            [tails[ua as usize], heads[ua as usize], heads[ub as usize]]
        };
        self.graph.triangles().into_iter().map(|places| (places, corners(places))).collect()
    }
}

fn add(kinds: &mut [u64], rank: u32, found: [u64; 4]) {
    let first = (KINDS * u64::from(rank)) as usize;
    kinds[first..first + 4].iter_mut().zip(found).for_each(|(sum, found)| *sum += found);
}

/// A graph of each sort: hubs, books, cliques, short and long rows, nothing; arcs each way often and rarely.
fn all_arcs() -> Vec<Arcs> {
    let mut all = graphs_of_triangles();
    // A hub that all others are neighbours of, in a ring.
    let ring = (1..150).flat_map(|v| [[0, v], [v, v % 149 + 1]]).collect::<Vec<_>>();
    all.push(Rows::of_pairs(&ring));
    let arcs =
        |(seed, graph): (u64, Rows)| [2, 3, 9].map(|of| Arcs::random(graph.clone(), of, seed));
    (0..).zip(all).flat_map(arcs).collect()
}

fn shapes() -> [Shape; 3] {
    [Shape::new(1, 32), Shape::new(1, BLOCK), Shape::new(5, BLOCK)]
}

/// The numbers of the edges u → b, as words of 16 or 32 bits each.
fn thirds(arcs: &Arcs, wide: bool) -> Vec<u64> {
    let mut numbers = vec![[0u64; 4]; arcs.graph.heads.len()];
    for ([_, ub, _], [u, a, b]) in arcs.triangles() {
        for (number, [[x, y], [z, w]]) in
            [[[u, a], [a, b]], [[u, a], [b, a]], [[a, u], [a, b]], [[a, u], [b, a]]]
                .iter()
                .enumerate()
        {
            numbers[ub as usize][number] += u64::from(arcs.has(*x, *y) && arcs.has(*z, *w));
        }
    }
    let words = numbers.iter().flat_map(|&[a, b, c, d]| match wide {
        true => vec![a | b << 32, c | d << 32],
        false => vec![a | b << 16 | c << 32 | d << 48],
    });
    words.collect()
}

#[derive(Debug)]
struct Kinds {
    arcs: Arcs,
    shape: Shape,
    wide: bool,
}

impl Case for Kinds {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Kinds { arcs, shape, wide } = self;
        let graph = &arcs.graph;
        let m = graph.heads.len() as u64;
        // What is there is added to.
        let mut at_ends = vec![7; KINDS as usize * graph.rows.len()];
        let mut there = Buffer::from_host(device, &at_ends)?;
        let mut by_edge = Buffer::<u64, D>::zeroed(device, m * words_of_edge(*wide))?;
        let (tails, heads, rows) = graph.on(device)?;
        directed_kinds(
            device,
            *shape,
            oriented(&tails, &heads, &rows),
            Buffer::from_host(device, &arcs.bits)?.view(),
            there.view_mut(),
            by_edge.view_mut(),
            u32::from(*wide),
            m,
        )?;
        for (_, [u, a, b]) in arcs.triangles() {
            add(&mut at_ends, u, arcs.kinds_at(u, [a, b]));
            add(&mut at_ends, a, arcs.kinds_at(a, [u, b]));
        }
        ensure_holds("kinds", device, &there, &at_ends)?;
        ensure_holds("thirds", device, &by_edge, &thirds(arcs, *wide))
    }
}

#[test]
fn directed_kinds_finds_what_every_triangle_is_to_its_corners() {
    let kernel = Kernel::named("directed_kinds");
    for arcs in all_arcs() {
        for wide in [false, true] {
            kernel.everywhere(shapes().map(|shape| Kinds { arcs: arcs.clone(), shape, wide }));
        }
    }
}

#[derive(Debug)]
struct Thirds {
    arcs: Arcs,
    shape: Shape,
    wide: bool,
}

impl Case for Thirds {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Thirds { arcs, shape, wide } = self;
        let graph = &arcs.graph;
        let m = graph.heads.len() as u64;
        let mut kinds = vec![u64::from(u32::MAX); KINDS as usize * graph.rows.len()];
        let mut there = Buffer::from_host(device, &kinds)?;
        directed_thirds(
            device,
            *shape,
            Buffer::from_host(device, &graph.heads)?.view(),
            Buffer::from_host(device, &arcs.bits)?.view(),
            Buffer::from_host(device, &thirds(arcs, *wide))?.view(),
            there.view_mut(),
            u32::from(*wide),
            m,
        )?;
        for (_, [u, a, b]) in arcs.triangles() {
            add(&mut kinds, b, arcs.kinds_at(b, [u, a]));
        }
        ensure_holds("kinds", device, &there, &kinds)
    }
}

#[test]
fn directed_thirds_adds_what_was_kept_by_edge() {
    let kernel = Kernel::named("directed_thirds");
    for arcs in all_arcs() {
        for wide in [false, true] {
            kernel.everywhere(shapes().map(|shape| Thirds { arcs: arcs.clone(), shape, wide }));
        }
    }
}

#[derive(Debug)]
struct Codes {
    arcs: Arcs,
    shape: Shape,
    most: u32,
}

impl Case for Codes {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Codes { arcs, shape, most } = self;
        let graph = &arcs.graph;
        let m = graph.heads.len() as u64;
        let mut codes = vec![1; CODES as usize];
        let mut there = Buffer::from_host(device, &codes)?;
        let (tails, heads, rows) = graph.on(device)?;
        directed_codes(
            device,
            shape.shared(shared_bytes(shape.block.x)),
            oriented(&tails, &heads, &rows),
            Buffer::from_host(device, &arcs.bits)?.view(),
            there.view_mut(),
            *most,
            m,
        )?;
        let direction = |place: u32| match arcs.bits[place as usize] {
            DOWN => 0,
            UP => 1,
            _ => 2,
        };
        for ([ua, ub, ab], _) in arcs.triangles() {
            codes[9 * direction(ua) + 3 * direction(ub) + direction(ab)] += 1;
        }
        ensure_holds("codes", device, &there, &codes)
    }
}

#[test]
fn directed_codes_counts_triangles_by_the_directions_of_their_edges() {
    let kernel = Kernel::named("directed_codes");
    for (at, arcs) in all_arcs().into_iter().enumerate() {
        for (at, most) in (at..).zip([0, 5, MOST_AT_ONCE]) {
            // A quick run takes one of the three shapes.
            let shapes = effort::some(shapes(), at, 3);
            kernel.everywhere(shapes.map(|shape| Codes { arcs: arcs.clone(), shape, most }));
        }
    }
}
