//! `cargo xtask bundle`: what tests and benches need on a machine without Rust, in one folder.

use std::collections::BTreeSet;
use std::env;
use std::env::consts::{ARCH, OS};
use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use cargo_metadata::{Artifact, Message, MetadataCommand, Package, TargetKind};

use crate::ci::{output, step};
use crate::paths;

/// Bytes that a bundle may not reach.
const LIMIT: u64 = 60_000_000;

/// The list of executables in a bundle: kind, folder and path.
pub const MANIFEST: &str = "MANIFEST.tsv";
/// Each executable has the same libraries linked in, megabytes apart from where another has them. So the dictionary reaches
/// over four of the largest. A higher preset takes minutes more, and saves a tenth.
const XZ: &str = "xz --lzma2=preset=3,dict=192MiB";

/// Test binaries of the package `tribin` that launch kernels.
const KERNEL_TESTS: [&str; 2] = ["kernels", "library"];

#[derive(clap::Args)]
pub struct Args {
    /// Run the bundle's tests afterwards
    #[arg(long)]
    pub check: bool,
}

pub fn run(args: &Args) -> Result<()> {
    let name = format!("tribin-{}-{ARCH}-{OS}", env!("CARGO_PKG_VERSION"));
    let folder = paths::target().join("bundle");
    let (out, archive) = (folder.join(&name), folder.join(format!("{name}.tar.xz")));
    if out.exists() {
        fs::remove_dir_all(&out).with_context(|| out.display().to_string())?;
    }
    repository(&out)?;
    if paths::data().is_dir() {
        paths::copy(&paths::data(), &out.join("shared/data"))?;
    } else {
        println!("no {}: the bundle has no reference graphs", paths::data().display());
    }
    let mut executables = executables()?;
    // It runs the tests there.
    executables.push(("command\t-\txtask".to_owned(), env::current_exe()?));
    let mut manifest = BTreeSet::new();
    for (line, built) in executables {
        let path = line.rsplit('\t').next().expect("a path is last");
        let to = out.join(path);
        fs::create_dir_all(to.parent().expect("it lies in the bundle"))?;
        output(Command::new("strip").arg("-o").arg(&to).arg(&built))?;
        if !manifest.insert(line.clone()) {
            bail!("two executables would be {path}");
        }
    }
    let list: String = manifest.iter().map(|line| format!("{line}\n")).collect();
    fs::write(out.join(MANIFEST), list)?;
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "-I", XZ, "-cf"]).arg(&archive).arg("-C").arg(&folder).arg(&name);
    output(&mut tar)?;
    let bytes = fs::metadata(&archive)?.len();
    let glibc = output(Command::new("getconf").arg("GNU_LIBC_VERSION"))?;
    println!("{}: {} executables, {bytes} bytes", archive.display(), manifest.len());
    println!("    it needs {} or later", glibc.trim_end());
    if bytes >= LIMIT {
        bail!("the bundle has {bytes} bytes and must have less than {LIMIT}");
    }
    if !args.check {
        return Ok(());
    }
    let mut tests = Command::new(out.join("xtask"));
    // Logs do not become a part of it.
    tests.arg("run-tests").arg("--logs").arg(folder.join("logs"));
    step("the tests of the bundle", &mut tests)
}

/// Copies the project's own files, which tests read.
fn repository(out: &Path) -> Result<()> {
    let mut list = Command::new("git");
    list.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    for name in output(list.current_dir(paths::root()))?.split_terminator('\0') {
        let from = paths::root().join(name);
        // A file that was deleted is listed until that is committed.
        if from.is_file() {
            let to = out.join("repository").join(name);
            fs::create_dir_all(to.parent().expect("it lies in the bundle"))?;
            fs::copy(&from, &to).with_context(|| from.display().to_string())?;
        }
    }
    Ok(())
}

/// Builds every test, bench and the command. Returns the lines of the manifest with what was built.
fn executables() -> Result<Vec<(String, PathBuf)>> {
    let metadata = MetadataCommand::new().current_dir(paths::root()).no_deps().exec()?;
    let mut found = Vec::new();
    for args in [
        ["test", "--release", "--workspace", "--all-features", "--no-run"].as_slice(),
        &["bench", "--workspace", "--all-features", "--no-run", "--bench", "*"],
    ] {
        println!("==> cargo {}", args.join(" "));
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(args)
            .arg("--message-format=json-render-diagnostics")
            .current_dir(paths::root())
            .stdout(Stdio::piped())
            .spawn()
            .context("cargo cannot be run")?;
        let messages = BufReader::new(cargo.stdout.take().expect("it is piped"));
        for message in Message::parse_stream(messages) {
            let Message::CompilerArtifact(artifact) = message? else { continue };
            let package = metadata.packages.iter().find(|one| one.id == artifact.package_id);
            let line = package.and_then(|package| line(&artifact, package));
            if let (Some(built), Some(line)) = (artifact.executable, line) {
                // Both calls name the command.
                if !found.iter().any(|(other, _)| *other == line) {
                    found.push((line, built.into_std_path_buf()));
                }
            }
        }
        let status = cargo.wait()?;
        if !status.success() {
            bail!("cargo {}: {status}", args.join(" "));
        }
    }
    if !found.iter().any(|(line, _)| line.ends_with("bin/tribin")) {
        bail!("cargo built no command");
    }
    Ok(found)
}

/// The line of an executable in the manifest: its kind, the folder below the root in which tests run, and its path.
fn line(artifact: &Artifact, package: &Package) -> Option<String> {
    let (name, kinds) = (&artifact.target.name, &artifact.target.kind);
    if kinds.contains(&TargetKind::Bench) {
        return Some(format!("bench\t-\tbenches/{name}"));
    }
    if !artifact.profile.test {
        let is_command = kinds.contains(&TargetKind::Bin) && name == "tribin";
        return is_command.then(|| "command\t-\tbin/tribin".to_owned());
    }
    let target = match kinds.first() {
        Some(TargetKind::Test) => name.clone(),
        Some(TargetKind::Bin) => format!("bin-{name}"),
        _ => "lib".to_owned(),
    };
    let launches = package.name == "tribin" && KERNEL_TESTS.contains(&target.as_str());
    let kind = if launches { "kernel-test" } else { "test" };
    let folder = package.manifest_path.parent()?.strip_prefix(paths::root()).ok()?.as_str();
    let folder = if folder.is_empty() { "." } else { folder };
    Some(format!("{kind}\t{folder}\ttests/{}.{target}", package.name))
}
