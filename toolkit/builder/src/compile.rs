//! From kernel sources to one PTX module.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::ptx::Ptx;
use crate::source::{Sources, digest};
use crate::toolchain::{Core, TARGET, Toolchain};
use crate::{Error, bounds};

/// What decides the generated code. PTX 7.1 for sm_80: a driver compiles it for any later GPU.
/// The module is the assembly output; `true` in the linker's place makes nothing of it, since not
/// every toolchain has the target's own linker.
pub const FLAGS: [&str; 4] = [
    "-Ctarget-cpu=sm_80",
    "-Ctarget-feature=+ptx71",
    // Loops over a thread's items must go away whole, or its arrays go to local memory.
    "-Cllvm-args=-unroll-threshold=20000",
    "-Clinker=true",
];

/// What the head of the module must say, for [`FLAGS`].
const HEAD: [&str; 2] = [".version 7.1", ".target sm_80"];

/// The crates that are compiled for the device, by the folders of their manifests: the kernels
/// first. No dependency of the host's code is resolved, so no registry and no lock file take part.
pub(crate) const MANIFESTS: [(&str, &str); 3] = [
    (
        "",
        r#"[workspace]
members = ["device", "launch"]
resolver = "3"

[package]
name = "tribin-kernels"
version = "0.0.0"
edition = "2024"

[dependencies]
tribin-device = { path = "device" }

[lints.rust]
unsafe_op_in_unsafe_fn = "allow"

[profile.release]
opt-level = 3
debug = false
overflow-checks = false
panic = "abort"
lto = "fat"
codegen-units = 1
"#,
    ),
    (
        "device",
        r#"[package]
name = "tribin-device"
version = "0.0.0"
edition = "2024"

[dependencies]
tribin-launch = { path = "../launch" }

[lints.rust]
unsafe_op_in_unsafe_fn = "allow"
"#,
    ),
    (
        "launch",
        r#"[package]
name = "tribin-launch"
version = "0.0.0"
edition = "2024"
"#,
    ),
];

/// What of the environment reaches the device compiler. A build script runs under a cargo whose
/// variables (wrappers such as clippy's, flags, target folder, library path) are the host's.
const KEPT: [&str; 11] = [
    "PATH",
    "HOME",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "TMPDIR",
    "TMP",
    "TEMP",
    "LANG",
    "USERPROFILE",
    "SYSTEMROOT",
];

/// Compiles the kernels with build files below `out_dir`.
///
/// The same compiler makes the same bytes wherever the sources and `out_dir` lie. Needs no network
/// where the toolchain has a prebuilt `core`, or a source of it with its dependencies beside it.
///
/// # Errors
/// If the sources cannot be read, the compiler fails, or the module is not of the wanted PTX
/// version and target.
pub fn compile(sources: &Sources, toolchain: &Toolchain, out_dir: &Path) -> Result<Ptx, Error> {
    let absolute = |path: &Path| path.canonicalize().map_err(Error::io(path));
    let sources =
        &Sources { kernels: absolute(&sources.kernels)?, toolkit: absolute(&sources.toolkit)? };
    let hash = sources.hash()?;
    // A folder a compiler: cargo takes the other's module for its own where it finds nothing to do.
    let settings = [toolchain.version.as_str()].into_iter().chain(FLAGS);
    let settings = settings.chain(MANIFESTS.into_iter().map(|(_, manifest)| manifest));
    let settings = digest(settings.map(str::as_bytes));
    let out_dir = &out_dir.join(&settings[..16]);
    fs::create_dir_all(out_dir).map_err(Error::io(out_dir))?;
    let out_dir = absolute(out_dir)?;
    for (folder, manifest) in MANIFESTS {
        let package = match folder {
            "" => sources.kernels.clone(),
            folder => sources.toolkit.join(folder),
        };
        write_manifest(&out_dir.join(folder), manifest, &package.join("src/lib.rs"))?;
    }

    let module = out_dir.join("module.s");
    let output = command(sources, toolchain, &out_dir, &module)
        .output()
        .map_err(Error::io(&toolchain.cargo))?;
    if !output.status.success() {
        let log = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Error::Compile { toolchain: toolchain.to_string(), log });
    }
    let code = fs::read_to_string(&module).map_err(Error::io(&module))?;
    let code = bounds::apply(&code).map_err(|what| Error::BadPtx { path: module.clone(), what })?;
    for head in HEAD {
        if !code.lines().any(|line| line.trim_end() == head) {
            let what = format!("{toolchain} made a module without the line `{head}`");
            return Err(Error::BadPtx { path: module, what });
        }
    }
    Ok(Ptx { source_hash: hash, rustc: toolchain.version.clone(), flags: FLAGS.join(" "), code })
}

fn command(sources: &Sources, toolchain: &Toolchain, out_dir: &Path, module: &Path) -> Command {
    let mut command = Command::new(&toolchain.cargo);
    command.env_clear().envs(KEPT.iter().filter_map(|key| Some((key, env::var_os(key)?))));
    // The separator that cargo takes, so that a path may hold a space.
    let flags: Vec<String> = FLAGS
        .iter()
        .map(|flag| (*flag).to_owned())
        .chain([
            format!("--remap-path-prefix={}=kernels", sources.kernels.display()),
            format!("--remap-path-prefix={}=toolkit", sources.toolkit.display()),
            format!(
                "--remap-path-prefix={}=rust",
                toolchain.sysroot.join("lib/rustlib/src/rust").display()
            ),
        ])
        .collect();
    command
        .current_dir(out_dir)
        .env("RUSTC", &toolchain.rustc)
        // The kernel ABI and the PTX intrinsics are unstable features.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTUP_AUTO_INSTALL", "0")
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"))
        .args(["rustc", "--quiet", "--release", "--target", TARGET])
        .args(["--package", "tribin-kernels", "--lib", "--crate-type", "cdylib"])
        .arg("--target-dir")
        .arg(out_dir.join("target"));
    match &toolchain.core {
        Core::Prebuilt => {
            command.arg("--offline");
        }
        Core::Source(library) => {
            command.arg("-Zbuild-std=core");
            let vendor = library.join("vendor");
            if vendor.is_dir() {
                let folder =
                    format!("source.rust-src.directory={:?}", vendor.display().to_string());
                command
                    .arg("--offline")
                    .args(["--config", "source.crates-io.replace-with=\"rust-src\""])
                    .args(["--config", &folder]);
            }
        }
    }
    command.arg("--").arg(format!("--emit=asm={}", module.display()));
    command
}

fn write_manifest(folder: &Path, manifest: &str, root: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(Error::io(folder))?;
    let path = folder.join("Cargo.toml");
    let text = format!("{manifest}\n[lib]\npath = {:?}\n", root.display().to_string());
    fs::write(&path, text).map_err(Error::io(&path))
}
