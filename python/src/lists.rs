//! Lists of triangles and of cliques, in chunks. Memory does not grow with their number.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::{process, thread};

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use tribin::{Cancel, PreparedGraph, Work};

use crate::control::{self, Control};
use crate::{core, errors};

type ChunkResult = tribin::Result<Vec<u32>>;

/// Chunks of vertex indexes; each is an array with a row for each triangle or clique.
#[pyclass(frozen, module = "tribin._native")]
pub struct Chunks {
    /// A thread lists ahead by one chunk.
    chunks: Arc<Mutex<Receiver<ChunkResult>>>,
    cancel: Cancel,
    /// Vertices of a row.
    width: usize,
    /// The thread is in this process only.
    process: u32,
}

impl Chunks {
    /// The triangles of a graph, `rows` at a time.
    pub fn of_triangles(graph: PreparedGraph, rows: usize) -> Chunks {
        Chunks::new(graph, 3, rows, |graph, take| {
            graph
                .each_triangle(|blocks| take(blocks.into_iter().map(Vec::into_flattened).collect()))
        })
    }

    /// The cliques of `k` vertices of a graph, `rows` at a time.
    pub fn of_cliques(graph: PreparedGraph, k: u32, rows: usize) -> Chunks {
        Chunks::new(graph, k as usize, rows, move |graph, take| graph.each_clique(k, take))
    }

    fn new(graph: PreparedGraph, width: usize, rows: usize, find: impl FindRows) -> Chunks {
        let (sender, receiver) = sync_channel(1);
        let cancel = Cancel::new();
        let of_lister = cancel.clone();
        thread::spawn(move || {
            // A panic drops the sender, which ends the list: it is told instead.
            let listed = std::panic::AssertUnwindSafe(|| {
                list(&graph, width.max(1).saturating_mul(rows.max(1)), &sender, &of_lister, find)
            });
            let failed = match std::panic::catch_unwind(listed) {
                Ok(Ok(())) => return,
                Ok(Err(error)) => error,
                Err(panic) => errors::input(format!("listing fails: {}", control::text(&*panic))),
            };
            let _ = sender.send(Err(failed));
        });
        let chunks = Arc::new(Mutex::new(receiver));
        Chunks { chunks, cancel, width, process: process::id() }
    }
}

impl Drop for Chunks {
    fn drop(&mut self) {
        self.cancel.cancel();
        if self.process != process::id() {
            // The lister is not here, and dropping the channel waits for what it was sending when the process was forked.
            std::mem::forget(Arc::clone(&self.chunks));
        }
    }
}

#[pymethods]
impl Chunks {
    /// The next chunk; `None` at the end.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<i64>>>> {
        core::check_process(py, self.process)?;
        let chunks = Arc::clone(&self.chunks);
        let chunk = control::run(py, None, move |_: &Control| {
            let chunks = chunks.lock().unwrap_or_else(PoisonError::into_inner);
            let Ok(chunk) = chunks.recv() else { return Ok(None) };
            let chunk = chunk?;
            let flat: Vec<i64> = chunk.into_iter().map(i64::from).collect();
            Ok(Some(flat))
        })?;
        chunk
            .map(|flat| {
                let rows = flat.len() / self.width;
                PyArray1::from_vec(py, flat).reshape([rows, self.width])
            })
            .transpose()
    }
}

/// What finds rows, and hands blocks of them to whoever takes them until that says `false`.
trait FindRows: FnOnce(&PreparedGraph, &mut Take<'_>) -> tribin::Result<()> + Send + 'static {}

impl<F: FnOnce(&PreparedGraph, &mut Take<'_>) -> tribin::Result<()> + Send + 'static> FindRows
    for F
{
}

/// Takes blocks of rows, one vertex index after the other.
type Take<'t> = dyn FnMut(Vec<Vec<u32>>) -> tribin::Result<bool> + Send + 't;

/// Sends what is found in chunks of `most` vertex indexes.
fn list(
    graph: &PreparedGraph,
    most: usize,
    sender: &SyncSender<ChunkResult>,
    cancel: &Cancel,
    find: impl FindRows,
) -> tribin::Result<()> {
    // Nobody listens to the phases of a list that is made ahead.
    let graph = graph.with_control(cancel.clone(), Work::new(), |_| ());
    let mut pending: Vec<u32> = Vec::new();
    find(&graph, &mut |blocks| {
        for block in blocks {
            pending.extend(block);
            let mut whole = pending.chunks_exact(most);
            for chunk in &mut whole {
                if sender.send(Ok(chunk.to_vec())).is_err() {
                    return Ok(false);
                }
            }
            pending = whole.remainder().to_vec();
        }
        Ok(true)
    })?;
    if !pending.is_empty() {
        let _ = sender.send(Ok(pending));
    }
    Ok(())
}
