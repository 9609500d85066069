//! Preparation on the GPU: from the edge array in host memory to the oriented graph, with every step but
//! the first copy on the GPU.
//!
//! | step | module | what happens |
//! | --- | --- | --- |
//! | upload | [`mod@upload`] | the entries go to the device, with few bits an id |
//! | degrees | [`keys`] | one pass over the edges as they came, which finds [`landmarks`], too |
//! | order | [`vertex_order`] | in what order the vertices are ranked |
//! | keys | [`keys`] | every edge becomes a key of two ranks |
//! | sort | [`radix_sort`](warpwise_primitives::radix_sort), or [`row_bins`] where rows are short | the keys in order, or in bins |
//! | rows | [`rows`] | duplicates and self-loops dropped, rows laid out |
//! | summary | [`mod@summary`] | vertices, wedges, the largest degree |

pub mod both_directions;
pub mod decide;
pub mod degrees;
pub mod directions;
pub mod keys;
pub mod landmarks;
mod narrow;
pub mod parts;
pub mod row_bins;
pub mod rows;
pub mod summary;
pub mod upload;
pub mod vertex_order;

use warpwise_device::launch::{Buffer, Device};

use crate::device_graph;
use crate::device_graph::DeviceGraph;
use crate::graph::{OrientedGraph, Summary};
use crate::plan::memory::MAX_ENTRIES;
use crate::plan::preparation::Order;
use crate::plan::upload::{EntryUpload, way};
use crate::plan::{Decision, Preparer, Task};
use crate::{Graph, Work};
use decide::decide;
use degrees::{Arriving, DeviceDegrees, count_degrees};
use keys::orient_by;
use rows::{adopt, clean};
use summary::summary;
use tribin_base::control::EngineSeconds;
use upload::upload_by;

/// A graph that is ready to be counted on a device, and what it took to make it so.
pub struct OnDevice<D: Device> {
    /// The oriented rows.
    pub graph: DeviceGraph<D>,
    /// The graph's figures.
    pub figures: Summary,
    /// Seconds of the phases so far: copying the edges and counting degrees on the way; ranks and keys; sorting, rows and figures.
    pub seconds: EngineSeconds,
    /// The decisions on the way, with their reasons.
    pub decisions: Vec<Decision>,
    /// Who prepared it.
    pub preparer: Preparer,
    /// The order of its vertices; `None` where the CPU prepared it.
    pub order: Option<Order>,
}

/// Orients and cleans a graph whose entries are on the device. If they are sorted and simple already and degrees differ little, it takes
/// them as they are, unless results by vertex are wanted: then it keeps the vertex of each rank.
///
/// # Errors
/// What the device reports.
pub fn prepare_uploaded<D: Device>(
    device: &D,
    edges: Buffer<u64, D>,
    bound: u64,
    task: Task,
) -> Result<OnDevice<D>, D::Error> {
    let start = device.record()?;
    let degrees = count_degrees(device, &edges, bound)?;
    prepare_counted(device, (edges, degrees), &start, task)
}

/// Units of the gauge in each step of a job: the upload, the sort with all around it, and what follows.
pub const STEP: u64 = 1 << 10;

/// Uploads, orients and cleans a graph whose entries are in host memory, and counts degrees while the rest is on its
/// way; the vertex of each rank is kept where results by vertex are wanted. The gauge is given a [`STEP`] for the
/// upload, piece by piece, and another for the rest: the device says when it has done with them, and nothing between.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If there are more than [`MAX_ENTRIES`] entries.
pub fn prepare<D: Device>(
    device: &D,
    graph: &Graph,
    task: Task,
    work: &Work,
) -> Result<OnDevice<D>, D::Error> {
    let (entries, bound) = (graph.edges().len() as u64, graph.vertex_bound() as u64);
    prepare_by(way(entries, bound), device, graph, task, work)
}

fn prepare_by<D: Device>(
    way: EntryUpload,
    device: &D,
    graph: &Graph,
    task: Task,
    work: &Work,
) -> Result<OnDevice<D>, D::Error> {
    let entries = graph.edges();
    assert!(entries.len() as u64 <= MAX_ENTRIES, "too many edge entries for 32-bit places");
    let start = device.record()?;
    let mut edges = Buffer::uninitialized(device, entries.len() as u64)?;
    let mut degrees =
        DeviceDegrees::with_landmarks(device, graph.vertex_bound() as u64, entries.len() as u64)?;
    let mut arriving = Arriving::of(entries.len() as u64);
    upload_by(way, device, entries, &mut edges, |edges, places| {
        // Below 2³² entries.
        let done = |place: u64| STEP * place / entries.len() as u64;
        work.add(done(places.end) - done(places.start));
        match arriving.due(places.end) {
            Some(due) => degrees.add(device, edges, due),
            None => Ok(()),
        }
    })?;
    if entries.is_empty() {
        work.add(STEP);
    }
    let uploaded = device.record()?;
    let mut ready = prepare_counted(device, (edges, degrees), &uploaded, task)?;
    ready.seconds.upload = device.seconds_between(&start, &uploaded)?;
    work.add(STEP);
    Ok(ready)
}

/// The preparation from the degrees on, timed from `start`.
fn prepare_counted<D: Device>(
    device: &D,
    (edges, mut degrees): (Buffer<u64, D>, DeviceDegrees<D>),
    start: &D::Event,
    task: Task,
) -> Result<OnDevice<D>, D::Error> {
    let facts = degrees.look(device, &edges, edges.len(), task)?;
    let decided = decide(device, &edges, &degrees, &facts)?;
    let order = decided.order.choice;
    let sort = decided.sort.as_ref().map(|sort| sort.decision("sort of the edges"));
    let mut decisions = vec![decided.order.decision("order of the vertices")];
    decisions.extend(sort);
    let (graph, oriented) = if order == Order::AsTheyAre {
        let oriented = device.record()?;
        (adopt(device, &edges, &degrees.degree, facts.order)?, oriented)
    } else {
        let keys = orient_by(device, edges, degrees, decided.orientation(), task)?;
        let oriented = device.record()?;
        (clean(device, keys)?, oriented)
    };
    let figures = summary(device, &graph, Some(facts.summary))?;
    let cleaned = device.record()?;
    let seconds = EngineSeconds {
        orient: device.seconds_between(start, &oriented)?,
        clean: device.seconds_between(&oriented, &cleaned)?,
        ..EngineSeconds::default()
    };
    Ok(OnDevice {
        graph,
        figures,
        seconds,
        decisions,
        preparer: Preparer::Device,
        order: Some(order),
    })
}

/// Copies a graph to the device that the CPU cleaned and oriented in these seconds, with the vertex of each rank where results by vertex are
/// wanted. It is for graphs that are too large to be sorted on the GPU. Paper 004, section III-D6, filters the backward edges on the CPU
/// and sorts on the GPU. Here the CPU does both, so that half the memory is enough.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If there are more than [`MAX_ENTRIES`] edges.
pub fn upload_prepared<D: Device>(
    device: &D,
    oriented: &OrientedGraph,
    (figures, seconds): (Summary, EngineSeconds),
    task: Task,
) -> Result<OnDevice<D>, D::Error> {
    let start = device.record()?;
    let mut graph = device_graph::upload_rows(device, oriented)?;
    graph.self_loops = figures.self_loops_dropped;
    graph.duplicates = figures.duplicates_dropped;
    let uploaded = device.record()?;
    if task.names_vertices() {
        graph.vertex_of_rank = Buffer::from_host(device, oriented.vertex_of_rank())?;
    }
    let upload = device.seconds_between(&start, &uploaded)?;
    let seconds = EngineSeconds { upload, ..seconds };
    let preparer = Preparer::Host;
    let decisions = Vec::new();
    Ok(OnDevice { graph, figures, seconds, decisions, preparer, order: None })
}

#[cfg(test)]
mod tests {
    use warpwise_device::emulated::{Config, Emulator};
    use warpwise_device::launch::{Device as _, Metered};

    use super::{STEP, prepare_by};
    use crate::methods::Method;
    use crate::plan::Task;
    use crate::plan::counting::CountShape;
    use crate::plan::upload::EntryUpload;
    use crate::{Graph, Work};

    fn whole(at_once: u64) -> EntryUpload {
        EntryUpload::Whole { at_once }
    }

    fn narrow(bits: u32, groups: u64) -> EntryUpload {
        EntryUpload::Narrow { bits, groups }
    }

    fn clique(from: u32, to: u32) -> Vec<[u32; 2]> {
        (from..to).flat_map(|u| (u + 1..to).map(move |v| [u, v])).collect()
    }

    /// Entries that come in any way make one graph.
    fn assert_one_graph(edges: Vec<[u32; 2]>, ways: &[EntryUpload], triangles: u64) {
        let device = Emulator::with(Config::seeded(1));
        let graph = Graph::from_edges(edges);
        let counts = ways.iter().map(|&way| {
            let work = Work::new();
            work.begin(2 * STEP);
            let ready = prepare_by(way, &device, &graph, Task::Count, &work).unwrap();
            assert_eq!(work.done(), Some(1.0));
            let shape = CountShape::default();
            (
                shape.count(&device, &ready.graph, &mut device.record().unwrap()).unwrap(),
                ready.figures,
            )
        });
        let counts: Vec<_> = counts.collect();
        assert!(counts.iter().all(|count| *count == counts[0]));
        assert_eq!(counts[0].0, triangles);
    }

    /// Two cliques that share a vertex, with the second's edges in order and the first's not.
    #[test]
    fn pieces_of_any_length_make_the_same_graph() {
        let (mut first, second) = (clique(0, 8), clique(7, 13));
        first.reverse();
        // Of n vertices, n(n - 1)(n - 2) / 6.
        for (edges, triangles) in [(second.clone(), 20), ([first, second].concat(), 56 + 20)] {
            let len = edges.len() as u64;
            let ways = [1, 2, 7, len - 1, len, len + 1].map(whole);
            let ways = [&ways[..], &[16, 17, 28, 31].map(|bits| narrow(bits, 1))].concat();
            assert_one_graph(edges, &ways, triangles);
        }
    }

    /// Groups have 1,024 entries: three and a bit of them here.
    #[test]
    fn groups_of_any_number_make_the_same_graph() {
        let mut edges = clique(5, 85);
        edges.reverse();
        let ways = [narrow(16, 1), narrow(19, 2), narrow(24, 3), narrow(30, 4), narrow(31, 9)];
        assert_one_graph(edges, &[&[whole(700)][..], &ways].concat(), 80 * 79 * 78 / 6);
    }

    /// Entries by chance between these vertices.
    fn by_chance(vertices: u32, entries: usize, seed: u64) -> Vec<[u32; 2]> {
        let mut rng = fastrand::Rng::with_seed(seed);
        (0..entries).map(|_| [rng.u32(..vertices), rng.u32(..vertices)]).collect()
    }

    /// Three hubs beside most vertices, and some edges among those, in no order.
    fn skewed() -> Vec<[u32; 2]> {
        let mut skewed = by_chance(2_000, 300, 1);
        skewed.extend((3..1_900).flat_map(|v| [[0, v], [v, 1 + v % 2]]));
        fastrand::Rng::with_seed(3).shuffle(&mut skewed);
        skewed
    }

    /// Whichever allocation fails while entries arrive, or after that, the memory is given back.
    #[test]
    fn every_allocation_may_fail_while_entries_arrive() {
        let graph = Graph::from_edges(skewed());
        let mut number = 0;
        loop {
            let config = Config { multiprocessors: 1, ..Config::seeded(1) };
            let device = Metered::new(Emulator::with(config)).failing_at(number);
            let made = prepare_by(whole(500), &device, &graph, Task::AtVertices, &Work::new());
            let made = made.map(drop);
            assert_eq!(device.live_bytes(), 0, "after fault {number}");
            if made.is_ok() {
                break;
            }
            number += 1;
        }
        assert!(number > 20, "{number} faults");
    }
}
