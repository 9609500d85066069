//! All 23 rows of the paper's Table I.

use testkit::oracle::Simple;
use testkit::table_one::{ROWS, Row};
use testkit::{devices, reference, skip};
use tribin::Graph;
use tribin_papers::radix_binning as radix;
use tribin_papers::radix_binning::{Orientation, RadixOptions};
use warpwise_device::emulated::{Config, Emulator};
use warpwise_device::launch::Device;

/// The row's graph, unless the data are not there.
fn graphs() -> impl Iterator<Item = (&'static Row, Graph)> {
    ROWS.iter().filter_map(|row| {
        let graph = row.graph(None);
        if graph.is_none() {
            skip::part(reference::WITHOUT);
        }
        Some((row, graph?))
    })
}

fn check<D: Device<Error: std::fmt::Debug>>(device: &D, row: &Row, graph: &Graph) {
    let paper = RadixOptions::of(Orientation::None);
    let count = radix::count(device, graph, &paper).unwrap();
    let found = (count.edges, count.candidates, count.triangles);
    assert_eq!(found, (row.edges, row.candidates, row.triangles), "{}", row.name);
    assert!(count.launches <= MOST_LAUNCHES, "{}: {} launches", row.name, count.launches);
    let degree = radix::count(device, graph, &RadixOptions::default()).unwrap();
    assert_eq!((degree.edges, degree.triangles), (row.edges / 2, row.triangles), "{}", row.name);
    assert!(degree.candidates <= row.candidates, "{}", row.name);
}

/// The paper made up to 6,877.
const MOST_LAUNCHES: u64 = 40;

/// The table's columns by definition, without an engine.
#[test]
fn the_columns_are_those_of_the_graphs() {
    for (row, graph) in graphs() {
        let simple = Simple::of(graph.edges());
        let summary = simple.summary();
        let wedges = u64::try_from(summary.wedges).unwrap();
        let found = (2 * summary.edges, wedges, simple.triangles());
        assert_eq!(found, (row.edges, row.candidates, row.triangles), "{}", row.name);
    }
}

#[test]
fn the_small_rows_in_the_emulator() {
    if let Some(emulator) = devices::emulated(1) {
        let mut rows = 0;
        for (row, graph) in graphs().filter(|(row, _)| row.candidates < 20_000) {
            check(&emulator, row, &graph);
            rows += 1;
        }
        assert_eq!(rows, 6);
    }
}

#[test]
fn every_row_on_a_gpu() {
    if let Some(gpu) = devices::gpu() {
        for (row, graph) in graphs() {
            check(&gpu, row, &graph);
        }
    }
}

/// How often a kernel is launched depends on the vertices' bits, and not on the size of the lists: here
/// are as many bits as the largest row has, and more.
#[test]
fn launches_grow_with_the_bits_of_a_vertex_only() {
    if !devices::emulator() {
        return;
    }
    for (largest, most) in [(62_585, MOST_LAUNCHES), (1 << 19, 60)] {
        let launches = [3, 40].map(|n| {
            let mut edges = testkit::generators::clique(n);
            edges.push([0, largest]);
            let options = RadixOptions {
                orientation: Orientation::None,
                threshold: 0,
                ..RadixOptions::default()
            };
            let emulator = Emulator::with(Config::seeded(1));
            // All indexes are kept, whatever gaps there are.
            let graph = Graph::from_edges(edges).with_vertices(largest as usize + 1).unwrap();
            radix::count(&emulator, &graph, &options).unwrap().launches
        });
        assert_eq!(launches[0], launches[1]);
        assert!(launches[0] <= most, "{launches:?}");
    }
}
