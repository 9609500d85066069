//! Machine code beside the PTX.

use tribin_gpu::device::cuda::CUBINS;

/// A GPU of a generation that there is machine code for runs it. Where the kernels were edited there is none.
#[test]
fn a_gpu_runs_machine_code_of_its_generation() {
    let Some(gpu) = testkit::devices::gpu() else { return };
    let major = gpu.info().compute_capability.major;
    let known = CUBINS.iter().any(|([of, _], _)| *of == major);
    assert_eq!(gpu.runs_machine_code(), known);
}
