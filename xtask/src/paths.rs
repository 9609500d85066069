//! Where things lie in the repository.

use std::env;
use std::path::{Path, PathBuf};

use tribin_ptx_builder::{Kernels, Toolkit};

/// The repository's root.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the root")
}

/// The kernels, as their build script describes them.
pub fn kernels() -> Kernels {
    let mut kernels = Kernels::new("kernels", "tribin-kernels", &root().join("gpu-kernels"));
    kernels.root = "src/lib.rs".into();
    kernels.toolkit = Some(Toolkit::below(&root().join("toolkit")));
    kernels
}

/// All packages with kernels, as their build scripts describe them: tribin's first.
pub fn packages_with_kernels() -> Vec<Kernels> {
    let other = |package: &str, folder: &str| {
        let mut kernels = Kernels::new("kernels", package, &root().join(folder));
        kernels.toolkit = Some(Toolkit::below(&root().join("toolkit")));
        kernels
    };
    vec![
        kernels(),
        other("tribin-conformance", "toolkit/conformance"),
        other("own-kernels", "examples/own-kernels"),
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
