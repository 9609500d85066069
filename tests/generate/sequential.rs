//! The models as plain sequential programs, which keep all their edges: what the generators are compared
//! with. Edges come as the models draw them, with self-loops and duplicates where the model has them.

/// The generator of Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014.
struct SplitMix64(u64);

impl SplitMix64 {
    /// A stream of its own for each pair of seed and index.
    fn new(seed: u64, index: u64) -> SplitMix64 {
        let start = SplitMix64(seed).next() ^ index.wrapping_mul(0xd134_2543_de82_ef95);
        SplitMix64(SplitMix64(start).next())
    }

    /// The next 64 bits.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, uniform but for a bias of at most `bound` / 2⁶⁴.
    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}

/// A random permutation of `0..n` (Fisher-Yates).
pub fn permutation(n: u32, seed: u64) -> Vec<u32> {
    let mut ids: Vec<u32> = (0..n).collect();
    let mut random = SplitMix64::new(seed, u64::MAX);
    for i in (1..ids.len()).rev() {
        ids.swap(i, random.below(i as u64 + 1) as usize);
    }
    ids
}

/// Graph500's Kronecker graph: 2^`scale` vertices, `edge_factor` times as many entries, quadrants
/// with probabilities 0.57, 0.19, 0.19 and 0.05, ids permuted. Self-loops and duplicates occur.
pub fn rmat(scale: u32, edge_factor: usize, seed: u64) -> Vec<[u32; 2]> {
    let ids = permutation(1 << scale, seed);
    (0..edge_factor << scale)
        .map(|index| {
            let mut random = SplitMix64::new(seed, index as u64);
            let (mut u, mut v) = (0, 0);
            for _ in 0..scale {
                let quadrant = random.below(100);
                u = u << 1 | usize::from(quadrant >= 76);
                v = v << 1 | usize::from((57..76).contains(&quadrant) || quadrant >= 95);
            }
            [ids[u], ids[v]]
        })
        .collect()
}

/// Erdős-Rényi: `edges` entries, both ends uniform below `vertices`.
pub fn uniform(vertices: u32, edges: usize, seed: u64) -> Vec<[u32; 2]> {
    (0..edges)
        .map(|index| {
            let mut random = SplitMix64::new(seed, index as u64);
            [0; 2].map(|_: u32| random.below(u64::from(vertices)) as u32)
        })
        .collect()
}

/// Barabási-Albert: every vertex past the first `links` joins `links` earlier ones, drawn in
/// proportion to their degree (an end of an earlier entry is a fair draw). Duplicates occur.
pub fn barabasi_albert(vertices: u32, links: u32, seed: u64) -> Vec<[u32; 2]> {
    let mut random = SplitMix64::new(seed, 0);
    let mut edges: Vec<[u32; 2]> = Vec::with_capacity((vertices * links) as usize);
    for v in links..vertices {
        let earlier = edges.len() as u64;
        for link in 0..links {
            let end = match earlier {
                0 => link,
                _ => {
                    let draw = random.below(2 * earlier);
                    edges[(draw / 2) as usize][(draw % 2) as usize]
                }
            };
            edges.push([v, end]);
        }
    }
    edges
}

/// Watts-Strogatz: a ring in which every vertex joins its next `half_degree` vertices; the far end
/// of each edge is redrawn uniformly with probability `rewired_per_mille` / 1000.
pub fn watts_strogatz(
    vertices: u32,
    half_degree: u32,
    rewired_per_mille: u64,
    seed: u64,
) -> Vec<[u32; 2]> {
    (0..vertices)
        .flat_map(|v| {
            let mut random = SplitMix64::new(seed, u64::from(v));
            (1..=half_degree).map(move |step| {
                let rewired = random.below(1000) < rewired_per_mille;
                let drawn = random.below(u64::from(vertices)) as u32;
                [v, if rewired { drawn } else { (v + step) % vertices }]
            })
        })
        .collect()
}

/// A road-like grid of `side` × `side` vertices: every vertex joins the next of its row and column, and
/// one in eight the next on the diagonal. Ids permuted.
pub fn road(side: u32, seed: u64) -> Vec<[u32; 2]> {
    let ids = permutation(side * side, seed);
    let id = |x: u32, y: u32| ids[(x * side + y) as usize];
    (0..side)
        .flat_map(|x| {
            let mut random = SplitMix64::new(seed, u64::from(x));
            (0..side).flat_map(move |y| {
                let diagonal = random.below(8) == 0;
                [
                    (y + 1 < side).then(|| [id(x, y), id(x, y + 1)]),
                    (x + 1 < side).then(|| [id(x, y), id(x + 1, y)]),
                    (diagonal && x + 1 < side && y + 1 < side)
                        .then(|| [id(x, y), id(x + 1, y + 1)]),
                ]
            })
        })
        .flatten()
        .collect()
}

/// A web-like graph: every vertex past the first takes an earlier vertex near it as its model, and
/// makes `links` links, each a copy of one of the model's with probability `copied_per_mille` / 1000
/// and otherwise to an earlier vertex, mostly a near one. Hubs and dense neighbourhoods, in the order
/// of a crawl; duplicates and self-loops occur.
pub fn web(vertices: u32, links: u32, copied_per_mille: u64, seed: u64) -> Vec<[u32; 2]> {
    let mut random = SplitMix64::new(seed, 0);
    let mut edges: Vec<[u32; 2]> = Vec::with_capacity((vertices * links) as usize);
    for v in 1..vertices {
        // Near ones by a squared draw.
        let near = |random: &mut SplitMix64| {
            let draw = random.below(1 << 20) * random.below(1 << 20);
            v - 1 - ((u128::from(draw) * u128::from(v)) >> 40) as u32
        };
        let model = near(&mut random);
        for _ in 0..links {
            let copied = model > 0 && random.below(1000) < copied_per_mille;
            let end = if copied {
                let link = random.below(u64::from(links)) as u32;
                edges[((model - 1) * links + link) as usize][1]
            } else {
                near(&mut random)
            };
            edges.push([v, end]);
        }
    }
    edges
}

/// The Mycielski graph of order `order` ≥ 2, without a triangle: from the one before, a copy of each
/// vertex v joined to v's neighbours, and one vertex joined to all copies (J. Mycielski, Sur le
/// coloriage des graphes, 1955). As in the SuiteSparse collection, order 2 is an edge.
pub fn mycielskian(order: u32) -> Vec<[u32; 2]> {
    let mut edges = vec![[0, 1]];
    let mut n = 2;
    for _ in 2..order {
        let copies: Vec<[u32; 2]> =
            edges.iter().flat_map(|&[u, v]| [[u, n + v], [n + u, v]]).collect();
        edges.extend(copies);
        edges.extend((0..n).map(|v| [n + v, 2 * n]));
        n = 2 * n + 1;
    }
    edges
}

/// The points of [`clustered`], each with its cell before its id, ascending.
fn points_by_cell(side: u32, seed: u64) -> Vec<(u32, u32)> {
    let cells = u64::from(side) * u64::from(side);
    let points = (4 * cells) as u32;
    let ids = permutation(points, seed);
    let mut by_cell: Vec<(u32, u32)> = (0..points)
        .map(|point| {
            let cell = SplitMix64::new(seed, u64::from(point)).below(cells) as u32;
            (cell, ids[point as usize])
        })
        .collect();
    by_cell.sort_unstable();
    by_cell
}

/// A clustered graph: points drawn in a square of `side` × `side` cells, four a cell on average, each
/// joined to every other of its own cell and of half of the eight around it. Ids permuted.
pub fn clustered(side: u32, seed: u64) -> Vec<[u32; 2]> {
    let by_cell = points_by_cell(side, seed);
    let starts: Vec<usize> =
        (0..=side * side).map(|cell| by_cell.partition_point(|&(c, _)| c < cell)).collect();
    (0..side)
        .flat_map(|x| (0..side).map(move |y| (x, y)))
        .flat_map(|(x, y)| {
            let cell = |x: u32, y: u32| {
                let at = (x % side * side + y % side) as usize;
                &by_cell[starts[at]..starts[at + 1]]
            };
            let mut edges = Vec::new();
            for (i, &(_, u)) in cell(x, y).iter().enumerate() {
                let around = [(x + 1, y), (x, y + 1), (x + 1, y + 1), (x + 1, y + side - 1)];
                let own = cell(x, y)[i + 1..].iter();
                let near = own.chain(around.into_iter().flat_map(|(x, y)| cell(x, y)));
                edges.extend(near.map(|&(_, v)| [u, v]));
            }
            edges
        })
        .collect()
}

/// The same edges between other ids.
fn renamed(edges: &[[u32; 2]], id: impl Fn(u32) -> u32) -> Vec<[u32; 2]> {
    edges.iter().map(|edge| edge.map(&id)).collect()
}

/// [`road`] with ids in the order of its rows, as maps have them.
pub fn road_by_rows(side: u32, seed: u64) -> Vec<[u32; 2]> {
    let mut place = vec![0; (side * side) as usize];
    for (at, id) in (0..).zip(permutation(side * side, seed)) {
        place[id as usize] = at;
    }
    renamed(&road(side, seed), |id| place[id as usize])
}

/// [`clustered`] with ids in the order of its cells.
pub fn clustered_by_cells(side: u32, seed: u64) -> Vec<[u32; 2]> {
    let by_cell = points_by_cell(side, seed);
    let mut place = vec![0; by_cell.len()];
    for (at, &(_, id)) in (0..).zip(&by_cell) {
        place[id as usize] = at;
    }
    renamed(&clustered(side, seed), |id| place[id as usize])
}

/// Vertex `n` joined to every vertex below it.
pub fn star(n: u32) -> Vec<[u32; 2]> {
    (0..n).map(|leaf| [n, leaf]).collect()
}

/// A hub, vertex `n`, joined to every vertex of a ring of `n`.
pub fn wheel(n: u32) -> Vec<[u32; 2]> {
    (0..n).flat_map(|v| [[n, v], [v, (v + 1) % n]]).collect()
}

/// A size from `smallest` to `largest`, of a density that is a power.
fn size([smallest, largest]: [u32; 2], exponent: f64, random: &mut SplitMix64) -> u32 {
    let [from, to] = [smallest, largest + 1].map(|end| f64::from(end).powf(1.0 - exponent));
    let share = (random.next() >> 11) as f64 / 2f64.powi(53);
    // Where the integral of the density has this share.
    (from + share * (to - from)).powf(1.0 / (1.0 - exponent)) as u32
}

/// Groups with sizes by a power law, the pairs of each one by one.
pub fn affiliation(
    vertices: u32,
    groups: u64,
    sizes: [u32; 2],
    exponent: f64,
    seed: u64,
) -> Vec<[u32; 2]> {
    let mut edges = Vec::new();
    for group in 0..groups {
        let mut random = SplitMix64::new(seed, group);
        let size = size(sizes, exponent, &mut random);
        let mut members = Vec::new();
        for last in vertices - size..vertices {
            let vertex = random.below(u64::from(last) + 1) as u32;
            let vertex = if members.contains(&vertex) { last } else { vertex };
            edges.extend(members.iter().map(|&earlier| [vertex, earlier]));
            members.push(vertex);
        }
    }
    edges
}

/// The sizes of communities.
pub fn communities_sizes(vertices: u32, sizes: [u32; 2], exponent: f64, seed: u64) -> Vec<u32> {
    let mut random = SplitMix64::new(seed, u64::MAX - 1);
    let mut left = vertices;
    let mut drawn = Vec::new();
    while left > 0 {
        drawn.push(size(sizes, exponent, &mut random).min(left));
        left -= drawn.last().unwrap();
    }
    drawn
}

/// A planted partition: a draw for each pair of each community, then uniform entries.
pub fn communities(
    vertices: u32,
    (sizes, exponent): ([u32; 2], f64),
    inside_per_mille: u64,
    between: u64,
    seed: u64,
) -> Vec<[u32; 2]> {
    let ids = permutation(vertices, seed);
    let mut random = SplitMix64::new(seed, u64::MAX - 2);
    let mut edges = Vec::new();
    let mut first = 0;
    for size in communities_sizes(vertices, sizes, exponent, seed) {
        for v in first..first + size {
            for u in first..v {
                if random.below(1000) < inside_per_mille {
                    edges.push([v, u]);
                }
            }
        }
        first += size;
    }
    edges.extend(uniform(vertices, between as usize, seed));
    edges.iter().map(|edge| edge.map(|place| ids[place as usize])).collect()
}
