//! Errors as Python's exceptions, which tribin/_errors.py defines.

use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyType;
use tribin::read::Columns;
use tribin::{Error, Place, hint};

/// The exception of an error, with the error's text.
pub fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let class = match error {
        Error::Io { .. } => "FileError",
        Error::Malformed { .. } | Error::Input { .. } => "InputError",
        Error::Device(_) | Error::DeviceMemory { .. } => "DeviceError",
        Error::Usage(_) => "UsageError",
        Error::Cancelled => "Cancelled",
        _ => "Error",
    };
    let raised = new(py, class, error.in_words(argument));
    if let Error::Io { path, source } = error {
        // They stay out of the text, which has them in words.
        let value = raised.value(py);
        let _ = value.setattr("errno", source.raw_os_error());
        let _ = value.setattr("filename", path.as_os_str());
    }
    raised
}

/// What is doubtful of a file, with arguments for the flags of the command.
pub fn warning(text: &str) -> String {
    hint::in_words(text, argument).unwrap_or_else(|| text.to_owned())
}

/// A flag of the command and its value as an argument of `Graph`. It stands between backticks.
fn argument(flag: &str, value: &str) -> Option<String> {
    let name = flag.replace('-', "_");
    Some(match (flag, value.trim()) {
        ("columns", "") => "source` and `target".into(),
        ("columns", typed) => ends(typed)?,
        ("bipartite", _) => "bipartite=True".into(),
        (_, "") => name,
        (_, "yes") => format!("{name}=True"),
        (_, "no") => format!("{name}=False"),
        (_, "N") => format!("{name}=N"),
        (_, value) if value.parse::<u64>().is_ok() => format!("{name}={value}"),
        (_, value) => format!("{name}={value:?}"),
    })
}

/// Two columns that are typed in a shell as arguments.
fn ends(typed: &str) -> Option<String> {
    let in_quotes = typed.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
    let text = in_quotes.map_or_else(|| typed.to_owned(), |text| text.replace("'\\''", "'"));
    let columns: Columns = text.parse().ok()?;
    let [source, target] = columns.names();
    Some(format!("source={source:?}, target={target:?}"))
}

/// What input in memory is called.
pub const EDGES: &str = "edges";

/// Input that cannot be a graph.
pub fn input(message: impl Into<String>) -> Error {
    Error::Input { file: EDGES.into(), message: message.into().into() }
}

/// An error of input in memory, as this package says it. Its hints are of files: here a column has one type.
pub fn of_edges(error: Error) -> Error {
    match error {
        Error::Malformed { place: Place::Row(row), message, .. } => {
            input(format!("row {row} (from 0): {}", message.problem()))
        }
        Error::Input { message, .. } => input(message.problem()),
        error => error,
    }
}

/// An argument that makes no sense.
pub fn usage(py: Python<'_>, message: String) -> PyErr {
    new(py, "UsageError", message)
}

/// Something that must not happen.
pub fn defect(py: Python<'_>, what: &str) -> PyErr {
    new(py, "Error", format!("{what}: this is a defect in tribin, please report it"))
}

/// What stopped the work: of Ctrl-C an exception of tribin's own, which is a `KeyboardInterrupt` as well.
pub fn cancelled(py: Python<'_>, raised: PyErr) -> PyErr {
    if !raised.get_type(py).is(py.get_type::<PyKeyboardInterrupt>()) {
        return raised;
    }
    let own = new(py, "Cancelled", "cancelled".into());
    own.set_cause(py, Some(raised));
    own
}

fn new(py: Python<'_>, class: &str, text: String) -> PyErr {
    let class = py
        .import("tribin._errors")
        .and_then(|module| module.getattr(class))
        .and_then(|class| Ok(class.cast_into::<PyType>()?));
    match class {
        Ok(class) => PyErr::from_type(class, text),
        // The package is torn apart: as at the end of the interpreter.
        Err(_) => PyRuntimeError::new_err(text),
    }
}
