//! Tells the crates that depend on this one where its sources are: kernels are compiled with them.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    println!("cargo::metadata=FOLDER={folder}");
}
