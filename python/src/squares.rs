//! Squares at every vertex: cycles of four edges, and how many there could be.

use numpy::PyArray1;
use pyo3::prelude::*;
use rayon::prelude::*;
use tribin::{OrientedGraph, Result};

use crate::arcs::Columns;
use crate::control::Control;
use crate::core::{Core, ids_of};
use crate::results::listed;

/// Tasks for each thread, of vertices one after the other.
const TASKS: usize = 16;

/// Vertices; the squares of each, and those that are there or could be.
///
/// For every two neighbours u, w of a vertex, the squares are their other common neighbours; of what could be, an
/// edge between u and w and the vertex itself take places that no square can have.
#[pyfunction]
#[pyo3(signature = (core, all, progress=None))]
pub fn squares<'py>(
    py: Python<'py>,
    core: &Bound<'_, Core>,
    all: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Columns<'py>> {
    let found = core.get().ask_controlled(py, progress, move |graph, control| {
        let oriented = graph.oriented()?;
        let of_rank = graph.session().install(|| of_ranks(&oriented, control))?;
        let vertices = listed(graph, all)?;
        let mut of_vertex = vec![[0; 2]; graph.vertex_bound()];
        for (&vertex, found) in oriented.vertex_of_rank().iter().zip(of_rank) {
            of_vertex[vertex as usize] = found;
        }
        // Signed, as all other counts are.
        let column = |place: usize| -> Vec<i64> {
            let value = |&vertex: &u32| {
                i64::try_from(of_vertex[vertex as usize][place]).unwrap_or(i64::MAX)
            };
            vertices.iter().map(value).collect()
        };
        let columns = [column(0), column(1)];
        Ok((ids_of(graph.ids(), vertices.into_iter()), columns))
    })?;
    let (vertices, columns) = found;
    let whole = columns.map(|column| PyArray1::from_vec(py, column).into_any());
    Ok((vertices.into_array(py), whole.into(), Vec::new()))
}

/// The neighbours of every vertex, in both directions.
struct Neighbours {
    starts: Vec<usize>,
    heads: Vec<u32>,
}

impl Neighbours {
    fn of(oriented: &OrientedGraph) -> Neighbours {
        let edges = || {
            let rows = oriented.offsets().windows(2).enumerate();
            rows.flat_map(|(tail, ends)| {
                let heads = &oriented.heads()[ends[0] as usize..ends[1] as usize];
                heads.iter().map(move |&head| [tail as u32, head])
            })
        };
        let mut starts = vec![0usize; oriented.offsets().len() + 1];
        edges().flatten().for_each(|vertex| starts[vertex as usize + 2] += 1);
        for vertex in 2..starts.len() {
            starts[vertex] += starts[vertex - 1];
        }
        let mut heads = vec![0; 2 * oriented.heads().len()];
        // While rows are filled, the start of each is that of the row before.
        for [u, v] in edges() {
            for (one, other) in [(u, v), (v, u)] {
                let at = &mut starts[one as usize + 1];
                heads[*at] = other;
                *at += 1;
            }
        }
        Neighbours { starts, heads }
    }

    fn len(&self) -> usize {
        self.starts.len() - 2
    }

    fn row(&self, vertex: usize) -> &[u32] {
        &self.heads[self.starts[vertex]..self.starts[vertex + 1]]
    }
}

/// The squares of each rank, and those that could be. O(Σ d²) for degrees d.
///
/// With c(x) paths of two edges from v to x, the squares at v are Σ c(x) (c(x) - 1) / 2 over all x but v. That is at
/// most Σ c(x) times half the largest degree: below 2³³ · 2³¹.
fn of_ranks(oriented: &OrientedGraph, control: &Control) -> Result<Vec<[u64; 2]>> {
    let graph = Neighbours::of(oriented);
    let n = graph.len();
    let tasks = (rayon::current_num_threads() * TASKS).min(n.max(1));
    let found: Result<Vec<Vec<[u64; 2]>>> = (0..tasks)
        .into_par_iter()
        .with_max_len(1)
        .map(|task| {
            let (mut paths, mut reached) = (vec![0u32; n], Vec::new());
            // Vertices of like rank have like degrees: each task takes some of all.
            let own = (task..n).step_by(tasks);
            own.map(|vertex| {
                control.cancel.check()?;
                Ok(of_vertex(&graph, vertex, &mut paths, &mut reached))
            })
            .collect()
        })
        .collect();
    let found = found?;
    Ok((0..n).map(|vertex| found[vertex % tasks][vertex / tasks]).collect())
}

fn of_vertex(
    graph: &Neighbours,
    vertex: usize,
    paths: &mut [u32],
    reached: &mut Vec<u32>,
) -> [u64; 2] {
    let row = graph.row(vertex);
    let degree = row.len() as u64;
    if degree < 2 {
        return [0; 2];
    }
    let mut degrees = 0;
    for &u in row {
        let others = graph.row(u as usize);
        degrees += others.len() as u64;
        for &x in others.iter().filter(|&&x| x as usize != vertex) {
            let paths = &mut paths[x as usize];
            if *paths == 0 {
                reached.push(x);
            }
            *paths += 1;
        }
    }
    // Every triangle twice.
    let triangles: u64 = row.iter().map(|&u| u64::from(paths[u as usize])).sum();
    let mut squares = 0;
    for x in reached.drain(..) {
        let c = u64::from(std::mem::take(&mut paths[x as usize]));
        squares += c * (c - 1) / 2;
    }
    // A pair of neighbours of degrees d and e, with q squares, has d + e - 2 - q places, and two fewer if an edge
    // joins it. All together may take more than 64 bits before they are subtracted.
    let places = u128::from(degrees) * u128::from(degree - 1);
    let taken = u128::from(degree) * u128::from(degree - 1) + u128::from(triangles + squares);
    [squares, u64::try_from(places - taken).unwrap_or(u64::MAX)]
}
