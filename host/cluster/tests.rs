//! Groups beside an oracle that tries every triple, and how large groups are.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tribin_base::Cancel;
use tribin_base::control::Context;
use tribin_cpu::{forward, prepare::prepare_until};
use tribin_generate::{GRAPH500, Rmat, graph};
use tribin_graph::{Graph, Named};

use super::*;

/// What is found of a graph.
#[derive(Debug, Default, PartialEq)]
struct Found {
    triangles: u64,
    at_vertices: BTreeMap<u64, u64>,
    on_edges: BTreeMap<[u64; 2], u64>,
    degrees: BTreeMap<u64, u64>,
    figures: Figures,
}

/// Everything, by trying every triple of vertices.
fn brute_force(entries: &[[u64; 2]]) -> Found {
    let mut found = Found::default();
    let mut directions: BTreeMap<[u64; 2], [bool; 2]> = BTreeMap::new();
    for &[u, v] in entries.iter().filter(|[u, v]| u != v) {
        let seen = directions.entry([u.min(v), u.max(v)]).or_default();
        found.figures.duplicates += u64::from(*seen != [false; 2]);
        seen[usize::from(u > v)] = true;
    }
    found.figures.edges = directions.len() as u64;
    found.figures.reciprocal =
        directions.values().filter(|seen| **seen == [true; 2]).count() as u64;
    for &[u, v] in directions.keys() {
        found.on_edges.insert([u, v], 0);
        for end in [u, v] {
            *found.degrees.entry(end).or_default() += 1;
            found.at_vertices.insert(end, 0);
        }
    }
    let edges: Vec<[u64; 2]> = directions.into_keys().collect();
    for &[u, v] in &edges {
        for &[_, w] in edges.iter().filter(|edge| edge[0] == v) {
            if found.on_edges.contains_key(&[u, w]) {
                found.triangles += 1;
                for corner in [u, v, w] {
                    *found.at_vertices.get_mut(&corner).unwrap() += 1;
                }
                for edge in [[u, v], [v, w], [u, w]] {
                    *found.on_edges.get_mut(&edge).unwrap() += 1;
                }
            }
        }
    }
    found
}

/// Everything, by the groups of a plan, each of which is counted by itself.
fn by_groups(entries: &[[u64; 2]], share: u64, seed: u64) -> (Found, GroupPlan) {
    let whole = Graph::from_u64_edges(entries.iter().copied()).unwrap();
    let numbered: Vec<[u64; 2]> = whole.edges().iter().map(|ends| ends.map(u64::from)).collect();
    let source = Named { edges: &whole, name: "g" };
    let (pairs, seen) = look(&source, seed, &Cancel::new()).unwrap();
    let loops = numbered.iter().filter(|[u, v]| u == v).count() as u64;
    assert_eq!((seen.self_loops, pairs.entries()), (loops, numbered.len() as u64 - loops));
    let plan = GroupPlan::new(&pairs, pairs.entries() / share);
    let mut found = Found::default();
    for groups in plan.groups.chunks(64) {
        for (group, entries) in
            groups.iter().zip(cut(&source, groups, seed, &Cancel::new()).unwrap())
        {
            let part = Part::new(Graph::from_u64_edges(entries).unwrap(), group, seed).unwrap();
            assert!(part.graph().edges().len() as u64 <= group.entries(&pairs));
            let of_part: Vec<[u64; 2]> =
                part.graph().edges().iter().map(|ends| ends.map(u64::from)).collect();
            let counted = brute_force(&of_part);
            found.triangles += counted.triangles;
            let id = |v: u32| whole.ids().number(part.ids().number(v) as u32);
            let mut triangles = vec![0; part.graph().vertex_bound()];
            counted.at_vertices.iter().for_each(|(&v, &count)| triangles[v as usize] = count);
            for VertexTriangles { vertex, triangles } in part.at_vertices(&triangles) {
                *found.at_vertices.entry(id(vertex)).or_default() += triangles;
            }
            let edges =
                counted.on_edges.iter().map(|(ends, &count)| (ends.map(|v| v as u32), count));
            for (ends, count) in part.on_edges(edges) {
                let [u, v] = ends.map(id);
                *found.on_edges.entry([u.min(v), u.max(v)]).or_default() += count;
            }
            for (v, &degree) in part.degrees().iter().enumerate().filter(|(_, degree)| **degree > 0)
            {
                *found.degrees.entry(id(v as u32)).or_default() += u64::from(degree);
            }
            let Figures { edges, duplicates, reciprocal } = part.figures();
            found.figures.edges += edges;
            found.figures.duplicates += duplicates;
            found.figures.reciprocal += reciprocal;
        }
    }
    (found, plan)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn groups_add_up_to_what_the_whole_graph_has(
        entries in prop::collection::vec(prop::array::uniform2(0u64..24), 0..160),
        spread in prop::sample::select(vec![1u64, 3, 1 << 27, 1 << 59]),
        share in prop::sample::select(vec![1u64, 2, 3, 5, 10, 50, 1000]),
        seed in 0u64..50,
    ) {
        let entries: Vec<[u64; 2]> = entries.into_iter().map(|ends| ends.map(|id| id * spread)).collect();
        let (found, plan) = by_groups(&entries, share, seed);
        prop_assert_eq!(found, brute_force(&entries));
        prop_assert!(share > 1 || plan.groups == [Group::ALL]);
    }

    /// Every three colours are those of one group, also colours that no vertex has yet.
    #[test]
    fn every_triangle_has_one_group(
        hubs in prop::collection::vec((any::<u8>(), any::<u8>(), 1u64..10_000), 0..40),
        share in prop::sample::select(vec![1u64, 2, 4, 20, 100]),
        triples in prop::collection::vec(prop::array::uniform3(any::<u8>()), 50),
    ) {
        let mut pairs = Pairs::default();
        for one in 0..=255 {
            for other in one..=255 {
                pairs.add(one, other, 3);
            }
        }
        hubs.into_iter().for_each(|(one, other, entries)| pairs.add(one, other, entries));
        let plan = GroupPlan::new(&pairs, pairs.entries() / share);
        for triple in triples {
            let [x, y, z] = triple;
            let orders = [[x, y, z], [x, z, y], [y, x, z], [y, z, x], [z, x, y], [z, y, x]];
            let is_of = |group: &&Group| {
                let corners = group.corners();
                orders.iter().any(|order| (0..3).all(|corner| corners[corner].has(order[corner])))
            };
            let homes = plan.groups.iter().filter(|group| group.is_home(x, y)).count();
            let of: Vec<&Group> = plan.groups.iter().filter(is_of).collect();
            prop_assert_eq!((of.len(), homes), (1, 1), "{:?}", triple);
            prop_assert!(of[0].takes(x, y) && of[0].takes(y, z) && of[0].takes(z, x));
        }
    }
}

/// A plan for a graph whose groups have a share of it at most, and the triangles by its groups and by one engine.
fn counted(whole: &Graph, share: u64) -> GroupPlan {
    let count = |graph: &Graph| {
        let context = Context::silent();
        let prepared = prepare_until(graph.edges(), graph.vertex_bound(), &context).unwrap();
        forward::count_until(&prepared.oriented, &context).unwrap()
    };
    let source = Named { edges: whole, name: whole.name() };
    let (pairs, _) = look(&source, 1, &Cancel::new()).unwrap();
    let plan = GroupPlan::new(&pairs, pairs.entries() / share);
    let mut triangles = 0;
    for groups in plan.groups.chunks(64) {
        for (group, entries) in groups.iter().zip(cut(&source, groups, 1, &Cancel::new()).unwrap())
        {
            let part = Part::new(Graph::from_u64_edges(entries).unwrap(), group, 1).unwrap();
            assert!(part.graph().edges().len() as u64 <= plan.largest());
            triangles += count(part.graph());
        }
    }
    assert_eq!(triangles, count(whole));
    plan
}

/// No group is over the bound, whatever hubs there are, as far as colours can be told apart.
#[test]
fn hubs_do_not_make_a_group_large() {
    let leaves = 12_000;
    let star = (1..leaves).map(|leaf| [0, leaf]);
    let clique = (leaves..leaves + 90).flat_map(|u| (leaves..u).map(move |v| [u, v]));
    let joined = Graph::from_edges(star.clone().chain(clique).chain([[0, leaves]]));
    let path = (1..leaves - 1).map(|v| [v, v + 1]);
    let beside_all = Graph::from_edges(star.chain(path));
    let rmat = graph(&Rmat::new(10, 16, GRAPH500, 1).unwrap(), "rmat");
    for (graph, share) in
        [(&joined, 4), (&joined, 50), (&beside_all, 4), (&beside_all, 50), (&rmat, 4), (&rmat, 50)]
    {
        let plan = counted(graph, share);
        assert!(plan.fits(), "{plan}");
    }
    // A hub has about 1/256 of its edges with each colour, and a group of single colours has two such pairs.
    let source = Named { edges: &beside_all, name: "beside all" };
    let (pairs, _) = look(&source, 1, &Cancel::new()).unwrap();
    let finest = GroupPlan::new(&pairs, 0);
    assert!(finest.largest() <= pairs.entries() / 90, "{finest}");
    let most_of_two = (0..=255u8).flat_map(|one| (0..=one).map(move |other| (one, other)));
    let most_of_two = most_of_two.map(|(one, other)| pairs.between(one, other)).max().unwrap();
    assert!(finest.largest() <= 3 * most_of_two);
}

/// How much several ranks have to count, and what the plan says of itself.
#[test]
fn the_busiest_rank_has_little_more_than_its_share() {
    let rmat = graph(&Rmat::new(14, 16, GRAPH500, 1).unwrap(), "rmat");
    let (pairs, _) = look(&Named { edges: &rmat, name: "rmat" }, 1, &Cancel::new()).unwrap();
    let all = pairs.entries();
    let mut last = 1.0;
    for (ranks, share) in
        [(1, 1.0), (2, 0.76), (3, 0.76), (4, 0.68), (8, 0.45), (16, 0.32), (64, 0.15)]
    {
        let plan = GroupPlan::for_ranks(&pairs, ranks, u64::MAX);
        let shares = plan.shares(ranks);
        let mut groups: Vec<usize> = shares.concat();
        groups.sort_unstable();
        assert!(groups.iter().copied().eq(0..plan.groups.len()));
        let busiest = shares.iter().map(|share| plan.sum(share)).max().unwrap() as f64 / all as f64;
        assert!(busiest <= share && busiest <= last, "{ranks} ranks: {busiest}, {plan}");
        last = busiest;
    }
    let plan = GroupPlan::for_ranks(&pairs, 1, u64::MAX);
    let said = format!(
        "1 groups: {all} of {all} entries in the largest, 1.00 entries counted for each one"
    );
    assert_eq!(plan.to_string(), said);
}

/// Prints what docs/scale.md says of many workers: `cargo test --release -p tribin-cluster -- --ignored --nocapture`.
#[test]
#[ignore = "a table for people"]
fn what_many_workers_have_to_count() {
    let rmat = graph(&Rmat::new(18, 16, GRAPH500, 1).unwrap(), "rmat");
    let even = Graph::from_edges(
        (0..1u32 << 22).map(|edge| [edge % 99_991, edge.wrapping_mul(2_654_435_761) >> 12]),
    );
    for graph in [&rmat, &even] {
        let (pairs, _) =
            look(&Named { edges: graph, name: graph.name() }, 1, &Cancel::new()).unwrap();
        let all = pairs.entries() as f64;
        for workers in [1, 2, 4, 8, 16, 64, 256, 1024, 10_000] {
            let plan = match workers {
                10_000 => GroupPlan::new(&pairs, pairs.entries() / 150),
                _ => GroupPlan::for_ranks(&pairs, workers, u64::MAX),
            };
            let busiest = plan.shares(workers).iter().map(|share| plan.sum(share)).max().unwrap();
            let routes = plan.routes();
            let moved: u64 =
                routes.iter().zip(pairs.words()).map(|(to, n)| to.len() as u64 * n).sum();
            println!(
                "| {workers} | {} | {:.4} | {:.4} | {:.2} |",
                plan.groups.len(),
                plan.largest() as f64 / all,
                busiest as f64 / all,
                moved as f64 / all
            );
        }
    }
}
