//! Throughput of the readers, in bytes of the (decompressed) file: `cargo bench --bench read`.

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::Write as _;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tribin::read::{Options, from_bytes};
use tribin::report::Destination;
use tribin::report::table::{Column, Table, TableTarget, TakeBlocks, Values};

/// Vertices and edges of the random graph.
const VERTICES: u64 = 1 << 20;
const EDGES: usize = 1 << 21;

/// Edges drawn uniformly, the same on every run (xorshift64, Marsaglia 2003).
fn edges() -> Vec<[u64; 2]> {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % VERTICES
    };
    (0..EDGES).map(|_| [next(), next()]).collect()
}

fn lines(head: &str, edges: &[[u64; 2]], first: u64) -> Vec<u8> {
    let mut text = String::from(head);
    for [u, v] in edges {
        let _ = writeln!(text, "{} {}", u + first, v + first);
    }
    text.into_bytes()
}

fn metis(edges: &[[u64; 2]]) -> Vec<u8> {
    let mut lists = vec![Vec::new(); VERTICES as usize];
    let simple = edges.iter().filter(|[u, v]| u != v);
    let count = simple.clone().count();
    for &[u, v] in simple {
        lists[u as usize].push(v + 1);
        lists[v as usize].push(u + 1);
    }
    let mut text = format!("{VERTICES} {count}\n");
    for list in lists {
        for w in list {
            let _ = write!(text, "{w} ");
        }
        text.push('\n');
    }
    text.into_bytes()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("writing to memory");
    encoder.finish().expect("writing to memory")
}

/// The edges as two columns of 64 bits, where the format of that extension is built in.
fn columns(edges: &[[u64; 2]], extension: &str) -> Option<Vec<u8>> {
    let target = TableTarget::of_name(&format!("edges.{extension}")).ok()?;
    let column = |end: usize| edges.iter().map(|edge| edge[end]).collect();
    let mut stream = |take: &mut TakeBlocks<'_, '_>| {
        take(vec![vec![Values::Whole(column(0)), Values::Whole(column(1))]]).map(|_| ())
    };
    let columns = [Column::Whole("source"), Column::Whole("target")];
    let table = Table { columns: &columns, rows: edges.len() as u64, stream: &mut stream };
    let mut bytes = Vec::new();
    table.write(target, &mut Destination::Stream(&mut bytes)).expect("writing to memory");
    Some(bytes)
}

fn readers(criterion: &mut Criterion) {
    let edges = edges();
    let text = lines("", &edges, 0);
    let head = format!(
        "%%MatrixMarket matrix coordinate pattern general\n{VERTICES} {VERTICES} {EDGES}\n"
    );
    let raw = edges.iter().flatten().flat_map(|&id| (id as u32).to_le_bytes()).collect();
    let hashed: Vec<[u64; 2]> =
        edges.iter().map(|pair| pair.map(|id| id.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
    let (compressed, text_bytes) = (gzip(&text), text.len() as u64);
    let tables = [("edges.parquet", "parquet"), ("edges.feather", "feather")];
    let tables = tables.map(|(name, extension)| (name, columns(&edges, extension)));
    let files = [
        ("edges.mtx", lines(&head, &edges, 1)),
        ("edges.graph", metis(&edges)),
        ("edges.bin", raw),
        ("hashed.txt", lines("", &hashed, 0)),
        ("edges.txt", text),
    ];
    let mut group = criterion.benchmark_group("read");
    group.sample_size(20);
    let tables = tables.into_iter().filter_map(|(name, bytes)| Some((name, bytes?)));
    for (name, bytes) in &files.into_iter().chain(tables).collect::<Vec<_>>() {
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(*name, |bencher| {
            bencher.iter(|| black_box(from_bytes(name, bytes, &Options::default()).is_ok()));
        });
    }
    group.throughput(Throughput::Bytes(text_bytes));
    group.bench_function("edges.txt.gz", |bencher| {
        bencher.iter(|| {
            black_box(from_bytes("edges.txt.gz", &compressed, &Options::default()).is_ok())
        });
    });
    group.finish();
}

criterion_group!(benches, readers);
criterion_main!(benches);
