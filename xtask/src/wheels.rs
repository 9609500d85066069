//! `cargo xtask wheels`: all that is uploaded of the Python packages, made and looked at.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::ci::step;
use crate::paths;
use crate::python::{self, Environments};

#[derive(clap::Args)]
pub struct Args {
    /// Make the wheels of these machines only
    #[arg(long = "target", value_name = "TRIPLE", default_values_t = TARGETS.map(String::from))]
    targets: Vec<String>,
}

impl Args {
    /// The wheels of every machine.
    pub fn every_machine() -> Args {
        Args { targets: TARGETS.map(String::from).to_vec() }
    }
}

/// The machines that there are wheels for.
const TARGETS: [&str; 2] = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];

/// The oldest glibc that wheels run with: that of RHEL 8, Debian 11 and Ubuntu 20.04.
const COMPATIBILITY: &str = "manylinux_2_28";

/// The Pythons: those with the lock from 3.10 on, 3.14 without it, and all from 3.15 on.
const PYTHONS: [&str; 3] = ["3.10", "3.14t", "3.15t"];

pub fn run(args: &Args) -> Result<()> {
    let Some(environments) = python::environments()? else {
        bail!("wheels are made with Python: install what is missing");
    };
    let folder = paths::target().join("python");
    let (dist, sources) = (folder.join("dist"), paths::root().join("python"));
    if dist.exists() {
        fs::remove_dir_all(&dist)?;
    }
    let builder = environments.make(&folder.join("builder"))?;
    let tools = ["install", "--upgrade", "maturin>=1.9,<2", "ziglang", "twine", "build"];
    python::pip(&builder, "install what builds wheels for other machines", &tools)?;
    let maturin = |what: &str| {
        let mut maturin = Command::new(builder.join("bin/maturin"));
        maturin.arg(what).arg("--manifest-path").arg(sources.join("Cargo.toml"));
        maturin.arg("--out").arg(&dist).env("CARGO_TARGET_DIR", folder.join("release"));
        maturin
    };
    step("maturin sdist", &mut maturin("sdist"))?;
    for target in &args.targets {
        let mut add = Command::new("rustup");
        step(&format!("rustup target add {target}"), add.args(["target", "add", target]))?;
        for version in PYTHONS {
            let mut build = maturin("build");
            build.args(["--profile", "wheel", "--zig", "--compatibility", COMPATIBILITY]);
            build.args(["--compression-level", "9"]);
            build.args(["--target", target]);
            build.args(["--interpreter", &format!("python{version}")]);
            build.env("PYO3_CONFIG_FILE", described(&folder, target, version)?);
            let title = format!("maturin build --target {target} --interpreter python{version}");
            // The linker is zig's, in the environment of the builder.
            let path = env::var_os("PATH").unwrap_or_default();
            let path = [builder.join("bin")].into_iter().chain(env::split_paths(&path));
            build.env("PATH", env::join_paths(path)?);
            step(&title, &mut build)?;
        }
    }
    let backend = folder.join("nx-tribin");
    paths::copy(&sources.join("nx-tribin"), &backend)?;
    let mut build = Command::new(builder.join("bin/python"));
    build.args(["-m", "build", "--outdir"]).arg(&dist).arg(&backend);
    step("python -m build nx-tribin", &mut build)?;

    let mut check = Command::new(builder.join("bin/python"));
    check.arg(sources.join("release/check.py")).arg(&dist);
    step("python/release/check.py", &mut check)?;
    let mut twine = Command::new(builder.join("bin/python"));
    twine.args(["-m", "twine", "check", "--strict"]);
    for entry in fs::read_dir(&dist)? {
        twine.arg(entry?.path());
    }
    step("twine check --strict", &mut twine)?;
    try_out(&environments, &builder, &folder, args)?;
    println!("    ready to upload: {}", dist.display());
    Ok(())
}

/// Does what users do: installs the wheel of this machine, and builds one of the sources.
fn try_out(environments: &Environments, builder: &Path, folder: &Path, args: &Args) -> Result<()> {
    let (machine, version) = (env::consts::ARCH, env!("CARGO_PKG_VERSION"));
    let dist = folder.join("dist");
    if args.targets.iter().any(|target| target.starts_with(machine)) {
        let prefix = format!("tribin-{version}-cp310-abi3-{COMPATIBILITY}_{machine}");
        python::try_wheel(environments, folder, &python::only_wheel(&dist, &prefix)?)?;
    }
    let sources = dist.join(format!("tribin-{version}.tar.gz")).display().to_string();
    let built = folder.join("of-sources").display().to_string();
    let build = ["wheel", "--no-deps", "--wheel-dir", &built, &sources];
    python::pip(builder, "build a wheel of the sources", &build)
}

/// What PyO3 and maturin are told of a Python, which need not be on this machine: nothing is linked with it.
fn described(folder: &Path, target: &str, version: &str) -> Result<PathBuf> {
    let machine = target.split('-').next().context("a target begins with its machine")?;
    let path = folder.join(format!("python{version}-{machine}.txt"));
    let tag = version.replace('.', "");
    let mut text = format!(
        "implementation=CPython\nversion={}\nshared=true\npointer_width=64\nabi_tag={tag}\n\
         suppress_build_script_link_lines=true\next_suffix=.cpython-{tag}-{machine}-linux-gnu.so\n",
        version.trim_end_matches('t')
    );
    if version.ends_with('t') {
        text += "abiflags=t\nbuild_flags=Py_GIL_DISABLED\n";
    }
    fs::write(&path, text)?;
    Ok(path)
}
