//! Estimates, against what is counted exactly.

use fastrand::Rng;
use testkit::{effort, places};
use tribin::analytics::{Bounded, Estimate, EstimateOptions};
use tribin::{Error, Graph, PreparedGraph};

use super::on_cpu;

/// Runs of each kind of graph: as many as show whether 95 of 100 intervals cover. Their seeds are the same every time.
fn runs() -> u64 {
    effort::cases(1_000).into()
}

fn prepared(graph: &Graph) -> PreparedGraph {
    on_cpu(None).prepare(graph).unwrap()
}

fn sampled(error: f64, seed: u64) -> EstimateOptions {
    let mut options = EstimateOptions::default();
    (options.error, options.seed, options.always_sample) = (error, seed, true);
    options
}

/// Six kinds of graphs: uniform, skewed, of communities that are nearly cliques, of a ring with few other edges, of hubs
/// whose leaves are joined in pairs, and of vertices of which half have a coefficient of 1 and half of 0.
fn kinds() -> Vec<(&'static str, Vec<[u32; 2]>)> {
    let mut random = Rng::with_seed(54);
    let uniform = (0..310_000).map(|_| [random.u32(..1_200), random.u32(..1_200)]).collect();
    let skewed = (0..40_000).map(|_| [0, 1].map(|_| (random.f64().powi(4) * 3e3) as u32)).collect();
    let communities = (0..60u32).flat_map(|community| {
        let members = (0..30).flat_map(move |u| (0..u).map(move |v| [u, v]));
        members.map(move |edge| edge.map(|v| 30 * community + v))
    });
    let communities = communities.filter(|_| random.u32(..10) > 0).collect();
    let mut ring: Vec<_> =
        (0..3_000u32).flat_map(|v| (1..5).map(move |step| [v, (v + step) % 3_000])).collect();
    ring.extend((0..2_000).map(|_| [random.u32(..3_000), random.u32(..3_000)]));
    let wheels = (0..20_000u32).filter(|v| v % 200 != 0).flat_map(|v| {
        let hub = v / 200 * 200;
        if v % 2 == 0 { vec![[hub, v], [v, v - 1]] } else { vec![[hub, v]] }
    });
    let mut wheels: Vec<_> = wheels.collect();
    wheels.extend((0..100u32).flat_map(|u| (0..u).map(move |v| [200 * u, 200 * v])));
    wheels.extend((0..4_000).map(|_| [random.u32(..20_000), random.u32(..20_000)]));
    let halves = (0..3_000u32).flat_map(|part| {
        let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|v| 7 * part + v);
        let (f, g) = (7 * part + 5, 7 * part + 6);
        [[a, b], [b, c], [c, a], [d, e], [e, f], [f, g], [g, d]]
    });
    vec![
        ("uniform", uniform),
        ("skewed", skewed),
        ("communities", communities),
        ("ring", ring),
        ("wheels", wheels),
        ("halves", halves.collect()),
    ]
}

#[test]
fn intervals_cover_as_often_as_they_say() {
    let runs = runs();
    for (kind, edges) in kinds() {
        let graph = prepared(&Graph::from_edges(edges));
        let exact = graph.stats().unwrap();
        let covers = |interval: Bounded<f64>, number: f64| {
            assert!(interval.low <= interval.value && interval.value <= interval.high, "{kind}");
            (interval.low..=interval.high).contains(&number)
        };
        let [mut triangles, mut clustering, mut wide] = [0; 3];
        for seed in 0..runs {
            let found = graph.estimate(&sampled(0.2, seed)).unwrap();
            assert!(!found.exact, "{kind}: {}", found.because);
            triangles +=
                u64::from(covers(found.triangles.map(|t| t as f64), exact.triangles as f64));
            clustering += u64::from(covers(found.average_clustering, exact.average_clustering));
            assert_eq!(
                found.transitivity,
                found.triangles.map(|t| 3.0 * t as f64 / exact.wedges as f64)
            );
            for Bounded { value, low, high } in [found.transitivity, found.average_clustering] {
                wide += u64::from((high - low) / 2.0 > 0.2 * value);
            }
        }
        eprintln!("{kind}: {triangles} and {clustering} of {runs} cover, {wide} are wide");
        let least = runs * 93 / 100;
        assert!(triangles >= least && clustering >= least, "{kind}: {triangles}, {clustering}");
        assert!(wide <= runs / 100, "{kind}: {wide} intervals are wider than asked for");
    }
}

#[test]
fn an_estimate_is_that_of_its_seed_with_any_number_of_threads() {
    let (_, edges) = kinds().swap_remove(1);
    let with = |threads: usize, seed: u64| {
        let graph = on_cpu(Some(threads)).prepare(&Graph::from_edges(edges.clone()));
        let found = graph.unwrap().estimate(&sampled(0.1, seed)).unwrap();
        (found.triangles, found.average_clustering, found.sampled_wedges, found.sampled_vertices)
    };
    assert_eq!(with(1, 7), with(3, 7));
    assert_ne!(with(1, 7), with(1, 8));
}

#[test]
fn what_is_counted_as_soon_is_exact() {
    let of = |graph: &Graph, options: &EstimateOptions| prepared(graph).estimate(options).unwrap();
    let karate = tribin::open(places::root().join("tests/data/karate.mtx")).unwrap();
    let exact = |found: &Estimate| {
        assert!(found.exact);
        assert_eq!((found.sampled_wedges, found.sampled_vertices), (0, 0));
        (found.triangles, found.transitivity, found.average_clustering)
    };
    let expected = (
        Bounded::exact(45),
        Bounded::exact(135.0 / 528.0),
        Bounded::exact(prepared(&karate).stats().unwrap().average_clustering),
    );
    let found = of(&karate, &EstimateOptions::default());
    assert_eq!(exact(&found), expected);
    assert_eq!(found.because, "all triangles are found as soon");
    let found = of(&karate, &sampled(0.5, 1));
    assert_eq!(exact(&found), expected);
    assert_eq!(found.because, "there are fewer wedges than would be drawn");
    // Without a triangle there is nothing that an error could be relative to.
    for graph in [Graph::default(), Graph::from_edges((1..50_000u32).map(|v| [v, v / 2]))] {
        let found = of(&graph, &sampled(0.5, 1));
        assert_eq!(exact(&found), Default::default());
    }
}

#[test]
fn shares_that_make_no_sense_are_refused() {
    let graph = prepared(&Graph::default());
    for (error, confidence) in [(0.0, 0.95), (1.0, 0.95), (f64::NAN, 0.95), (0.1, 1.0), (0.1, -1.0)]
    {
        let mut options = EstimateOptions::default();
        (options.error, options.confidence) = (error, confidence);
        let refused = graph.estimate(&options);
        assert!(matches!(refused, Err(Error::Usage(_))), "{error} {confidence}: {refused:?}");
    }
}
