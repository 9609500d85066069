//! Groups of edges that the tasks of Spark and Ray count: which there are, which edge belongs to which, and what is in one.

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::RecordBatchStreamReader;
use arrow_array::types::{Int64Type, UInt64Type};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyString};
use tribin::cluster::{Colours, Group, GroupPlan, Pairs, Part, colour_of};
use tribin::read::Columns;
use tribin::{Error, Result, VertexIds};

use crate::arrow_input;
use crate::control::{self, Control};
use crate::core::ids_of;
use crate::errors::{exception, input};
use crate::sessions::{self, Resources};

/// An array of NumPy's.
type NumpyVector<'py, T> = Bound<'py, PyArray1<T>>;

/// A group as words: four for each of its sets of colours.
type Words = [u64; 12];

fn words_of(group: &Group) -> Words {
    let words: Vec<u64> = group.corners().into_iter().flat_map(Colours::words).collect();
    words.try_into().expect("three sets of four words")
}

fn group_of(words: &Words) -> Result<Group> {
    let [a, b, c] = [0, 4, 8].map(|at| Colours::from(std::array::from_fn(|word| words[at + word])));
    Group::new([a, b, c]).ok_or_else(|| Error::Usage("these words are no group".into()))
}

/// The colours of both ends of edges, which come as an Arrow stream of two columns of one type: int64, uint64 or
/// large_string.
#[pyfunction]
pub fn colours_of_edges<'py>(
    py: Python<'py>,
    capsule: &Bound<'py, PyCapsule>,
    seed: u64,
) -> PyResult<(NumpyVector<'py, u8>, NumpyVector<'py, u8>)> {
    let failed = |error: ArrowError| input(format!("the Arrow stream fails: {error}"));
    let stream = arrow_input::stream(capsule)?;
    let both = || -> Result<[Vec<u8>; 2]> {
        let mut both = [Vec::new(), Vec::new()];
        for batch in RecordBatchStreamReader::try_new(stream).map_err(failed)? {
            let batch: RecordBatch = batch.map_err(failed)?;
            for (colours, column) in both.iter_mut().zip(batch.columns()) {
                add_colours(colours, column, seed)?;
            }
        }
        Ok(both)
    };
    let [source, target] = both().map_err(|error| exception(py, &error))?;
    Ok((PyArray1::from_vec(py, source), PyArray1::from_vec(py, target)))
}

fn add_colours(colours: &mut Vec<u8>, column: &ArrayRef, seed: u64) -> Result<()> {
    match column.data_type() {
        DataType::Int64 => {
            let ids = column.as_primitive::<Int64Type>().values().iter();
            colours.extend(ids.map(|&id| colour_of((id as u64).into(), seed)));
        }
        DataType::UInt64 => {
            let ids = column.as_primitive::<UInt64Type>().values().iter();
            colours.extend(ids.map(|&id| colour_of(id.into(), seed)));
        }
        DataType::LargeUtf8 => {
            let names = column.as_string::<i64>().iter();
            colours.extend(names.map(|name| colour_of(name.unwrap_or_default().into(), seed)));
        }
        other => return Err(input(format!("a column of {other} has no vertices"))),
    }
    Ok(())
}

/// The groups of a graph whose edges `pairs` counts: it has one number for each two of the 256 colours, the smaller colour
/// first. If `sets` is given, the colours are divided into that many sets, and the groups are those of the sets. Otherwise a
/// group has at most `most` edges. Returns the groups, the largest first, the entries of each, and how many entries go to
/// groups in all.
#[pyfunction]
pub fn plan_groups(
    pairs: PyReadonlyArray1<'_, u64>,
    most: u64,
    sets: Option<usize>,
) -> PyResult<(Vec<Words>, Vec<u64>, u64)> {
    let mut counts = Pairs::default();
    counts.add_words(pairs.as_slice()?);
    let plan = match sets {
        Some(sets) => GroupPlan::of_sets(&counts, sets),
        None => GroupPlan::new(&counts, most),
    };
    let routes = plan.routes();
    let moved = counts.words().iter().zip(&routes).map(|(n, groups)| n * groups.len() as u64).sum();
    Ok((plan.groups.iter().map(words_of).collect(), plan.entries, moved))
}

/// Which groups take the edges between each two colours.
#[pyclass(frozen, module = "tribin._native")]
pub struct Routes(Vec<Vec<u32>>);

#[pymethods]
impl Routes {
    #[new]
    fn new(py: Python<'_>, groups: Vec<Words>) -> PyResult<Routes> {
        let groups: Result<Vec<Group>> = groups.iter().map(group_of).collect();
        let groups = groups.map_err(|error| exception(py, &error))?;
        Ok(Routes(GroupPlan { groups, entries: Vec::new(), of_graph: 0, most: 0 }.routes()))
    }

    /// Each edge once for every group that takes it, by the colours of the edges' ends: the groups, and the edges.
    fn of<'py>(
        &self,
        py: Python<'py>,
        one: PyReadonlyArray1<'py, u8>,
        other: PyReadonlyArray1<'py, u8>,
    ) -> PyResult<(NumpyVector<'py, i32>, NumpyVector<'py, i64>)> {
        let (mut groups, mut edges) = (Vec::new(), Vec::new());
        let ends = one.as_slice()?.iter().zip(other.as_slice()?);
        for (edge, (&one, &other)) in (0i64..).zip(ends) {
            let of_edge = &self.0[usize::from(one.min(other)) << 8 | usize::from(one.max(other))];
            groups.extend(of_edge.iter().map(|&group| group as i32));
            edges.extend(of_edge.iter().map(|_| edge));
        }
        Ok((PyArray1::from_vec(py, groups), PyArray1::from_vec(py, edges)))
    }
}

/// What a group has: its triangles; or vertices or edges by their numbers, with the triangles of each.
enum GroupResult {
    Count(u64),
    Values { ids: VertexIds, columns: Vec<Vec<i64>> },
}

/// Counts a group whose edges come as an Arrow stream of the columns `source` and `target`. Returns a list of columns: that of
/// the count is one number; else the numbers of the vertices, or of both ends of the edges, the triangles of each, and
/// what the vertices are called, by their numbers.
#[pyfunction]
pub fn count_group<'py>(
    py: Python<'py>,
    resources: Resources,
    capsule: &Bound<'py, PyCapsule>,
    group: Words,
    seed: u64,
    output: String,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let stream = arrow_input::stream(capsule)?;
    let group = group_of(&group).map_err(|error| exception(py, &error))?;
    let found = control::run(py, None, move |control| {
        let Control { cancel, work, .. } = control.clone();
        let session = sessions::session(&resources)?;
        let session = session.with_control(cancel, work, control.listener());
        let columns = Some(Columns::new("source", "target"));
        let asked = arrow_input::StreamColumns {
            columns,
            weight: None,
            vertices: None,
            nothing: Vec::new(),
        };
        let part = session
            .install(|| Part::new(arrow_input::read(stream, &asked, control)?, &group, seed))?;
        match output.as_str() {
            "local" => {
                let local = session.prepare(part.graph())?.local()?;
                let triangles: Vec<u64> =
                    (0..local.vertex_bound() as u32).map(|v| local.triangles(v)).collect();
                let found = part.at_vertices(&triangles);
                let vertices = found.iter().map(|of| of.vertex.into()).collect();
                let triangles = found.iter().map(|of| of.triangles as i64).collect();
                Ok(GroupResult::Values {
                    ids: part.ids().clone(),
                    columns: vec![vertices, triangles],
                })
            }
            "support" => {
                let support = session.prepare(part.graph())?.support()?;
                let counted = support.edges().iter().zip(support.values());
                let edges = part.on_edges(counted.map(|(&ends, &support)| (ends, support.into())));
                let end = |end: usize| edges.iter().map(|(ends, _)| ends[end].into()).collect();
                let values = edges.iter().map(|&(_, support)| support as i64).collect();
                let columns = vec![end(0), end(1), values];
                Ok(GroupResult::Values { ids: part.ids().clone(), columns })
            }
            _ => Ok(GroupResult::Count(session.count(part.graph())?.triangles)),
        }
    })?;
    let (ids, columns) = match found {
        GroupResult::Count(triangles) => return Ok(vec![triangles.into_pyobject(py)?.into_any()]),
        GroupResult::Values { ids, columns } => (ids, columns),
    };
    let mut columns: Vec<_> =
        columns.into_iter().map(|column| PyArray1::from_vec(py, column).into_any()).collect();
    columns.push(match ids.names() {
        Some(names) => {
            let names: Vec<_> = names.iter().map(|name| PyString::new(py, name)).collect();
            names.into_pyobject(py)?.into_any()
        }
        None => ids_of(&ids, 0..ids.bound() as u32).into_pyobject(py)?,
    });
    Ok(columns)
}
