//! Edges in the memory of a GPU: what a capsule of DLPack says of an array there, and a graph of two columns.

use std::ffi::{CStr, c_void};
use std::slice;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};
use tribin::graph::{DeviceColumn, DeviceEdges, DeviceIds};

/// The device of an array, as dlpack.h (version 1.0) lays it out.
#[repr(C)]
struct DlDevice {
    kind: i32,
    id: i32,
}

#[repr(C)]
struct DlDataType {
    code: u8,
    bits: u8,
    lanes: u16,
}

#[repr(C)]
struct DlTensor {
    data: *mut c_void,
    device: DlDevice,
    dimensions: i32,
    dtype: DlDataType,
    shape: *const i64,
    strides: *const i64,
    byte_offset: u64,
}

#[repr(C)]
struct DlManagedTensorVersioned {
    major: u32,
    minor: u32,
    context: *mut c_void,
    deleter: *mut c_void,
    flags: u64,
    tensor: DlTensor,
}

/// The names of capsules that nobody took yet, before and since version 1 of the protocol.
const UNVERSIONED: &CStr = c"dltensor";
const VERSIONED: &CStr = c"dltensor_versioned";

/// The device's kind and number, the address, the type (its code, its bits and its lanes), the shape, and the
/// distances between elements in elements; none where the array is contiguous.
type View = ((i32, i32), u64, (u8, u8, u16), Vec<i64>, Option<Vec<i64>>);

/// What a capsule of DLPack says. The capsule keeps the memory, and goes on owning it.
#[pyfunction]
pub fn dlpack_view(capsule: &Bound<'_, PyCapsule>) -> PyResult<View> {
    let versioned = capsule.is_valid_checked(Some(VERSIONED));
    let name = if versioned { VERSIONED } else { UNVERSIONED };
    let pointer = capsule.pointer_checked(Some(name))?;
    // SAFETY: a capsule of this name holds such a structure, which lives as long as the capsule. The tensor comes first
    // where there is no version.
    let tensor: &DlTensor = unsafe {
        if versioned {
            let managed = pointer.cast::<DlManagedTensorVersioned>().as_ref();
            if managed.major != 1 {
                let (major, minor) = (managed.major, managed.minor);
                return Err(PyValueError::new_err(format!(
                    "DLPack {major}.{minor} is not known here"
                )));
            }
            &managed.tensor
        } else {
            pointer.cast::<DlTensor>().as_ref()
        }
    };
    let dimensions = usize::try_from(tensor.dimensions)
        .map_err(|_| PyValueError::new_err("DLPack: a negative number of dimensions"))?;
    let numbers = |from: *const i64| {
        let known = dimensions > 0 && !from.is_null();
        // SAFETY: where the structure has these numbers, there is one for each dimension.
        known.then(|| unsafe { slice::from_raw_parts(from, dimensions) }.to_vec())
    };
    let shape = numbers(tensor.shape).unwrap_or_default();
    let DlDataType { code, bits, lanes } = tensor.dtype;
    Ok((
        (tensor.device.kind, tensor.device.id),
        (tensor.data as u64).wrapping_add(tensor.byte_offset),
        (code, bits, lanes),
        shape,
        numbers(tensor.strides),
    ))
}

/// The GPU in whose memory an address lies, or None.
#[pyfunction]
pub fn gpu_of(py: Python<'_>, address: u64) -> PyResult<Option<u32>> {
    DeviceEdges::gpu_of(address).map_err(|error| crate::errors::exception(py, &error))
}

/// Two columns in the memory of a GPU, as Python describes them.
#[derive(FromPyObject)]
pub struct DeviceColumns {
    #[pyo3(attribute)]
    gpu: u32,
    #[pyo3(attribute)]
    ids: String,
    /// The address of the first id, and how many ids further the next one is.
    #[pyo3(attribute)]
    source: (u64, u64),
    #[pyo3(attribute)]
    target: (u64, u64),
    #[pyo3(attribute)]
    rows: u64,
    #[pyo3(attribute)]
    stream: Option<u64>,
    #[pyo3(attribute)]
    vertices: Option<u64>,
}

impl DeviceColumns {
    /// The edges, which the arrays keep that Python holds until the graph is made.
    pub fn edges(&self) -> PyResult<DeviceEdges> {
        let ids = match self.ids.as_str() {
            "uint32" => DeviceIds::U32,
            "int32" => DeviceIds::I32,
            "uint64" => DeviceIds::U64,
            "int64" => DeviceIds::I64,
            other => return Err(PyValueError::new_err(format!("ids of type {other}"))),
        };
        let columns =
            [self.source, self.target].map(|(address, step)| DeviceColumn { address, step });
        // SAFETY: the library that owns the arrays says that they are there, and the caller holds them while the graph is
        // made. (What writes to an array while it is read here makes a graph of either of its contents: every id is
        // checked after it was read.)
        let edges = unsafe { DeviceEdges::new(self.gpu, ids, columns, self.rows) };
        let edges = match self.stream {
            // SAFETY: the stream is the library's own.
            Some(stream) => unsafe { edges.ready_on(stream) },
            None => edges,
        };
        Ok(match self.vertices {
            Some(vertices) => edges.with_vertices(vertices),
            None => edges,
        })
    }
}
