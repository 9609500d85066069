//! Neighbours by vertex, as NetworkX keeps them: dictionaries of dictionaries whose keys are integers.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use numpy::PyArray1;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::critical_section::with_critical_section;
use pyo3::types::{PyDict, PyInt};

use crate::control;
use crate::errors;

type AdjacencyArrays<'py> =
    (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<u32>>);

/// The vertices, and each edge as their places; `None` where a key is no integer of 64 bits, or a neighbour is no
/// vertex. With `both`, every edge is there at both of its ends, and one is taken.
///
/// NumPy needs three times as long: it asks each number for its type more than once, and copies it more than once.
#[pyfunction]
pub fn integer_adjacency<'py>(
    py: Python<'py>,
    neighbours: &Bound<'py, PyDict>,
    both: bool,
) -> PyResult<Option<AdjacencyArrays<'py>>> {
    // A dictionary that is changed by another thread ends its iteration by a panic.
    let columns = catch_unwind(AssertUnwindSafe(|| columns(neighbours, both)));
    let columns = columns.map_err(|panic| errors::defect(py, &control::text(&*panic)))??;
    Ok(columns.map(|(vertices, source, target)| {
        (
            PyArray1::from_vec(py, vertices),
            PyArray1::from_vec(py, source),
            PyArray1::from_vec(py, target),
        )
    }))
}

/// Edges between two looks at signals: a moment.
const BETWEEN_SIGNALS: usize = 1 << 18;

/// The vertices, and both ends of every edge.
type Found = (Vec<i64>, Vec<u32>, Vec<u32>);

fn columns(neighbours: &Bound<'_, PyDict>, both: bool) -> PyResult<Option<Found>> {
    if u32::try_from(neighbours.len()).is_err() {
        return Ok(None);
    }
    let vertices = neighbours.iter().map(|(vertex, _)| integer(&vertex)).collect();
    let Some(vertices): Option<Vec<i64>> = vertices else { return Ok(None) };
    let places = VertexPlaces::of(&vertices);
    let (mut source, mut target) = (Vec::new(), Vec::new());
    let mut looked = 0;
    for (from, (_, row)) in (0..).zip(neighbours.iter()) {
        // A class of dictionaries may show other keys than it keeps.
        let Ok(row) = row.cast_exact::<PyDict>() else { return Ok(None) };
        let known = for_each_integer(row, |neighbour| {
            let to = places.get(neighbour)?;
            if !both || from <= to {
                source.push(from);
                target.push(to);
            }
            Some(())
        });
        if known.is_none() {
            return Ok(None);
        }
        if source.len() - looked > BETWEEN_SIGNALS {
            looked = source.len();
            neighbours
                .py()
                .check_signals()
                .map_err(|raised| errors::cancelled(neighbours.py(), raised))?;
        }
    }
    Ok(Some((vertices, source, target)))
}

/// Calls `each` with every key; `None` where one is no integer, or `each` returns it.
///
/// PyO3's own iteration counts references to values, too, which are the attributes of edges: it takes twice as long,
/// since each of them is somewhere else in memory.
fn for_each_integer(
    row: &Bound<'_, PyDict>,
    mut each: impl FnMut(i64) -> Option<()>,
) -> Option<()> {
    with_critical_section(row, || {
        let (mut place, mut key, mut value) = (0, ptr::null_mut(), ptr::null_mut());
        // SAFETY: the interpreter is attached, the dictionary is alive, and nothing in the loop runs Python or
        // changes it. The key is borrowed from it until the next turn. An integer that does not fit is no error:
        // `overflow` tells.
        while unsafe { ffi::PyDict_Next(row.as_ptr(), &mut place, &mut key, &mut value) } != 0 {
            let mut overflow = 0;
            // SAFETY: as above.
            let number = unsafe {
                if ffi::PyLong_CheckExact(key) == 0 {
                    return None;
                }
                ffi::PyLong_AsLongLongAndOverflow(key, &mut overflow)
            };
            if overflow != 0 {
                return None;
            }
            each(number)?;
        }
        Some(())
    })
}

fn integer(key: &Bound<'_, PyAny>) -> Option<i64> {
    // Not of `True`, which is called otherwise.
    key.cast_exact::<PyInt>().ok()?.extract().ok()
}

/// Where each vertex stands.
enum VertexPlaces {
    /// All are what they are called.
    Same(u32),
    /// The places by number; `u32::MAX` is no place.
    Table(Vec<u32>),
    Map(HashMap<i64, u32>),
}

impl VertexPlaces {
    fn of(vertices: &[i64]) -> VertexPlaces {
        if vertices.iter().copied().eq(0..vertices.len() as i64) {
            return VertexPlaces::Same(vertices.len() as u32);
        }
        let most = vertices.iter().copied().max().unwrap_or(0);
        let near = most < 8 * vertices.len() as i64 && vertices.iter().all(|&vertex| vertex >= 0);
        if !near {
            return VertexPlaces::Map(vertices.iter().copied().zip(0..).collect());
        }
        let mut table = vec![u32::MAX; most as usize + 1];
        for (&vertex, place) in vertices.iter().zip(0..) {
            table[vertex as usize] = place;
        }
        VertexPlaces::Table(table)
    }

    #[inline]
    fn get(&self, vertex: i64) -> Option<u32> {
        match self {
            VertexPlaces::Same(bound) => u32::try_from(vertex).ok().filter(|place| place < bound),
            VertexPlaces::Table(table) => {
                let place = usize::try_from(vertex).ok().and_then(|vertex| table.get(vertex));
                place.copied().filter(|&place| place != u32::MAX)
            }
            VertexPlaces::Map(map) => map.get(&vertex).copied(),
        }
    }
}
