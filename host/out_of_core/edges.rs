//! Every edge with its number, in the order of the vertices: sorted bucket by bucket.

use super::kept::DiskVertices;
use super::past::DiskWork;
use super::pile::{Pile, PileBuffers};
use super::support::EdgeNumberFile;
use super::workers;
use crate::Result;
use crate::control::memory;
use crate::graph::RowRange;
use crate::plan::LISTED_EDGES;
use tribin_base::par;

/// An edge's smaller vertex, its larger one, and its number.
pub(super) type NumberedEdge = [u32; 3];

/// Hands all edges to `take`, some blocks at a time, on this thread: ascending by their smaller and then by their larger
/// vertex. A block has at most [`LISTED_EDGES`] edges, and as many blocks are handed over at a time as there are threads.
/// Work ends where `take` says `false`.
///
/// O(m log m) work. Memory: 4 bytes for each vertex, buffers, and then a bucket for each thread; scratch files: 12 bytes an
/// edge.
pub(super) fn in_order(
    work: DiskWork,
    numbers: &EdgeNumberFile,
    kept: &DiskVertices,
    take: &mut dyn FnMut(Vec<Vec<NumberedEdge>>) -> Result<bool>,
) -> Result<()> {
    let DiskWork { scratch, context, .. } = work;
    let starts = starts_of_buckets(work, kept)?;
    memory::give_back();
    let buckets: Vec<Pile> = (0..starts.len())
        .map(|number| Pile::new(scratch.file(format!("edges-{number}"))))
        .collect();
    distribute(work, numbers, kept, (&starts, &buckets))?;
    memory::give_back();
    let threads = par::threads();
    let mut buckets = buckets.into_iter();
    context.work().begin(buckets.len() as u64);
    loop {
        let group: Vec<Pile> = buckets.by_ref().take(threads).collect();
        if group.is_empty() {
            return Ok(());
        }
        context.cancel().check()?;
        let number = group.len() as u64;
        let sorted = par::try_map(group, |bucket| -> Result<Vec<NumberedEdge>> {
            let mut edges: Vec<NumberedEdge> = bucket.take()?;
            edges.sort_unstable_by_key(key);
            Ok(edges)
        })?;
        let blocks: Vec<&[NumberedEdge]> =
            sorted.iter().flat_map(|edges| edges.chunks(LISTED_EDGES)).collect();
        for blocks in blocks.chunks(threads) {
            context.cancel().check()?;
            if !take(blocks.iter().map(|block| block.to_vec()).collect())? {
                return Ok(());
            }
        }
        context.work().add(number);
    }
}

/// The key that edges are ordered by.
fn key(&[u, v, _]: &NumberedEdge) -> u64 {
    u64::from(u) << 32 | u64::from(v)
}

/// The least key of each bucket, ascending; the first is 0.
///
/// A bucket has at most as many edges as the sizes say. It has several smaller vertices with at most that many neighbours
/// together. Or it has one, and a range of at most that many larger vertices, each of which the smaller one is joined to once.
fn starts_of_buckets(work: DiskWork, kept: &DiskVertices) -> Result<Vec<u64>> {
    let DiskWork { scratch, sizes, context, .. } = work;
    let most = sizes.bucket_entries.max(1);
    let degrees = kept.degrees_by_rank(scratch, context)?;
    let (mut starts, mut filled, mut vertex) = (vec![0], 0, 0u64);
    for &record in &kept.ranks {
        for rank in kept.read_ranks(record, scratch, context)? {
            let degree = u64::from(degrees.get(rank as usize).copied().unwrap_or(0));
            if filled > 0 && filled + degree > most {
                starts.push(vertex << 32);
                filled = 0;
            }
            filled += degree;
            if degree > most {
                let cuts =
                    (1..(kept.bound as u64).div_ceil(most)).map(|cut| (vertex << 32) + cut * most);
                starts.extend(cuts);
                // Nothing else goes to the last of them.
                filled = most;
            }
            vertex += 1;
        }
    }
    Ok(starts)
}

/// Puts every edge into its bucket.
fn distribute(
    work: DiskWork,
    numbers: &EdgeNumberFile,
    kept: &DiskVertices,
    (starts, buckets): (&[u64], &[Pile]),
) -> Result<()> {
    let DiskWork { rows, scratch, sizes, context } = work;
    let vertices = kept.vertex_of_rank(scratch, context)?;
    let bytes = sizes.buffers / buckets.len();
    context.work().begin(rows.chunks.len() as u64);
    let buffers = workers::each(
        rows.chunks.len(),
        context,
        || Ok((PileBuffers::new(buckets, bytes)?, RowRange::default(), Vec::new())),
        |(buffers, chunk, own), index| {
            rows.chunk(index, chunk)?;
            numbers.read(index, own)?;
            let mut own = own.iter();
            for (rank, ends) in (chunk.first..).zip(chunk.offsets.windows(2)) {
                let u = vertices[rank as usize];
                for &head in &chunk.heads[ends[0] as usize..ends[1] as usize] {
                    let v = vertices[head as usize];
                    let number = *own.next().expect("a number for each edge");
                    let edge: NumberedEdge = [u.min(v), u.max(v), number];
                    let bucket = starts.partition_point(|&start| start <= key(&edge)) - 1;
                    buffers.push(bucket, edge)?;
                }
            }
            Ok(())
        },
    )?;
    par::try_for_each(buffers, |(buffers, ..)| buffers.finish())
}
