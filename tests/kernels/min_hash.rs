use anyhow::{Result, ensure};
use proptest::prelude::*;
use testkit::devices::entries_on;
use tribin_kernels::figures::{FIGURES, PARTS, VERTICES};
use tribin_kernels::min_hash::{
    BLOCK, CLASSES, hash, hub_keys, landmark_wedges, near_ends, own_labels, raise_labels, vertex_of,
};
use tribin_kernels::ranks::degree_class;
use warpwise_device::launch::{Buffer, Shape};

use crate::contents::{Content, EdgePattern, UNTOUCHED, any_edges, sizes_around};
use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};

/// The vertex that has a hash: every step of the hash undone, in numbers of 64 bits.
fn unhash(hash: u32) -> u32 {
    /// A divisor in place of a factor, modulo 2³²: each step of Newton's method doubles the bits that fit.
    fn inverse(factor: u64) -> u64 {
        let step = |x: u64, _| x.wrapping_mul(2u64.wrapping_sub(factor.wrapping_mul(x)));
        (0..5).fold(factor, step) % (1 << 32)
    }
    let undone = u64::from(hash);
    let undone = undone ^ undone >> 13 ^ undone >> 26;
    let undone = undone * inverse(0x85eb_ca6b) % (1 << 32);
    let undone = undone ^ undone >> 16;
    (undone * inverse(0x9e37_79b1) % (1 << 32)) as u32
}

#[test]
fn no_two_vertices_have_one_hash() {
    let mut rng = fastrand::Rng::with_seed(1);
    let around = (0..32).flat_map(|bit| [(1u32 << bit) - 1, 1 << bit, !(1 << bit)]);
    let drawn = (0..100_000).map(|_| rng.u32(..));
    for vertex in (0..1 << 20).chain(around).chain([u32::MAX]).chain(drawn) {
        assert_eq!(unhash(hash(vertex)), vertex);
        assert_eq!(vertex_of(hash(vertex)), vertex);
    }
}

/// As many as a floor is to let through: of vertices in a row, evenly spaced, or drawn.
#[test]
fn hashes_are_evenly_spread() {
    let mut rng = fastrand::Rng::with_seed(2);
    let of_step = |step: u32| (0..1 << 16).map(|i| i * step).collect::<Vec<u32>>();
    for vertices in
        [of_step(1), of_step(64), of_step(1 << 16), (0..1 << 16).map(|_| rng.u32(..)).collect()]
    {
        // By the highest and by the lowest bits: floors take those, the sort these.
        for shift in [28, 0] {
            let mut found = [0; 16];
            vertices.iter().for_each(|&v| found[(hash(v) >> shift & 15) as usize] += 1);
            let least_and_most = 3_700..4_500;
            assert!(found.iter().all(|found| least_and_most.contains(found)), "{shift}: {found:?}");
        }
    }
}

#[derive(Debug)]
struct OwnLabels(usize, Shape);

impl Case for OwnLabels {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let &OwnLabels(n, shape) = self;
        let mut labels = Buffer::from_host(device, &vec![UNTOUCHED; n + 2])?;
        own_labels(device, shape, labels.view_mut(), n as u64)?;
        let labels = labels.to_vec(device)?;
        for (v, &label) in labels[..n].iter().enumerate() {
            ensure!(unhash(label) == v as u32, "labels[{v}] is {label}");
        }
        ensure!(labels[n..] == [UNTOUCHED; 2], "behind the last: {:?}", &labels[n..]);
        Ok(())
    }
}

fn sizes_and_shapes() -> impl Iterator<Item = (usize, Shape)> {
    let sizes = sizes_around(&[BLOCK as usize, 3 * BLOCK as usize]).into_iter();
    sizes.flat_map(|n| striding_shapes(n as u64, BLOCK).map(|shape| (n, shape)))
}

#[test]
fn own_labels_are_the_hashes() {
    let kernel = Kernel::named("own_labels");
    kernel.everywhere(sizes_and_shapes().map(|(n, shape)| OwnLabels(n, shape)));
    kernel.on_gpu(|| striding_shapes(1_000_003, BLOCK).map(|s| OwnLabels(1_000_003, s)).into());
}

#[derive(Debug)]
struct RaiseLabels {
    edges: Content<[u32; 2]>,
    /// How many of the edges the kernel is to take.
    m: usize,
    vertices: u32,
    floor: u32,
    most_degree: u32,
    shape: Shape,
}

/// Degrees that are no graph's: from 0 on, and some as large as can be.
fn any_degrees(vertices: u32) -> Vec<u32> {
    (0..vertices).map(|v| if v % 11 == 7 { u32::MAX - v } else { v * 7 % 13 }).collect()
}

impl Case for RaiseLabels {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        // Own hashes, but for some labels that nothing is above, and some that all but 0 is.
        let before = |v: u32| match v % 7 {
            3 => u32::MAX,
            5 => 0,
            _ => hash(v),
        };
        let before: Vec<u32> = (0..self.vertices).map(before).collect();
        let edges = entries_on(device, &self.edges)?;
        let mut labels = Buffer::from_host(device, &before)?;
        let &RaiseLabels { floor, most_degree, m, shape, .. } = self;
        // They are not read where no degree is too large.
        let of_vertices = any_degrees(self.vertices);
        let read = if most_degree == u32::MAX { &[][..] } else { &of_vertices };
        let degrees = Buffer::from_host(device, read)?;
        raise_labels(
            device,
            shape,
            edges.view(),
            degrees.view(),
            labels.view_mut(),
            floor,
            most_degree,
            m as u64,
        )?;
        let mut offered: Vec<Vec<u32>> = before.iter().map(|&own| vec![own]).collect();
        let is_hub = |v: u32| of_vertices[v as usize] > most_degree;
        for &[u, v] in self.edges[..m].iter().filter(|edge| !edge.iter().any(|&end| is_hub(end))) {
            offered[u as usize].extend(Some(hash(v)).filter(|&hash| hash >= floor));
            offered[v as usize].extend(Some(hash(u)).filter(|&hash| hash >= floor));
        }
        let greatest = |offers: &Vec<u32>| offers.iter().copied().max().unwrap_or_default();
        let expected: Vec<u32> = offered.iter().map(greatest).collect();
        ensure_holds("labels", device, &labels, &expected)
    }
}

/// All hashes, none, half of them, and those from one on that a vertex has, or just not.
fn floors() -> [u32; 5] {
    [0, u32::MAX, 1 << 31, hash(4), hash(4) + 1]
}

#[test]
fn raise_labels_takes_the_greatest_hash_that_is_offered() {
    let kernel = Kernel::named("raise_labels");
    let of = |pattern: EdgePattern, m: usize, spare, vertices, floor, shape| RaiseLabels {
        edges: pattern.edges(m + spare, vertices, m as u64),
        m,
        vertices,
        floor,
        most_degree: u32::MAX,
        shape,
    };
    // All vertices, about half of them, none but those of degree 0, and all but one.
    let limits = [u32::MAX, 5, 0, u32::MAX - 8];
    for (m, shape) in sizes_and_shapes() {
        for floor in floors() {
            let case = of(EdgePattern::Random, m, 2, 60, floor, shape);
            let most_degree = limits[m % limits.len()];
            kernel.everywhere([RaiseLabels { most_degree, ..case }]);
        }
    }
    for pattern in EdgePattern::ALL {
        for most_degree in limits {
            let case = |floor| of(pattern, 900, 3, 200, floor, Shape::new(3, BLOCK));
            kernel.everywhere(floors().map(|floor| RaiseLabels { most_degree, ..case(floor) }));
        }
    }
    let most = prop_oneof![Just(u32::MAX), 0u32..14];
    let drawn = (any_edges(40, 700), 0usize..4, any::<u32>(), most, 1u32..6, 1u32..400);
    let drawn = drawn.prop_map(|(edges, spare, floor, most_degree, grid, block)| {
        let m = edges.len().saturating_sub(spare);
        let shape = Shape::new(grid, block);
        RaiseLabels { edges, m, vertices: 40, floor, most_degree, shape }
    });
    kernel.drawn(32, drawn);
    kernel.on_gpu(|| {
        let shape = Shape::new(500, BLOCK);
        let patterns = EdgePattern::ALL.into_iter();
        let cases = patterns.map(|pattern| of(pattern, 1_000_003, 5, 30_000, 3 << 30, shape));
        cases.collect()
    });
}

#[derive(Debug)]
struct NearEnds {
    edges: Content<[u32; 2]>,
    /// How many of the edges the kernel is to take.
    m: usize,
    step: u64,
    reach: u32,
    shape: Shape,
}

impl Case for NearEnds {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        // The kernel adds to what is there.
        const BEFORE: [u64; 2] = [5, 77];
        let edges = entries_on(device, &self.edges)?;
        let mut near = Buffer::from_host(device, &BEFORE)?;
        let (m, step, reach) = (self.m as u64, self.step, self.reach);
        near_ends(device, self.shape, edges.view(), near.view_mut(), m, step, reach)?;
        let looked_at = self.edges[..self.m].iter().step_by(step as usize);
        let apart = looked_at.map(|&[u, v]| i64::from(u) - i64::from(v));
        let found = apart.filter(|apart| (-i64::from(reach)..=i64::from(reach)).contains(apart));
        ensure_holds("near", device, &near, &[BEFORE[0] + found.count() as u64, BEFORE[1]])
    }
}

const STEPS: [u64; 5] = [1, 2, 7, 64, (1 << 31) - 1];

/// Edges whose ends are up to a few vertices apart, and some as far apart as can be.
fn near_and_far(m: usize, seed: u64) -> Content<[u32; 2]> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let edges = (0..m).map(|_| {
        let (u, apart) = (rng.u32(..), rng.u32(0..4));
        match rng.u32(0..4) {
            0 => [0, u32::MAX],
            1 => [u32::MAX, apart],
            2 => [u, u.wrapping_add(apart)],
            _ => [u.wrapping_add(apart), u],
        }
    });
    Content::new(format!("near and far({seed:#x})"), edges.collect())
}

/// Shapes for the edges that are looked at, in whole warps.
fn sampling_shapes(m: usize, step: u64) -> [Shape; 5] {
    striding_shapes((m as u64).div_ceil(step), BLOCK)
}

#[test]
fn near_ends_counts_edges_between_near_vertices() {
    let kernel = Kernel::named("near_ends");
    for m in sizes_around(&[BLOCK as usize, 3 * BLOCK as usize]) {
        for step in STEPS {
            for shape in sampling_shapes(m, step) {
                let case = |(spare, reach)| {
                    let edges = near_and_far(m + spare, m as u64);
                    NearEnds { edges, m, step, reach, shape }
                };
                kernel.everywhere([(0, 0), (2, 2), (3, u32::MAX - 3), (1, u32::MAX)].map(case));
            }
        }
    }
    let drawn = (any_edges(40, 700), 0usize..4, 1u64..20, 0u32..50, 1u32..6, 1u32..9);
    let drawn = drawn.prop_map(|(edges, spare, step, reach, grid, warps)| {
        let m = edges.len().saturating_sub(spare);
        NearEnds { edges, m, step, reach, shape: Shape::new(grid, warps * 32) }
    });
    kernel.drawn(32, drawn);
    kernel.on_gpu(|| {
        let edges = near_and_far(1_000_005, 1);
        let shapes = sampling_shapes(1_000_003, 3);
        let case =
            |shape| NearEnds { edges: edges.clone(), m: 1_000_003, step: 3, reach: 1, shape };
        shapes.map(case).into()
    });
}

#[derive(Debug)]
struct LandmarkWedges {
    edges: Content<[u32; 2]>,
    /// How many of the edges the kernel is to take.
    m: usize,
    vertices: u32,
    floor: u32,
    degree: u32,
    step: u64,
    shape: Shape,
}

impl Case for LandmarkWedges {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let &LandmarkWedges { m, vertices, floor, degree: entries, step, shape, .. } = self;
        // As many entries as the degree: among four vertices in three parts of the figures, twice the mean.
        let mut figures = vec![0; (PARTS * FIGURES) as usize];
        for (part, of_part) in [(0, 1), (PARTS / 2, 2), (PARTS - 1, 1)] {
            figures[(part * FIGURES + VERTICES) as usize] = of_part;
        }
        let degree = entries.max(1);
        let taken = &self.edges[..m];
        let of_vertices = any_degrees(vertices);
        // What vertices are offered, by sets.
        let mut of_labels = vec![0; vertices as usize];
        for &[u, v] in taken.iter().filter(|[u, v]| u != v) {
            for [to, from] in [[u, v], [v, u]] {
                if hash(from) > floor {
                    of_labels[to as usize] = of_labels[to as usize].max(hash(from));
                }
            }
        }
        let beside_landmark = |label: u32| {
            let degree_of = |label: u32| u64::from(of_vertices[unhash(label) as usize]);
            label > 0 && degree_of(label) <= u64::from(degree) << (CLASSES - 1)
        };
        // The kernel adds to what is there.
        let mut expected: Vec<u64> = (0..3 * CLASSES + 1).map(|sum| sum * 3).collect();
        let mut sums = Buffer::from_host(device, &expected)?;
        for &[u, v] in taken.iter().step_by(step as usize).filter(|[u, v]| u != v) {
            let largest =
                u64::from([u, v].map(|end| of_vertices[end as usize]).into_iter().max().unwrap());
            let within = |class: &u64| largest <= u64::from(degree) << class;
            let Some(class) = (0..CLASSES).find(within) else { continue };
            let sums = &mut expected[3 * class as usize..];
            sums[0] += 1;
            if [u, v].into_iter().any(|end| hash(end) > floor) {
                continue;
            }
            let [of_u, of_v] = [u, v].map(|end| of_labels[end as usize]);
            sums[1] +=
                [of_u, of_v].into_iter().filter(|&label| beside_landmark(label)).count() as u64;
            sums[2] += if of_u == of_v && beside_landmark(of_u) { 2 } else { 0 };
        }
        let edges = entries_on(device, &self.edges)?;
        let degrees = Buffer::from_host(device, &of_vertices)?;
        let labels = Buffer::from_host(device, &of_labels)?;
        let figures = Buffer::from_host(device, &figures)?;
        landmark_wedges(
            device,
            shape,
            edges.view(),
            degrees.view(),
            labels.view(),
            figures.view(),
            sums.view_mut(),
            entries.into(),
            m as u64,
            step,
            floor,
        )?;
        ensure_holds("sums", device, &sums, &expected)
    }
}

#[test]
fn landmark_wedges_tells_which_wedges_close() {
    let kernel = Kernel::named("landmark_wedges");
    let case = |pattern: EdgePattern, m: usize, vertices, degree, step, shape| LandmarkWedges {
        edges: pattern.edges(m + 2, vertices, m as u64),
        m,
        vertices,
        floor: 3 << 30,
        degree,
        step,
        shape,
    };
    let last = (1 << (32 - CLASSES)) - 1;
    for m in sizes_around(&[BLOCK as usize, 3 * BLOCK as usize]) {
        for step in [1, 3, (1 << 31) - 1] {
            for shape in sampling_shapes(m, step) {
                let degree = [0, 1, 4, last][m % 4];
                kernel.everywhere([case(EdgePattern::Random, m, 50, degree, step, shape)]);
            }
        }
    }
    for pattern in EdgePattern::ALL {
        for (floor, degree) in [(0, 3), (u32::MAX, 3), (1 << 31, 0), (hash(4), 1), (hash(4) + 1, 2)]
        {
            let case = case(pattern, 900, 60, degree, 1, Shape::new(3, BLOCK));
            kernel.everywhere([LandmarkWedges { floor, ..case }]);
        }
    }
    let drawn = (any_edges(40, 700), any::<u32>(), 0u32..20, 1u64..20, 1u32..6, 1u32..9);
    let drawn = drawn.prop_map(|(edges, floor, degree, step, grid, warps)| {
        let (m, shape) = (edges.len(), Shape::new(grid, warps * 32));
        LandmarkWedges { edges, m, vertices: 40, floor, degree, step, shape }
    });
    kernel.drawn(32, drawn);
    kernel.on_gpu(|| {
        let shapes = sampling_shapes(1_000_003, 3);
        shapes.map(|shape| case(EdgePattern::Random, 1_000_003, 30_000, 1, 3, shape)).into()
    });
}

/// The group of a label among `groups`: the label with its bits reversed, over 2³², times `groups`.
fn group(label: u32, groups: u32) -> u64 {
    let turned = (0..32).filter(|bit| label >> bit & 1 == 1).map(|bit| 1u64 << (31 - bit));
    turned.sum::<u64>() * u64::from(groups) / (1 << 32)
}

#[derive(Debug)]
struct HubKeys {
    n: usize,
    most_degree: u32,
    spread: u32,
    shape: Shape,
}

impl Case for HubKeys {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        const UNTOUCHED: u64 = 0xabab_abab_abab_abab;
        let &HubKeys { n, most_degree, spread, shape } = self;
        let degrees = any_degrees(n as u32 + 1);
        let mut rng = fastrand::Rng::with_seed(n as u64);
        let labels: Vec<u32> = (0..n + 1).map(|_| rng.u32(..) >> rng.u32(..32)).collect();
        let mut expected: Vec<u64> = (0..n)
            .map(|v| {
                let sorted_by = match degrees[v] > most_degree {
                    true => degree_class(degrees[v]).into(),
                    false => 256 + group(labels[v], spread),
                };
                sorted_by * (1 << 32) + v as u64
            })
            .collect();
        expected.extend([UNTOUCHED; 2]);
        let (degrees, labels) =
            (Buffer::from_host(device, &degrees)?, Buffer::from_host(device, &labels)?);
        let mut keys = Buffer::from_host(device, &vec![UNTOUCHED; n + 2])?;
        let (of_degrees, of_labels) = (degrees.view(), labels.view());
        let written = keys.view_mut();
        hub_keys(device, shape, of_degrees, of_labels, written, most_degree, spread, n as u64)?;
        ensure_holds("keys", device, &keys, &expected)
    }
}

#[test]
fn hub_keys_hold_class_or_label_and_vertex() {
    let kernel = Kernel::named("hub_keys");
    let limits = [0, 6, 12, u32::MAX - 20, u32::MAX];
    let spreads = [1, 255, (1 << 16) - 256, (1 << 24) - 256, u32::MAX - 255];
    let cases = sizes_and_shapes().enumerate().map(|(i, (n, shape))| {
        let (most_degree, spread) = (limits[i % 5], spreads[i / 5 % 5]);
        HubKeys { n, most_degree, spread, shape }
    });
    kernel.everywhere(cases);
    kernel.everywhere(limits.into_iter().flat_map(|most_degree| {
        spreads.map(|spread| HubKeys { n: 300, most_degree, spread, shape: Shape::new(1, BLOCK) })
    }));
    kernel.on_gpu(|| {
        let shapes = striding_shapes(1_000_003, BLOCK);
        let (most_degree, spread) = (6, (1 << 16) - 256);
        shapes.map(|shape| HubKeys { n: 1_000_003, most_degree, spread, shape }).into()
    });
}
