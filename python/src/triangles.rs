//! The list of triangles, in chunks. Memory does not grow with their number.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::{process, thread};

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use rayon::prelude::*;
use tribin::{Cancel, PreparedGraph, Work};

use crate::control::{self, Control};
use crate::{core, errors};

type Chunk = tribin::Result<Vec<[u32; 3]>>;

/// Chunks of vertex indexes; each is an array of shape (n, 3).
#[pyclass(frozen, module = "tribin._native")]
pub struct TriangleChunks {
    /// A thread lists ahead by one chunk.
    chunks: Arc<Mutex<Receiver<Chunk>>>,
    cancel: Cancel,
    /// The thread is in this process only.
    process: u32,
}

impl TriangleChunks {
    pub fn new(graph: PreparedGraph, rows: usize) -> TriangleChunks {
        let (sender, receiver) = sync_channel(1);
        let cancel = Cancel::new();
        let of_lister = cancel.clone();
        thread::spawn(move || {
            // A panic drops the sender, which ends the list: it is told instead.
            let listed = std::panic::AssertUnwindSafe(|| list(&graph, rows, &sender, &of_lister));
            let failed = match std::panic::catch_unwind(listed) {
                Ok(Ok(())) => return,
                Ok(Err(error)) => error,
                Err(panic) => errors::input(format!("listing fails: {}", control::text(&*panic))),
            };
            let _ = sender.send(Err(failed));
        });
        TriangleChunks { chunks: Arc::new(Mutex::new(receiver)), cancel, process: process::id() }
    }
}

impl Drop for TriangleChunks {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

#[pymethods]
impl TriangleChunks {
    /// The next chunk; `None` at the end.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<i64>>>> {
        core::check_process(py, self.process)?;
        let chunks = Arc::clone(&self.chunks);
        let chunk = control::run(py, None, move |_: &Control| {
            let chunks = chunks.lock().unwrap_or_else(PoisonError::into_inner);
            let Ok(chunk) = chunks.recv() else { return Ok(None) };
            let chunk = chunk?;
            let flat: Vec<i64> = chunk.into_iter().flatten().map(i64::from).collect();
            Ok(Some(flat))
        })?;
        chunk
            .map(|flat| {
                let rows = flat.len() / 3;
                PyArray1::from_vec(py, flat).reshape([rows, 3])
            })
            .transpose()
    }
}

fn list(
    graph: &PreparedGraph,
    rows: usize,
    sender: &SyncSender<Chunk>,
    cancel: &Cancel,
) -> tribin::Result<()> {
    // Nobody listens to the phases of a list that is made ahead.
    let graph = graph.with_control(cancel.clone(), Work::new(), |_| ());
    graph.list(|triangles| {
        let mut pending: Vec<[u32; 3]> = Vec::new();
        let (mut next, together) = (0, 2 * rayon::current_num_threads());
        while next < triangles.blocks() {
            let end = (next + together).min(triangles.blocks());
            let blocks: tribin::Result<Vec<Vec<[u32; 3]>>> =
                (next..end).into_par_iter().map(|block| triangles.block(block)).collect();
            next = end;
            for block in blocks? {
                pending.extend(block);
                let mut whole = pending.chunks_exact(rows);
                for chunk in &mut whole {
                    if sender.send(Ok(chunk.to_vec())).is_err() {
                        return Ok(());
                    }
                }
                pending = whole.remainder().to_vec();
            }
        }
        if !pending.is_empty() {
            let _ = sender.send(Ok(pending));
        }
        Ok(())
    })
}
