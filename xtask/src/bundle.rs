//! `cargo xtask bundle`: what tests and benches need on a machine without Rust, in one folder.

mod archive;
mod build;
mod glibc;
mod manifest;

use std::env::consts::{ARCH, OS};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use walkdir::WalkDir;

use crate::paths;
use build::{Executable, Workspace};
use manifest::{Entry, Kind};

/// Bytes that a bundle may not reach.
const LIMIT: u64 = 60_000_000;

const MANIFEST: &str = "MANIFEST.tsv";
const RUN_TESTS: &str = include_str!("../bundle/run-tests");
const RUN_BENCHES: &str = include_str!("../bundle/run-benches");
const UNPACK: &str = include_str!("../bundle/unpack.sh");
const README: &str = include_str!("../bundle/README.txt");

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
    let workspace = Workspace::read()?;
    let version = workspace.version()?;
    let name = format!("tribin-{version}-{ARCH}-{OS}");
    let out = args.out.clone().unwrap_or_else(|| paths::target().join("bundle").join(name));
    clear(&out)?;
    let executables = workspace.build()?;
    let mut bundle = Bundle { out, entries: Vec::new() };
    bundle.repository()?;
    let glibc = bundle.executables(&executables)?;
    bundle.data()?;
    bundle.scripts(&version, &glibc)?;
    bundle.finish()?;
    let out = bundle.out.display();
    let files = manifest::files(&bundle.entries).count();
    let bytes: u64 = manifest::files(&bundle.entries).map(|entry| entry.bytes).sum();
    println!("{out}: {files} files, {:.1} MB", bytes as f64 / 1e6);
    for (kind, files, bytes) in manifest::totals(&bundle.entries) {
        let packed = if kind.is_packed() { ", packed" } else { "" };
        println!("  {kind:<12} {files:>4} files {:>6.1} MB{packed}", bytes as f64 / 1e6);
    }
    manifest::check_size(&bundle.entries, LIMIT)?;
    if args.check { check(&bundle.out) } else { Ok(()) }
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
    let status = Command::new(out.join("run-tests"))
        .current_dir(out.parent().context("a bundle has a folder around it")?)
        .status()
        .context("run-tests cannot be run")?;
    archive::remove_unpacked(&out)?;
    if !status.success() {
        bail!("run-tests failed: {status}");
    }
    Ok(())
}

/// The folder while it is filled.
struct Bundle {
    out: PathBuf,
    entries: Vec<Entry>,
}

impl Bundle {
    /// Copies a file to `path` of the bundle.
    fn copy(&mut self, kind: Kind, from: &Path, path: &str) -> Result<PathBuf> {
        let to = self.place(path)?;
        fs::copy(from, &to).with_context(|| format!("{} to {}", from.display(), to.display()))?;
        self.entries.push(Entry::new(kind, path));
        Ok(to)
    }

    /// Writes a file at `path` of the bundle.
    fn write(&mut self, kind: Kind, path: &str, text: &str) -> Result<PathBuf> {
        let to = self.place(path)?;
        fs::write(&to, text).with_context(|| to.display().to_string())?;
        self.entries.push(Entry::new(kind, path));
        Ok(to)
    }

    fn place(&self, path: &str) -> Result<PathBuf> {
        let to = self.out.join(path);
        let folder = to.parent().expect("it lies in the bundle");
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        Ok(to)
    }

    /// Packs the executables, stripped; returns the glibc that the newest of them needs.
    fn executables(&mut self, executables: &[Executable]) -> Result<String> {
        let mut least = glibc::Version::default();
        for executable in executables {
            let to = self.copy(executable.kind, &executable.built, &executable.path)?;
            strip(&to)?;
            let stripped = fs::read(&to).with_context(|| to.display().to_string())?;
            least = least.max(glibc::needed(&stripped));
            let entry = self.entries.last_mut().expect("just copied");
            entry.folder = executable.folder.clone();
            entry.bytes = stripped.len() as u64;
        }
        archive::pack(&self.out, executables.iter().map(|executable| executable.path.as_str()))?;
        self.entries.push(Entry::new(Kind::Archive, archive::NAME));
        Ok(least.to_string())
    }

    /// Copies the project's own files, which tests read.
    fn repository(&mut self) -> Result<()> {
        let listed = Command::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .current_dir(paths::root())
            .output()
            .context("git, which lists the project's files, cannot be run")?;
        if !listed.status.success() {
            bail!("git ls-files: {}", String::from_utf8_lossy(&listed.stderr).trim_end());
        }
        let names = String::from_utf8(listed.stdout).context("a file's name is not UTF-8")?;
        for name in names.split_terminator('\0') {
            let from = paths::root().join(name);
            // A file that was deleted is listed until that is committed.
            if from.is_file() {
                self.copy(Kind::Repository, &from, &format!("repository/{name}"))?;
            }
        }
        Ok(())
    }

    /// Copies the reference graphs, where they are there.
    fn data(&mut self) -> Result<()> {
        let folder = paths::data();
        if !folder.is_dir() {
            println!("no {}: the bundle has no reference graphs", folder.display());
            return Ok(());
        }
        for file in WalkDir::new(&folder).sort_by_file_name() {
            let file = file?;
            if file.file_type().is_file() {
                let name = file.path().strip_prefix(&folder)?.to_str().context("not UTF-8")?;
                self.copy(Kind::Data, file.path(), &format!("shared/data/{name}"))?;
            }
        }
        Ok(())
    }

    fn scripts(&mut self, version: &str, glibc: &str) -> Result<()> {
        for (name, text) in [("run-tests", RUN_TESTS), ("run-benches", RUN_BENCHES)] {
            let path = self.write(Kind::Script, name, text)?;
            executable(&path)?;
        }
        self.write(Kind::Script, "unpack.sh", UNPACK)?;
        let readme = README
            .replace("VERSION", version)
            .replace("TARGET", &format!("{ARCH}-{OS}"))
            .replace("GLIBC", glibc);
        self.write(Kind::Text, "README.txt", &readme)?;
        Ok(())
    }

    /// Writes the manifest, whose list does not have itself.
    fn finish(&mut self) -> Result<()> {
        for entry in self.entries.iter_mut().filter(|entry| !entry.kind.is_packed()) {
            let path = self.out.join(&entry.path);
            entry.bytes = fs::metadata(&path).with_context(|| path.display().to_string())?.len();
        }
        let text = manifest::text(&self.entries);
        self.write(Kind::Text, MANIFEST, &text)?;
        self.entries.last_mut().expect("just written").bytes = text.len() as u64;
        Ok(())
    }
}

/// Takes the symbols away.
fn strip(file: &Path) -> Result<()> {
    let status = Command::new("strip").arg("--strip-all").arg(file).status();
    let status = status.context("there is no `strip`; it is in the package binutils")?;
    if !status.success() {
        bail!("strip {}: {status}", file.display());
    }
    Ok(())
}

#[cfg(unix)]
fn executable(file: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755))
        .with_context(|| file.display().to_string())
}

#[cfg(not(unix))]
fn executable(file: &Path) -> Result<()> {
    bail!("{}: a bundle is made on Linux", file.display())
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

#[cfg(all(test, unix))]
mod script_tests;
