//! SciPy's sparse matrices: a zip archive of NumPy arrays, as `scipy.sparse.save_npz` writes it.
//!
//! | member | content |
//! | --- | --- |
//! | `format.npy` | `csr` or `csc`; which of them makes no difference to an undirected graph |
//! | `shape.npy` | (n, n) |
//! | `indptr.npy` | where each row begins in `indices`, and the end of the last |
//! | `indices.npy` | the columns of the stored entries |
//! | `data.npy` | their values, which are not read: a stored zero is an edge too |

use std::io::{Cursor, Read};

use rayon::prelude::*;
use zip::ZipArchive;
use zip::result::ZipError;

use super::entries::Id;
use super::input::{Input, excerpt};
use super::{ids, npy};
use crate::{Graph, Result};

pub(super) fn parse(input: &Input) -> Result<Graph> {
    let mut archive = ZipArchive::new(Cursor::new(input.content)).map_err(|error| {
        input.error(format!(
            "this is no zip archive, or a damaged one ({error}): save the matrix with \
             scipy.sparse.save_npz"
        ))
    })?;
    let mut member = |name: &'static str| member(input, &mut archive, name);
    let format = member("format")?;
    let format = format.with(|input| npy::string(input).map(<[u8]>::to_vec))?;
    if format != b"csr" && format != b"csc" {
        return Err(input.error(format!(
            "the matrix is of the format {}: convert it with `.tocsr()` before it is saved",
            excerpt(&format)
        )));
    }
    let shape = member("shape")?.with(npy::integers)?;
    let &[n, columns] = &shape[..] else {
        return Err(input.error(format!("the shape has {} lengths, not two", shape.len())));
    };
    if n != columns {
        return Err(input.error(format!(
            "the matrix is not square ({n} rows, {columns} columns), so it is no graph's adjacency \
             matrix"
        )));
    }
    let starts = member("indptr")?.with(npy::integers)?;
    let indices = member("indices")?.with(npy::integers)?;
    input.meter.finish();
    check(input, n, &starts, &indices)?;
    if n <= u64::from(u32::MAX) {
        ids::indexed(input, edges::<u32>(&starts, &indices), n)
    } else {
        ids::indexed(input, edges::<u64>(&starts, &indices), n)
    }
}

/// A member of the archive, decompressed.
struct Member {
    name: String,
    content: Vec<u8>,
}

impl Member {
    /// Reads its content with messages that name archive and member.
    fn with<R>(&self, read: impl FnOnce(&Input) -> R) -> R {
        let meter = super::progress::Meter::new(None, 0);
        read(&Input {
            name: &self.name,
            content: &self.content,
            chunk: super::CHUNK,
            meter: &meter,
        })
    }
}

fn member(
    input: &Input,
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    name: &'static str,
) -> Result<Member> {
    let file = format!("{name}.npy");
    let mut content = Vec::new();
    let read = |error: String| {
        input.error(format!("`{file}` in the archive is damaged ({error}): save the matrix again"))
    };
    match archive.by_name(&file) {
        // Memory grows with what was decompressed, whatever size the archive announces.
        Ok(mut member) => {
            member.read_to_end(&mut content).map_err(|error| read(error.to_string()))?;
        }
        Err(ZipError::FileNotFound) => {
            return Err(input.error(format!(
                "the archive has no `{file}`: it holds no sparse matrix in compressed rows, save one \
                 with scipy.sparse.save_npz"
            )));
        }
        Err(error) => return Err(read(error.to_string())),
    }
    Ok(Member { name: format!("{}:{file}", input.name), content })
}

/// Whether the arrays fit together.
fn check(input: &Input, n: u64, starts: &[u64], indices: &[u64]) -> Result<()> {
    let wrong = |message: String| Err(input.error(format!("{message}: save the matrix again")));
    if starts.len() as u128 != u128::from(n) + 1 {
        return wrong(format!(
            "{n} rows need {} row starts, not {}",
            u128::from(n) + 1,
            starts.len()
        ));
    }
    let last = starts[starts.len() - 1];
    if starts[0] != 0 || !starts.is_sorted() || last > indices.len() as u64 {
        return wrong(format!(
            "the row starts do not ascend from 0 to at most the {} column indices",
            indices.len()
        ));
    }
    match indices[..last as usize].par_iter().find_first(|&&column| column >= n) {
        Some(column) => wrong(format!("the column index {column} is not below {n}")),
        None => Ok(()),
    }
}

fn edges<T: Id>(starts: &[u64], indices: &[u64]) -> Vec<[T; 2]> {
    (0..starts.len() - 1)
        .into_par_iter()
        .flat_map_iter(|row| {
            let columns = &indices[starts[row] as usize..starts[row + 1] as usize];
            columns.iter().map(move |&column| [T::of(row as u64), T::of(column)])
        })
        .collect()
}
