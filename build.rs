//! Passes on what the build of the kernels chose: `TRIBIN_PTX` (the file's path) and
//! `TRIBIN_PTX_RUSTC` (what compiled it).

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Without the feature `gpu` there are no kernels.
    if std::env::var_os("CARGO_FEATURE_GPU").is_none() {
        return;
    }
    for key in ["PTX", "PTX_RUSTC"] {
        let value = std::env::var(format!("DEP_TRIBIN_KERNELS_{key}"));
        println!("cargo::rustc-env=TRIBIN_{key}={}", value.expect("tribin-kernels says it"));
    }
}
