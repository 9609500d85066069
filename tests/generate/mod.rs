//! The generators, against other programs of the same models and against closed forms.

mod sequential;

use std::collections::BTreeSet;

use testkit::theory::{self, Variant};
use tribin::count::Count;
use tribin::generate::{
    self, Affiliation, BarabasiAlbert, Clustered, Communities, Complete, ErdosRenyi, GRAPH500,
    GapKron, GapUrand, Geometric, Grid, Hub, Hyperbolic, Loops, MOST_VERTICES, Mycielskian, Paths,
    PlaceIds, PowerLaw, Probability, Rmat, Road, Star, Theory, WattsStrogatz, Web, Wheel,
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
    Session::open(options).unwrap().count(&generate::graph(model, "model")).unwrap()
}

/// Each edge once, the smaller end first.
fn set(edges: &[[u32; 2]]) -> BTreeSet<[u32; 2]> {
    edges.iter().map(|&[u, v]| [u.min(v), u.max(v)]).collect()
}

#[test]
fn ids_in_the_order_of_places() {
    let road = Road::new(201, 201, Probability::per_mille(125), PlaceIds::Places, 1).unwrap();
    let clustered = Clustered::new(41, 41, PlaceIds::Places, 1).unwrap();
    for model in [&road as &dyn EdgeBlocks, &clustered] {
        let made = edges(model);
        let upwards = made.iter().filter(|[u, v]| u < v).count();
        // A tenth is some 35 deviations away.
        assert!(upwards.abs_diff(made.len() / 2) < made.len() / 10, "{upwards}");
        assert!(!made.is_sorted_by_key(|[u, v]| u.min(v)));
        assert_eq!(set(&made).len(), made.len());
    }
}

/// The figures of docs/measured.md.
#[test]
fn graphs_of_the_record() {
    let eighth = Probability::per_mille(125);
    let seven = Probability::per_mille(700);
    let web: &dyn EdgeBlocks = &Web::new(2_000_000, 16, seven, 1).unwrap();
    assert_eq!(web.entries(), 31_999_984);
    for ids in [PlaceIds::Shuffled, PlaceIds::Places] {
        let road = Road::new(2048, 2048, eighth, ids, 1).unwrap();
        assert_eq!(road.entries(), 8_908_483);
        let clustered = Clustered::new(512, 512, ids, 1).unwrap();
        assert_eq!(clustered.entries(), 18_868_842);
    }
}

#[test]
fn whole_communities_have_all_their_triangles() {
    let law = PowerLaw::new(4, 300, 2.0).unwrap();
    let count = count(&Communities::new(5_000, law, Probability::ONE, 0, 9).unwrap());
    assert_eq!((count.vertices, count.wedges), (5_000, 3 * u128::from(count.triangles)));
    assert_eq!((count.self_loops_dropped, count.duplicates_dropped), (0, 0));
}

#[test]
fn hubs_and_paths() {
    for (vertices, entries) in [(1, 0), (2, 0), (2, 5), (70_001, 200_000)] {
        let hub = Hub::new(vertices, entries, 3).unwrap();
        let others = ErdosRenyi::new(vertices - 1, entries, 3).unwrap();
        let mut expected = sequential::star(vertices as u32 - 1);
        expected.extend(edges(&others));
        assert_eq!(edges(&hub), expected);
        let (hub, others) = (count(&hub), count(&others));
        assert_eq!(hub.edges, vertices - 1 + others.edges);
        assert_eq!(hub.triangles, others.edges + others.triangles);
        assert_eq!(hub.max_degree, vertices - 1);
    }
    for (paths, length) in [(0, 5), (4, 0), (1, 1), (3, 4), (300, 301)] {
        let model = Paths::new(paths, length).unwrap();
        let expected: Vec<[u32; 2]> = (0..paths as u32)
            .flat_map(|path| (0..length as u32).map(move |i| path * (length as u32 + 1) + i))
            .map(|vertex| [vertex, vertex + 1])
            .collect();
        assert_eq!(edges(&model), expected);
        let count = count(&model);
        assert_eq!((count.triangles, count.edges), (0, paths * length));
        assert_eq!(count.wedges, (paths * length.saturating_sub(1)).into());
    }
    let last = MOST_VERTICES / 3;
    let model = Paths::new(last, 2).unwrap();
    let mut made = Vec::new();
    model.block(model.blocks() - 1, &mut made);
    assert_eq!(made.last(), Some(&[3 * last as u32 - 2, 3 * last as u32 - 1]));
}

/// The CRC-32 of the ends as little-endian 32-bit numbers.
fn checksum(edges: &[[u32; 2]]) -> u32 {
    let mut crc = flate2::Crc::new();
    edges.iter().flatten().for_each(|id| crc.update(&id.to_le_bytes()));
    crc.sum()
}

/// The checksums are those of the draws of `std::mt19937`, `std::uniform_real_distribution<float>` and
/// `std::uniform_int_distribution<int>` of GCC 12. Scale 15 has two of GAP's blocks. GAP's own tests
/// expect 16,103 edges of scale 10 and degree 16 of the uniform graph.
#[test]
fn graphs_of_the_gap_benchmark_suite() {
    for (scale, kron, urand) in [(10, 659_709_257, 2_625_256_441), (15, 1_068_650_698, 777_185_936)]
    {
        for seed in [1, 77] {
            let mut place = vec![0; 1 << scale];
            for (at, id) in (0..).zip(sequential::permutation(1 << scale, seed)) {
                place[id as usize] = at;
            }
            let named = edges(&GapKron::new(scale, 16, seed).unwrap());
            let drawn: Vec<[u32; 2]> =
                named.iter().map(|ends| ends.map(|id| place[id as usize])).collect();
            assert_eq!(checksum(&drawn), kron, "scale {scale}");
        }
        assert_eq!(checksum(&edges(&GapUrand::new(scale, 16).unwrap())), urand, "scale {scale}");
    }
    let kron = count(&GapKron::new(10, 16, 5).unwrap());
    assert_eq!((kron.edges, kron.triangles), (10_496, 74_720));
    let urand = count(&GapUrand::new(10, 16).unwrap());
    assert_eq!((urand.edges, urand.triangles), (16_103, 5_291));
    for empty in [GapUrand::new(0, 0).unwrap(), GapUrand::new(31, 0).unwrap()] {
        assert_eq!(empty.blocks(), 0);
    }
    assert_eq!(edges(&GapUrand::new(0, 3).unwrap()), [[0, 0]; 3]);
}

/// A power law of the degrees and high clustering, both of which the model is for.
#[test]
fn hyperbolic_graphs_have_a_power_law_and_cluster() {
    for exponent in [2.3, 2.8, 3.5] {
        let made = edges(&Hyperbolic::new(60_000, 16, exponent, 1).unwrap());
        assert_eq!(set(&made).len(), made.len());
        let mut degrees = vec![0u32; 60_000];
        made.iter().flatten().for_each(|&vertex| degrees[vertex as usize] += 1);
        degrees.sort_unstable_by(|a, b| b.cmp(a));
        // Hill's estimate from the largest degrees.
        let least = f64::from(degrees[600]);
        let logarithms = degrees[..600].iter().map(|&degree| (f64::from(degree) / least).ln());
        let found = 1.0 + 600.0 / logarithms.sum::<f64>();
        assert!((found - exponent).abs() < 0.25, "{found}, not {exponent}");
    }
    let count = count(&Hyperbolic::new(20_000, 16, 3.5, 1).unwrap());
    // A uniform graph of this degree has 0.0008.
    assert!(count.transitivity > 0.3, "{}", count.transitivity);
}

#[test]
fn roads_have_two_triangles_for_each_diagonal() {
    for (rows, columns) in [(0, 4), (1, 1), (1, 7), (7, 1), (2, 2), (5, 9), (40, 33)] {
        for ids in [PlaceIds::Shuffled, PlaceIds::Places] {
            let road = |diagonals| Road::new(rows, columns, diagonals, ids, 5).unwrap();
            let squares = rows.saturating_sub(1) * columns.saturating_sub(1);
            let all = count(&road(Probability::ONE));
            assert_eq!(all.triangles, 2 * squares, "{rows} by {columns}");
            let none = road(Probability::ZERO);
            let grid = Grid::new(rows, columns).unwrap();
            if ids == PlaceIds::Places {
                assert_eq!(set(&edges(&none)), set(&edges(&grid)), "{rows} by {columns}");
            }
            let half = road(Probability::per_mille(500));
            let diagonals = half.entries() - grid.entries();
            assert!(squares < 9 || diagonals > 0 && diagonals < squares);
            assert_eq!(count(&half).triangles, 2 * diagonals, "{rows} by {columns}");
        }
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
    assert_eq!(edges(&star), sequential::star(70_000));
    assert_eq!(count(&star).triangles, 0);
    assert_eq!(count(&star).wedges, 70_000 * 69_999 / 2);

    let wheel = Wheel::new(70_001).unwrap();
    assert_eq!(edges(&wheel), sequential::wheel(70_001));
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
        let expected = sequential::mycielskian(k);
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

/// Figures of published measurements depend on these edges: they stay. The numbers are checksums.
#[test]
fn the_edges_of_a_seed_never_change() {
    let [rewired, eighth] = [100, 125].map(Probability::per_mille);
    let law = PowerLaw::new(3, 100, 2.5).unwrap();
    let models: [(&str, &dyn EdgeBlocks, u32); 17] = [
        ("rmat", &Rmat::new(10, 16, GRAPH500, 1).unwrap(), 2_904_850_154),
        ("erdos-renyi", &ErdosRenyi::new(1000, 9000, 1).unwrap(), 2_389_688_881),
        ("barabasi-albert", &BarabasiAlbert::new(1000, 9, 1).unwrap(), 1_995_519_064),
        ("watts-strogatz", &WattsStrogatz::new(1000, 9, rewired, 1).unwrap(), 593_889_649),
        ("geometric", &Geometric::new(1000, 18, 1).unwrap(), 2_040_565_036),
        ("theory", &Theory::new(&[3, 4, 5], Loops::Centre).unwrap(), 3_844_731_974),
        ("hyperbolic", &Hyperbolic::new(1000, 18, 2.5, 1).unwrap(), 2_373_130_840),
        ("gap-kron", &GapKron::new(10, 16, 1).unwrap(), 1_337_644_590),
        ("affiliation", &Affiliation::new(1000, 90, law, 1).unwrap(), 931_691_627),
        ("communities", &Communities::new(1000, law, rewired, 1000, 1).unwrap(), 1_871_077_904),
        ("web", &Web::new(1000, 9, Probability::per_mille(700), 1).unwrap(), 3_872_853_806),
        ("road", &Road::new(20, 30, rewired, PlaceIds::Shuffled, 1).unwrap(), 478_078_188),
        ("road by rows", &Road::new(20, 30, rewired, PlaceIds::Places, 1).unwrap(), 2_864_288_858),
        ("clustered", &Clustered::new(9, 8, PlaceIds::Shuffled, 1).unwrap(), 3_237_359_589),
        ("clustered by cells", &Clustered::new(9, 8, PlaceIds::Places, 1).unwrap(), 434_742_919),
        ("more rows", &Road::new(201, 201, eighth, PlaceIds::Places, 1).unwrap(), 3_167_343_846),
        ("more cells", &Clustered::new(41, 41, PlaceIds::Places, 1).unwrap(), 2_225_228_976),
    ];
    let found = models.map(|(name, model, _)| (name, checksum(&edges(model))));
    assert_eq!(found, models.map(|(name, _, crc)| (name, crc)));
}

/// Graphs of several blocks, and of odd sizes. The checksums are those of sequential programs of the models, which keep all their edges
/// (last in commit 832a63dc).
#[test]
fn the_edges_of_several_blocks_never_change() {
    let [eighth, tenth, seven] = [125, 100, 700].map(Probability::per_mille);
    let of_1 = [
        2_009_287_156,
        1_284_311_981,
        1_367_151_238,
        500_544_908,
        93_897_925,
        2_317_497_580,
        822_099_474,
        1_925_691_748,
        2_804_794_806,
        4_091_080_620,
        375_153_473,
        3_674_838_317,
        0,
        3_275_256_021,
        1_143_948_443,
        3_664_152_367,
        2_807_280_418,
        2_775_633_967,
        3_454_173_753,
        0,
    ];
    let of_77 = [
        3_647_803_905,
        13_782_036,
        2_902_581_622,
        3_442_610_866,
        3_417_408_958,
        4_220_554_725,
        1_680_647_282,
        2_179_539_680,
        2_964_715_334,
        515_535_753,
        2_044_544_355,
        2_630_661_884,
        0,
        3_169_386_106,
        1_143_948_443,
        805_483_287,
        4_045_941_004,
        679_335_232,
        1_804_274_481,
        0,
    ];
    for (seed, exponent, expected) in [(1, 2.0, of_1), (77, 1.5, of_77)] {
        let law = |least, most, exponent| PowerLaw::new(least, most, exponent).unwrap();
        let groups = |vertices, groups, sizes: [u32; 2], exponent| {
            Affiliation::new(vertices, groups, law(sizes[0], sizes[1], exponent), seed).unwrap()
        };
        let communities = |vertices, sizes: [u32; 2], inside, between| {
            let inside = Probability::per_mille(inside);
            let law = law(sizes[0], sizes[1], exponent);
            Communities::new(vertices, law, inside, between, seed).unwrap()
        };
        let models: [&dyn EdgeBlocks; 20] = [
            &Rmat::new(13, 9, GRAPH500, seed).unwrap(),
            &Rmat::new(1, 5, GRAPH500, seed).unwrap(),
            &ErdosRenyi::new(999, 70_001, seed).unwrap(),
            &BarabasiAlbert::new(5_000, 17, seed).unwrap(),
            &WattsStrogatz::new(9_001, 9, tenth, seed).unwrap(),
            // 301² vertices and 61² cells are more than a block.
            &Road::new(301, 301, eighth, PlaceIds::Shuffled, seed).unwrap(),
            &Clustered::new(61, 61, PlaceIds::Shuffled, seed).unwrap(),
            &Web::new(9_001, 16, seven, seed).unwrap(),
            &Web::new(500, 3, Probability::ONE, seed).unwrap(),
            &Web::new(500, 3, Probability::ZERO, seed).unwrap(),
            // Few large groups over several blocks, and many small ones of a block.
            &groups(2_000, 3_000, [3, 100], 2.5),
            &groups(700, 4, [600, 700], 1.5),
            &groups(50, 0, [3, 50], 2.0),
            &groups(50, 90, [1, 2], 2.0),
            &groups(1_000, 1, [1_000, 1_000], 3.0),
            &communities(9_000, [10, 1_000], 100, 70_000),
            &communities(9_000, [1, 5], 500, 0),
            &communities(900, [899, 900], 1000, 10),
            &communities(900, [2_000, 3_000], 300, 0),
            &communities(0, [1, 5], 500, 0),
        ];
        assert_eq!(models.map(|model| checksum(&edges(model))), expected, "seed {seed}");
    }
}

/// Of the other models the checksums above, or what they are compared with, are of two seeds.
#[test]
fn seeds_make_different_graphs() {
    let some = Probability::per_mille(100);
    let made = [1, 2].map(|seed| {
        [
            edges(&Geometric::new(100, 8, seed).unwrap()),
            edges(&Clustered::new(5, 5, PlaceIds::Places, seed).unwrap()),
            edges(&Road::new(9, 9, some, PlaceIds::Places, seed).unwrap()),
            edges(&Hub::new(100, 50, seed).unwrap()),
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
    assert_eq!(
        say(Clustered::new(3, 2, PlaceIds::Shuffled, 1).map(drop)),
        "3 by 2 cells are too few for a torus: use 3 or more rows and columns"
    );
    for scale in [32, 200] {
        assert!(say(GapKron::new(scale, 16, 1).map(drop)).contains("at most 4294967294 (2^32-2)"));
        assert!(say(GapUrand::new(scale, 16).map(drop)).contains("at most 4294967294 (2^32-2)"));
    }
    let law = PowerLaw::new(3, 10, 2.5).unwrap();
    assert_eq!(
        say(Affiliation::new(9, 1, law, 1).map(drop)),
        "9 vertices cannot be in groups of 10: make the largest smaller"
    );
    assert_eq!(
        say(Affiliation::new(10, 1 << 32, law, 1).map(drop)),
        "4294967296 groups are too many: at most 4294967294 (2^32-2) are possible"
    );
    let never = Probability::ZERO;
    assert_eq!(
        say(Communities::new(0, law, never, 1, 1).map(drop)),
        "edges need a vertex at least"
    );
    assert_eq!(say(Hub::new(0, 0, 1).map(drop)), "a hub is a vertex: use 1 or more");
    assert_eq!(say(Hub::new(1, 1, 1).map(drop)), "edges need a vertex at least");
    assert_eq!(say(Hub::new(MOST_VERTICES + 1, 1, 1).map(drop)), too_many);
    assert_eq!(say(Paths::new(1, MOST_VERTICES).map(drop)), too_many);
    assert_eq!(
        say(Web::new(3, 0, Probability::ZERO, 1).map(drop)),
        "a vertex makes one link at least: use 1 or more"
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
