//! Launches of clusters of blocks.

use std::ffi::c_void;

use cudarc::driver::{DriverError, sys};
use warpwise_launch::Shape;

use crate::{ComputeCapability, Error, GpuInfo, Result};

/// The compute capability that clusters came with.
const LEAST: ComputeCapability = ComputeCapability { major: 9, minor: 0 };

/// Fails where a GPU has no clusters and the shape has.
pub(crate) fn check(info: &GpuInfo, shape: Shape) -> Result<()> {
    let (device, compute_capability) = (info.name.clone(), info.compute_capability);
    match shape.cluster > 1 && compute_capability < LEAST {
        true => Err(Error::Unsupported { device, compute_capability, needed: LEAST }),
        false => Ok(()),
    }
}

/// Launches a kernel with the clusters of its shape.
///
/// # Safety
/// The function is of a loaded module, the stream is live, and the parameters are the kernel's.
pub(crate) unsafe fn launch(
    function: sys::CUfunction,
    shape: Shape,
    stream: sys::CUstream,
    params: &mut [*mut c_void],
) -> Result<(), DriverError> {
    use sys::CUlaunchAttributeID::{
        CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
    };
    use sys::CUlaunchAttributeValue as Value;
    use sys::CUlaunchAttributeValue_union__bindgen_ty_1 as ClusterDim;
    let cluster = Value { clusterDim: ClusterDim { x: shape.cluster, y: 1, z: 1 } };
    let mut attributes = [
        (CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, cluster),
        (CU_LAUNCH_ATTRIBUTE_COOPERATIVE, Value { cooperative: 1 }),
    ]
    .map(|(id, value)| sys::CUlaunchAttribute { id, pad: [0; 4], value });
    let config = sys::CUlaunchConfig {
        gridDimX: shape.grid.x,
        gridDimY: shape.grid.y,
        gridDimZ: shape.grid.z,
        blockDimX: shape.block.x,
        blockDimY: shape.block.y,
        blockDimZ: shape.block.z,
        sharedMemBytes: shape.shared_bytes,
        hStream: stream,
        attrs: attributes.as_mut_ptr(),
        // The second one is for blocks that are to be on the GPU together.
        numAttrs: 1 + u32::from(shape.together),
    };
    // SAFETY: the caller's promise; the attributes live until the call returns.
    unsafe {
        sys::cuLaunchKernelEx(&config, function, params.as_mut_ptr(), std::ptr::null_mut()).result()
    }
}

#[cfg(test)]
mod tests {
    use super::{LEAST, check};
    use crate::{ComputeCapability, GpuInfo};
    use warpwise_launch::Shape;

    #[test]
    fn a_gpu_that_is_too_old_for_clusters_says_so() {
        let gpu = |compute_capability| GpuInfo {
            ordinal: 0,
            name: "A100".into(),
            compute_capability,
            memory: 0,
            multiprocessors: 0,
            most_shared_bytes: 0,
        };
        let old = gpu(ComputeCapability { major: 8, minor: 0 });
        let shape = Shape::new(8, 32);
        assert!(check(&old, shape).is_ok());
        assert!(check(&gpu(LEAST), shape.cluster(2)).is_ok());
        let error = check(&old, shape.cluster(2)).expect_err("it is too old");
        let message = "A100 has compute capability 8.0, and 9.0 or later is needed";
        assert_eq!(error.to_string(), message);
    }
}
