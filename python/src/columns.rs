//! Two NumPy columns of integers become edges, in one pass that copies them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use numpy::{Element, PyArray1, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use rayon::prelude::*;
use tribin::{Error, Graph, Result};

use crate::control::Control;
use crate::errors::{EDGES, input};

/// Rows that one task converts.
const CHUNK: usize = 1 << 16;

/// A one-dimensional array of integers of 32 or 64 bits that Python owns.
pub struct IntegerColumn {
    /// Keeps the memory.
    _owner: Py<PyUntypedArray>,
    data: *const u8,
    /// Bytes from one number to the next; may be negative.
    stride: isize,
    len: usize,
    /// Whether a number has 64 bits.
    is_wide: bool,
    is_signed: bool,
}

// SAFETY: the memory belongs to the array, which lives as long as the column, and numbers are read from it only. (A
// program that writes to an array while it is read by another thread gets either number; each is read once, and
// looked at after that.)
unsafe impl Send for IntegerColumn {}
// SAFETY: as above.
unsafe impl Sync for IntegerColumn {}

impl IntegerColumn {
    pub fn new(array: &Bound<'_, PyUntypedArray>) -> PyResult<IntegerColumn> {
        let typed = of::<i64>(array, true, true)
            .or_else(|| of::<i32>(array, false, true))
            .or_else(|| of::<u64>(array, true, false))
            .or_else(|| of::<u32>(array, false, false));
        typed.ok_or_else(|| {
            let dtype = array.dtype();
            let needed = "integers of 32 or 64 bits in native byte order";
            PyTypeError::new_err(format!("{dtype} is no column of {needed}"))
        })
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// The number in a row, its sign spread over 64 bits.
    #[inline]
    fn bits(&self, row: usize) -> u64 {
        assert!(row < self.len);
        let number = self.data.wrapping_offset(row as isize * self.stride);
        if self.is_wide {
            // SAFETY: the row is one of the array's, whose numbers have 64 bits; they need not be aligned.
            return unsafe { number.cast::<u64>().read_unaligned() };
        }
        // SAFETY: as above, with 32 bits.
        let number = unsafe { number.cast::<u32>().read_unaligned() };
        if self.is_signed { number.cast_signed() as u64 } else { number.into() }
    }

    /// The number in a row; negative ones have a place past the 64 bits.
    fn at(&self, row: usize) -> i128 {
        let bits = self.bits(row);
        if self.is_signed { bits.cast_signed().into() } else { bits.into() }
    }

    /// Writes the low 32 bits of the numbers from `row` on, and says whether all of them fit.
    fn narrow(&self, row: usize, end: usize, to: &mut [[u32; 2]]) -> bool {
        let mut others = 0;
        for (row, edge) in (row..).zip(to) {
            let bits = self.bits(row);
            edge[end] = bits as u32;
            others |= bits >> 32;
        }
        others == 0
    }
}

/// The column of an array whose numbers are of type `T`; `None` of other arrays.
fn of<T: Element>(
    array: &Bound<'_, PyUntypedArray>,
    is_wide: bool,
    is_signed: bool,
) -> Option<IntegerColumn> {
    let typed = array.cast::<PyArray1<T>>().ok()?;
    Some(IntegerColumn {
        _owner: array.clone().unbind(),
        data: typed.data().cast_const().cast(),
        stride: typed.strides()[0],
        len: typed.len(),
        is_wide,
        is_signed,
    })
}

/// The graph of two columns of one length. With `vertices`, ids are below that number, and all are vertices.
pub fn graph(
    source: &IntegerColumn,
    target: &IntegerColumn,
    vertices: Option<usize>,
    control: &Control,
) -> Result<Graph> {
    if source.len() != target.len() {
        let (one, other) = (source.len(), target.len());
        return Err(input(format!(
            "the columns have {one} and {other} rows: they must have as many"
        )));
    }
    let graph = match narrow(source, target, control)? {
        Some(edges) => Graph::from_edges(edges),
        None => Graph::from_u64_edges(wide(source, target)?)?,
    }
    .with_name(EDGES.into());
    match vertices {
        Some(vertices) => graph.with_vertices(vertices),
        None => Ok(graph),
    }
}

/// The edges, where all numbers fit 32 bits.
fn narrow(
    source: &IntegerColumn,
    target: &IntegerColumn,
    control: &Control,
) -> Result<Option<Vec<[u32; 2]>>> {
    let mut edges = room(source.len())?;
    edges.resize(source.len(), [0; 2]);
    let fit = AtomicBool::new(true);
    edges.par_chunks_mut(CHUNK).enumerate().try_for_each(|(chunk, edges)| {
        control.cancel.check()?;
        let row = chunk * CHUNK;
        let fits = source.narrow(row, 0, edges) & target.narrow(row, 1, edges);
        fit.fetch_and(fits, Relaxed);
        Ok::<(), Error>(())
    })?;
    Ok(fit.into_inner().then_some(edges))
}

/// The edges with ids of 64 bits.
fn wide(source: &IntegerColumn, target: &IntegerColumn) -> Result<Vec<[u64; 2]>> {
    let mut edges = room(source.len())?;
    edges.resize(source.len(), [0; 2]);
    let negative = AtomicU64::new(u64::MAX);
    edges.par_iter_mut().enumerate().for_each(|(row, edge)| {
        for (end, id) in [source, target].into_iter().zip(edge) {
            match u64::try_from(end.at(row)) {
                Ok(number) => *id = number,
                Err(_) => {
                    negative.fetch_min(row as u64, Relaxed);
                }
            }
        }
    });
    match negative.into_inner() {
        u64::MAX => Ok(edges),
        row => {
            let [u, v] = [source, target].map(|column| column.at(row as usize));
            Err(input(format!("row {row} (from 0) is ({u}, {v}): vertex ids are not negative")))
        }
    }
}

fn room<T>(edges: usize) -> Result<Vec<T>> {
    let mut room = Vec::new();
    room.try_reserve_exact(edges).map_err(|_| {
        input(format!("there is no memory for {} bytes", edges.saturating_mul(size_of::<T>())))
    })?;
    Ok(room)
}
