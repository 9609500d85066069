//! Where things lie in the repository.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use warpwise_ptx_builder::{Dependency, KernelPackage, Toolkit};

/// The repository's root.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the root")
}

/// The kernels, as their build script describes them.
pub fn kernels() -> KernelPackage {
    let mut kernels = KernelPackage::new("kernels", "tribin-kernels", &root().join("gpu-kernels"));
    kernels.root = "src/lib.rs".into();
    kernels.toolkit = Some(Toolkit::below(&root().join("toolkit")));
    kernels.dependencies =
        vec![primitives_with("../toolkit/primitives", &["prefix_sums", "radix_sort"])];
    kernels
}

/// The crate of primitives in this folder, and which of its kernels are wanted.
fn primitives_with(folder: &str, kernels: &[&str]) -> (String, Dependency) {
    ("warpwise-primitives".to_owned(), Dependency::kernels(folder).features(kernels))
}

/// All packages with kernels, as their build scripts describe them: tribin's first.
pub fn packages_with_kernels() -> Vec<KernelPackage> {
    let other = |name: &str, package: &str, folder: &str| {
        let mut kernels = KernelPackage::new(name, package, &root().join(folder));
        kernels.toolkit = Some(Toolkit::below(&root().join("toolkit")));
        kernels
    };
    let for_later = |name: &str, arch: &str| {
        let mut kernels = other(name, "warpwise-conformance", "toolkit/conformance");
        kernels.committed = format!("ptx-{name}").into();
        (kernels.target.arch, kernels.target.ptx) = (arch.into(), "8.0".into());
        kernels
    };
    let mut primitives = other("kernels", "warpwise-primitives", "toolkit/primitives");
    let all = include!("../../toolkit/primitives/features.rs");
    primitives.dependencies = vec![primitives_with(".", &all)];
    vec![
        kernels(),
        primitives,
        other("kernels", "warpwise-conformance", "toolkit/conformance"),
        for_later("hopper", "sm_90"),
        for_later("warpgroups", "sm_90a"),
        other("kernels", "own-kernels", "examples/own-kernels"),
    ]
}

/// The folder that cargo builds in.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// The folder of the reference data, which may not be there.
pub fn data() -> PathBuf {
    root().join("../shared/data")
}

/// Copies a folder, its folders included, in place of what was there. What cargo builds in it is left out.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_file() {
            fs::copy(&path, to.join(name)).with_context(|| path.display().to_string())?;
        } else if name != "target" {
            copy(&path, &to.join(name))?;
        }
    }
    Ok(())
}
