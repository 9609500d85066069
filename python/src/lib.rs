//! What the Python package `tribin` needs of Rust: graphs from arrays, Arrow streams and files, their results as
//! NumPy arrays and Arrow streams, and the command.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `control.rs` | work on a thread of its own, which signals stop |
//! | `errors.rs` | errors as Python's exceptions |
//! | `sessions.rs` | devices and threads, opened once a process |
//! | `columns.rs` | two NumPy columns become edges |
//! | `adjacency.rs` | dictionaries of neighbours become edges |
//! | `arrow_input.rs` | an Arrow stream becomes edges, of integers or of names |
//! | `device_input.rs` | arrays in the memory of a GPU become edges |
//! | `core.rs` | a prepared graph |
//! | `results.rs` | figures of the whole graph, the list of results, and columns of them |
//! | `arcs.rs` | directions and weights |
//! | `labels.rs` | triangles by the labels of their vertices |
//! | `lists.rs` | lists of triangles and cliques, in chunks |
//! | `page.rs` | a page of HTML with a graph's figures and plots |
//! | `arrow_output.rs` | columns become an Arrow stream |
//! | `cluster.rs` | groups of edges, for Spark and Ray |
//! | `command.rs` | the command `tribin` |

mod adjacency;
mod arcs;
mod arrow_input;
mod arrow_output;
mod cluster;
mod columns;
mod command;
mod control;
mod core;
mod device_input;
mod errors;
mod labels;
mod lists;
mod page;
mod results;
mod sessions;
mod similar;

use pyo3::prelude::*;

/// The compiled part of tribin. What is here may change: `tribin` is the package's interface.
#[pymodule]
mod _native {
    use pyo3::prelude::*;
    use tribin::report::{Diagnosis, json};

    #[pymodule_export]
    use crate::adjacency::integer_adjacency;
    #[pymodule_export]
    use crate::arrow_output::export_stream;
    #[pymodule_export]
    use crate::cluster::{Routes, colours_of_edges, count_group, plan_groups};
    #[pymodule_export]
    use crate::command::run_command;
    #[pymodule_export]
    use crate::core::{Core, choose_columns};
    #[pymodule_export]
    use crate::device_input::{dlpack_view, gpu_of};
    #[pymodule_export]
    use crate::labels::count_by_labels;
    #[pymodule_export]
    use crate::lists::Chunks;
    #[pymodule_export]
    use crate::page::page_of;
    #[pymodule_export]
    use crate::results::{at_vertices, columns, figures, list_of_results, on_edges};
    #[pymodule_export]
    use crate::similar::{similar, similarities};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // What a reader contains becomes an exception, and has nothing to say besides.
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !tribin::read::is_contained() {
                report(panic);
            }
        }));
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    /// Looks up NumPy's functions, as the first array does otherwise: a signal that came then would end it with a panic.
    /// The command does without NumPy.
    #[pyfunction]
    fn find_numpy(py: Python<'_>) {
        let _ = numpy::PyArray1::<u8>::zeros(py, 0, false);
    }

    /// What `tribin doctor --json` prints.
    #[pyfunction]
    fn doctor(py: Python<'_>) -> PyResult<String> {
        crate::control::run(py, None, |_| {
            Ok(json::line(&Diagnosis::of_this_machine([true, false].map(tribin::features::names))))
        })
    }

    /// Panics, for the test that says what becomes of it.
    #[pyfunction]
    fn panic_for_a_test(py: Python<'_>) -> PyResult<()> {
        crate::control::run(py, None, |_| panic!("planted"))
    }

    /// Works until it is told to stop, for the test that says how soon that is.
    #[pyfunction]
    fn work_for_a_test(py: Python<'_>, progress: Option<Py<PyAny>>) -> PyResult<()> {
        crate::control::run(py, progress.as_ref(), |control| {
            control.work.begin(100);
            loop {
                control.cancel.check()?;
                control.work.add(1);
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        })
    }
}
