use anyhow::{Result, ensure};
use proptest::prelude::*;
use testkit::devices::entries_on;
use testkit::effort;
use tribin_kernels::degrees::{
    BLOCK, BUCKET_BLOCK, BUCKET_SHARED_BYTES, COUNT_BLOCK, EDGE_TILE, MOST_BITS, NOT_DOWNWARD,
    NOT_UPWARD, SHARED_BYTES, UNSORTED, bucket_ends, count_degrees, count_ends, count_shared_bytes,
};
use tribin_kernels::min_hash::hash;
use warpwise_device::launch::{Buffer, Shape, View, ViewMut};

use crate::contents::{Content, EdgePattern, any_edges, sizes_around};
use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};

#[derive(Debug)]
struct CountDegrees {
    edges: Content<[u32; 2]>,
    /// How many of the edges the kernel is to count.
    m: usize,
    vertices: u32,
    /// Of the hashes of landmarks.
    floor: u32,
    shape: Shape,
}

/// Where counts go: degrees, labels, self-loops, and what holds of the order.
type To<'a, D> =
    (ViewMut<'a, u32, D>, ViewMut<'a, u32, D>, ViewMut<'a, u64, D>, ViewMut<'a, u32, D>);

/// The edges from a place on to before another.
fn count<D: TestDevice>(
    device: &D,
    shape: Shape,
    edges: View<'_, u64, D>,
    (degrees, labels, loops, order): To<'_, D>,
    floor: u32,
    (first, m): (u64, u64),
) -> Result<(), D::Error> {
    count_degrees(device, shape, edges, degrees, labels, loops, order, first, m, floor)
}

/// Adds what these edges add to degrees, labels and self-loops, by a loop.
fn add_expected(
    edges: &[[u32; 2]],
    floor: u32,
    (degrees, labels, loops): (&mut [u32], &mut [u32], &mut u64),
) {
    for &[u, v] in edges {
        if u == v {
            *loops += 1;
            continue;
        }
        for [of, beside] in [[u, v], [v, u]] {
            degrees[of as usize] += 1;
            if hash(beside) > floor {
                labels[of as usize] = labels[of as usize].max(hash(beside));
            }
        }
    }
}

/// Whether `order` says what holds of the order of these edges.
fn ensure_order(edges: &[[u32; 2]], order: u32) -> Result<()> {
    let unsorted = !edges.is_sorted_by(|a, b| a < b);
    ensure!((order & UNSORTED != 0) == unsorted, "sorted and {order}");
    if !unsorted {
        let upward = edges.iter().all(|[u, v]| u < v);
        let downward = edges.iter().all(|[u, v]| u > v);
        ensure!((order & NOT_UPWARD == 0) == upward, "upward {upward} and {order}");
        ensure!((order & NOT_DOWNWARD == 0) == downward, "downward {downward} and {order}");
    }
    Ok(())
}

impl Case for CountDegrees {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        // The kernel adds to what is there.
        let mut expected: Vec<u32> = (0..self.vertices).map(|v| v * 7 % 11).collect();
        let mut expected_loops = 5;
        let edges = entries_on(device, &self.edges)?;
        let mut degrees = Buffer::from_host(device, &expected)?;
        let mut loops = Buffer::from_host(device, &[expected_loops])?;
        // Labels that are there are raised.
        let mut expected_labels: Vec<u32> = (0..self.vertices).map(|v| v * 5 % 3).collect();
        let mut labels = match self.floor {
            u32::MAX => Buffer::uninitialized(device, 0)?,
            _ => Buffer::from_host(device, &expected_labels)?,
        };
        let counted = &self.edges[..self.m];
        let to = (&mut expected[..], &mut expected_labels[..], &mut expected_loops);
        add_expected(counted, self.floor, to);
        let mut order = Buffer::zeroed(device, 1)?;
        let edges = edges.view();
        // In two parts, of which the second follows on the first.
        let (m, part) = (self.m as u64, self.m as u64 / 3);
        let shape = self.shape.shared(SHARED_BYTES);
        for what in [(0, part), (part, m)] {
            let to = (degrees.view_mut(), labels.view_mut(), loops.view_mut(), order.view_mut());
            count(device, shape, edges, to, self.floor, what)?;
        }
        ensure_order(counted, order.to_vec(device)?[0])?;
        ensure_holds("degrees", device, &degrees, &expected)?;
        if self.floor != u32::MAX {
            ensure_holds("labels", device, &labels, &expected_labels)?;
        }
        ensure_holds("loops", device, &loops, &[expected_loops])
    }
}

/// No landmarks, all vertices but one, a quarter of them, and as many as a vertex' hash tells.
fn floor_of(m: usize) -> u32 {
    [u32::MAX, 0, 3 << 30, hash(4)][m % 4]
}

fn patterns(m: usize, spare: usize, vertices: u32, shape: Shape) -> Vec<CountDegrees> {
    let case = |pattern: EdgePattern| {
        let edges = pattern.edges(m + spare, vertices, m as u64);
        CountDegrees { edges, m, vertices, floor: floor_of(m), shape }
    };
    EdgePattern::ALL.into_iter().map(case).collect()
}

/// `length` edges at one vertex, from lane `start` on, among edges at other vertices.
fn run_at(start: usize, length: usize) -> CountDegrees {
    let edge = |i: usize| {
        if (start..start + length).contains(&i) {
            [7, 9]
        } else {
            [i as u32 % 6, 10 + i as u32 % 5]
        }
    };
    let edges =
        Content::new(format!("run at {start}"), (0..start + length + 3).map(edge).collect());
    let m = edges.len();
    CountDegrees { edges, m, vertices: 16, floor: floor_of(m), shape: Shape::new(1, BLOCK) }
}

#[test]
fn count_degrees_counts_what_a_loop_counts() {
    let kernel = Kernel::named("count_degrees");
    for m in sizes_around(&[BLOCK as usize, 3 * BLOCK as usize]) {
        for shape in striding_shapes(m as u64, BLOCK) {
            kernel.everywhere(patterns(m, 0, 50, shape));
        }
        kernel.everywhere(patterns(m, 3, 2, Shape::new(2, 96)));
    }
    for start in [0, 1, 30, 31, 32, 33, 63] {
        kernel.everywhere([1, 2, 31, 32, 33, 64, 65, 100].map(|length| run_at(start, length)));
    }
    let drawn = (any_edges(40, 700), 0usize..4, any::<u32>(), 1u32..6, 1u32..9);
    let drawn = drawn.prop_map(|(edges, spare, floor, grid, warps)| {
        let m = edges.len().saturating_sub(spare);
        CountDegrees { edges, m, vertices: 40, floor, shape: Shape::new(grid, warps * 32) }
    });
    kernel.drawn(32, drawn);
    kernel.on_gpu(|| patterns(1_000_003, 5, 30_000, Shape::new(500, BLOCK)));
}

/// Enough edges for a sample, of which `hubs` vertices have most ends.
fn with_hubs(hubs: u32, m: usize, shape: Shape) -> CountDegrees {
    let edge = |i: usize| {
        let other = (i as u32).wrapping_mul(2_654_435_769) >> 22;
        match i % 3 {
            0 => [other, 2_000 + i as u32 % hubs],
            1 => [2_000 + i as u32 / 3 % hubs, other],
            _ => [other, other / 2],
        }
    };
    let edges = Content::new(format!("{hubs} hubs"), (0..m).map(edge).collect());
    CountDegrees { edges, m, vertices: 2_000 + hubs, floor: floor_of(m), shape }
}

#[test]
fn count_degrees_counts_hubs_of_any_number() {
    let kernel = Kernel::named("count_degrees");
    for hubs in [1, 2, 7, 150, 1_500] {
        // The parts have a third and two thirds of the edges.
        for m in [6_100, 6_144, 12_300] {
            let shapes = [Shape::new(1, BLOCK), Shape::new(3, 96), Shape::new(2, BLOCK)];
            kernel.everywhere(shapes.map(|shape| with_hubs(hubs, m, shape)));
        }
    }
    kernel.on_gpu(|| {
        [1, 5, 300]
            .into_iter()
            .map(|hubs| with_hubs(hubs, 3_000_017, Shape::new(1_056, BLOCK)))
            .collect()
    });
}

/// Sorted edges of one direction, with or without one that breaks the order at `defect`.
fn sorted(m: usize, upward: bool, defect: Option<(usize, [u32; 2])>, shape: Shape) -> CountDegrees {
    // Vertex v to the next one, two, … up to v % 5 of them, or the ones before.
    let all = (0u32..).flat_map(|v| (1..=v % 5).map(move |step| [v + 7, v + 7 + step]));
    let mut edges: Vec<[u32; 2]> = all.take(m).collect();
    if !upward {
        edges.iter_mut().for_each(|edge| edge.reverse());
        edges.sort_unstable();
    }
    if let Some((at, edge)) = defect {
        edges[at] = edge;
    }
    let vertices = edges.iter().flatten().max().map_or(1, |v| v + 1);
    let edges = Content::new(format!("sorted, upward {upward}, defect {defect:?}"), edges);
    CountDegrees { edges, m, vertices, floor: floor_of(m), shape }
}

#[test]
fn count_degrees_sees_every_break_of_an_order() {
    let kernel = Kernel::named("count_degrees");
    for upward in [true, false] {
        for m in [1, 2, 32, 33, 600] {
            for shape in striding_shapes(m as u64, BLOCK) {
                kernel.everywhere([sorted(m, upward, None, shape)]);
                for at in [0, m / 2, m - 1] {
                    // A self-loop, an edge turned around, a copy of the one before.
                    let [u, v] = sorted(m, upward, None, shape).edges[at];
                    let before = sorted(m, upward, None, shape).edges[at.saturating_sub(1)];
                    for defect in [[u, u], [v, u], before] {
                        kernel.everywhere([sorted(m, upward, Some((at, defect)), shape)]);
                    }
                }
            }
        }
    }
}

/// Ends in buckets, and then counted.
#[derive(Debug)]
struct BucketEnds {
    edges: Content<[u32; 2]>,
    /// How many of the edges the kernel is to take.
    m: usize,
    vertices: u32,
    floor: u32,
    bits: u32,
    room: u32,
    blocks: u32,
}

impl Case for BucketEnds {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let BucketEnds { vertices, floor, bits, room, .. } = *self;
        // The kernels add to what is there.
        let mut expected: Vec<u32> = (0..vertices).map(|v| v * 7 % 11).collect();
        let mut expected_labels: Vec<u32> = (0..vertices).map(|v| v * 5 % 3).collect();
        let mut expected_loops = 5;
        let edges = entries_on(device, &self.edges)?;
        let mut degrees = Buffer::from_host(device, &expected)?;
        let mut labels = match floor {
            u32::MAX => Buffer::uninitialized(device, 0)?,
            _ => Buffer::from_host(device, &expected_labels)?,
        };
        let mut loops = Buffer::from_host(device, &[expected_loops])?;
        let mut order = Buffer::zeroed(device, 1)?;
        let counted = &self.edges[..self.m];
        add_expected(counted, floor, (&mut expected, &mut expected_labels, &mut expected_loops));
        // In two parts, of which the second follows on the first, and two windows of vertices, of which the second looks at
        // nothing else.
        let (m, part) = (self.m as u64, self.m as u64 / 3);
        let (n, cut) = (vertices, vertices / 3);
        let parts = [(0, part, 0, cut, 1), (0, part, cut, n, 0)];
        for (first, m, from, below, looks) in
            parts.into_iter().chain([(part, m, 0, cut, 1), (part, m, cut, n, 0)])
        {
            let buckets = (below - from).div_ceil(1 << bits);
            let places = u64::from(buckets) * u64::from(room);
            let mut ends = Buffer::<u64, D>::uninitialized(device, places / 4)?;
            let mut next = Buffer::zeroed(device, u64::from(buckets))?;
            bucket_ends(
                device,
                Shape::new(self.blocks, BUCKET_BLOCK).shared(BUCKET_SHARED_BYTES),
                edges.view(),
                ends.view_mut().cast(),
                next.view_mut(),
                degrees.view_mut(),
                labels.view_mut(),
                loops.view_mut(),
                order.view_mut(),
                first,
                m,
                from,
                below,
                bits,
                room,
                floor,
                looks,
            )?;
            if buckets > 0 {
                count_ends(
                    device,
                    Shape::new(buckets, COUNT_BLOCK).shared(count_shared_bytes(bits)),
                    ends.view().cast(),
                    ends.view(),
                    next.view(),
                    degrees.view_mut(),
                    from,
                    below,
                    bits,
                    room,
                )?;
            }
        }
        ensure_order(counted, order.to_vec(device)?[0])?;
        ensure_holds("degrees", device, &degrees, &expected)?;
        if floor != u32::MAX {
            ensure_holds("labels", device, &labels, &expected_labels)?;
        }
        ensure_holds("loops", device, &loops, &[expected_loops])
    }
}

/// Buckets of one vertex and of several, with room for all ends, for some, and for none.
fn bucketed(edges: &Content<[u32; 2]>, m: usize, vertices: u32, blocks: u32) -> Vec<BucketEnds> {
    let buckets = [(0, 8), (2, 400), (3, 0), (10, 8), (MOST_BITS, 4 * m as u32)];
    let case = |(bits, room)| BucketEnds {
        edges: edges.clone(),
        m,
        vertices,
        floor: floor_of(m),
        bits,
        room,
        blocks,
    };
    buckets.map(case).into()
}

#[test]
fn bucketed_ends_are_counted_as_a_loop_counts() {
    let kernel = Kernel::named("bucket_ends");
    let sizes = [0, 1, 31, 33, 700, EDGE_TILE as usize, EDGE_TILE as usize + 1];
    for (at, m) in sizes.into_iter().enumerate() {
        let patterns = EdgePattern::ALL.into_iter().zip([1, 2, 3].into_iter().cycle());
        // A quick run takes three of the nine patterns for each size, and every pattern at some sizes.
        for (pattern, blocks) in effort::some(patterns, at, 3) {
            // As many buckets as vertices, of which each is a block.
            let edges = pattern.edges(m + 3, 20, m as u64);
            let few = bucketed(&edges, m, 20, blocks);
            kernel.everywhere(few.into_iter().take(if m > 700 { 2 } else { 5 }));
        }
    }
    // A block takes several tiles, of which the last is not full.
    let edges = EdgePattern::Random.edges(4 * EDGE_TILE as usize, 20, 9);
    kernel.everywhere(bucketed(&edges, 4 * EDGE_TILE as usize - 5, 20, 1).into_iter().take(2));
    for hubs in [1, 150] {
        let of = with_hubs(hubs, 6_144, Shape::new(1, BLOCK));
        kernel.everywhere(bucketed(&of.edges, of.m, of.vertices, 2).split_off(3));
    }
    for upward in [true, false] {
        let of = sorted(600, upward, None, Shape::new(1, BLOCK));
        kernel.everywhere(bucketed(&of.edges, of.m, of.vertices, 1));
    }
    let drawn = (any_edges(40, 700), 0usize..4, any::<u32>(), 0u32..7, 0u32..40, 1u32..4);
    let drawn = drawn.prop_map(|(edges, spare, floor, bits, room, blocks)| {
        let m = edges.len().saturating_sub(spare);
        BucketEnds { edges, m, vertices: 40, floor, bits, room: 4 * room, blocks }
    });
    kernel.drawn(32, drawn);
    kernel.on_gpu(|| {
        let patterns = EdgePattern::ALL.into_iter();
        let many = patterns.flat_map(|pattern| {
            bucketed(&pattern.edges(1_000_008, 30_000, 7), 1_000_003, 30_000, 300).split_off(2)
        });
        many.chain(bucketed(
            &with_hubs(5, 3_000_017, Shape::new(1, BLOCK)).edges,
            3_000_017,
            2_005,
            264,
        ))
        .collect()
    });
}
