//! Compiles the kernels.

fn main() -> std::process::ExitCode {
    tribin_ptx_builder::Builder::new("kernels").build()
}
