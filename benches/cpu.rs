//! The CPU's steps and analytics on graphs of different skew: `cargo bench --bench cpu`.
//!
//! `RAYON_NUM_THREADS` sets the threads. Throughput is in entries of the edge array.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use rayon::prelude::*;
use tribin::Context;
use tribin::analytics::WantedTruss;
use tribin_analytics::cpu::{cores, support, truss};
use tribin_cpu::forward as forward_cpu;
use tribin_cpu::prepare::prepare;

mod graphs;

fn cpu(criterion: &mut Criterion) {
    let graphs = [
        ("rmat16", "rmat16"),
        ("rmat18", "rmat18"),
        ("rmat20", "rmat20"),
        ("ba", "ba:100000,20,1"),
        ("ws", "ws:100000,20,100,1"),
        ("uniform", "er:100000,2000000,1"),
    ];
    let context = Context::silent();
    for (name, graph) in graphs {
        let graph = graphs::by_name(graph).expect("parameters that can be").expect("a name");
        let (edges, bound) = (graph.edges(), graph.vertex_bound());
        let oriented = prepare(edges, bound).oriented;
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10).throughput(Throughput::Elements(edges.len() as u64));
        group.bench_function("edges to count", |bencher| {
            bencher.iter_with_large_drop(|| {
                let prepared = prepare(black_box(edges), bound);
                (forward_cpu::count(&prepared.oriented), prepared)
            });
        });
        // What it is compared with: each entry as one word, sorted.
        let keys: Vec<u64> = edges
            .par_iter()
            .map(|&[u, v]| u64::from(u.max(v)) << 32 | u64::from(u.min(v)))
            .collect();
        group.bench_function("parallel sort of the entries", |bencher| {
            let sort = |mut keys: Vec<u64>| {
                keys.par_sort_unstable();
                keys
            };
            bencher.iter_batched(|| keys.clone(), sort, BatchSize::LargeInput);
        });
        group.bench_function("prepare", |bencher| {
            bencher.iter_with_large_drop(|| prepare(black_box(edges), bound));
        });
        group.bench_function("forward", |bencher| {
            bencher.iter(|| forward_cpu::count(black_box(&oriented)));
        });
        group.bench_function("triangles", |bencher| {
            bencher.iter_with_large_drop(|| {
                support::triangles(black_box(&oriented), &context).unwrap()
            });
        });
        group.bench_function("support", |bencher| {
            bencher
                .iter_with_large_drop(|| support::support(black_box(&oriented), &context).unwrap());
        });
        let support = support::support(&oriented, &context).unwrap();
        group.bench_function("trussness", |bencher| {
            bencher.iter_with_large_drop(|| {
                truss::trussness(&oriented, support.clone(), WantedTruss::All, &context).unwrap()
            });
        });
        group.bench_function("core numbers", |bencher| {
            bencher.iter_with_large_drop(|| {
                cores::core_numbers(black_box(&oriented), &context).unwrap()
            });
        });
        group.finish();
    }
}

criterion_group!(benches, cpu);
criterion_main!(benches);
