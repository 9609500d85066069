//! From the sources of kernels to one PTX module.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::Error;
use crate::kernels::{DependencySource, Entry, KernelPackage, PtxTarget};
use crate::manifests::{Manifest, ManifestPaths, PACKAGE, manifests};
use crate::ptx::Ptx;
use crate::source::{Sources, digest};
use crate::text::{with_launch_bounds, with_local_labels};
use crate::toolchain::{CoreSource, TARGET, Toolchain};

/// The flags that decide the generated code, for a target.
/// The module is the assembly output; `true` in the linker's place makes nothing of it, since not
/// every toolchain has the target's own linker.
pub fn flags(target: &PtxTarget) -> [String; 5] {
    [
        format!("-Ctarget-cpu={}", target.arch),
        format!("-Ctarget-feature=+ptx{}", target.ptx.replace('.', "")),
        // Loops over a thread's items must go away whole, or its arrays go to local memory.
        "-Cllvm-args=-unroll-threshold=20000".to_owned(),
        // The pass copies a barrier between two branches on one condition into both, and a warp waits at the two copies for ever.
        "-Zmir-enable-passes=-JumpThreading".to_owned(),
        "-Clinker=true".to_owned(),
    ]
}

/// What a crate of kernels has to say of itself. The compiler is told, so that the sources need not.
const CRATE_ATTRIBUTES: [&str; 3] =
    ["no_std", "feature(abi_ptx)", "feature(asm_experimental_arch)"];

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

/// Compiles the kernels, whose `sources` were read before, with build files in `out_dir/ptx`.
///
/// The same compiler makes the same bytes wherever the sources and `out_dir` lie. Without crates of a registry
/// this needs no network where the toolchain has a prebuilt `core`, or a source of it with its own
/// dependencies beside it.
///
/// # Errors
/// If the sources cannot be read, the compiler fails, or the module is not of the wanted PTX
/// version and target.
pub fn compile(
    kernels: &KernelPackage,
    sources: &Sources,
    toolchain: &Toolchain,
    out_dir: &Path,
) -> Result<Ptx, Error> {
    kernels.check()?;
    let kernels = &with_absolute_paths(kernels)?;
    let flags = flags(&kernels.target);
    let manifests = manifests(kernels, ManifestPaths::Real)?;
    // A folder a compiler: cargo takes the other's module for its own where it finds nothing to do.
    let settings = [toolchain.version.as_str()].into_iter().chain(flags.iter().map(String::as_str));
    let settings = settings.chain(manifests.iter().map(|manifest| manifest.text.as_str()));
    let settings = digest(settings.map(str::as_bytes));
    let out_dir = &out_dir.join("ptx").join(&settings[..16]);
    fs::create_dir_all(out_dir).map_err(Error::io(out_dir))?;
    let out_dir = absolute(out_dir)?;
    let made = out_dir.join("root.rs");
    if let Entry::Module(name) = kernels.entry() {
        let path = kernels.root_file().display().to_string();
        let text = format!("#[path = {path:?}]\npub mod {name};\n");
        write_if_changed(&made, &text)?;
    }
    for Manifest { folder, text, root } in &manifests {
        let root = root.as_ref().unwrap_or(&made);
        let text = format!("{text}\n[lib]\npath = {:?}\n", root.display().to_string());
        write_if_changed(&out_dir.join(folder).join("Cargo.toml"), &text)?;
    }

    let module = out_dir.join("module.s");
    let output = build(kernels, toolchain, &out_dir, &module)?;
    if !output.status.success() {
        let log = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Error::Compile { toolchain: toolchain.to_string(), log });
    }
    let code = fs::read_to_string(&module).map_err(Error::io(&module))?;
    let code = with_launch_bounds(&code).map_err(Error::bad(&module))?;
    for head in head(&kernels.target) {
        if !code.lines().any(|line| line.trim_end() == head) {
            let what = format!("{toolchain} made a module without the line `{head}`");
            return Err(Error::BadPtx { path: module, what });
        }
    }
    Ok(Ptx {
        title: kernels.package.clone(),
        source_hash: sources.hash(),
        rustc: toolchain.version.clone(),
        flags: flags.join(" "),
        code: with_local_labels(&code),
    })
}

/// What the head of a module for a target says.
fn head(target: &PtxTarget) -> [String; 2] {
    [format!(".version {}", target.ptx), format!(".target {}", target.arch)]
}

/// Runs the device compiler. With dependencies, the registry's copies on this machine are tried before the
/// network.
fn build(
    kernels: &KernelPackage,
    toolchain: &Toolchain,
    out_dir: &Path,
    module: &Path,
) -> Result<Output, Error> {
    let run = |offline: bool| {
        let mut command = command(kernels, toolchain, out_dir, module, offline)?;
        command.output().map_err(Error::io(&toolchain.cargo))
    };
    if !kernels.uses_a_registry() {
        return run(toolchain.core_is_at_hand());
    }
    if let Some(lock) = lock_file(&kernels.folder) {
        // The versions that the host's build has.
        let to = out_dir.join("Cargo.lock");
        fs::copy(&lock, &to).map_err(Error::io(&to))?;
    }
    let output = run(true)?;
    if output.status.success() { Ok(output) } else { run(false) }
}

/// The lock file of the workspace that a package is in.
fn lock_file(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().map(|folder| folder.join("Cargo.lock")).find(|lock| lock.is_file())
}

fn command(
    kernels: &KernelPackage,
    toolchain: &Toolchain,
    out_dir: &Path,
    module: &Path,
    offline: bool,
) -> Result<Command, Error> {
    let mut command = Command::new(&toolchain.cargo);
    command.env_clear().envs(KEPT.iter().filter_map(|key| Some((key, env::var_os(key)?))));
    let toolkit = kernels.toolkit()?;
    // No path of this machine gets into the module.
    let mut remapped = vec![
        (toolkit.device.clone(), "toolkit/device"),
        (toolkit.launch.clone(), "toolkit/launch"),
        (toolchain.sysroot.join("lib/rustlib/src/rust"), "rust"),
        (out_dir.to_owned(), "build"),
    ];
    for (name, dependency) in &kernels.dependencies {
        if let DependencySource::Kernels(folder) = &dependency.source {
            remapped.push((folder.clone(), name));
        }
    }
    let remap = |from: &Path, to: &str| format!("--remap-path-prefix={}={to}", from.display());
    let remapped = remapped.iter().map(|(from, to)| remap(from, to));
    // The separator that cargo takes, so that a path may hold a space.
    let flags: Vec<String> = flags(&kernels.target).into_iter().chain(remapped).collect();
    command
        .current_dir(out_dir)
        .env("RUSTC", &toolchain.rustc)
        // The kernel ABI and the PTX intrinsics are unstable features.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTUP_AUTO_INSTALL", "0")
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"))
        .args(["rustc", "--quiet", "--release", "--target", TARGET])
        .args(["--package", PACKAGE, "--lib", "--crate-type", "cdylib"])
        .arg("--target-dir")
        .arg(out_dir.join("target"));
    if offline {
        command.arg("--offline");
    }
    if let CoreSource::Source(library) = &toolchain.core {
        command.arg("-Zbuild-std=core");
        let vendor = library.join("vendor");
        // The kernels' dependencies are not in that folder.
        if !kernels.uses_a_registry() && vendor.is_dir() {
            let folder = format!("source.rust-src.directory={:?}", vendor.display().to_string());
            command
                .args(["--config", "source.crates-io.replace-with=\"rust-src\""])
                .args(["--config", &folder]);
        }
    }
    // Flags of the kernels' crate alone: `core` is not compiled anew for another package.
    command.args(["--", "--cap-lints=allow"]).arg(remap(&kernels.folder, "kernels"));
    command.args(CRATE_ATTRIBUTES.map(|attribute| format!("-Zcrate-attr={attribute}")));
    command.arg(format!("--emit=asm={}", module.display()));
    Ok(command)
}

/// The kernels by paths that hold in another folder.
fn with_absolute_paths(kernels: &KernelPackage) -> Result<KernelPackage, Error> {
    let mut kernels = kernels.clone();
    kernels.folder = absolute(&kernels.folder)?;
    if let Some(toolkit) = &mut kernels.toolkit {
        toolkit.device = absolute(&toolkit.device)?;
        toolkit.launch = absolute(&toolkit.launch)?;
    }
    for (_, dependency) in &mut kernels.dependencies {
        let (DependencySource::Kernels(folder) | DependencySource::Path(folder)) =
            &mut dependency.source
        else {
            continue;
        };
        *folder = absolute(&kernels.folder.join(&*folder))?;
    }
    Ok(kernels)
}

fn absolute(path: &Path) -> Result<PathBuf, Error> {
    path.canonicalize().map_err(Error::io(path))
}

/// Leaves a file alone that says this already: cargo would compile everything anew.
fn write_if_changed(path: &Path, text: &str) -> Result<(), Error> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).map_err(Error::io(folder))?;
    fs::write(path, text).map_err(Error::io(path))
}
