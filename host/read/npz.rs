//! SciPy's sparse matrices: a zip archive of NumPy arrays, as `scipy.sparse.save_npz` writes it.
//!
//! | member | content |
//! | --- | --- |
//! | `format.npy` | `csr`, `csc`, where what follows is of columns, or `coo` |
//! | `data.npy` | the weights, where these are asked for |
//! | `shape.npy` | (n, n) |
//! | `indptr.npy` | where each row begins in `indices`, and the end of the last |
//! | `indices.npy` | the columns of the stored entries |
//! | `row.npy`, `col.npy` | of `coo`, instead of the two before: the row and the column of each entry |
//! | `data.npy` | their values: a stored zero is an edge too, and a note says how many there are |
//!
//! An archive of several arrays with one that is called `edge_index`, as PyTorch Geometric calls it, has its edges there.

use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::archive::zip::read_member;
use super::format::{About, Format, Reader, is_unnamed_zip};
use super::input::{Input, excerpt};
use super::inspect::{Content, Entries};
use super::matrix_market::zeros_note;
use super::memory;
use super::npy::List;
use super::progress::Meter;
use super::{Options, ids, npy, rows, weights};
use crate::graph::Reading;
use crate::{Graph, Result};
use tribin_base::par;

/// The format.
pub(super) struct Npz;

impl Reader for Npz {
    fn about(&self) -> About {
        About { has_weights: true, ..About::of(Format::Npz) }
    }

    fn begins(&self, head: &[u8], named: Option<Format>) -> bool {
        is_unnamed_zip(head, named)
    }

    fn sizes(&self, content: &Content, _: &Options) -> Result<(Option<u64>, Entries)> {
        let sizes = sizes(&content.input);
        Ok(sizes.map_or((None, Entries::Unknown), |(n, m)| (Some(n), Entries::Declared(m))))
    }

    fn parse(&self, input: &Input, options: &Options) -> Result<Graph> {
        let mut archive = ZipArchive::new(Cursor::new(input.content)).map_err(|error| {
            input.error(format!(
                "this is no zip archive, or a damaged one ({error}): save the matrix with \
                 scipy.sparse.save_npz"
            ))
        })?;
        let mut limit = input.decompressed_limit;
        let has = |name: &str| archive.index_for_name(name).is_some();
        if has("edge_index.npy") && !has("format.npy") {
            if options.weight.is_some() {
                return Err(weights::not_read(input.name, Format::Npy));
            }
            let edges = member(input, &mut archive, "edge_index", &mut limit)?;
            return edges.with(|edges| npy::Npy.parse(&edges, options));
        }
        let mut member = |name: &'static str| member(input, &mut archive, name, &mut limit);
        let format = member("format")?;
        let format = format.with(|input| npy::string(&input).map(<[u8]>::to_vec))?;
        let by_rows = matches!(&format[..], b"csr" | b"csc");
        if !by_rows && format != b"coo" {
            return Err(input.error(format!(
                "the matrix is of the format {}: convert it with `.tocsr()` before it is saved",
                excerpt(&format)
            )));
        }
        let shape = member("shape")?;
        let shape = shape.with(|input| npy::integers(&input))?;
        if shape.len() != 2 {
            return Err(input.error(format!("the shape has {} lengths, not two", shape.len())));
        }
        let (n, columns) = (shape.at(0), shape.at(1));
        if n != columns {
            return Err(input.error(format!(
                "the matrix is not square ({n} rows, {columns} columns), so it is no graph's adjacency \
                 matrix"
            )));
        }
        // Where the rows begin and the columns; or the row and the column of each entry.
        let names = if by_rows { ["indptr", "indices"] } else { ["row", "col"] };
        let [starts, indices] = names.map(&mut member);
        let (starts, indices) = (starts?, indices?);
        let starts = starts.with(|input| npy::integers(&input))?;
        let indices = indices.with(|input| npy::integers(&input))?;
        let weights = match &options.weight {
            None => None,
            Some(asked) => {
                weights::check_name(input, asked, "data")?;
                Some(member("data")?.with(|input| npy::doubles(&input))?)
            }
        };
        input.meter.finish();
        let graph = match by_rows {
            true => compressed(input, n, [&starts, &indices], format == b"csc")?,
            false => coordinates(input, n, &starts, &indices)?,
        };
        // Of values that cannot be read nothing but this depends.
        let entries = graph.edges().len();
        let zeros =
            member("data").ok().and_then(|data| data.with(|input| npy::zeros(&input, entries)));
        let zeros = zeros.and_then(zeros_note);
        let table = || Reading { table: "SciPy's sparse matrix".into(), ..Reading::default() };
        let graph =
            graph.with_reading(zeros.map(|note| Reading { warnings: vec![note], ..table() }));
        match weights {
            // Arrays may be longer than the rows say.
            Some(mut weights) => {
                weights.truncate(graph.edges().len());
                graph.with_weights(weights)
            }
            None => Ok(graph),
        }
    }
}

/// The vertices of a matrix and its entries, as the heads of its arrays have them. `None` where these do not: what is wrong
/// is said when the matrix is read.
fn sizes(input: &Input) -> Option<(u64, u64)> {
    /// Bytes of an array that hold its header.
    const HEAD: u64 = 1 << 10;
    let mut archive = ZipArchive::new(Cursor::new(input.content)).ok()?;
    let mut head = |name: &str| -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let member = archive.by_name(&format!("{name}.npy")).ok()?;
        member.take(HEAD).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    };
    let shape = head("shape")?;
    let shape = npy::integers(&Input::new(input.name, &shape, &NOBODY)).ok()?;
    let ends = head("indices").or_else(|| head("row"))?;
    let entries = npy::length(&Input::new(input.name, &ends, &NOBODY))?;
    (shape.len() > 0).then(|| (shape.at(0), entries))
}

/// A member of the archive, decompressed.
struct NpzMember {
    name: String,
    content: Vec<u8>,
}

impl NpzMember {
    /// Reads its content with messages that name archive and member.
    fn with<'a, R>(&'a self, read: impl FnOnce(Input<'a>) -> R) -> R {
        read(Input::new(&self.name, &self.content, &NOBODY))
    }
}

/// Progress of what was read already.
static NOBODY: Meter<'static> = Meter::none();

/// A member of at most `limit` bytes, which are taken off that.
fn member(
    input: &Input,
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    name: &'static str,
    limit: &mut u64,
) -> Result<NpzMember> {
    let file = format!("{name}.npy");
    let damaged = |error: String| {
        input.error(format!("`{file}` in the archive is damaged ({error}): save the matrix again"))
    };
    let content = match archive.by_name(&file) {
        Ok(member) => read_member(input.name, member, *limit, input.decompressed_limit, damaged)?,
        Err(ZipError::FileNotFound) => {
            return Err(input.error(format!(
                "the archive has no `{file}`: it holds no sparse matrix in compressed rows, save one \
                 with scipy.sparse.save_npz"
            )));
        }
        Err(error) => return Err(damaged(error.to_string())),
    };
    *limit -= content.len() as u64;
    Ok(NpzMember { name: format!("{}:{file}", input.name), content })
}

/// The graph of a matrix whose entries are listed with their rows and columns.
fn coordinates(input: &Input, n: u64, rows: &List, columns: &List) -> Result<Graph> {
    let entries = rows.len();
    if columns.len() != entries {
        return Err(input.error(format!(
            "the entries have {entries} rows and {} columns: save the matrix again",
            columns.len()
        )));
    }
    let ends = |entry: usize| [rows.at(entry), columns.at(entry)];
    let outside = |&entry: &usize| ends(entry).iter().any(|&end| end >= n);
    let blocks = par::blocks(entries, par::BLOCK);
    let wrong = par::find_map_first(blocks, |mut block| block.find(outside));
    if let Some(entry) = wrong {
        let [row, column] = ends(entry);
        return Err(input.error(format!(
            "entry {entry} is in row {row} and column {column}, and there are {n} of each: save the matrix again"
        )));
    }
    let no_memory = |refused| input.no_memory(refused);
    if n > u64::from(u32::MAX) {
        let mut wide = memory::with_capacity(entries).map_err(no_memory)?;
        wide.extend((0..entries).map(ends));
        return Ok(ids::wide(input.name, vec![wide], 0)?.declaring(n));
    }
    let mut edges = memory::zeroed::<[u32; 2]>(entries).map_err(no_memory)?;
    par::fill(&mut edges, |entry| ends(entry).map(|end| end as u32));
    ids::indexed(input.name, edges, n)
}

/// The graph of a matrix in compressed rows, or columns: where each begins, with the end of the last, and the columns of all entries.
fn compressed(
    input: &Input,
    n: u64,
    [starts, columns]: [&List; 2],
    by_columns: bool,
) -> Result<Graph> {
    let (wanted, found) = (u128::from(n) + 1, starts.len());
    let damaged = |why: String| input.error(format!("{why}: save the matrix again"));
    if found as u128 != wanted {
        return Err(damaged(format!("{n} rows need {wanted} row starts, not {found}")));
    }
    let ends = |row: u64, column: u64| if by_columns { [column, row] } else { [row, column] };
    let start = |row: usize| starts.at(row);
    let all = (columns.len(), |place: usize| columns.at(place));
    let no_memory = |refused| input.no_memory(refused);
    // As many rows as there are starts in memory.
    let rows = n as usize;
    if n > u64::from(u32::MAX) {
        let wide = rows::entries(rows, start, all, ends).map_err(no_memory)?.map_err(damaged)?;
        return Ok(ids::wide(input.name, vec![wide], 0)?.declaring(n));
    }
    let edges =
        rows::entries(rows, start, all, |row, column| ends(row, column).map(|end| end as u32));
    ids::indexed(input.name, edges.map_err(no_memory)?.map_err(damaged)?, n)
}
