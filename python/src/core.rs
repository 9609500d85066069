//! A prepared graph, and the columns of its results as NumPy arrays.

use std::convert::Infallible;
use std::path::PathBuf;
use std::process;

use numpy::{PyArray1, PyUntypedArray};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyString};
use tribin::read::{self, Columns, Format, IdKind, Source};
use tribin::{Error, Graph, Input, PreparedGraph, Result, Session, VertexIds};

use crate::arcs::{ArcKeywords, ArcOptions};
use crate::arrow_input;
use crate::columns::{self, IntegerColumn};
use crate::control::{self, Control};
use crate::device_input::DeviceColumns;
use crate::lists::Chunks;
use crate::sessions::{self, Resources};

/// A prepared graph. Vertices are numbers: their ids, or places among their names.
#[pyclass(frozen, module = "tribin._native")]
pub struct Core {
    graph: PreparedGraph,
    /// Threads do not outlive a fork.
    process: u32,
}

/// Which two columns of a table with these names are the ends of an edge, and why; and which has the weights that are asked
/// for.
#[pyfunction]
#[pyo3(signature = (header, asked, weight=None))]
pub fn choose_columns(
    py: Python<'_>,
    header: Vec<String>,
    asked: Option<(String, String)>,
    weight: Option<&str>,
) -> PyResult<([usize; 2], String, Option<usize>)> {
    let chosen = Columns::choose(columns_of(asked).as_ref(), &header, weight);
    let chosen = chosen.map(|(places, weight, reason)| (places, reason, weight));
    chosen.map_err(|error| crate::errors::exception(py, &error))
}

fn columns_of(asked: Option<(String, String)>) -> Option<Columns> {
    asked.map(|(source, target)| Columns::new(source, target))
}

/// A column of a result: the ids of vertices, or numbers.
pub enum Numbers {
    Whole(Vec<i64>),
    Unsigned(Vec<u64>),
    Double(Vec<f64>),
}

impl<'py> IntoPyObject<'py> for Numbers {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = Infallible;

    fn into_pyobject(self, py: Python<'py>) -> Result<Bound<'py, PyAny>, Infallible> {
        Ok(match self {
            Numbers::Whole(numbers) => PyArray1::from_vec(py, numbers).into_any(),
            Numbers::Unsigned(numbers) => PyArray1::from_vec(py, numbers).into_any(),
            Numbers::Double(numbers) => PyArray1::from_vec(py, numbers).into_any(),
        })
    }
}

/// The ids of vertex indexes, signed where all of the graph's fit; of named vertices the indexes themselves.
pub fn ids_of(ids: &VertexIds, indexes: impl Iterator<Item = u32>) -> Numbers {
    match ids {
        VertexIds::Table(table) if table.last().is_some_and(|&id| i64::try_from(id).is_err()) => {
            Numbers::Unsigned(indexes.map(|index| ids.number(index)).collect())
        }
        _ => Numbers::Whole(indexes.map(|index| ids.number(index) as i64).collect()),
    }
}

/// Both ends of edges.
pub fn ends_of(
    graph: &PreparedGraph,
    edges: impl Iterator<Item = [u32; 2]> + Clone,
) -> [Numbers; 2] {
    [0, 1].map(|end| ids_of(graph.ids(), edges.clone().map(|edge| edge[end])))
}

impl Core {
    /// Makes a graph and prepares it.
    fn make(
        py: Python<'_>,
        resources: Resources,
        progress: Option<Py<PyAny>>,
        mut arcs: ArcOptions,
        graph: impl FnOnce(&Control) -> Result<Graph> + Send + 'static,
    ) -> PyResult<Core> {
        Core::prepared(py, resources, progress, move |session, control| {
            let graph = session.install(|| graph(control))?;
            control.cancel.check()?;
            let graph = arcs.on(graph)?;
            let input = Input::from(&graph);
            session.prepare(if arcs.directed { input.directed() } else { input })
        })
    }

    /// Prepares a graph in a session.
    fn prepared(
        py: Python<'_>,
        resources: Resources,
        progress: Option<Py<PyAny>>,
        prepare: impl FnOnce(&Session, &Control) -> Result<PreparedGraph> + Send + 'static,
    ) -> PyResult<Core> {
        let graph = control::run(py, progress.as_ref(), move |control| {
            let Control { cancel, work, .. } = control.clone();
            let session =
                sessions::session(&resources)?.with_control(cancel, work, control.listener());
            prepare(&session, control)
        })?;
        Ok(Core { graph, process: process::id() })
    }

    /// Works on the graph.
    pub fn ask<T: Send + 'static>(
        &self,
        py: Python<'_>,
        progress: Option<Py<PyAny>>,
        work: impl FnOnce(&PreparedGraph) -> Result<T> + Send + 'static,
    ) -> PyResult<T> {
        check_process(py, self.process)?;
        let graph = self.graph.clone();
        control::run(py, progress.as_ref(), move |control| {
            let Control { cancel, work: gauge, .. } = control.clone();
            work(&graph.with_control(cancel, gauge, control.listener()))
        })
    }
}

/// Whether this is the process in which something was made: its threads are in no other.
pub fn check_process(py: Python<'_>, made_in: u32) -> PyResult<()> {
    if made_in == process::id() {
        return Ok(());
    }
    let error = Error::Usage(
        "the graph was made before this process was forked, and its threads are not here: \
         make it in this process, or start processes by `spawn` or `forkserver`"
            .into(),
    );
    Err(crate::errors::exception(py, &error))
}

#[pymethods]
impl Core {
    /// A graph of two columns of integers.
    #[staticmethod]
    fn from_columns(
        py: Python<'_>,
        resources: Resources,
        arcs: ArcKeywords<'_>,
        source: &Bound<'_, PyUntypedArray>,
        target: &Bound<'_, PyUntypedArray>,
        vertices: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Core> {
        let (source, target) = (IntegerColumn::new(source)?, IntegerColumn::new(target)?);
        Core::make(py, resources, progress, ArcOptions::of(py, &arcs)?, move |control| {
            columns::graph(&source, &target, vertices, control)
        })
    }

    /// A graph of columns in the memory of one GPU or more.
    #[staticmethod]
    fn from_device(
        py: Python<'_>,
        resources: Resources,
        shares: Vec<DeviceColumns>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Core> {
        let shares = shares.iter().map(DeviceColumns::edges).collect::<PyResult<Vec<_>>>()?;
        Core::prepared(py, resources, progress, move |session, _| {
            session.prepare(Input::on_gpus(&shares))
        })
    }

    /// The reason why edges that were in the memory of a GPU were copied to the host; `None` where they were not.
    fn copied(&self) -> Option<&str> {
        self.graph.copied()
    }

    /// A graph of an Arrow stream.
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "Python's keywords")]
    fn from_arrow(
        py: Python<'_>,
        resources: Resources,
        arcs: ArcKeywords<'_>,
        capsule: &Bound<'_, PyCapsule>,
        asked: Option<(String, String)>,
        vertices: Option<usize>,
        nothing: Vec<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Core> {
        let stream = arrow_input::stream(capsule)?;
        let arcs = ArcOptions::of(py, &arcs)?;
        let (columns, weight) = (columns_of(asked), arcs.weight.clone());
        let asked = arrow_input::StreamColumns { columns, weight, vertices, nothing };
        Core::make(py, resources, progress, arcs, move |control| {
            arrow_input::read(stream, &asked, control)
        })
    }

    /// A graph of a file, or of several that are one graph.
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "Python's keywords")]
    fn from_file(
        py: Python<'_>,
        resources: Resources,
        arcs: ArcKeywords<'_>,
        paths: Vec<PathBuf>,
        asked: Option<(String, String)>,
        progress: Option<Py<PyAny>>,
        format: Option<String>,
        ids: &str,
        header: Option<bool>,
        delimiter: Option<&str>,
        skip: u64,
        missing: &str,
        bipartite: bool,
        decompressed_limit: Option<u64>,
    ) -> PyResult<Core> {
        let ids: IdKind = ids.parse().map_err(|error| crate::errors::exception(py, &error))?;
        let skip_missing = match missing {
            "error" => false,
            "skip" => true,
            other => {
                let message = format!(
                    "unknown `{other}` for rows of which an end is missing: use error or skip"
                );
                return Err(crate::errors::exception(py, &tribin::Error::Usage(message.into())));
            }
        };
        let delimiter = delimiter
            .map(read::delimiter)
            .transpose()
            .map_err(|error| crate::errors::exception(py, &error))?;
        let arcs = ArcOptions::of(py, &arcs)?;
        Core::prepared(py, resources, progress, move |session, control| {
            let mut options = read::Options::default();
            (options.weight, options.duplicates) = (arcs.weight, arcs.duplicates);
            options.format = format.as_deref().map(str::parse::<Format>).transpose()?;
            options.columns = columns_of(asked);
            (options.header, options.delimiter) = (header, delimiter);
            (options.ids, options.skip) = (ids, skip);
            (options.skip_missing, options.bipartite) = (skip_missing, bipartite);
            options.decompressed_limit = decompressed_limit;
            control.listener()(tribin::Phase::Read);
            // The session goes out of core where the graph takes more memory than there may be.
            let input = Input::file(Source::merged(paths), &options);
            session.prepare(if arcs.directed { input.directed() } else { input })
        })
    }

    /// What is doubtful of a file.
    fn warnings(&self) -> Vec<String> {
        let warnings = self.graph.reading().map_or(&[][..], |reading| &reading.warnings);
        warnings.iter().map(|text| crate::errors::warning(text)).collect()
    }

    /// The names of vertices, in the order of their numbers; `None` where vertices are numbers.
    fn names<'py>(&self, py: Python<'py>) -> Option<Vec<Bound<'py, PyString>>> {
        let names = self.graph.ids().names()?;
        Some(names.iter().map(|name| PyString::new(py, name)).collect())
    }

    /// Which columns were read, and why; of a file with what it is.
    fn told(&self, of_file: bool) -> Option<String> {
        let reading = self.graph.reading()?;
        if of_file { Some(reading.to_string()) } else { reading.reasons.first().cloned() }
    }

    /// Figures that are known without counting.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let graph = &self.graph;
        let (summary, selection) = (graph.summary(), graph.selection());
        let figures = PyDict::new(py);
        figures.set_item("vertices", summary.vertices)?;
        figures.set_item("edges", summary.edges)?;
        figures.set_item("self_loops_dropped", summary.self_loops_dropped)?;
        figures.set_item("duplicates_dropped", summary.duplicates_dropped)?;
        figures.set_item("reciprocal_dropped", summary.reciprocal_dropped)?;
        figures.set_item("wedges", summary.wedges)?;
        figures.set_item("max_degree", summary.max_degree)?;
        figures.set_item("vertex_bound", graph.vertex_bound())?;
        figures.set_item("device", &selection.device)?;
        figures.set_item("device_name", &selection.device_name)?;
        figures.set_item("reason", &selection.reason)?;
        figures.set_item("threads", graph.session().threads())?;
        Ok(figures)
    }

    /// The list of triangles, `rows` at a time.
    fn triangles(&self, py: Python<'_>, rows: usize) -> PyResult<Chunks> {
        check_process(py, self.process)?;
        Ok(Chunks::of_triangles(self.graph.clone(), rows))
    }

    /// The list of cliques of `k` vertices, `rows` at a time.
    fn cliques(&self, py: Python<'_>, k: u32, rows: usize) -> PyResult<Chunks> {
        check_process(py, self.process)?;
        Ok(Chunks::of_cliques(self.graph.clone(), k, rows))
    }

    /// The ids of vertex numbers, of which triangles consist; `None` where they are the same.
    fn id_table(&self) -> Option<Numbers> {
        match self.graph.ids() {
            VertexIds::Identity { .. } | VertexIds::Names(_) => None,
            ids => Some(ids_of(ids, 0..ids.bound() as u32)),
        }
    }
}
