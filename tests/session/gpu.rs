//! A session on a GPU: many threads at one door, one preparation for every result, and predictions beside
//! what the device meters. Without a GPU each test says that it was skipped.

use std::num::NonZero;

use rayon::prelude::*;
use testkit::{devices, skip};
use tribin::analytics::Weighting;
use tribin::count::{CountOptions, EngineChoice};
use tribin::generate::{
    self, BarabasiAlbert, ErdosRenyi, GRAPH500, Probability, Rmat, Star, WattsStrogatz,
};
use tribin::papers::PaperEngine;
use tribin::{DeviceChoice, Duplicates, Graph, Input, Options, Session};

fn session(device: DeviceChoice) -> Session {
    let mut options = Options::default();
    options.device = device;
    Session::open(options).unwrap()
}

/// A session on the GPU, or the reason why there is none.
fn on_gpu() -> Option<Session> {
    match devices::open_gpu() {
        Ok(_) => Some(session(DeviceChoice::Gpu(None))),
        Err(reason) => {
            skip::whole(&reason);
            None
        }
    }
}

fn graph(model: tribin::Result<impl tribin::write::EdgeBlocks>, name: &str) -> Graph {
    generate::graph(&model.unwrap(), name)
}

/// Graphs of every preparation and counting method, from a few edges to tens of millions of entries.
fn graphs() -> Vec<Graph> {
    vec![
        Graph::from_edges(vec![[0, 1], [1, 2], [2, 0]]),
        graph(Rmat::new(14, 16, GRAPH500, 1), "rmat14"),
        graph(Rmat::new(17, 16, GRAPH500, 1), "rmat17"),
        graph(Rmat::new(20, 16, GRAPH500, 1), "rmat20"),
        graph(ErdosRenyi::new(1 << 20, 1 << 24, 2), "uniform"),
        graph(ErdosRenyi::new(1 << 24, 1 << 24, 2), "sparse"),
        graph(BarabasiAlbert::new(200_000, 25, 3), "ba"),
        graph(WattsStrogatz::new(400_000, 40, Probability::per_mille(100), 4), "ws"),
        graph(Star::new(3_000_000), "star"),
    ]
}

#[test]
fn predicted_bytes_are_near_the_metered_peak() {
    let Some(session) = on_gpu() else { return };
    let cpu = session_on_cpu();
    let own = EngineChoice::ALL.map(|engine| (session.clone(), engine, engine.name()));
    // Without orientation the wedges of the star are too many.
    let papers = [PaperEngine::MergePath, PaperEngine::Bitmap, PaperEngine::RadixBinning];
    let papers = papers.map(|engine| {
        let opened = engine.open(session.options()).unwrap();
        let session =
            Session::open(Options { engine: Some(opened), ..Options::default() }).unwrap();
        (session, EngineChoice::Auto, engine.name())
    });
    for graph in graphs() {
        let expected = cpu.count(&graph).unwrap();
        for (session, choice, engine) in own.iter().chain(&papers) {
            let mut options = CountOptions::default();
            (options.engine, options.explain) = (*choice, true);
            let count = session.count(Input::from(&graph).with_options(&options)).unwrap();
            assert_eq!(count.triangles, expected.triangles, "{}", graph.name());
            let explanation = count.explanation.unwrap();
            let predicted = explanation.predicted_peak_bytes.unwrap();
            let peak = explanation.peak_bytes.unwrap();
            println!("{} {engine}: peak {peak}, predicted {predicted}", graph.name());
            assert!(predicted >= peak, "{} {engine}: {predicted} for {peak}", graph.name());
            if count.edges > 1_000_000 {
                let most = peak + peak / 4;
                assert!(predicted <= most, "{} {engine}: {predicted} for {peak}", graph.name());
            }
        }
    }
}

/// With less memory than a graph takes, it is prepared elsewhere or counted in parts; the limit is kept.
#[test]
fn limits_of_device_memory_are_kept() {
    let Some(session) = on_gpu() else { return };
    let mut explained = CountOptions::default();
    explained.explain = true;
    for graph in graphs() {
        let whole = session.count(Input::from(&graph).with_options(&explained)).unwrap();
        let needed = whole.explanation.and_then(|explanation| explanation.peak_bytes).unwrap();
        for share in [2, 4, 10] {
            let limit = needed / share;
            let mut options = Options::default();
            (options.device, options.device_memory) = (DeviceChoice::Gpu(None), Some(limit));
            let limited = Session::open(options).unwrap();
            match limited.count(Input::from(&graph).with_options(&explained)) {
                Ok(count) => {
                    assert_eq!(count.triangles, whole.triangles, "{} {limit}", graph.name());
                    let explanation = count.explanation.unwrap();
                    let peak = explanation.peak_bytes.unwrap();
                    println!("{} {limit}: peak {peak}, {:?}", graph.name(), explanation.decisions);
                    assert!(peak <= limit, "{} {limit}: {peak}", graph.name());
                }
                // Less than the longest row takes.
                Err(tribin::Error::DeviceMemory { needed, free, .. }) => {
                    assert!(needed > free && free <= limit && limit < 1 << 20, "{needed} {free}");
                }
                Err(error) => panic!("{} {limit}: {error}", graph.name()),
            }
        }
    }
}

/// With a tenth of the memory that a graph takes on the GPU, and with too little host memory too, all that is found is what
/// the whole graph has.
#[test]
fn what_is_found_in_parts_is_what_the_whole_graph_has() {
    let Some(session) = on_gpu() else { return };
    let folder = tempfile::tempdir().unwrap();
    for graph in graphs() {
        let whole = session.prepare(&graph).unwrap();
        let (local, support) = (whole.local().unwrap(), whole.support().unwrap());
        let mut explained = CountOptions::default();
        explained.explain = true;
        let count = session.count(Input::from(&graph).with_options(&explained)).unwrap();
        let needed = count.explanation.and_then(|explanation| explanation.peak_bytes).unwrap();
        let mut options = Options::default();
        options.device = DeviceChoice::Gpu(None);
        // Counters for all vertices have to fit.
        options.device_memory =
            Some((needed / 10).max(20 * graph.vertex_bound() as u64 + (1 << 20)));
        let limited = Session::open(options.clone()).unwrap().prepare(&graph).unwrap();
        println!("{}: {:?}", graph.name(), limited.count().unwrap());
        assert_eq!(limited.local().unwrap(), local, "{}", graph.name());
        assert_eq!(limited.support().unwrap(), support, "{}", graph.name());

        let path = folder.path().join("graph.bin");
        let bytes: Vec<u8> = graph.edges().iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
        std::fs::write(&path, bytes).unwrap();
        let vertices = graph.vertex_bound() as u64;
        (options.memory, options.threads) = (Some((64 << 20) + 20 * vertices), NonZero::new(2));
        options.scratch = Some(folder.path().into());
        let small = Session::open(options).unwrap();
        let reading = tribin::read::Options::default();
        let on_disk = small.prepare(Input::file(&path, &reading)).unwrap();
        if on_disk.out_of_core_decision().is_none() {
            continue;
        }
        println!("{} out of core", graph.name());
        let count = on_disk.count().unwrap();
        assert_eq!((count.triangles, &*count.device), (local.total(), "gpu:0"), "{}", graph.name());
        let found = on_disk.local().unwrap();
        // A file says nothing of vertices behind the last that has an edge.
        let all = on_disk.vertex_bound() == graph.vertex_bound();
        assert!(!all || found == local, "{}", graph.name());
        let mut known = support.edges().iter().zip(support.values());
        let took = on_disk.each_edge(|blocks| {
            for &[u, v, triangles] in blocks.iter().flatten() {
                assert_eq!(known.next(), Some((&[u, v], &triangles)));
            }
            Ok(true)
        });
        assert!(took.is_ok() && known.next().is_none(), "{}: {took:?}", graph.name());
    }
}

fn session_on_cpu() -> Session {
    session(DeviceChoice::Cpu)
}

/// What is found by direction and with weights on the GPU is the CPU's, weighted coefficients but for rounding, and comes
/// out the same a second time.
#[test]
fn directions_and_weights_are_the_cpu_s() {
    let Some(session) = on_gpu() else { return };
    for graph in [
        graph(Rmat::new(16, 16, GRAPH500, 1), "rmat16"),
        graph(BarabasiAlbert::new(200_000, 25, 3), "ba"),
        graph(ErdosRenyi::new(1_500, 1 << 20, 2), "dense"),
    ] {
        let name = graph.name().to_owned();
        let weights = (0..graph.edges().len()).map(|k| (k % 997 + 1) as f64).collect();
        let graph = graph.with_weights(weights).unwrap().with_duplicates(Duplicates::Sum);
        let [(found, coefficients), (known, expected)] =
            [&session, &session_on_cpu()].map(|session| {
                let directed = session.prepare(Input::from(&graph).directed()).unwrap();
                let weighted = session.prepare(&graph).unwrap();
                let coefficients = [0; 2].map(|_| {
                    let mut all = weighted.weighted_clustering(Weighting::Onnela).unwrap();
                    all.extend(directed.weighted_clustering(Weighting::Onnela).unwrap());
                    all
                });
                assert_eq!(coefficients[0], coefficients[1], "{name}");
                ((directed.directed_local().unwrap(), directed.census().unwrap()), coefficients)
            });
        assert_eq!(found, known, "{name}");
        for (vertex, (found, known)) in coefficients[0].iter().zip(&expected[0]).enumerate() {
            assert!((found - known).abs() <= 1e-12 * known, "{name} {vertex}: {found} {known}");
        }
    }
}

/// Eight threads of one pool count and analyse at once, `TRIBIN_SHARED_ROUNDS` times each.
#[test]
fn eight_threads_share_one_gpu() {
    let Some(session) = on_gpu() else { return };
    let rounds = std::env::var("TRIBIN_SHARED_ROUNDS").map_or(20, |n| n.parse().unwrap());
    // Large enough for the upload to go through page-locked memory.
    let graph = graph(Rmat::new(16, 16, GRAPH500, 1), "rmat16");
    let shared = session.prepare(&graph).unwrap();
    let known = session_on_cpu().prepare(&graph).unwrap();
    let (triangles, support) = (known.count().unwrap().triangles, known.support().unwrap());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(8).build().unwrap();
    pool.install(|| {
        (0..8 * rounds).into_par_iter().with_max_len(1).for_each(|i: u32| match i % 4 {
            0 => assert_eq!(session.count(&graph).unwrap().triangles, triangles),
            1 if i % 64 == 1 => assert_eq!(shared.support().unwrap(), support),
            1 | 2 => assert_eq!(shared.local().unwrap().total(), triangles),
            _ => {
                let own = session.prepare(&graph).unwrap();
                assert_eq!(own.count().unwrap().triangles, triangles);
            }
        });
    });
}
