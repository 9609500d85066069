//! The graphs of the record by the names that docs/measured.md has for them: docs/generators.md says
//! which command makes each.

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use tribin::generate::{
    self, Affiliation, BarabasiAlbert, Clustered, Communities, ErdosRenyi, GRAPH500, Geometric,
    Hub, Hyperbolic, Mycielskian, PlaceIds, PowerLaw, Probability, Rmat, Road, WattsStrogatz, Web,
};
use tribin::write::EdgeBlocks;
use tribin::{Graph, Result};

/// What names without parameters stand for.
const NAMES: [(&str, &str); 8] = [
    ("ba", "ba:200000,50,1"),
    ("ba-sparse", "ba:500000,20,1"),
    ("clustered", "clustered:512,1"),
    ("er-dense", "er:262144,16000000,1"),
    ("grid", "grid:2048,1"),
    ("rmat-sparse", "rmat:21,4,1"),
    ("web", "web:2000000,16,700,1"),
    ("ws", "ws:1000000,25,100,1"),
];

/// A graph of the record, or `None` where no graph has this name: `rmatS` and `erS` of scale S (edge
/// factors 16 and about 15.3), `mycielskianK`, `ba`, `ws` and the other [`NAMES`], and kinds with
/// parameters: `rmat:SCALE,EDGE_FACTOR,SEED`, `kron:SCALE,EDGE_FACTOR,A,B,C,SEED` (R-MAT with its quadrants'
/// probabilities per mille), `er:VERTICES,EDGES,SEED`, `ba:VERTICES,LINKS,SEED`,
/// `ws:VERTICES,HALF_DEGREE,REWIRED_PER_MILLE,SEED`, `grid:SIDE,SEED` and `rows:SIDE,SEED` (roads),
/// `clustered:SIDE,SEED` and `cells:SIDE,SEED`, `web:VERTICES,LINKS,COPIED_PER_MILLE,SEED`,
/// `hyperbolic:VERTICES,DEGREE,EXPONENT_PER_MILLE,SEED`, `affiliation:VERTICES,GROUPS,LARGEST,SEED`,
/// `communities:VERTICES,BETWEEN,INSIDE_PER_MILLE,SMALLEST,LARGEST,SEED`, `hub:VERTICES,EDGES,SEED`,
/// `geometric:VERTICES,DEGREE,SEED`. `mesh:SIDE` is a cube of places that tetrahedra fill: a place is joined to the 14
/// around it that differ by 0 or 1 in each direction, all three with one sign.
///
/// `sorted:` before a name takes the edges of its simple graph in order, the smaller vertex first, and `shuffled:`
/// gives the vertices ids in no order. A name and another with `+` between have the entries of both.
///
/// # Errors
/// Of the model, for parameters that it cannot have.
pub fn by_name(name: &str) -> Result<Option<Graph>> {
    if let Some(unsorted) = name.strip_prefix("sorted:") {
        let sorted = |graph: Graph| Graph::from_edges(sorted_simple(graph.edges()));
        return Ok(by_name(unsorted)?.map(sorted));
    }
    if let Some(as_it_is) = name.strip_prefix("shuffled:") {
        return Ok(by_name(as_it_is)?.map(|graph| shuffled(&graph)));
    }
    if let Some((first, second)) = name.split_once('+') {
        let (Some(first), Some(second)) = (by_name(first)?, by_name(second)?) else {
            return Ok(None);
        };
        return Ok(Some(Graph::from_edges([first.edges(), second.edges()].concat())));
    }
    if let Some(side) = name.strip_prefix("mesh:") {
        return Ok(side.parse().ok().map(mesh));
    }
    let full = NAMES.iter().find(|(short, _)| *short == name).map_or(name, |(_, full)| full);
    Ok(match full.split_once(':') {
        Some((kind, parameters)) => by_parameters(kind, parameters)?,
        None => by_scale(full)?,
    }
    .map(|model| generate::graph(&*model, name)))
}

type Model = Option<Box<dyn EdgeBlocks>>;

fn by_scale(name: &str) -> Result<Model> {
    let kind = name.trim_end_matches(|last: char| last.is_ascii_digit());
    let Ok(scale) = name[kind.len()..].parse::<u32>() else { return Ok(None) };
    Ok(Some(match kind {
        "rmat" => Box::new(Rmat::new(scale, 16, GRAPH500, 1)?),
        "er" if scale < 32 => {
            Box::new(ErdosRenyi::new(1 << scale, (64_000_000 << scale) >> 22, 1)?)
        }
        "mycielskian" => Box::new(Mycielskian::new(scale)?),
        _ => return Ok(None),
    }))
}

fn by_parameters(kind: &str, parameters: &str) -> Result<Model> {
    let numbers: std::result::Result<Vec<u64>, _> = parameters.split(',').map(str::parse).collect();
    let Ok(numbers) = numbers else { return Ok(None) };
    Ok(Some(match (kind, &numbers[..]) {
        ("rmat", &[scale, factor, seed]) => {
            Box::new(Rmat::new(scale.try_into().unwrap_or(u32::MAX), factor, GRAPH500, seed)?)
        }
        ("kron", &[scale, factor, a @ ..=1000, b @ ..=1000, c @ ..=1000, seed]) => {
            let quadrants = [a, b, c].map(Probability::per_mille);
            Box::new(Rmat::new(scale.try_into().unwrap_or(u32::MAX), factor, quadrants, seed)?)
        }
        ("geometric", &[vertices, degree, seed]) => {
            Box::new(Geometric::new(vertices, degree, seed)?)
        }
        ("er", &[vertices, entries, seed]) => Box::new(ErdosRenyi::new(vertices, entries, seed)?),
        ("ba", &[vertices, links, seed]) => Box::new(BarabasiAlbert::new(vertices, links, seed)?),
        ("ws", &[vertices, half, rewired @ ..=1000, seed]) => {
            Box::new(WattsStrogatz::new(vertices, half, Probability::per_mille(rewired), seed)?)
        }
        ("web", &[vertices, links, copied @ ..=1000, seed]) => {
            Box::new(Web::new(vertices, links, Probability::per_mille(copied), seed)?)
        }
        ("grid" | "rows", &[side, seed]) => {
            let ids = if kind == "grid" { PlaceIds::Shuffled } else { PlaceIds::Places };
            Box::new(Road::new(side, side, Probability::per_mille(125), ids, seed)?)
        }
        ("clustered" | "cells", &[side, seed]) => {
            let ids = if kind == "clustered" { PlaceIds::Shuffled } else { PlaceIds::Places };
            Box::new(Clustered::new(side, side, ids, seed)?)
        }
        ("hyperbolic", &[vertices, degree, exponent, seed]) => {
            Box::new(Hyperbolic::new(vertices, degree, exponent as f64 / 1e3, seed)?)
        }
        ("affiliation", &[vertices, groups, largest, seed]) => {
            let sizes = PowerLaw::new(3, largest.try_into().unwrap_or(u32::MAX), 2.5)?;
            Box::new(Affiliation::new(vertices, groups, sizes, seed)?)
        }
        ("communities", &[vertices, between, inside @ ..=1000, smallest, largest, seed]) => {
            let [smallest, largest] =
                [smallest, largest].map(|size| size.try_into().unwrap_or(u32::MAX));
            let sizes = PowerLaw::new(smallest, largest, 2.0)?;
            let inside = Probability::per_mille(inside);
            Box::new(Communities::new(vertices, sizes, inside, between, seed)?)
        }
        ("hub", &[vertices, entries, seed]) => Box::new(Hub::new(vertices, entries, seed)?),
        _ => return Ok(None),
    }))
}

/// A cube of `side` places in each direction, filled by tetrahedra. Ids go by places.
fn mesh(side: u32) -> Graph {
    let steps = (1..8).map(|step: u32| [step & 1, step >> 1 & 1, step >> 2]);
    let id = |[x, y, z]: [u32; 3]| (z * side + y) * side + x;
    let places = (0..side.pow(3)).map(|v| [v % side, v / side % side, v / side / side]);
    let edges = places.flat_map(|place| {
        let ends = steps.clone().map(move |step| [0, 1, 2].map(|axis| place[axis] + step[axis]));
        let inside = ends.filter(move |end| end.iter().all(|&at| at < side));
        inside.map(move |end| [id(place), id(end)])
    });
    Graph::from_edges(edges.collect::<Vec<[u32; 2]>>())
}

/// The edges in order, the smaller vertex first, without self-loops and duplicates.
pub fn sorted_simple(edges: &[[u32; 2]]) -> Vec<[u32; 2]> {
    let mut edges: Vec<[u32; 2]> =
        edges.iter().filter(|[u, v]| u != v).map(|&[u, v]| [u.min(v), u.max(v)]).collect();
    rayon::slice::ParallelSliceMut::par_sort_unstable(&mut edges[..]);
    edges.dedup();
    edges
}

/// The same graph with its ids permuted; the entries stay in their places.
fn shuffled(graph: &Graph) -> Graph {
    let mut ids: Vec<u32> = (0..graph.vertex_bound() as u32).collect();
    fastrand::Rng::with_seed(graph.edges().len() as u64).shuffle(&mut ids);
    let renamed = graph.edges().par_iter().map(|ends| ends.map(|v| ids[v as usize]));
    Graph::from_edges(renamed.collect::<Vec<[u32; 2]>>())
}
