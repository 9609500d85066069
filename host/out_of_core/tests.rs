//! Counting out of core against counting in memory, brute force and known counts.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use proptest::prelude::*;
use testkit::effort;
use testkit::oracle::Simple;
use testkit::parts::OnEmulator;

use super::*;
use crate::control::{Context, Phase};
use crate::graph::{EdgeSink, EdgeSource, EntryBlock, Named, Summary, Visited};
use crate::plan::{OutOfCoreFacts, Task};
use tribin_analytics::cpu::directed::Neighbours;
use tribin_analytics::{Census, DirectedLocal, EdgeValues, Reciprocity, WantedTruss};
use tribin_base::Cancel;
use tribin_base::par::{self, Pool};
use tribin_generate as generate;
use tribin_graph::Graph;
use tribin_parts::PartsOnDevice;
use tribin_read::{FileEdges, Options};

/// The operation of the system that fails.
#[derive(Debug)]
pub(super) struct Faults {
    left: AtomicU64,
    kind: io::ErrorKind,
}

impl Faults {
    /// None fails.
    pub fn none() -> Faults {
        Faults::at(u64::MAX, io::ErrorKind::Other)
    }

    /// The one after `left` others.
    pub fn at(left: u64, kind: io::ErrorKind) -> Faults {
        Faults { left: left.into(), kind }
    }

    /// Counts an operation.
    pub fn next(&self) -> io::Result<()> {
        match self.left.fetch_sub(1, Relaxed) {
            0 => Err(self.kind.into()),
            _ => Ok(()),
        }
    }
}

/// Sizes that cut even small graphs often.
fn small(part_bytes: u64) -> Sizes {
    Sizes {
        bucket_entries: 24,
        bucket_buffer: 32,
        buffers: 100,
        part_bytes,
        hub_bytes: 1 << 10,
        chunk_heads: 8,
        chunk_rows: 5,
        peeled_edges: 20,
        edges_with_cores: 20,
    }
}

fn on<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    Pool::start(threads, "test").unwrap().install(run)
}

/// A count, and what a run holds of it.
#[derive(Debug)]
struct Counted {
    triangles: u64,
    summary: Summary,
    visited: Visited,
}

/// Prepares for a count and counts on the CPU. The scratch files are gone then.
fn counted_in(
    source: &dyn EdgeSource,
    scratch: Scratch,
    memory: u64,
    overrides: &Overrides,
    context: &Context,
) -> Result<Counted> {
    let graph = OnDisk::with(source, scratch, (memory, Task::Count), overrides, context)
        .map_err(|error| error.of(source.name()))?;
    context.phase(Phase::Count);
    let found = graph.count(None, context)?.triangles;
    let summary = graph.summary;
    Ok(Counted { triangles: found, summary, visited: graph.visited })
}

fn counted(source: &dyn EdgeSource, sizes: Sizes, piece: usize) -> Result<Counted> {
    let place = tempfile::tempdir().unwrap();
    let scratch = Scratch::new(place.path()).unwrap();
    let overrides = Overrides { sizes: Some(sizes), piece: Some(piece) };
    let counted = counted_in(source, scratch, 1 << 26, &overrides, &Context::silent());
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0, "scratch files are left");
    counted
}

/// Bytes of all rows in memory, and with them the size of one of `parts` parts.
fn cut_into(source: &dyn EdgeSource) -> impl Fn(u64) -> Sizes + use<> {
    let large = Sizes { bucket_entries: 1 << 16, bucket_buffer: 1 << 14, ..small(u64::MAX) };
    let large = Sizes { chunk_heads: 1 << 12, chunk_rows: 1 << 12, ..large };
    let whole = counted(source, large, 1 << 16).unwrap();
    let bytes = 4 * whole.summary.edges + 8 * whole.summary.vertices;
    move |parts| small(bytes.div_ceil(parts) + 100)
}

/// Entries of 64-bit ids in memory.
struct Wide(Vec<[u64; 2]>);

impl EdgeSource for Wide {
    fn name(&self) -> &str {
        "wide"
    }

    fn visit(&self, _: usize, sink: &dyn EdgeSink) -> Result<Visited> {
        let (narrow, wide): (Vec<[u64; 2]>, Vec<[u64; 2]>) =
            self.0.iter().copied().partition(|[u, v]| u.max(v) < &u32::MAX.into());
        let narrow: Vec<[u32; 2]> = narrow.iter().map(|ends| ends.map(|id| id as u32)).collect();
        sink.take(EntryBlock::Narrow(&narrow))?;
        sink.take(EntryBlock::Wide(&wide))?;
        Ok(Visited::default())
    }
}

/// Triangles and figures by sets of neighbours.
fn brute_force(entries: &[[u32; 2]]) -> (u64, Summary) {
    let simple = Simple::of(entries);
    (simple.triangles(), simple.summary())
}

fn entries() -> impl Strategy<Value = Vec<[u32; 2]>> {
    prop_oneof![
        prop::collection::vec(prop::array::uniform2(0u32..40), 0..500),
        // A hub, many duplicates, and vertices without an edge.
        prop::collection::vec([0u32..3, 0u32..60], 0..300),
        prop::collection::vec(prop::array::uniform2(0u32..9), 0..400),
        prop::collection::vec(prop::array::uniform2(100u32..130), 0..100),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(effort::cases(150)))]

    #[test]
    fn ids_with_gaps_are_numbered(
        entries in prop::collection::vec(prop::array::uniform2(0u32..30), 1..200),
        stretch in prop_oneof![Just(1u64 << 33), Just((1 << 58) - 1), Just(143_165_577)],
    ) {
        let expected = brute_force(&entries);
        let wide = entries.iter().map(|ends| ends.map(|id| u64::from(id) * stretch)).collect();
        let found = counted(&Wide(wide), small(200), 64).unwrap();
        prop_assert_eq!((found.triangles, found.summary), expected);
    }
}

#[test]
fn graphs_without_edges_count_nothing() {
    for entries in [vec![], vec![[7u32, 7]], vec![[0, 0], [5, 5], [0, 0]]] {
        let loops = entries.len() as u64;
        let graph = Graph::from_edges(entries);
        let counted = counted(&Named { edges: &graph, name: "no edges" }, small(100), 64).unwrap();
        assert_eq!(counted.triangles, 0);
        let expected = Summary {
            self_loops_dropped: loops,
            reciprocal_dropped: Some(0),
            ..Summary::default()
        };
        assert_eq!(counted.summary, expected);
    }
}

/// One edge a hundred thousand times: a bucket that is much larger than memory allows, of two ranks.
#[test]
fn an_edge_that_is_there_very_often() {
    let mut entries = vec![[3u32, 4]; 100_000];
    entries.extend([[4, 5], [5, 3], [5, 6]]);
    let graph = Graph::from_edges(entries);
    let sizes = Sizes { bucket_entries: 1_000, bucket_buffer: 800, ..small(100) };
    let counted = counted(&Named { edges: &graph, name: "often" }, sizes, 4 << 10).unwrap();
    assert_eq!(counted.triangles, 1);
    assert_eq!(counted.summary.duplicates_dropped, 99_999);
    assert_eq!(counted.summary.max_degree, 3);
}

/// Every format that is handed over in pieces, and one that is not.
#[test]
fn files_of_every_kind_are_sources() {
    let folder = tempfile::tempdir().unwrap();
    let edges: Vec<[u32; 2]> = (0..3_000u32).map(|i| [i * 7919 % 211, i * 104_729 % 223]).collect();
    let expected = brute_force(&edges);
    let line = |separator: &str| {
        let line = |[u, v]: &[u32; 2]| format!("{u}{separator}{v}\n");
        edges.iter().map(line).collect::<String>()
    };
    let bytes: Vec<u8> = edges.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
    let names: String = edges.iter().map(|[u, v]| format!("v{u},v{v}\n")).collect();
    let quoted = format!("a,b,c\n1,2,\"x\ny\"\n{}", line(",").replace('\n', ",z\n"));
    let matrix = edges.iter().map(|[u, v]| format!("{} {}\n", u + 1, v + 1)).collect::<String>();
    let matrix = format!(
        "%%MatrixMarket matrix coordinate pattern general\n300 300 {}\n{matrix}",
        edges.len()
    );
    for (name, content) in [
        ("a.txt", line(" ").into_bytes()),
        ("a.csv", format!("source,target\n{}", line(",")).into_bytes()),
        ("names.csv", format!("source,target\n{names}").into_bytes()),
        ("a.bin", bytes),
        ("a.mtx", matrix.into_bytes()),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        let source = FileEdges::new(&path, &Options::default());
        for piece in [1 << 9, 1 << 12] {
            let counted = counted(&source, small(1_000), piece).unwrap();
            assert_eq!((counted.triangles, counted.summary), expected, "{name}");
            assert!(!counted.visited.as_a_whole, "{name}");
        }
    }
    // A quoted field that goes over a line end is one field, wherever pieces end.
    let path = folder.path().join("quoted.csv");
    fs::write(&path, format!("{quoted}1,2,\"x\ny\"\n")).unwrap();
    let options = Options { header: Some(true), ..Options::default() };
    let mut more = edges.clone();
    more.extend([[1, 2], [1, 2]]);
    let expected = brute_force(&more);
    for piece in [1 << 5, 1 << 9, 1 << 12] {
        let counted = counted(&FileEdges::new(&path, &options), small(1_000), piece).unwrap();
        assert_eq!((counted.triangles, counted.summary), expected, "{piece}");
    }
}

/// Compressed text is read from the front on, in pieces; several files are read one after the other.
#[test]
fn compressed_and_several_files_are_sources() {
    use std::io::Write;

    let folder = tempfile::tempdir().unwrap();
    let edges: Vec<[u32; 2]> = (0..5_000u32).map(|i| [i * 7919 % 211, i * 104_729 % 223]).collect();
    let expected = brute_force(&edges);
    let lines = |edges: &[[u32; 2]], end: &str| {
        edges.iter().map(|[u, v]| format!("{u},{v}{end}")).collect::<String>()
    };
    let gzip = |text: &str| {
        let mut to = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        to.write_all(text.as_bytes()).unwrap();
        to.finish().unwrap()
    };
    let check = |source: FileEdges, name: &str| {
        for (threads, piece) in [(1, 100), (2, 1 << 10), (4, 1 << 20)] {
            let counted = on(threads, || counted(&source, small(1_000), piece).unwrap());
            assert_eq!((counted.triangles, counted.summary), expected, "{name}");
            assert!(!counted.visited.as_a_whole, "{name}");
        }
    };
    for (name, text) in [
        ("a.csv.gz", format!("# two comments\n# here\nsource,target\n{}", lines(&edges, "\n"))),
        ("b.csv.gz", lines(&edges, "\r\n")),
        ("c.csv.gz", lines(&edges, "\r").trim_end().into()),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, gzip(&text)).unwrap();
        check(FileEdges::new(&path, &Options::default()), name);
    }
    let parts = folder.path().join("parts");
    fs::create_dir(&parts).unwrap();
    for (number, part) in edges.chunks(1_700).enumerate() {
        let text = format!("source,target\n{}", lines(part, "\n"));
        fs::write(parts.join(format!("{number}.csv.gz")), gzip(&text)).unwrap();
    }
    check(FileEdges::new(&parts, &Options::default()), "parts");
    fs::write(parts.join("3.csv.gz"), gzip("source,target\nAnn,Bo\n")).unwrap();
    let source = FileEdges::new(&parts, &Options::default());
    assert!(counted(&source, small(1_000), 100).unwrap().visited.as_a_whole);

    // Faults, with the line of the content, and data that are cut off.
    let path = folder.path().join("d.txt.gz");
    let text = format!("# a comment\n{}7,x\n8\n", lines(&edges, "\n"));
    let whole = gzip(&text);
    fs::write(&path, &whole).unwrap();
    let plain = Options { header: Some(false), ..Options::default() };
    let expected = tribin_read::open(&path, &plain).unwrap_err().to_string();
    assert!(expected.contains(":5002: "), "{expected}");
    for threads in 1..4 {
        let source = FileEdges::new(&path, &plain);
        let error = on(threads, || counted(&source, small(100), 1 << 10).err().unwrap());
        assert_eq!(error.to_string(), expected);
    }
    let good = gzip(&lines(&edges, "\n"));
    fs::write(&path, &good[..good.len() - 9]).unwrap();
    let error = counted(&FileEdges::new(&path, &plain), small(100), 1 << 10).err().unwrap();
    assert!(error.to_string().contains("the gzip data stop in the middle"), "{error}");
}

#[test]
fn faults_of_a_file_are_those_of_reading_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    let good = "1 2\n".repeat(2_000);
    fs::write(&path, format!("{good}3 x\n{good}4\n")).unwrap();
    let expected = tribin_read::open(&path, &Options::default()).unwrap_err().to_string();
    for threads in 1..4 {
        let source = FileEdges::new(&path, &Options::default());
        let error = on(threads, || counted(&source, small(100), 1 << 10).err().unwrap());
        assert_eq!(error.to_string(), expected);
    }
}

fn nothing_is_left_in(place: &Path) {
    assert_eq!(fs::read_dir(place).unwrap().count(), 0);
}

/// A byte that changes on the disk between two steps.
#[test]
fn a_damaged_file_is_an_error() {
    let graph =
        Graph::from_edges((0..400u32).map(|i| [i * 7 % 31, i * 11 % 37]).collect::<Vec<_>>());
    let source = Named { edges: &graph, name: "some" };
    // One walk or a few passes, and then memory peels.
    let sizes = Sizes { peeled_edges: 170, edges_with_cores: 170, ..small(200) };
    let overrides = Overrides { sizes: Some(sizes), piece: Some(256) };
    let place = tempfile::tempdir().unwrap();
    for (phase, prefix) in
        [(Phase::Orient, "entries"), (Phase::Clean, "bucket"), (Phase::Count, "rows")]
    {
        let scratch = Scratch::new(place.path()).unwrap();
        let folder = scratch.folder().to_owned();
        let damage = |now: Phase| {
            if now != phase {
                return;
            }
            for file in fs::read_dir(&folder).unwrap() {
                let path = file.unwrap().path();
                if path.file_name().unwrap().to_str().unwrap().starts_with(prefix) {
                    let mut bytes = fs::read(&path).unwrap();
                    let middle = bytes.len() / 2;
                    bytes[middle] ^= 1;
                    fs::write(&path, bytes).unwrap();
                }
            }
        };
        let context = Context::new(&damage, Cancel::new());
        let error = counted_in(&source, scratch, 1 << 30, &overrides, &context).unwrap_err();
        assert!(error.to_string().contains("are not what was written"), "{phase:?}: {error}");
    }
}

#[test]
fn too_little_memory_names_the_graph_and_what_is_needed() {
    let graph = Graph::from_edges([[0, 1], [1, 2], [2, 0]]);
    let place = tempfile::tempdir().unwrap();
    let source = Named { edges: &graph, name: "triangle" };
    let counted = |memory: u64| {
        let scratch = Scratch::new(place.path()).unwrap();
        counted_in(&source, scratch, memory, &Overrides::default(), &Context::silent())
    };
    let error = counted(1 << 20).unwrap_err().to_string();
    assert!(error.starts_with("triangle: ") && error.contains("1048576 may be used"), "{error}");
    let needed: u64 = error.split([' ']).find_map(|word| word.parse().ok()).unwrap();
    assert_eq!(counted(needed).unwrap().triangles, 1);
}

/// Degrees take most of the memory where vertices are many: the plan says whether they fit, and the count keeps to it.
#[test]
fn degrees_have_the_memory_that_the_plan_gives_them() {
    const VERTICES: u32 = 1 << 23;
    let edges: Vec<[u32; 2]> = (0..VERTICES / 8).map(|i| [8 * i, 8 * i + 7]).collect();
    let graph = Graph::from_edges(edges);
    let source = Named { edges: &graph, name: "pairs" };
    let counted = |memory: u64| {
        let place = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(place.path()).unwrap();
        on(2, || counted_in(&source, scratch, memory, &Overrides::default(), &Context::silent()))
    };
    let facts = OutOfCoreFacts {
        entries: u64::from(VERTICES / 8),
        vertices: VERTICES.into(),
        memory: 1 << 20,
        threads: 2,
        task: Task::Count,
    };
    let needed = Sizes::new(&facts).unwrap_err();
    assert!(4 * facts.vertices > needed / 10 * 6, "{needed}");
    let enough = counted(needed).unwrap();
    assert_eq!((enough.triangles, enough.summary.edges), (0, facts.entries));
    let less = needed - (2 << 20);
    let error = counted(less).err().unwrap().to_string();
    let (said, rest) = error.strip_prefix("pairs: ").unwrap().split_once(' ').unwrap();
    assert_eq!(
        rest,
        format!(
            "bytes of memory are needed to count it out of core, and {less} may be used: allow more with `memory`, or \
             use fewer `threads`"
        )
    );
    // To a MiB, as `needed` is.
    assert!(said.parse::<u64>().unwrap().abs_diff(needed) <= 1 << 20, "{said} {needed}");
}

/// What results at vertices and a list are checked against, in memory.
struct InMemory {
    local: tribin_analytics::Local,
    summary: Summary,
    ids: tribin_graph::VertexIds,
    /// Ascending, and so are all of them.
    triangles: Vec<[u32; 3]>,
    /// The ends of every edge and its triangles, ascending.
    support: Vec<[u32; 3]>,
    /// The ends of every edge and its trussness, ascending.
    trussness: Vec<[u32; 3]>,
    core_numbers: Vec<u32>,
    cliques: [CliquesInMemory; 2],
    directed: ByDirection,
}

/// All that is found by direction.
#[derive(Debug, PartialEq)]
struct ByDirection {
    local: DirectedLocal,
    reciprocity: Reciprocity,
    census: Census,
    arcs_among_neighbours: Vec<u64>,
}

impl ByDirection {
    fn of(graph: &OnDisk, context: &Context) -> Result<ByDirection> {
        let neighbours = graph.neighbours(context)?;
        let kinds = graph.directed_triangles(context)?;
        let codes = graph.codes(context)?;
        let arcs = graph.arcs_among_neighbours(context)?;
        let vertices =
            graph.vertices(|vertex| neighbours[vertex as usize] != Neighbours::default());
        Ok(ByDirection {
            census: Census::new(vertices, &neighbours, &codes),
            local: DirectedLocal::of_vertices(neighbours.clone(), kinds),
            reciprocity: Reciprocity::of_vertices(neighbours, graph.loops().collect()),
            arcs_among_neighbours: arcs.into_iter().map(|[arcs]| arcs).collect(),
        })
    }
}

/// Results by direction at every vertex, by trying all pairs of other vertices.
fn directed_brute_force(entries: &[[u32; 2]], vertices: u32) -> (DirectedLocal, Vec<u64>) {
    let arcs: BTreeSet<[u32; 2]> = entries.iter().copied().filter(|[u, v]| u != v).collect();
    let has = |from, to| arcs.contains(&[from, to]);
    let joined = |u, v| has(u, v) || has(v, u);
    let mut found = (Vec::new(), Vec::new(), Vec::new());
    for x in 0..vertices {
        let (mut neighbours, mut kinds, mut among) = (Neighbours::default(), [0; 4], 0);
        for y in 0..vertices {
            match (has(x, y), has(y, x)) {
                (true, true) => neighbours.mutual += 1,
                (true, false) => neighbours.out += 1,
                (false, true) => neighbours.into += 1,
                (false, false) => continue,
            }
            for z in (0..vertices).filter(|&z| has(y, z) && joined(x, z)) {
                among += 1;
                for (kind, is_it) in [
                    has(x, y) && has(z, x),
                    has(y, x) && has(x, z),
                    has(y, x) && has(z, x),
                    has(x, y) && has(x, z),
                ]
                .into_iter()
                .enumerate()
                {
                    kinds[kind] += u64::from(is_it);
                }
            }
        }
        found.0.push(neighbours);
        found.1.push(kinds);
        found.2.push(among);
    }
    (DirectedLocal::of_vertices(found.0, found.1), found.2)
}

/// Cliques of k vertices of a graph in memory.
struct CliquesInMemory {
    k: u32,
    all: u128,
    at_vertices: Vec<u64>,
    /// Every clique, ascending; of few.
    list: Option<Vec<Vec<u32>>>,
}

impl CliquesInMemory {
    fn of(graph: &tribin_session::PreparedGraph, k: u32) -> CliquesInMemory {
        let all = graph.cliques(k).unwrap().cliques;
        let at_vertices = graph.cliques_at_vertices(k).unwrap();
        let list = (all < 20_000).then(|| {
            let mut list = Vec::new();
            let take = |blocks: Vec<Vec<u32>>| {
                list.extend(blocks.concat().chunks(k as usize).map(<[u32]>::to_vec));
                Ok(true)
            };
            graph.each_clique(k, take).unwrap();
            list.sort_unstable();
            list
        });
        CliquesInMemory { k, all, at_vertices, list }
    }

    fn check(&self, graph: &OnDisk, what: &str) {
        let (k, context) = (self.k, Context::silent());
        assert_eq!(graph.cliques(k, false, &context).unwrap().0, self.all, "{what}");
        let at_vertices = graph.cliques(k, true, &context).unwrap().1;
        assert!(at_vertices == self.at_vertices, "{what}");
        let Some(expected) = &self.list else { return };
        let list = |most: usize| {
            let mut list = Vec::new();
            let take = &mut |blocks: Vec<Vec<u32>>| {
                list.extend(blocks.concat().chunks(k as usize).map(<[u32]>::to_vec));
                Ok(list.len() < most)
            };
            graph.each_clique(k, &context, take).unwrap();
            list
        };
        let mut found = list(usize::MAX);
        assert!(found.starts_with(&list(1)), "{what}: the same order in every run");
        found.sort_unstable();
        assert!(found == *expected, "{what}");
    }
}

impl InMemory {
    fn of(graph: &Graph) -> InMemory {
        let options = tribin_session::Options {
            device: tribin_session::DeviceChoice::Cpu,
            ..Default::default()
        };
        let session = tribin_session::Session::open(options).unwrap();
        let prepared = session.prepare(graph).unwrap();
        let input = tribin_session::Input::from(graph).directed();
        let with_directions = session.prepare(input).unwrap();
        let directed = ByDirection {
            local: with_directions.directed_local().unwrap(),
            reciprocity: with_directions.reciprocity().unwrap(),
            census: with_directions.census().unwrap(),
            arcs_among_neighbours: with_directions.arcs_among_neighbours().unwrap(),
        };
        let mut triangles = Vec::new();
        let keep = |blocks: Vec<Vec<[u32; 3]>>| {
            triangles.extend(blocks.concat());
            Ok(true)
        };
        prepared.each_triangle(keep).unwrap();
        triangles.sort_unstable();
        let numbered = |found: EdgeValues| {
            let numbers = found.edges().iter().zip(found.values());
            numbers.map(|(&[u, v], &number)| [u, v, number]).collect()
        };
        let support = numbered(prepared.support().unwrap());
        let trussness = numbered(prepared.trussness().unwrap());
        let core_numbers = prepared.core_numbers().unwrap();
        let cliques = [4, 5].map(|k| CliquesInMemory::of(&prepared, k));
        let (local, ids) = (prepared.local().unwrap(), prepared.ids().clone());
        InMemory {
            local,
            summary: prepared.summary(),
            ids,
            triangles,
            support,
            trussness,
            core_numbers,
            cliques,
            directed,
        }
    }

    /// Compares all that can be found out of core.
    fn check(&self, source: &dyn EdgeSource, (sizes, piece): (Sizes, usize), what: &str) -> u64 {
        let place = tempfile::tempdir().unwrap();
        let overrides = Overrides { sizes: Some(sizes), piece: Some(piece) };
        let context = Context::silent();
        let scratch = Scratch::new(place.path()).unwrap();
        let about = (1 << 26, Task::AtVertices);
        let graph = OnDisk::with(source, scratch, about, &overrides, &context).unwrap();
        let found = graph.local(None, &context).unwrap();
        let (_, told) = graph.last().unwrap();
        let parts = told.parts;
        assert!(found == self.local, "{what}");
        let all = graph.vertices(|vertex| found.degree(vertex) > 0);
        assert_eq!(graph.summary, self.summary, "{what}");
        assert_eq!(graph.ids(), Some(&self.ids), "{what}");
        assert_eq!(graph.vertex_bound(), self.ids.bound(), "{what}");
        assert!(all >= graph.summary.vertices, "{what}");
        assert_eq!(
            graph.count(None, &context).unwrap().triangles,
            self.triangles.len() as u64,
            "{what}"
        );
        let list = |most: usize| {
            let mut found = Vec::new();
            let take = &mut |blocks: Vec<Vec<[u32; 3]>>| {
                assert!(blocks.len() <= par::threads());
                found.extend(blocks.into_iter().flatten());
                Ok(found.len() < most)
            };
            graph.list(&context, take).unwrap();
            assert_eq!(graph.last().unwrap().1.parts, parts, "{what}");
            found
        };
        let mut found = list(usize::MAX);
        assert_eq!(list(usize::MAX), found, "{what}: the same order in every run");
        let some = list(1);
        assert!(found.starts_with(&some) && some.is_empty() == found.is_empty());
        found.sort_unstable();
        assert_eq!(found, self.triangles, "{what}");
        let support = |most: usize| {
            let mut found = Vec::new();
            let take = &mut |blocks: Vec<Vec<[u32; 3]>>| {
                assert!(blocks.len() <= par::threads());
                found.extend(blocks.into_iter().flatten());
                Ok(found.len() < most)
            };
            graph.support(None, 0, &context, take).unwrap();
            found
        };
        assert!(support(usize::MAX) == self.support, "{what}");
        let some = support(1);
        assert!(self.support.starts_with(&some) && some.is_empty() == self.support.is_empty());
        self.check_trusses(&graph, None, what);
        assert!(graph.core_numbers(0, &context).unwrap() == self.core_numbers, "{what}");
        self.cliques.iter().for_each(|cliques| cliques.check(&graph, what));
        self.check_on_device(&graph, sizes.part_bytes, what);
        drop(graph);
        nothing_is_left_in(place.path());
        let scratch = Scratch::new(place.path()).unwrap();
        let about = (1 << 26, Task::ByDirection);
        let graph = OnDisk::with(source, scratch, about, &overrides, &context).unwrap();
        assert!(graph.is_directed() && graph.summary == self.summary, "{what}");
        assert!(ByDirection::of(&graph, &context).unwrap() == self.directed, "{what}");
        assert!(graph.local(None, &context).unwrap() == self.local, "{what}");
        parts
    }

    /// Compares the trussness of all edges, and the edges of single trusses: those with the most edges, the fewest, and one of none.
    /// Of graphs that are small: a chunk of theirs is a record of some hundred bytes.
    fn check_trusses(&self, graph: &OnDisk, device: Option<&dyn PartsOnDevice>, what: &str) {
        if self.support.len() > 10_000 {
            return;
        }
        let found = |wanted| {
            let mut found = Vec::new();
            let take = &mut |blocks: Vec<Vec<[u32; 3]>>| {
                found.extend(blocks.into_iter().flatten());
                Ok(true)
            };
            graph.trussness(device, wanted, &Context::silent(), take).unwrap();
            found
        };
        assert!(found(WantedTruss::All) == self.trussness, "{what}");
        let largest = self.trussness.iter().map(|edge| edge[2]).max().unwrap_or(2);
        for k in [1, 2, 3, largest, largest + 1] {
            let mut edges = found(WantedTruss::One(k));
            edges.retain(|edge| edge[2] >= k);
            let expected = self.trussness.iter().filter(|edge| edge[2] >= k);
            let expected: Vec<[u32; 3]> = expected.map(|&[u, v, _]| [u, v, k.max(2)]).collect();
            assert!(edges == expected, "{what}: the {k}-truss");
        }
    }

    /// Checks results of a device that has one part of the rows after the other, of small graphs.
    fn check_on_device(&self, graph: &OnDisk, part_bytes: u64, what: &str) {
        if self.triangles.len() > 3_000 {
            return;
        }
        let context = Context::silent();
        let device = OnEmulator::new(part_bytes, part_bytes, part_bytes / 3);
        let device = Some(&device as &dyn PartsOnDevice);
        let count = graph.count(device, &context).unwrap().triangles;
        assert_eq!(count, self.triangles.len() as u64, "{what}");
        assert!(graph.local(device, &context).unwrap() == self.local, "{what}");
        let mut found = Vec::new();
        let take = &mut |blocks: Vec<Vec<[u32; 3]>>| {
            found.extend(blocks.into_iter().flatten());
            Ok(true)
        };
        graph.support(device, 0, &context, take).unwrap();
        assert!(found == self.support, "{what}");
        self.check_trusses(graph, device, what);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(effort::cases(100)))]

    #[test]
    fn vertices_and_lists_as_in_memory(
        entries in entries(),
        threads in 1usize..5,
        bucket_entries in 1u64..100,
        bucket_buffer in 8usize..80,
        part_bytes in 0u64..3_000,
        hub_bytes in prop_oneof![Just(0u64), Just(64), Just(1 << 20)],
        chunk_heads in 1usize..50,
        chunk_rows in 1usize..50,
        peeled_edges in prop_oneof![Just(0u64), Just(30), Just(u64::MAX)],
        edges_with_cores in prop_oneof![Just(0u64), Just(30), Just(u64::MAX)],
        piece in 1usize..2_000,
    ) {
        let (triangles, summary) = brute_force(&entries);
        let vertices = entries.iter().flatten().max().map_or(0, |&largest| largest + 1);
        let (directed, arcs_among_neighbours) = directed_brute_force(&entries, vertices);
        let graph = Graph::from_edges(entries);
        let expected = InMemory::of(&graph);
        prop_assert_eq!(&expected.directed.local, &directed);
        prop_assert_eq!(&expected.directed.arcs_among_neighbours, &arcs_among_neighbours);
        prop_assert_eq!((expected.triangles.len() as u64, expected.summary), (triangles, summary));
        let buffers = 4 * bucket_buffer;
        let sizes = Sizes { bucket_entries, bucket_buffer, buffers, part_bytes, hub_bytes, chunk_heads, chunk_rows, peeled_edges, edges_with_cores };
        let source = Named { edges: &graph, name: "drawn" };
        on(threads, || expected.check(&source, (sizes, piece), "drawn"));
    }
}

/// All vertices, those with nothing but a self-loop too, and what they are called: from 0, from 1 with a declared number,
/// with wide gaps, as a whole, and several files.
#[test]
fn vertices_are_called_as_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let banner = "%%MatrixMarket matrix coordinate pattern symmetric\n";
    let general = "%%MatrixMarket matrix coordinate pattern general\n";
    let parts = folder.path().join("parts");
    fs::create_dir(&parts).unwrap();
    file("parts/a.mtx", &format!("{banner}5 5 2\n2 1\n3 2\n"));
    file("parts/b.mtx", &format!("{banner}6 6 2\n3 1\n6 6\n"));
    for (path, all) in [
        (file("a.txt", "0 1\n1 2\n2 0\n2 3\n5 5\n3 3\n"), 5),
        (file("a.mtx", &format!("{banner}9 9 4\n2 1\n3 2\n3 1\n7 7\n")), 9),
        (file("b.mtx", &format!("{general}9 9 5\n1 2\n2 1\n3 2\n3 1\n7 7\n")), 9),
        (file("gaps.txt", "0 70000000\n70000000 80000000\n80000000 0\n9 9\n"), 4),
        (
            file(
                "gaps.mtx",
                &format!("{banner}90000000 90000000 4\n2 1\n80000000 2\n80000000 1\n9 9\n"),
            ),
            90_000_000,
        ),
        (file("wide.txt", "0 99000000000\n99000000000 8\n8 0\n98000000000 98000000000\n"), 4),
        (file("a.graph", "4 4\n2 3\n1 3\n1 2 4\n3\n"), 4),
        (file("none.txt", "# nothing\n"), 0),
        (parts, 4),
    ] {
        let options = Options::default();
        let graph = tribin_read::open(&path, &options).unwrap();
        let expected = InMemory::of(&graph);
        let source = FileEdges::new(&path, &options);
        let what = path.display().to_string();
        for part_bytes in [10, 1 << 20] {
            expected.check(&source, (small(part_bytes), 1 << 12), &what);
        }
        let place = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(place.path()).unwrap();
        let about = (1 << 26, Task::AtVertices);
        let graph = OnDisk::new(&source, scratch, about, &Context::silent()).unwrap();
        let local = graph.local(None, &Context::silent()).unwrap();
        assert_eq!(graph.vertices(|vertex| local.degree(vertex) > 0), all, "{what}");
    }
    // Names are not kept, and are counted all the same.
    let path = file("names.csv", "source,target\nAnn,Bo\nBo,Cy\nCy,Ann\nDee,Dee\n");
    let scratch = Scratch::new(folder.path()).unwrap();
    let source = FileEdges::new(&path, &Options::default());
    let about = (1 << 26, Task::AtVertices);
    let graph = OnDisk::new(&source, scratch, about, &Context::silent()).unwrap();
    assert_eq!(graph.ids(), None);
    let local = graph.local(None, &Context::silent()).unwrap();
    let all = graph.vertices(|vertex| local.degree(vertex) > 0);
    assert_eq!((local.total(), local.average_clustering(), all), (1, 1.0, 4));
}

/// Real graphs and models in one part to five. A quick run leaves out large graphs, and takes each of the others in one number of parts.
#[test]
fn vertices_and_lists_in_one_to_five_parts() {
    let mut number = 0;
    let mut check = |graph: &Graph, source: &dyn EdgeSource, what: &str| {
        let expected = InMemory::of(graph);
        let cut = cut_into(source);
        number += 1;
        for parts in effort::some(1..=5, number, 5) {
            let mut sizes = cut(parts);
            (sizes.chunk_heads, sizes.chunk_rows) = (256, 256);
            (sizes.bucket_entries, sizes.bucket_buffer) = (5_000, 1 << 10);
            // A few walks and passes, and then memory peels.
            sizes.peeled_edges = expected.support.len() as u64 / 4 * 3;
            sizes.edges_with_cores = sizes.peeled_edges;
            let took = expected.check(source, (sizes, 1 << 16), what);
            if graph.edges().len() > 20_000 {
                assert!(took.abs_diff(parts) <= 1, "{what} {parts}: {took}");
            }
        }
    };
    let rmat = generate::Rmat::new(10, 8, generate::GRAPH500, 1).unwrap();
    let star = generate::Star::new(5_000).unwrap();
    let complete = generate::Complete::new(120).unwrap();
    let models: [(&str, &dyn crate::graph::EdgeBlocks); 3] =
        [("rmat", &rmat), ("star", &star), ("complete", &complete)];
    for (name, edges) in models {
        let graph = Graph::from_edges(generate::graph(edges, name).edges().to_vec());
        check(&graph, &Named { edges, name }, name);
    }
    for reference in testkit::reference::beside_others() {
        let most_edges = if effort::is_full() { u64::MAX } else { 30_000 };
        if reference.triangles > 2_000_000 || reference.edges > most_edges {
            continue;
        }
        let graph = tribin_read::open(&reference.path, &Options::default()).unwrap();
        let source = FileEdges::new(&reference.path, &Options::default());
        let what = reference.path.display().to_string();
        check(&graph, &source, &what);
    }
}

/// Local, list and support after each other, with a fault.
fn results(
    source: &dyn EdgeSource,
    scratch: Scratch,
    device: Option<&dyn PartsOnDevice>,
    context: &Context,
) -> Result<FoundOfAll> {
    let overrides = Overrides { sizes: Some(small(200)), piece: Some(256) };
    let about = (1 << 26, Task::AtVertices);
    let graph = OnDisk::with(source, scratch, about, &overrides, context)?;
    let local = graph.local(device, context)?;
    let mut listed = 0;
    graph.list(context, &mut |blocks| {
        listed += blocks.iter().map(|block| block.len() as u64).sum::<u64>();
        Ok(true)
    })?;
    let mut on_edges = 0;
    assert_eq!(graph.count(device, context)?.triangles, listed);
    graph.support(device, 0, context, &mut |blocks| {
        on_edges += blocks.iter().flatten().map(|&[_, _, count]| u64::from(count)).sum::<u64>();
        Ok(true)
    })?;
    let mut trussness = Vec::new();
    graph.trussness(device, WantedTruss::All, context, &mut |blocks| {
        trussness.extend(blocks.into_iter().flatten());
        Ok(true)
    })?;
    let core_numbers = graph.core_numbers(0, context)?;
    let four_cliques = graph.cliques(4, true, context)?.1;
    let mut cliques = 0;
    graph.each_clique(4, context, &mut |blocks| {
        cliques += blocks.iter().map(|block| block.len() as u64 / 4).sum::<u64>();
        Ok(true)
    })?;
    assert_eq!(four_cliques.iter().sum::<u64>(), 4 * cliques);
    Ok(FoundOfAll { local, listed, on_edges, trussness, core_numbers, four_cliques })
}

/// All that is found out of core.
struct FoundOfAll {
    local: crate::analytics::Local,
    /// Triangles that were listed.
    listed: u64,
    /// The sum of the triangles on all edges.
    on_edges: u64,
    trussness: Vec<[u32; 3]>,
    core_numbers: Vec<u32>,
    four_cliques: Vec<u64>,
}

/// Every operation of the system and every look at the token, in results of vertices and lists.
#[test]
fn results_that_fail_or_are_stopped_leave_nothing() {
    check_faults(None);
}

/// Every operation of the system and every look at the token, where a device finds the results, of
/// which all memory and all launches succeed.
#[test]
fn results_of_a_device_that_fail_or_are_stopped_leave_nothing() {
    check_faults(Some(&OnEmulator::new(1, 400, 200)));
}

fn check_faults(device: Option<&dyn PartsOnDevice>) {
    // A quick run takes a share, and a smaller one of the device's.
    let step = match (effort::is_full(), device) {
        (true, _) => 1,
        (false, None) => 16,
        (false, Some(_)) => 32,
    };
    let graph =
        Graph::from_edges((0..80u32).map(|i| [i * 7 % 13, i * 11 % 17]).collect::<Vec<_>>());
    let source = Named { edges: &graph, name: "some" };
    let expected = InMemory::of(&graph);
    let find = |scratch, context: &Context| results(&source, scratch, device, context);
    let [failures, stopped] = each_fault(step, find, |found| {
        assert_eq!(found.local, expected.local);
        assert_eq!(found.listed, expected.triangles.len() as u64);
        assert_eq!(found.on_edges, 3 * found.listed);
        assert_eq!(found.trussness, expected.trussness);
        assert_eq!(found.core_numbers, expected.core_numbers);
        assert_eq!(found.four_cliques, expected.cliques[0].at_vertices);
    });
    assert!(failures > 200 / step && stopped > 100 / step, "{failures} {stopped}");
}

/// Every operation of the system and every look at the token, in results by direction.
#[test]
fn results_by_direction_that_fail_or_are_stopped_leave_nothing() {
    let graph = Graph::from_edges((0..40u32).map(|i| [i * 7 % 11, i * 5 % 13]).collect::<Vec<_>>());
    let source = Named { edges: &graph, name: "some" };
    let expected = InMemory::of(&graph).directed;
    let find = |scratch, context: &Context| {
        let overrides = Overrides { sizes: Some(small(100)), piece: Some(256) };
        let about = (1 << 26, Task::ByDirection);
        let graph = OnDisk::with(&source, scratch, about, &overrides, context)?;
        ByDirection::of(&graph, context)
    };
    let step = if effort::is_full() { 1 } else { 4 };
    let [failures, stopped] = each_fault(step, find, |found| assert_eq!(found, expected));
    assert!(failures > 60 / step && stopped > 40 / step, "{failures} {stopped}");
}

/// Lets every operation of the system fail, one in each run, or every `step`th of them, and looks at the token end the work; `check` gets
/// what is found where nothing fails. Returns the number of runs that failed, and of those that were stopped.
fn each_fault<T: Send>(
    step: usize,
    find: impl Fn(Scratch, &Context) -> Result<T> + Sync,
    check: impl Fn(T),
) -> [usize; 2] {
    let place = tempfile::tempdir().unwrap();
    let (mut failures, mut stopped) = (0, 0);
    for at in (0u64..).step_by(step) {
        let (kind, message) = match at.count_ones() % 2 {
            0 => (io::ErrorKind::StorageFull, "there is no room for more scratch files"),
            _ => (io::ErrorKind::BrokenPipe, "broken pipe"),
        };
        let scratch = Scratch::failing(place.path(), at, kind);
        let found = on(2, || find(scratch, &Context::silent()));
        nothing_is_left_in(place.path());
        match found {
            Ok(found) => {
                check(found);
                break;
            }
            Err(error) => {
                let told = error.to_string();
                assert!(told.contains(message), "{told}");
            }
        }
        failures += 1;
    }
    for looks in (0..).step_by(step) {
        let scratch = Scratch::new(place.path()).unwrap();
        let context = Context::new(&|_| (), Cancel::after(looks));
        let found = on(2, || find(scratch, &context));
        nothing_is_left_in(place.path());
        match found {
            Ok(_) => break,
            Err(error) => assert!(matches!(error, Error::Cancelled), "{error}"),
        }
        stopped += 1;
    }
    [failures, stopped]
}

/// The ranks and the degrees of a graph on disk, and its rows, where a byte of them changes.
#[test]
fn damaged_files_of_vertices_are_errors() {
    let graph =
        Graph::from_edges((0..400u32).map(|i| [i * 7 % 31, i * 11 % 37]).collect::<Vec<_>>());
    let source = Named { edges: &graph, name: "some" };
    let place = tempfile::tempdir().unwrap();
    for (name, is_listed) in [("ranks", true), ("degrees", false), ("rows", true)] {
        let scratch = Scratch::new(place.path()).unwrap();
        let path = scratch.folder().join(name);
        let overrides = Overrides { sizes: Some(small(200)), piece: Some(256) };
        let (about, context) = ((1 << 26, Task::AtVertices), Context::silent());
        let graph = OnDisk::with(&source, scratch, about, &overrides, &context).unwrap();
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&path, bytes).unwrap();
        let error = graph.local(None, &context).err().unwrap().to_string();
        assert!(error.contains("are not what was written"), "{name}: {error}");
        let listed = graph.list(&context, &mut |_| Ok(true));
        assert_eq!(listed.is_err(), is_listed, "{name}");
        // The order of the edges needs all three.
        let error = graph.support(None, 0, &context, &mut |_| Ok(true)).err().unwrap().to_string();
        assert!(error.contains("are not what was written"), "{name}: {error}");
    }
}
