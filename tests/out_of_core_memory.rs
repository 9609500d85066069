//! How much memory counting out of core takes: a process of its own, whose allocator refuses more.

use std::alloc::System;
use std::num::NonZeroUsize;

use testkit::effort;
use tribin::generate::{GRAPH500, Rmat};
use tribin::report::OutputFile;
use tribin::write::{self, Target};
use tribin::{DeviceChoice, Input, Options, Session, VertexIds, generate, read};
use tribin_base::control::Context;
use tribin_gpu::plan::Task;

#[global_allocator]
static ALLOCATOR: cap::Cap<System> = cap::Cap::new(System, usize::MAX);

/// Bytes that looking at a file before it is read may take: one of up to 64 MiB is read as a whole for that.
const LOOKING: usize = 48 << 20;

/// The limit is kept to within a twentieth once reading begins: whoever asks for more gets nothing, and ends the
/// process.
#[test]
fn the_limit_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let model = Rmat::new(17, 20, GRAPH500, 7).unwrap();
    let ids = VertexIds::Identity { bound: 1 << 17 };
    let paths = ["rmat.txt", "rmat.bin", "rmat.csv.gz"].map(|name| {
        let path = folder.path().join(name);
        let output = OutputFile::new(&path).unwrap();
        write::write(
            &model,
            &ids,
            Target::of_name(&output.name(), None).unwrap(),
            &output,
            &tribin::Work::new(),
        )
        .unwrap();
        path
    });
    let (expected, four_cliques) = {
        let (oriented, _) = tribin::oriented(&generate::graph(&model, "rmat"));
        let four_cliques = tribin_cpu::cliques::count(&oriented, 4, &Context::silent()).unwrap();
        (tribin_cpu::forward::count(&oriented), four_cliques)
    };
    for (at, path) in paths.iter().enumerate() {
        // A quick run reads each file within one of the limits.
        let limits = [(20 << 20, 1, 1..=3), (21 << 20, 2, 1..=3), (30 << 20, 4, 1..=2)];
        for (memory, threads, parts) in effort::some(limits, at, 3) {
            let mut options = Options::default();
            options.device = DeviceChoice::Cpu;
            options.threads = NonZeroUsize::new(threads);
            options.memory = Some(memory);
            options.scratch = Some(folder.path().into());
            let session = Session::open(options).unwrap();
            let allowed = ALLOCATOR.allocated() + memory as usize / 20 * 21 + LOOKING;
            ALLOCATOR.set_limit(allowed).unwrap();
            let reading = read::Options::default();
            let count = session.count(Input::file(path, &reading));
            ALLOCATOR.set_limit(usize::MAX).unwrap();
            let count = count.unwrap();
            assert_eq!(count.triangles, expected, "{}", path.display());
            let took = count.out_of_core.expect("it does not fit");
            assert!(parts.contains(&took.parts), "{took:?}");
            assert!(took.memory_bytes <= memory, "{took:?}");
            // What is found of vertices and of edges, and a list, within the limit and what was predicted.
            let memory = memory + threads as u64 * (4 << 20);
            let mut options = session.options().clone();
            options.memory = Some(memory);
            for task in
                [Task::AtVertices, Task::List, Task::OnEdges, Task::ByDirection, Task::Cliques]
            {
                let session = Session::open(options.clone()).unwrap();
                let before = ALLOCATOR.allocated();
                ALLOCATOR.set_limit(before + memory as usize / 20 * 21 + LOOKING).unwrap();
                let input = Input::file(path, &reading).for_task(task);
                let is_directed = task == Task::ByDirection;
                let graph = session.prepare(if is_directed { input.directed() } else { input });
                let graph = graph.unwrap();
                assert!(graph.out_of_core_decision().is_some(), "it does not fit");
                // From here on nothing looks at the file.
                ALLOCATOR.set_limit(before + memory as usize / 20 * 21).unwrap();
                let found = match task {
                    Task::AtVertices => graph.local().unwrap().total(),
                    Task::ByDirection => {
                        let local = graph.directed_local().unwrap();
                        assert_eq!(local.vertex_bound(), graph.vertex_bound());
                        drop(local);
                        graph.census().unwrap().triangles()
                    }
                    Task::Cliques => {
                        let at_vertices = graph.cliques_at_vertices(4).unwrap();
                        assert_eq!(u128::from(at_vertices.iter().sum::<u64>()), 4 * four_cliques);
                        expected
                    }
                    Task::OnEdges => {
                        let mut on_edges = 0;
                        let take = |blocks: Vec<Vec<[u32; 3]>>| {
                            let edges = blocks.iter().flatten();
                            on_edges += edges.map(|&[_, _, count]| u64::from(count)).sum::<u64>();
                            Ok(true)
                        };
                        graph.each_edge(take).unwrap();
                        on_edges / 3
                    }
                    _ => {
                        let mut found = 0;
                        let take = |blocks: Vec<Vec<[u32; 3]>>| {
                            found += blocks.iter().map(|block| block.len() as u64).sum::<u64>();
                            Ok(true)
                        };
                        graph.each_triangle(take).unwrap();
                        found
                    }
                };
                ALLOCATOR.set_limit(usize::MAX).unwrap();
                let took = graph.out_of_core().expect("it was found");
                assert_eq!(found, expected, "{} {task:?}", path.display());
                assert!(took.memory_bytes <= memory, "{took:?}");
            }
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), paths.len());
}
