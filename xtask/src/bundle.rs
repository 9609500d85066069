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

use crate::ci::output;
use crate::paths;

/// Bytes that a bundle may not reach.
const LIMIT: u64 = 60_000_000;

/// The list of executables, which the scripts read: kind, folder and path.
const MANIFEST: &str = "MANIFEST.tsv";
/// What the executables are packed into.
const ARCHIVE: &str = "executables.tar.xz";
/// Where the executables are in it, and in a bundle once a script has unpacked it.
const FOLDERS: [&str; 3] = ["benches", "bin", "tests"];
/// Each executable has the same libraries linked in, megabytes apart from where another has them. So the dictionary reaches
/// over four of the largest. A higher preset takes minutes more, and saves a tenth.
const XZ: &str = "xz --lzma2=preset=3,dict=192MiB";

const RUN_TESTS: &str = include_str!("../bundle/run-tests");
const RUN_BENCHES: &str = include_str!("../bundle/run-benches");
const UNPACK: &str = include_str!("../bundle/unpack.sh");
const README: &str = include_str!("../bundle/README.txt");

/// Test binaries of the package `tribin` that launch kernels.
const KERNEL_TESTS: [&str; 2] = ["kernels", "library"];

#[derive(clap::Args)]
pub struct Args {
    /// The folder to write [default: target/bundle/tribin-VERSION-x86_64-linux]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Run the bundle's tests afterwards
    #[arg(long)]
    pub check: bool,
}

pub fn run(args: &Args) -> Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    let name = format!("tribin-{version}-{ARCH}-{OS}");
    let out = args.out.clone().unwrap_or_else(|| paths::target().join("bundle").join(name));
    clear(&out)?;
    repository(&out)?;
    if paths::data().is_dir() {
        paths::copy(&paths::data(), &out.join("shared/data"))?;
    } else {
        println!("no {}: the bundle has no reference graphs", paths::data().display());
    }
    let mut manifest = BTreeSet::new();
    for (line, built) in executables()? {
        let path = line.rsplit('\t').next().expect("a path is last");
        let to = out.join(path);
        fs::create_dir_all(to.parent().expect("it lies in the bundle"))?;
        output(Command::new("strip").arg("-o").arg(&to).arg(&built))?;
        if !manifest.insert(line.clone()) {
            bail!("two executables would be {path}");
        }
    }
    pack(&out)?;
    let list: String = manifest.iter().map(|line| format!("{line}\n")).collect();
    fs::write(out.join(MANIFEST), list)?;
    fs::write(out.join("unpack.sh"), UNPACK)?;
    for (name, text) in [("run-tests", RUN_TESTS), ("run-benches", RUN_BENCHES)] {
        executable(&out.join(name), text)?;
    }
    let readme = README
        .replace("VERSION", version)
        .replace("TARGET", &format!("{ARCH}-{OS}"))
        .replace("GLIBC", output(Command::new("getconf").arg("GNU_LIBC_VERSION"))?.trim_end());
    fs::write(out.join("README.txt"), readme)?;
    let bytes = bytes_below(&out)?;
    println!("{}: {} executables, {:.1} MB", out.display(), manifest.len(), bytes as f64 / 1e6);
    if bytes >= LIMIT {
        bail!("the bundle has {bytes} bytes and must have less than {LIMIT}");
    }
    if args.check { check(&out) } else { Ok(()) }
}

/// Makes the folder, with an empty manifest. Only an empty folder or an older bundle, also one that
/// was not finished, is replaced.
fn clear(out: &Path) -> Result<()> {
    let named = || out.display().to_string();
    if out.exists() {
        let empty = fs::read_dir(out).with_context(named)?.next().is_none();
        if !empty && !out.join(MANIFEST).is_file() {
            bail!("{} is not empty and no bundle: name another folder", out.display());
        }
        fs::remove_dir_all(out).with_context(named)?;
    }
    fs::create_dir_all(out).with_context(named)?;
    fs::write(out.join(MANIFEST), "").with_context(named)
}

/// Runs the bundle's tests beside it, so that their logs do not become a part of it; what they
/// unpack is removed, too.
fn check(out: &Path) -> Result<()> {
    let out = fs::canonicalize(out)?;
    let mut tests = Command::new(out.join("run-tests"));
    tests.current_dir(out.parent().context("a bundle has a folder around it")?);
    let status = tests.status().context("run-tests cannot be run")?;
    remove_unpacked(&out)?;
    if !status.success() {
        bail!("run-tests failed: {status}");
    }
    Ok(())
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

/// Moves the executables of a bundle into its archive. The same files give the same archive.
fn pack(out: &Path) -> Result<()> {
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "-I", XZ]);
    tar.args(["-cf", ARCHIVE]).args(FOLDERS);
    output(tar.current_dir(out))?;
    remove_unpacked(out)
}

/// Removes the executables that are in a bundle's archive.
fn remove_unpacked(out: &Path) -> Result<()> {
    for folder in FOLDERS.map(|folder| out.join(folder)).iter().filter(|folder| folder.exists()) {
        fs::remove_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    Ok(())
}

fn bytes_below(folder: &Path) -> Result<u64> {
    let mut sum = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_folder = entry.file_type()?.is_dir();
        sum += if is_folder { bytes_below(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(sum)
}

/// Writes a script.
fn executable(file: &Path, text: &str) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let named = || file.display().to_string();
    fs::write(file, text).with_context(named)?;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).with_context(named)
}

#[cfg(test)]
mod tests {
    use super::{MANIFEST, clear};

    #[test]
    fn only_an_empty_folder_or_a_bundle_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("a/b");
        clear(&out).unwrap();
        clear(&out).unwrap();
        std::fs::remove_file(out.join(MANIFEST)).unwrap();
        clear(&out).unwrap();
        std::fs::remove_file(out.join(MANIFEST)).unwrap();
        std::fs::write(out.join("letter"), "keep me").unwrap();
        assert_eq!(
            clear(&out).unwrap_err().to_string(),
            format!("{} is not empty and no bundle: name another folder", out.display())
        );
        assert!(out.join("letter").exists());
        std::fs::write(out.join(MANIFEST), "").unwrap();
        clear(&out).unwrap();
        assert!(!out.join("letter").exists());
    }
}

#[cfg(test)]
mod script_tests;
