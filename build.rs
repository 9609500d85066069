//! Passes on what the build of the kernels chose: `TRIBIN_PTX` (the file's path) and
//! `TRIBIN_PTX_RUSTC` (what compiled it).

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for key in ["PTX", "PTX_RUSTC"] {
        let value = std::env::var(format!("DEP_TRIBIN_KERNELS_{key}"));
        println!("cargo::rustc-env=TRIBIN_{key}={}", value.expect("tribin-kernels says it"));
    }
}
