//! Edges in the memory of devices give the graph that the host makes of them.

mod several;

use std::sync::Arc;

use proptest::prelude::*;
use warpwise_device::emulated::Emulator;
use warpwise_device::launch::{Buffer, Metered};

use super::*;
use crate::graph::Summary;
use crate::tests::{alone, metered, on_cpu, with_engine};
use crate::{Input, Session};
use tribin_gpu::device::driver::Driver;
use tribin_gpu::device_graph::{DeviceColumn, DeviceIds};

type Device = Metered<Emulator>;

/// A device and the session on it. The driver has the device as long as either is there.
fn on_device() -> (Arc<Driver<Device>>, Session) {
    let engine = metered(None);
    let driver = engine.driver.clone();
    (driver, with_engine(alone(engine)))
}

/// How two columns lie in memory.
#[derive(Debug, Clone, Copy)]
enum Layout {
    /// u0 v0 u1 v1 …
    Pairs,
    /// u0 u1 … v0 v1 …
    Rows,
    /// Every third place has a source, and targets are in an array of their own.
    Spread,
}

const LAYOUTS: [Layout; 3] = [Layout::Pairs, Layout::Rows, Layout::Spread];

/// The two columns in one array, and where each begins and how far its ids are apart.
fn laid_out(edges: &[[u64; 2]], layout: Layout) -> (Vec<u64>, [(u64, u64); 2]) {
    let m = edges.len() as u64;
    let [sources, targets] = [0, 1].map(|end| edges.iter().map(move |edge| edge[end]));
    match layout {
        Layout::Pairs => (edges.concat(), [(0, 2), (1, 2)]),
        Layout::Rows => (sources.chain(targets).collect(), [(0, 1), (m, 1)]),
        Layout::Spread => {
            let spread = sources.flat_map(|id| [id, 77, 78]);
            (spread.chain(targets).collect(), [(0, 3), (3 * m, 1)])
        }
    }
}

/// Memory of a device, with a share of edges in it.
struct ResidentGraph {
    edges: DeviceEdges,
    _narrow: Buffer<u32, Device>,
    _wide: Buffer<u64, Device>,
}

fn held(
    device: &Device,
    gpu: u32,
    edges: &[[u64; 2]],
    layout: Layout,
    ids: DeviceIds,
) -> ResidentGraph {
    let (array, columns) = laid_out(edges, layout);
    let narrow: Vec<u32> = array.iter().map(|&id| id as u32).collect();
    let narrow = Buffer::from_host(device, &narrow).unwrap();
    let wide = Buffer::from_host(device, &array).unwrap();
    let start = if ids.bytes() == 4 { narrow.view().address() } else { wide.view().address() };
    let columns =
        columns.map(|(first, step)| DeviceColumn { address: start + first * ids.bytes(), step });
    // SAFETY: both buffers live as long as the value, and nothing writes to them.
    let edges = unsafe { DeviceEdges::new(gpu, ids, columns, edges.len() as u64).ready_on(1) };
    ResidentGraph { edges, _narrow: narrow, _wide: wide }
}

fn prepared(edges: &[[u64; 2]], layout: Layout, ids: DeviceIds) -> Result<crate::PreparedGraph> {
    let (driver, session) = on_device();
    let held = held(driver.device(), 0, edges, layout, ids);
    session.prepare(Input::on_gpus(&held.edges))
}

fn compare(found: &crate::PreparedGraph, known: &crate::PreparedGraph, case: &str) {
    let undirected = |summary: Summary| Summary { reciprocal_dropped: None, ..summary };
    assert_eq!(undirected(found.summary()), undirected(known.summary()), "{case}");
    assert_eq!(found.vertex_bound(), known.vertex_bound(), "{case}");
    let [count, expected] = [found, known].map(|graph| graph.count().unwrap().triangles);
    assert_eq!(count, expected, "{case}");
    assert_eq!(found.local().unwrap(), known.local().unwrap(), "{case}");
    let [all, expected] = [found, known].map(|graph| graph.stats().unwrap().vertices_all);
    assert_eq!(all, expected, "{case}");
    for vertex in 0..known.vertex_bound() as u32 {
        assert_eq!(found.ids().number(vertex), known.ids().number(vertex), "{case}");
    }
}

fn check(edges: &[[u64; 2]]) {
    let graph = Graph::from_u64_edges(edges).unwrap();
    let known = on_cpu().prepare(&graph).unwrap();
    let largest = edges.iter().flatten().max().copied().unwrap_or(0);
    for ids in [DeviceIds::U32, DeviceIds::I32, DeviceIds::U64, DeviceIds::I64] {
        if largest > ids.largest() {
            continue;
        }
        for layout in LAYOUTS {
            let found = prepared(edges, layout, ids).unwrap();
            compare(&found, &known, &format!("{layout:?} {ids:?}"));
        }
    }
}

#[test]
fn every_layout_and_type_gives_the_graph() {
    check(&[[0, 1], [1, 2], [2, 0], [2, 3], [3, 3], [1, 0], [9, 9]]);
    check(&[[5, 6]]);
    check(&[]);
}

#[test]
fn ids_with_gaps_are_numbered_anew() {
    check(&[[7, u64::from(u32::MAX)], [1 << 31, 7], [u64::from(u32::MAX), 1 << 31]]);
    check(&[[7, u64::MAX], [1 << 40, 7], [u64::MAX, 1 << 40], [7, 7]]);
    let far = prepared(&[[1, 1 << 40]], Layout::Rows, DeviceIds::I64).unwrap();
    assert_eq!(
        far.copied(),
        Some("the largest id is 1099511627776, and 1 edges are numbered anew on the host")
    );
}

#[test]
fn negative_ids_are_named() {
    for (ids, id) in [(DeviceIds::I32, 0xffff_fffe), (DeviceIds::I64, u64::MAX - 1)] {
        let edges = [[0, 1], [3, id], [id, 4]];
        let error = prepared(&edges, Layout::Pairs, ids).unwrap_err();
        assert_eq!(error.to_string(), "(device memory): edge 1: vertex -2 is negative");
    }
}

#[test]
fn vertices_may_be_declared() {
    let prepare = |vertices| {
        let (driver, session) = on_device();
        let ids = Buffer::from_host(driver.device(), &[0u32, 1, 1, 2, 2, 0, 4, 4]).unwrap();
        let address = ids.view().address();
        let columns = [0, 4].map(|offset| DeviceColumn { address: address + offset, step: 2 });
        // SAFETY: the buffer lives until the graph is made.
        let edges = unsafe { DeviceEdges::new(0, DeviceIds::U32, columns, 4) };
        session.prepare(Input::on_gpus(&edges.with_vertices(vertices)))
    };
    let graph = prepare(9).unwrap();
    assert_eq!((graph.vertex_bound(), graph.stats().unwrap().vertices_all), (9, 9));
    assert_eq!(graph.count().unwrap().triangles, 1);
    let error = prepare(4).unwrap_err().to_string();
    assert_eq!(error, "(device memory): edge 3 has vertex 4: vertices are below 4");
}

#[test]
fn edges_stay_on_their_device() {
    let (driver, session) = on_device();
    let device = driver.device();
    let edges: Vec<[u64; 2]> = (0..8_000).flat_map(|v| [[v, v + 1], [v, v + 2]]).collect();
    let array: Vec<u32> = edges.as_flattened().iter().map(|&id| id as u32).collect();
    let array = Buffer::from_host(device, &array).unwrap();
    let address = array.view().address();
    let columns = [0, 4].map(|offset| DeviceColumn { address: address + offset, step: 2 });
    // SAFETY: the buffer lives until the end.
    let edges = unsafe { DeviceEdges::new(0, DeviceIds::U32, columns, 16_000) };
    let uploaded = device.uploaded_bytes();
    let graph = session.prepare(Input::on_gpus(&edges)).unwrap();
    assert_eq!(graph.count().unwrap().triangles, 7_999);
    assert_eq!((device.uploaded_bytes() - uploaded, graph.copied()), (0, None));
    // Figures, flags and totals: much less than the 128,000 bytes of the edges.
    assert!(device.downloaded_bytes() < 32_000, "{}", device.downloaded_bytes());
}

#[test]
fn another_device_is_refused() {
    // SAFETY: nothing is read of no edges.
    let edges = unsafe {
        DeviceEdges::new(3, DeviceIds::U32, [DeviceColumn { address: 0, step: 1 }; 2], 0)
    };
    for (session, device) in [(on_device().1, "gpu:0"), (on_cpu(), "cpu")] {
        let error = session.prepare(Input::on_gpus(&edges)).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("the edges are in the memory of gpu:3, and the device is {device}")
        );
    }
}

#[test]
fn edges_that_were_drawn_once_give_the_graph() {
    let ends = [
        9, 21, 22, 4, 21, 21, 2, 21, 0, 2, 4, 0, 23, 19, 17, 13, 9, 1, 0, 11, 2, 7, 1, 2, 15, 1,
        18, 11, 6, 5, 13, 7, 18, 17, 7, 17, 12, 12, 11, 18, 3, 23, 5, 8, 15, 22, 2, 11, 3, 23, 5,
        21, 8, 2, 17, 16, 3, 5, 9, 21, 23, 0, 21, 18, 0, 16, 15, 0, 3, 3, 19, 1, 16, 12, 15, 10,
        11, 10, 13, 18, 12, 11, 18, 8,
    ];
    check(ends.as_chunks::<2>().0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn any_edges_give_the_graph(
        edges in prop::collection::vec(prop::array::uniform2(0u64..24), 1..80),
    ) {
        check(&edges);
    }
}
