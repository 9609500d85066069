//! The packages that are compiled for the device.
//!
//! Kernels that use no crates but such as these are compiled with manifests that name nothing outside, so that neither
//! a registry nor a lock file takes part. With dependencies the device library's own manifests
//! are used, so that a dependency on it is the same crate.

use std::path::{Path, PathBuf};

use crate::Error;
use crate::kernels::{Dependency, DependencySource, Entry, KernelPackage};

/// A manifest.
#[derive(Debug)]
pub(crate) struct Manifest {
    /// The folder to write it in, below the build's.
    pub folder: String,
    pub text: String,
    /// The root of its crate; `None` is one that is made for a module.
    pub root: Option<PathBuf>,
}

/// Where the paths of a manifest lead.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ManifestPaths {
    /// To the folders of this machine.
    Real,
    /// Paths as the package states them: the same on every machine.
    Stated,
}

/// What the package of kernels is called for the device compiler. A package that gets another name has the
/// same PTX.
pub(crate) const PACKAGE: &str = "kernels";

const PROFILE: &str = r#"
[profile.release]
opt-level = 3
debug = false
overflow-checks = false
panic = "abort"
lto = "fat"
codegen-units = 1
"#;

/// The manifests of the device build, the kernels' first.
pub(crate) fn manifests(
    kernels: &KernelPackage,
    paths: ManifestPaths,
) -> Result<Vec<Manifest>, Error> {
    let toolkit = kernels.toolkit()?;
    let root = (kernels.entry() == Entry::Crate).then(|| kernels.root_file());
    let own = package(PACKAGE);
    if !kernels.uses_a_registry() {
        let (uses, crates) = crates_of_kernels(kernels, "\"../device\"");
        let text = format!(
            "[workspace]\nmembers = [\"device\", \"launch\"]\nresolver = \"3\"\n\n{own}\n\
             [dependencies]\nwarpwise-device = {{ path = \"device\" }}\n{uses}{PROFILE}"
        );
        let device = package("warpwise-device")
            + "\n[dependencies]\nwarpwise-launch = { path = \"../launch\" }\n";
        let launch = package("warpwise-launch");
        let of_toolkit = |folder: &Path| Some(folder.join("src/lib.rs"));
        let mut made = vec![
            Manifest { folder: String::new(), text, root },
            Manifest { folder: "device".into(), text: device, root: of_toolkit(&toolkit.device) },
            Manifest { folder: "launch".into(), text: launch, root: of_toolkit(&toolkit.launch) },
        ];
        made.extend(crates);
        return Ok(made);
    }
    let path = |stated: &Path, real: PathBuf| match paths {
        ManifestPaths::Stated => format!("{:?}", stated.display().to_string()),
        ManifestPaths::Real => format!("{:?}", real.display().to_string()),
    };
    let device = path("device".as_ref(), toolkit.device.clone());
    let launch = path("launch".as_ref(), toolkit.launch.clone());
    let (uses, crates) = crates_of_kernels(kernels, &device);
    let mut text = format!(
        "[workspace]\nresolver = \"3\"\n\n{own}{PROFILE}\n[dependencies]\n\
         warpwise-device = {{ path = {device}, default-features = false }}\n{uses}"
    );
    for (name, Dependency { source, features }) in &kernels.dependencies {
        let source = match source {
            DependencySource::Kernels(_) => continue,
            DependencySource::Path(folder) => {
                format!("path = {}", path(folder, kernels.folder.join(folder)))
            }
            DependencySource::Version(requirement) => format!("version = {requirement:?}"),
        };
        text += &format!(
            "{name} = {{ {source}, default-features = false, features = {features:?} }}\n"
        );
    }
    // A dependency may use the device library too.
    text += &format!(
        "\n[patch.crates-io]\nwarpwise-device = {{ path = {device} }}\n\
         warpwise-launch = {{ path = {launch} }}\n"
    );
    let mut made = vec![Manifest { folder: String::new(), text, root }];
    made.extend(crates);
    Ok(made)
}

fn package(name: &str) -> String {
    format!("[package]\nname = {name:?}\nversion = \"0.0.0\"\nedition = \"2024\"\n")
}

/// The crates that use the device library alone, which lies at `device`: the dependencies that the kernels' own manifest names, and
/// their manifests.
fn crates_of_kernels(kernels: &KernelPackage, device: &str) -> (String, Vec<Manifest>) {
    let (mut uses, mut made) = (String::new(), Vec::new());
    for (name, Dependency { source, features }) in &kernels.dependencies {
        let DependencySource::Kernels(folder) = source else { continue };
        uses += &format!("{name} = {{ path = {name:?}, features = {features:?} }}\n");
        let declared: String = features.iter().map(|feature| format!("{feature} = []\n")).collect();
        let text = package(name)
            + &format!("\n[features]\n{declared}\n[dependencies]\n")
            + &format!("warpwise-device = {{ path = {device}, default-features = false }}\n");
        let root = Some(kernels.folder.join(folder).join("src/lib.rs"));
        made.push(Manifest { folder: name.clone(), text, root });
    }
    (uses, made)
}
