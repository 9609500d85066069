//! Columns become an Arrow stream, which every library of tables reads. Numbers are not copied.

use std::ptr::NonNull;
use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray, UInt64Array,
};
use arrow_buffer::{ArrowNativeType, Buffer, ScalarBuffer};
use arrow_schema::{DataType, Field, Schema};
use numpy::{Element, PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyString};

use crate::errors::usage;

/// A capsule with an Arrow stream of one batch: columns of these names, each a contiguous array of int64, uint64 or
/// float64, or a list of texts.
#[pyfunction]
pub fn export_stream<'py>(
    py: Python<'py>,
    names: Vec<String>,
    columns: Vec<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let arrays = columns.iter().map(array).collect::<PyResult<Vec<ArrayRef>>>()?;
    let field = |(name, array): (String, &ArrayRef)| {
        let kind: &DataType = array.data_type();
        Field::new(name, kind.clone(), false)
    };
    let schema =
        Arc::new(Schema::new(names.into_iter().zip(&arrays).map(field).collect::<Vec<_>>()));
    let batch = RecordBatch::try_new(Arc::clone(&schema), arrays)
        .map_err(|error| PyTypeError::new_err(error.to_string()))?;
    let batches = RecordBatchIterator::new([Ok(batch)], schema);
    let stream = FFI_ArrowArrayStream::new(Box::new(batches));
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}

fn array(column: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    if let Ok(column) = column.cast::<PyArray1<i64>>() {
        return Ok(Arc::new(Int64Array::new(buffer(column)?.into(), None)));
    }
    if let Ok(column) = column.cast::<PyArray1<u64>>() {
        return Ok(Arc::new(UInt64Array::new(buffer(column)?.into(), None)));
    }
    if let Ok(column) = column.cast::<PyArray1<f64>>() {
        return Ok(Arc::new(Float64Array::new(ScalarBuffer::from(buffer(column)?), None)));
    }
    let mut texts = arrow_array::builder::StringBuilder::new();
    for text in column.try_iter()? {
        let text = text?;
        let text = text.cast::<PyString>().map_err(|_| no_type(&text))?;
        texts.append_value(text.to_cow()?);
    }
    let texts: StringArray = texts.finish();
    Ok(Arc::new(texts))
}

/// The error for vertices that are no texts, and not all of them integers.
fn no_type(vertex: &Bound<'_, PyAny>) -> PyErr {
    let kind = vertex.get_type();
    let kind = kind.name().map_or_else(|_| "object".into(), |name| name.to_string());
    let shown = vertex.repr().map_or_else(|_| "a vertex".into(), |text| text.to_string());
    usage(
        vertex.py(),
        format!(
            "the vertex {shown} is of the type {kind}, and an Arrow column of vertices holds integers or texts alone: \
             `to_pandas()` and `to_dict()` give vertices of any type"
        ),
    )
}

/// The memory of an array, which lives as long as the buffer.
fn buffer<T: Element + ArrowNativeType>(column: &Bound<'_, PyArray1<T>>) -> PyResult<Buffer> {
    if !column.is_c_contiguous() || !column.is_aligned() {
        return Err(PyTypeError::new_err("a column that is exported is contiguous"));
    }
    let (data, bytes) = (column.data(), column.len() * size_of::<T>());
    let Some(data) = NonNull::new(data.cast::<u8>()).filter(|_| bytes > 0) else {
        // Of bytes it would not be aligned to the numbers of the column.
        return Ok(Buffer::from_vec(Vec::<T>::new()));
    };
    let owner = Arc::new(Owner(column.clone().unbind().into_any()));
    // SAFETY: the owner keeps the array and its memory, which nobody writes to: results are read-only.
    Ok(unsafe { Buffer::from_custom_allocation(data, bytes, owner) })
}

/// Keeps a Python object.
struct Owner(#[expect(dead_code, reason = "it is kept for its memory")] Py<PyAny>);

impl std::panic::RefUnwindSafe for Owner {}
