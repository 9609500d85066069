//! What is compiled, for which GPUs, and where its PTX is committed.

use std::path::{Path, PathBuf};

use crate::Error;

/// The kernels of a package.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct KernelPackage {
    /// The module that holds them, after which their PTX is named.
    pub name: String,
    /// The package that they are in.
    pub package: String,
    /// The folder of the package.
    pub folder: PathBuf,
    /// The file of the module, or of the crate if the whole crate is kernels: below `folder`.
    pub root: PathBuf,
    /// The folder of the committed PTX: below `folder`.
    pub committed: PathBuf,
    /// The GPUs that the PTX is for.
    pub target: PtxTarget,
    /// The crates besides the device library that the kernels use, by name.
    pub dependencies: Vec<(String, Dependency)>,
    /// The device library. A published package does without: it is not compiled.
    pub toolkit: Option<Toolkit>,
}

/// The GPUs that PTX is for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PtxTarget {
    /// The oldest GPU that it runs on: `sm_80`.
    pub arch: String,
    /// The version of the PTX language: `7.1`.
    pub ptx: String,
}

impl Default for PtxTarget {
    /// PTX 7.1 for sm_80: every driver for CUDA 11.1 or later compiles it, for any later GPU.
    fn default() -> PtxTarget {
        PtxTarget { arch: "sm_80".into(), ptx: "7.1".into() }
    }
}

/// The folders of the device library's packages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toolkit {
    /// The folder of `warpwise-device`.
    pub device: PathBuf,
    /// The folder of `warpwise-launch`.
    pub launch: PathBuf,
}

/// A crate that kernels use. It has to compile without `std`, and the package has to depend on it for
/// the host too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    pub(crate) source: DependencySource,
    pub(crate) features: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DependencySource {
    Kernels(PathBuf),
    Path(PathBuf),
    Version(String),
}

impl Dependency {
    /// The crate in a folder, relative to that of the package, of whose own dependencies only `warpwise-device` is for GPUs. It is compiled
    /// with a manifest that is made for it: neither its own nor a registry takes part. What it has of kernels becomes a part of the PTX.
    pub fn kernels(folder: impl Into<PathBuf>) -> Dependency {
        Dependency { source: DependencySource::Kernels(folder.into()), features: Vec::new() }
    }

    /// The crate in a folder, which is relative to that of the package.
    pub fn path(folder: impl Into<PathBuf>) -> Dependency {
        Dependency { source: DependencySource::Path(folder.into()), features: Vec::new() }
    }

    /// The crate of the registry with a version that fulfils `requirement`. The kernels get the version
    /// that the package's `Cargo.lock` names.
    pub fn version(requirement: &str) -> Dependency {
        Dependency { source: DependencySource::Version(requirement.into()), features: Vec::new() }
    }

    /// This dependency with features. The default ones are off for kernels, since they often need `std`.
    pub fn features(mut self, features: &[&str]) -> Dependency {
        self.features.extend(features.iter().map(|&feature| feature.to_owned()));
        self
    }
}

impl Toolkit {
    /// The toolkit below one folder, as in its repository.
    pub fn below(folder: &Path) -> Toolkit {
        Toolkit { device: folder.join("device"), launch: folder.join("launch") }
    }
}

/// How the compiler reaches the kernels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Entry {
    /// The file is the crate's own root.
    Crate,
    /// The file is a module of that name, and the crate around it is made for it.
    Module(String),
}

impl KernelPackage {
    /// The kernels in the module `name` of a package: `src/NAME.rs` or `src/NAME/mod.rs`, with their PTX in `ptx`.
    pub fn new(name: &str, package: &str, folder: &Path) -> KernelPackage {
        let file = PathBuf::from(format!("src/{name}.rs"));
        let root = if folder.join(&file).is_file() {
            file
        } else {
            PathBuf::from(format!("src/{name}/mod.rs"))
        };
        KernelPackage {
            name: name.to_owned(),
            package: package.to_owned(),
            folder: folder.to_owned(),
            root,
            committed: "ptx".into(),
            target: PtxTarget::default(),
            dependencies: Vec::new(),
            toolkit: None,
        }
    }

    /// The folder of the committed PTX.
    pub fn committed_folder(&self) -> PathBuf {
        self.folder.join(&self.committed)
    }

    /// The file of the committed PTX.
    pub fn committed_file(&self) -> PathBuf {
        self.committed_folder().join(format!("{}.ptx", self.name))
    }

    /// Whether a crate that the kernels use has a manifest of its own, which may name crates of a registry.
    pub(crate) fn uses_a_registry(&self) -> bool {
        let is_made = |source: &DependencySource| matches!(source, DependencySource::Kernels(_));
        !self.dependencies.iter().all(|(_, dependency)| is_made(&dependency.source))
    }

    /// Whether the package is one that was published. Its PTX is what its author committed: nothing of
    /// it was edited since, and the device library beside it may be a later one.
    pub fn is_published(&self) -> bool {
        self.folder.join("Cargo.toml.orig").is_file()
    }

    /// Checks that the kernels and the device library are there.
    ///
    /// # Errors
    /// Which of them is missing.
    pub fn check(&self) -> Result<(), Error> {
        let root = self.root_file();
        if !root.is_file() {
            let second = self.folder.join(format!("src/{}.rs", self.name));
            return Err(Error::NoKernels { first: root, second });
        }
        self.toolkit().map(|_| ())
    }

    pub(crate) fn toolkit(&self) -> Result<&Toolkit, Error> {
        let manifest = || self.folder.join("Cargo.toml");
        self.toolkit.as_ref().ok_or_else(|| Error::NoToolkit { manifest: manifest() })
    }

    pub(crate) fn root_file(&self) -> PathBuf {
        self.folder.join(&self.root)
    }

    pub(crate) fn entry(&self) -> Entry {
        let stem = |path: &Path| {
            path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
        };
        match stem(&self.root).as_str() {
            "lib" => Entry::Crate,
            "mod" => Entry::Module(self.root.parent().map(stem).unwrap_or_default()),
            module => Entry::Module(module.to_owned()),
        }
    }

    /// The folder that the root's modules are in.
    pub(crate) fn modules_folder(&self) -> PathBuf {
        let root = self.root_file();
        let folder = root.parent().map(Path::to_owned).unwrap_or_default();
        match root.file_stem().and_then(|stem| stem.to_str()) {
            Some("lib" | "mod") | None => folder,
            Some(stem) => folder.join(stem),
        }
    }
}
