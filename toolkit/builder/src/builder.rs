//! What a build script calls.

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::compile::compile;
use crate::embed::{Embedded, embed};
use crate::kernels::{Dependency, KernelPackage, Toolkit};
use crate::source::Sources;
use crate::toolchain::{Search, Toolchain, VARIABLE};
use crate::{Error, check, committed, cubins};

/// The variable that says what becomes of the committed PTX: `write` or `check`.
const COMMIT: &str = "WARPWISE_PTX_COMMIT";

/// Compiles the kernels of a package from its build script.
///
/// ```no_run
/// use warpwise_ptx_builder::{Builder, Dependency};
///
/// fn main() -> std::process::ExitCode {
///     Builder::new("kernels")
///         .arch("sm_90")
///         .dependency("libm", Dependency::version("0.2"))
///         .build()
/// }
/// ```
///
/// The kernels are the module `src/kernels.rs` or `src/kernels/mod.rs` with what is below it. The module is compiled for
/// the host as a part of the package, and for GPUs as a crate of its own: it may use
/// `warpwise_device`, the [dependencies](Builder::dependency) named here and itself, but not the rest of
/// the package. The package depends on `warpwise-device`.
///
/// The PTX is embedded with `include_str!(env!("KERNELS_PTX"))`. It is, in this order,
///
/// 1. the committed one, in the folder `ptx`, if it was made of these sources;
/// 2. what a rustc of this machine makes of them;
/// 3. a comment that says why there is none. The build goes on with a warning, and the kernels
///    run in the emulator.
///
/// Machine code may lie beside the committed PTX, in the folder `cubin` (see [`cubins`](crate::cubins)). It is embedded
/// with `include!(env!("KERNELS_CUBINS"))`, a slice of compute capabilities and bytes, which is empty where that machine
/// code is missing or of other PTX.
///
/// These variables change what a build does:
///
/// | variable | value | the build |
/// | --- | --- | --- |
/// | `WARPWISE_PTX_COMMIT` | `write` | compiles, and writes the file to commit |
/// | `WARPWISE_PTX_COMMIT` | `check` | compiles, and fails if the committed file is not what the sources make |
/// | `WARPWISE_DEVICE_RUSTC` | a path | compiles with that rustc |
#[derive(Debug, Clone)]
pub struct Builder {
    kernels: KernelPackage,
    variable: String,
    required: bool,
    wanted_toolkit: Option<Toolkit>,
}

impl Builder {
    /// The kernels in the module `name` of the package whose build script this is.
    pub fn new(name: &str) -> Builder {
        let folder = env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| ".".into(), PathBuf::from);
        let package = env::var("CARGO_PKG_NAME").unwrap_or_else(|_| name.to_owned());
        Builder {
            kernels: KernelPackage::new(name, &package, &folder),
            variable: format!("{}_PTX", name.to_uppercase().replace('-', "_")),
            required: false,
            wanted_toolkit: None,
        }
    }

    /// The kernels are those of another package, `name` in `folder`. Whoever embeds another's kernels learns the folder from the
    /// metadata that the other's build script prints, in a variable such as `DEP_NAME_FOLDER`, and depends on `warpwise-device` as well.
    pub fn package(mut self, name: &str, folder: impl Into<PathBuf>) -> Builder {
        self.kernels.package = name.to_owned();
        self.kernels.folder = folder.into();
        self
    }

    /// The oldest GPU that the PTX runs on; `sm_80` if nothing is said. The driver compiles PTX for any
    /// later GPU.
    pub fn arch(mut self, arch: &str) -> Builder {
        self.kernels.target.arch = arch.to_owned();
        self
    }

    /// The version of the PTX language; `7.1` if nothing is said. A later one needs a later driver.
    pub fn ptx_version(mut self, version: &str) -> Builder {
        self.kernels.target.ptx = version.to_owned();
        self
    }

    /// The file of the module, relative to the package. If it is called `lib.rs`, the crate is kernels and
    /// nothing else.
    pub fn root(mut self, file: impl Into<PathBuf>) -> Builder {
        self.kernels.root = file.into();
        self
    }

    /// The folder of the committed PTX, relative to the package; `ptx` if nothing is said.
    pub fn committed(mut self, folder: impl Into<PathBuf>) -> Builder {
        self.kernels.committed = folder.into();
        self
    }

    /// A crate that the kernels use: any that compiles without `std`. It needs the registry, or its
    /// copies on this machine, when the kernels are compiled.
    pub fn dependency(mut self, name: &str, dependency: Dependency) -> Builder {
        self.kernels.dependencies.push((name.to_owned(), dependency));
        self
    }

    /// The environment variable by which the crate embeds the PTX; `KERNELS_PTX` for the module `kernels`
    /// if nothing is said. That of the machine code has `_CUBINS` in the place of `_PTX`.
    pub fn variable(mut self, name: &str) -> Builder {
        self.variable = name.to_owned();
        self
    }

    /// Lets the build fail where there is no PTX.
    pub fn required(mut self) -> Builder {
        self.required = true;
        self
    }

    /// The device library in other folders than those of the package's dependency `warpwise-device`.
    pub fn toolkit(mut self, toolkit: Toolkit) -> Builder {
        self.wanted_toolkit = Some(toolkit);
        self
    }

    /// The kernels that are compiled, for tools that work on the same kernels.
    pub fn into_kernels(mut self) -> KernelPackage {
        self.kernels.toolkit = self.wanted_toolkit.or_else(toolkit_from_env);
        self.kernels
    }

    /// Chooses the PTX, and tells cargo where it is and what to watch. What a build script's `main`
    /// returns.
    pub fn build(self) -> ExitCode {
        let (variable, required) = (self.variable.clone(), self.required);
        let kernels = self.into_kernels();
        match run(&kernels, required) {
            Ok(embedded) => {
                println!("cargo::rustc-env={variable}={}", embedded.path.display());
                let cubins = embedded.cubins.display();
                println!("cargo::rustc-env={}={cubins}", cubins_variable(&variable));
                match embedded.ptx {
                    Ok(ptx) => {
                        for defect in check::scan(&ptx.code) {
                            println!("cargo::warning={defect}");
                        }
                    }
                    Err(why) => each_line("warning", &why),
                }
                ExitCode::SUCCESS
            }
            Err(error) => {
                each_line("error", &error.to_string());
                ExitCode::FAILURE
            }
        }
    }
}

/// `KERNELS_CUBINS` beside `KERNELS_PTX`.
fn cubins_variable(ptx: &str) -> String {
    format!("{}_CUBINS", ptx.strip_suffix("_PTX").unwrap_or(ptx))
}

fn each_line(kind: &str, text: &str) {
    for line in text.lines() {
        println!("cargo::{kind}={line}");
    }
}

/// Where the build of the dependency `warpwise-device` says that its sources are.
fn toolkit_from_env() -> Option<Toolkit> {
    let folder = |variable: &str| env::var_os(variable).map(PathBuf::from);
    Some(Toolkit {
        device: folder("DEP_WARPWISE_DEVICE_FOLDER")?,
        launch: folder("DEP_WARPWISE_DEVICE_LAUNCH_FOLDER")?,
    })
}

fn run(kernels: &KernelPackage, required: bool) -> Result<Embedded, Error> {
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    println!("cargo::rerun-if-env-changed={COMMIT}");
    for path in Sources::watched(kernels)? {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    if cubins::folder(kernels).is_dir() {
        println!("cargo::rerun-if-changed={}", cubins::folder(kernels).display());
    }
    let out_dir = env::var_os("OUT_DIR").map_or_else(env::temp_dir, PathBuf::from);
    let search = Search::from_env();
    if let Some(value) = env::var_os(COMMIT).filter(|value| !value.is_empty()) {
        let sources = Sources::read(kernels)?;
        let fresh = || {
            let toolchain = Toolchain::find(&search)?;
            compile(kernels, &sources, &toolchain, &out_dir)
        };
        match &*value.to_string_lossy() {
            "write" => committed::write(kernels, &fresh()?)?,
            "check" => {
                if let Some(stale) = committed::difference(kernels, &fresh()?) {
                    let refresh = format!("build with {COMMIT}=write, and commit the file");
                    return Err(Error::Stale { stale, refresh });
                }
            }
            other => {
                let value = other.to_owned();
                return Err(Error::Variable {
                    variable: COMMIT,
                    value,
                    expected: "write or check",
                });
            }
        }
    }
    embed(kernels, &out_dir, &search, required)
}
