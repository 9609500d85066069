//! Compiles the kernels: those for every GPU, and those for later ones.

use std::process::ExitCode;

use warpwise_ptx_builder::Builder;

fn main() -> ExitCode {
    let hopper = Builder::new("hopper").committed("ptx-hopper").arch("sm_90").ptx_version("8.0");
    let alone = Builder::new("warpgroups").committed("ptx-warpgroups").arch("sm_90a");
    let all = [Builder::new("kernels"), hopper, alone.ptx_version("8.0")];
    let failed = all.into_iter().map(Builder::build).find(|code| *code != ExitCode::SUCCESS);
    failed.unwrap_or(ExitCode::SUCCESS)
}
