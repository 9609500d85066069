//! Compiles the kernels.

fn main() -> std::process::ExitCode {
    warpwise_ptx_builder::Builder::new("kernels").build()
}
