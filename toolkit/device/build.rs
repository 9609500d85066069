//! Tells the crates that depend on this one where its sources and those of `warpwise-launch` are: kernels
//! are compiled with them.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name: &str| std::env::var(name).expect("cargo sets it");
    println!("cargo::metadata=FOLDER={}", variable("CARGO_MANIFEST_DIR"));
    println!("cargo::metadata=LAUNCH_FOLDER={}", variable("DEP_WARPWISE_LAUNCH_FOLDER"));
}
