//! Errors as Python's exceptions, which tribin/_errors.py defines.

use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyType;
use tribin::{Error, Hint, Place};

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
    let raised = new(py, class, error.in_words(words));
    if let Error::Io { path, source } = error {
        // They stay out of the text, which has them in words.
        let value = raised.value(py);
        let _ = value.setattr("errno", source.raw_os_error());
        let _ = value.setattr("filename", path.as_os_str());
    }
    raised
}

/// The text of a hint, with the arguments of `Graph` for options.
fn words(hint: &Hint) -> String {
    let ends = |[one, other]: &[String; 2]| format!("`source={one:?}, target={other:?}`");
    let by_name = "`source` and `target`";
    match hint {
        Hint::Columns { proposed } => {
            format!(": name two with {by_name}, for example {}", ends(proposed))
        }
        Hint::OtherColumns { likely, taken } => {
            let (likely, taken) = (ends(likely), ends(taken));
            format!(": name two with {likely}, or with {taken} if these are the ends all the same")
        }
        Hint::Bipartite { columns } => {
            let one = ends(columns);
            format!(": say `bipartite=True`, or {one} to take equal ids as one vertex")
        }
        Hint::NoTable => {
            format!(
                ": leave a first line out with `skip=1`, name the two ends with {by_name}, or say `format=\"adjacency\"` or \
                 `format=\"metis\"`"
            )
        }
        _ => with_values(&hint.in_words(|option| Some(format!("{option}="))).unwrap_or_default()),
    }
}

/// Options and their values, such as `device= cpu`, as arguments, `device="cpu"`; options alone by their names.
fn with_values(text: &str) -> String {
    let mut told = String::new();
    for (place, part) in text.split('`').enumerate() {
        let argument = match part.split_once('=') {
            Some((option, "")) => option.to_owned(),
            Some((option, " yes")) => format!("{option}=True"),
            Some((option, " no")) => format!("{option}=False"),
            Some((option, " N")) => format!("{option}=N"),
            Some((option, value)) => format!("{option}={:?}", value.trim()),
            None => part.to_owned(),
        };
        told += if place > 0 { "`" } else { "" };
        told += if place % 2 > 0 { &argument } else { part };
    }
    told
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
