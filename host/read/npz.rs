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

use std::io::Cursor;

use zip::ZipArchive;
use zip::result::ZipError;

use super::archive::members_of::read_member;
use super::format::{About, Format, Reader};
use super::input::{Fault, excerpt, not_square};
use super::memory;
use super::npy::{self, NumpyArray};
use super::numbered::{noted, zeros_note};
use super::open_file::OpenFile;
use super::{ids, rows, weights};
use crate::{Graph, Result};
use tribin_base::par;

/// The format.
pub(super) struct Npz;

impl Reader for Npz {
    fn about(&self) -> About {
        About { has_weights: true, ..About::of(Format::Npz) }
    }

    fn begins(&self, head: &[u8], named: Option<Format>) -> bool {
        // Raw pairs could begin so, too.
        named.is_none() && head.starts_with(b"PK\x03\x04")
    }

    fn parse(&self, input: &OpenFile) -> Result<Graph, Fault> {
        let options = input.options;
        let zip = ZipArchive::new(Cursor::new(input.content())).map_err(|error| {
            input.error(format!(
                "this is no zip archive, or a damaged one ({error}): save the matrix with \
                 scipy.sparse.save_npz"
            ))
        })?;
        let mut archive = ArrayArchive { input, zip, left: input.limit };
        let has = |name: &str| archive.zip.index_for_name(name).is_some();
        if has("edge_index.npy") && !has("format.npy") {
            if options.weight.is_some() {
                return Err(weights::not_read(input.name(), Format::Npy).into());
            }
            let edges = archive.member("edge_index")?;
            return npy::Npy.parse(&edges);
        }
        let format = npy::string(&archive.member("format")?)?;
        let format = format.as_slice();
        let by_rows = matches!(format, b"csr" | b"csc");
        if !by_rows && format != b"coo" {
            let message = format!(
                "the matrix is of the format {}: convert it with `.tocsr()` before it is saved",
                excerpt(format)
            );
            return Err(input.error(message).into());
        }
        let shape = archive.member("shape")?;
        let shape = NumpyArray::integers(&shape)?;
        let (n, columns) = match shape.len() {
            2 => (shape.at(0), shape.at(1)),
            other => {
                let message = format!("the shape has {other} lengths, not two");
                return Err(input.error(message).into());
            }
        };
        if n != columns {
            return Err(input.error(not_square(n, columns)).into());
        }
        // Where the rows begin and the columns; or the row and the column of each entry.
        let names = if by_rows { ["indptr", "indices"] } else { ["row", "col"] };
        let [starts, indices] = names.map(|name| archive.member(name));
        let (starts, indices) = (starts?, indices?);
        let arrays = [&NumpyArray::integers(&starts)?, &NumpyArray::integers(&indices)?];
        let turn = |ends: [u64; 2]| if format == b"csc" { [ends[1], ends[0]] } else { ends };
        let graph = if n > u64::from(u32::MAX) {
            let wide = entries(input, n, arrays, by_rows, turn)?;
            ids::wide(input.name(), vec![wide], None)?.declaring(n)
        } else {
            let narrow = |ends: [u64; 2]| turn(ends).map(|end| end as u32);
            ids::indexed(input.name(), entries(input, n, arrays, by_rows, narrow)?, n)?
        };
        // Arrays may be longer than the rows say.
        let all = graph.edges().len();
        let mut values = || -> Result<Vec<f64>, Fault> {
            let data = archive.member("data")?;
            Ok(NumpyArray::list(&data, b"iufb")?.doubles(all)?)
        };
        let values = values();
        let values = match &options.weight {
            Some(_) => {
                weights::check_name(input, "data")?;
                values?
            }
            // Of values that cannot be read nothing depends but the note.
            None => values.unwrap_or_default(),
        };
        let zeros = values.iter().filter(|&&value| value == 0.0).count() as u64;
        let notes = zeros_note(zeros).into_iter().collect();
        let graph = graph.with_reading(noted("SciPy's sparse matrix", notes));
        Ok(weights::weighted(graph, options.weight.is_some().then_some(values))?)
    }
}

/// A zip archive of arrays.
struct ArrayArchive<'a> {
    input: &'a OpenFile<'a>,
    zip: ZipArchive<Cursor<&'a [u8]>>,
    /// Bytes that members may still decompress to.
    left: u64,
}

impl<'a> ArrayArchive<'a> {
    /// A member, decompressed.
    fn member(&mut self, name: &str) -> Result<OpenFile<'a>> {
        let ArrayArchive { input, zip, left } = self;
        let file = format!("{name}.npy");
        let damaged = |error: String| {
            input.error(format!(
                "`{file}` in the archive is damaged ({error}): save the matrix again"
            ))
        };
        let content = match zip.by_name(&file) {
            Ok(member) => read_member(input.name(), member, *left, input.limit, damaged)?,
            Err(ZipError::FileNotFound) => {
                return Err(input.error(format!(
                    "the archive has no `{file}`: it holds no sparse matrix in compressed rows, save one \
                     with scipy.sparse.save_npz"
                )));
            }
            Err(error) => return Err(damaged(error.to_string())),
        };
        *left -= content.len() as u64;
        Ok(input.with_content(&format!("{}:{file}", input.name()), content))
    }
}

/// The entries of a matrix of `n` rows and columns. With `by_rows`, the first array says where each row begins, and where the last one
/// ends, and the second has the columns of all entries. Without, the arrays are the rows and the columns of the entries.
fn entries<T: bytemuck::Zeroable + Send>(
    input: &OpenFile,
    n: u64,
    [starts, columns]: [&NumpyArray; 2],
    by_rows: bool,
    make: impl Fn([u64; 2]) -> T + Sync,
) -> Result<Vec<T>, Fault> {
    let (found, all) = (starts.len(), columns.len());
    let damaged = |why: String| Fault::from(input.error(format!("{why}: save the matrix again")));
    if by_rows {
        let wanted = u128::from(n) + 1;
        if found as u128 != wanted {
            return Err(damaged(format!("{n} rows need {wanted} row starts, not {found}")));
        }
        let columns = (all, |place: usize| columns.at(place));
        // As many rows as there are starts in memory.
        let entry = |row, column| make([row, column]);
        return rows::entries(n as usize, |row| starts.at(row), columns, entry)?.map_err(damaged);
    }
    if found != all {
        return Err(damaged(format!("the entries have {found} rows and {all} columns")));
    }
    let ends = |entry: usize| [starts.at(entry), columns.at(entry)];
    let outside = |&entry: &usize| ends(entry).iter().any(|&end| end >= n);
    let wrong = par::find_map_first(par::blocks(all, par::BLOCK), |mut block| block.find(outside));
    if let Some(entry) = wrong {
        let [row, column] = ends(entry);
        return Err(damaged(format!(
            "entry {entry} is in row {row} and column {column}, and there are {n} of each"
        )));
    }
    let mut entries = memory::zeroed(all)?;
    par::fill(&mut entries, |entry| make(ends(entry)));
    Ok(entries)
}
