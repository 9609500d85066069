//! The generators, against other programs of the same models and against closed forms.

mod generators;

use std::collections::BTreeSet;

use testkit::theory::{self, Variant};
use tribin::count::Count;
use tribin::generate::{
    self, BarabasiAlbert, Complete, ErdosRenyi, GRAPH500, Geometric, Grid, Loops, MOST_VERTICES,
    Mycielskian, Probability, Rmat, Star, Theory, WattsStrogatz, Wheel,
};
use tribin::write::EdgeBlocks;
use tribin::{DeviceChoice, Options, Session};

fn edges(model: &dyn EdgeBlocks) -> Vec<[u32; 2]> {
    let graph = generate::graph(model, "model");
    assert_eq!(graph.edges().len() as u64, model.entries());
    assert_eq!(graph.vertex_bound() as u64, model.vertices());
    graph.edges().to_vec()
}

fn count(model: &dyn EdgeBlocks) -> Count {
    let mut options = Options::default();
    options.device = DeviceChoice::Cpu;
    Session::new(options).unwrap().count(&generate::graph(model, "model")).unwrap()
}

/// Each edge once, the smaller end first.
fn set(edges: &[[u32; 2]]) -> BTreeSet<[u32; 2]> {
    edges.iter().map(|&[u, v]| [u.min(v), u.max(v)]).collect()
}

/// The benchmarks' graphs are those of `tests/generators`, edge by edge and in the same order.
#[test]
fn random_models_as_the_sequential_programs_have_them() {
    for seed in [1, 77] {
        // More than one block, and a last block that no lane count divides.
        let rmat = Rmat::new(13, 9, GRAPH500, seed).unwrap();
        assert_eq!(edges(&rmat), generators::rmat(13, 9, seed));
        let odd = Rmat::new(1, 5, GRAPH500, seed).unwrap();
        assert_eq!(edges(&odd), generators::rmat(1, 5, seed));
        let uniform = ErdosRenyi::new(999, 70_001, seed).unwrap();
        assert_eq!(edges(&uniform), generators::uniform(999, 70_001, seed));
        let albert = BarabasiAlbert::new(5_000, 17, seed).unwrap();
        assert_eq!(edges(&albert), generators::barabasi_albert(5_000, 17, seed));
        let watts = WattsStrogatz::new(9_001, 9, Probability::per_mille(100), seed).unwrap();
        assert_eq!(edges(&watts), generators::watts_strogatz(9_001, 9, 100, seed));
    }
}

#[test]
fn theory_graphs_have_the_published_figures() {
    for row in theory::direct() {
        let model = model(&row);
        assert_eq!(model.vertices(), row.vertices, "{}", row.name);
        assert_eq!(model.entries(), row.nnz / 2, "{}", row.name);
        assert_eq!(model.triangles(), Some(row.triangles), "{}", row.name);
        // The largest take seconds each.
        if row.nnz < 2_000_000 {
            let count = count(&model);
            assert_eq!(count.triangles, row.triangles, "{}", row.name);
            assert_eq!(count.wedges, row.wedges, "{}", row.name);
            assert_eq!(count.max_degree, row.max_degree, "{}", row.name);
            assert_eq!((count.vertices, 2 * count.edges), (row.vertices, row.nnz), "{}", row.name);
            assert_eq!(
                (count.self_loops_dropped, count.duplicates_dropped),
                (0, 0),
                "{}",
                row.name
            );
        }
    }
}

#[test]
fn theory_graphs_have_the_edges_of_the_product() {
    for row in theory::direct().into_iter().filter(|row| row.nnz < 100_000) {
        let made = edges(&model(&row));
        assert!(made.iter().all(|[u, v]| u < v), "{}", row.name);
        assert_eq!(made, row.edges(), "{}", row.name);
    }
}

#[test]
fn theory_graphs_too_large_to_make_still_have_closed_forms() {
    for row in theory::all() {
        match Theory::new(&row.factors, loops(row.variant)) {
            Ok(model) => assert_eq!(model.triangles(), Some(row.triangles), "{}", row.name),
            Err(error) => {
                assert!(row.vertices > MOST_VERTICES, "{}: {error}", row.name);
                assert!(error.to_string().starts_with("the graph would have "), "{error}");
            }
        }
    }
}

fn loops(variant: Variant) -> Loops {
    match variant {
        Variant::Bk => Loops::None,
        Variant::B1k => Loops::Centre,
        Variant::B2k => Loops::Leaf,
    }
}

fn model(row: &theory::Theory) -> Theory {
    Theory::new(&row.factors, loops(row.variant)).unwrap()
}

#[test]
fn complete_graphs() {
    // 400 vertices have more edges than a block.
    for n in [0, 1, 2, 3, 4, 37, 400] {
        let model = Complete::new(n).unwrap();
        let made = edges(&model);
        assert_eq!(made.len() as u64, n * n.saturating_sub(1) / 2);
        let pairs: BTreeSet<[u32; 2]> =
            (0..n as u32).flat_map(|v| (0..v).map(move |u| [u, v])).collect();
        assert_eq!(set(&made), pairs);
        let triangles = n * n.saturating_sub(1) * n.saturating_sub(2) / 6;
        assert_eq!(count(&model).triangles, triangles);
    }
}

#[test]
fn a_block_of_a_huge_complete_graph() {
    let model = Complete::new(MOST_VERTICES).unwrap();
    let mut last = Vec::new();
    model.block(model.blocks() - 1, &mut last);
    let [n, m] = [MOST_VERTICES as u32, last.len() as u32];
    assert_eq!(last.last(), Some(&[n - 1, n - 2]));
    assert_eq!(last.first(), Some(&[n - 1, n - 1 - m]));
}

#[test]
fn stars_wheels_and_grids() {
    let star = Star::new(70_000).unwrap();
    assert_eq!(edges(&star), generators::star(70_000));
    assert_eq!(count(&star).triangles, 0);
    assert_eq!(count(&star).wedges, 70_000 * 69_999 / 2);

    let wheel = Wheel::new(70_001).unwrap();
    assert_eq!(edges(&wheel), generators::wheel(70_001));
    assert_eq!(count(&wheel).triangles, 70_001);
    assert_eq!(count(&Wheel::new(3).unwrap()).triangles, 4);

    for (rows, columns, edges, max_degree) in [
        (0, 5, 0, 0),
        (1, 1, 0, 0),
        (1, 9, 8, 2),
        (9, 1, 8, 2),
        (2, 2, 4, 2),
        (2, 3, 7, 3),
        (300, 301, 300 * 300 + 299 * 301, 4),
    ] {
        let count = count(&Grid::new(rows, columns).unwrap());
        let found = (count.edges, count.max_degree, count.triangles);
        assert_eq!(found, (edges, max_degree, 0), "{rows} by {columns}");
    }
    let mut square = edges(&Grid::new(2, 3).unwrap());
    square.sort_unstable();
    assert_eq!(square, [[0, 1], [0, 3], [1, 2], [1, 4], [2, 5], [3, 4], [4, 5]]);
}

#[test]
fn mycielskians_have_no_triangle() {
    for k in 2..13 {
        let model = Mycielskian::new(k).unwrap();
        let expected = generators::mycielskian(k);
        assert_eq!(model.vertices(), 3 * (1 << (k - 2)) - 1);
        assert_eq!(model.entries(), expected.len() as u64);
        assert_eq!(set(&edges(&model)), set(&expected));
        assert_eq!(count(&model).triangles, 0);
    }
    // The figures of the SuiteSparse Matrix Collection.
    for (k, vertices, edges) in
        [(13, 6_143, 613_871), (14, 12_287, 1_847_756), (15, 24_575, 5_555_555)]
    {
        let model = Mycielskian::new(k).unwrap();
        assert_eq!((model.vertices(), model.entries()), (vertices, edges));
    }
    assert_eq!(Mycielskian::new(32).unwrap().vertices(), 3_221_225_471);
    assert!(Mycielskian::new(33).is_err());
}

#[test]
fn a_ring_without_rewiring() {
    for (n, k) in [(10, 3), (1000, 1), (1000, 25)] {
        let model = WattsStrogatz::new(n, k, Probability::ZERO, 1).unwrap();
        assert_eq!(count(&model).triangles, n * k * (k - 1) / 2, "{n} vertices, half degree {k}");
    }
}

/// The limit for many vertices: Dall and Christensen, 2002.
#[test]
fn geometric_graphs_cluster() {
    let count = count(&Geometric::new(50_000, 40, 1).unwrap());
    let limit = 1.0 - 3.0 * 3f64.sqrt() / (4.0 * std::f64::consts::PI);
    assert!((count.transitivity - limit).abs() < 0.005, "{}", count.transitivity);
    assert_eq!((count.self_loops_dropped, count.duplicates_dropped), (0, 0));
}

/// Summary of published measurements depend on these edges: they stay. The numbers are the CRC-32 of the
/// ends as little-endian 32-bit numbers.
#[test]
fn the_edges_of_a_seed_never_change() {
    let rewired = Probability::per_mille(100);
    let models: [(&str, &dyn EdgeBlocks, u32); 6] = [
        ("rmat", &Rmat::new(10, 16, GRAPH500, 1).unwrap(), 2_904_850_154),
        ("erdos-renyi", &ErdosRenyi::new(1000, 9000, 1).unwrap(), 2_389_688_881),
        ("barabasi-albert", &BarabasiAlbert::new(1000, 9, 1).unwrap(), 1_995_519_064),
        ("watts-strogatz", &WattsStrogatz::new(1000, 9, rewired, 1).unwrap(), 593_889_649),
        ("geometric", &Geometric::new(1000, 18, 1).unwrap(), 2_040_565_036),
        ("theory", &Theory::new(&[3, 4, 5], Loops::Centre).unwrap(), 3_844_731_974),
    ];
    let found = models.map(|(name, model, _)| {
        let mut crc = flate2::Crc::new();
        edges(model).iter().flatten().for_each(|id| crc.update(&id.to_le_bytes()));
        (name, crc.sum())
    });
    assert_eq!(found, models.map(|(name, _, crc)| (name, crc)));
}

#[test]
fn seeds_make_different_graphs() {
    let made = [1, 2].map(|seed| -> [Vec<[u32; 2]>; 5] {
        [
            edges(&Rmat::new(8, 4, GRAPH500, seed).unwrap()),
            edges(&ErdosRenyi::new(100, 400, seed).unwrap()),
            edges(&BarabasiAlbert::new(100, 4, seed).unwrap()),
            edges(&WattsStrogatz::new(100, 4, Probability::per_mille(100), seed).unwrap()),
            edges(&Geometric::new(100, 8, seed).unwrap()),
        ]
    });
    for (one, two) in made[0].iter().zip(&made[1]) {
        assert_ne!(one, two);
    }
}

#[test]
fn what_cannot_be_made() {
    let say = |result: tribin::Result<()>| result.unwrap_err().to_string();
    let too_many = "the graph would have 4294967295 vertices: at most 4294967294 (2^32-2) are \
                    possible, ask for a smaller one";
    assert_eq!(say(Star::new(MOST_VERTICES).map(drop)), too_many);
    assert_eq!(say(Wheel::new(MOST_VERTICES).map(drop)), too_many);
    assert_eq!(say(Complete::new(MOST_VERTICES + 1).map(drop)), too_many);
    assert_eq!(say(Grid::new(65_537, 65_535).map(drop)), too_many);
    assert_eq!(say(ErdosRenyi::new(MOST_VERTICES + 1, 0, 1).map(drop)), too_many);
    assert_eq!(say(ErdosRenyi::new(0, 1, 1).map(drop)), "edges need a vertex at least");
    assert_eq!(
        say(BarabasiAlbert::new(5, 6, 1).map(drop)),
        "each of 5 vertices cannot join 6 earlier ones: use 1 to 5 links"
    );
    assert_eq!(
        say(WattsStrogatz::new(6, 3, Probability::ZERO, 1).map(drop)),
        "6 vertices in a ring cannot join their next 3: the half degree is at least 1 and less than \
         half of the vertices"
    );
    assert_eq!(say(Wheel::new(2).map(drop)), "a ring of 2 is none: use 3 or more");
    assert_eq!(
        say(Mycielskian::new(1).map(drop)),
        "there is no Mycielskian 1: 2 is a single edge, 3 a ring of five"
    );
    for leaves in [&[][..], &[3, 0]] {
        assert_eq!(
            say(Theory::new(leaves, Loops::None).map(drop)),
            "a product needs stars of one leaf or more each"
        );
    }
    assert!(say(Theory::new(&[u64::MAX; 9], Loops::Leaf).map(drop)).contains(" vertices: at most"));
}
