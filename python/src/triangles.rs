//! The list of triangles, in chunks. Memory does not grow with their number.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use rayon::prelude::*;
use tribin::{Cancel, OrientedGraph, Session};

use crate::control::{self, Control};
use crate::errors;

type Chunk = tribin::Result<Vec<[u32; 3]>>;

/// Chunks of vertex indexes; each is an array of shape (n, 3).
#[pyclass(frozen, module = "tribin._native")]
pub struct TriangleChunks {
    /// A thread lists ahead by one chunk.
    chunks: Arc<Mutex<Receiver<Chunk>>>,
    cancel: Cancel,
}

impl TriangleChunks {
    pub fn new(graph: Arc<OrientedGraph>, session: Session, rows: usize) -> TriangleChunks {
        let (sender, receiver) = sync_channel(1);
        let cancel = Cancel::new();
        let of_lister = cancel.clone();
        thread::spawn(move || {
            // A panic drops the sender, which ends the list: it is told instead.
            let told = sender.clone();
            let listed =
                std::panic::AssertUnwindSafe(|| list(&graph, &session, rows, &sender, &of_lister));
            if let Err(panic) = std::panic::catch_unwind(listed) {
                let text = control::text(&*panic);
                let _ = told.send(Err(errors::input(format!("listing fails: {text}"))));
            }
        });
        TriangleChunks { chunks: Arc::new(Mutex::new(receiver)), cancel }
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
    graph: &OrientedGraph,
    session: &Session,
    rows: usize,
    sender: &SyncSender<Chunk>,
    cancel: &Cancel,
) {
    let triangles = graph.triangles();
    let mut pending: Vec<[u32; 3]> = Vec::new();
    let (mut next, together) = (0, 2 * session.threads());
    while next < triangles.blocks() && !cancel.is_cancelled() {
        let end = (next + together).min(triangles.blocks());
        let blocks: Vec<Vec<[u32; 3]>> =
            session.install(|| (next..end).into_par_iter().map(|b| triangles.block(b)).collect());
        next = end;
        for block in blocks {
            pending.extend(block);
            while pending.len() >= rows {
                let rest = pending.split_off(rows);
                let chunk = std::mem::replace(&mut pending, rest);
                if sender.send(Ok(chunk)).is_err() {
                    return;
                }
            }
        }
    }
    if !pending.is_empty() {
        let _ = sender.send(Ok(pending));
    }
}
