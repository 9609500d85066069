//! What cargo builds for the bundle, and what each executable is called there.

use std::collections::BTreeSet;
use std::env;
use std::io::{BufReader, Read};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use cargo_metadata::{Artifact, Message, Metadata, MetadataCommand, TargetKind};

use super::manifest::Kind;
use crate::paths;

/// Test binaries of the package `tribin` that launch kernels.
const KERNEL_TESTS: [&str; 3] = ["count", "kernels", "prepare"];

/// An executable as it was built, and where it goes.
#[derive(Debug, PartialEq, Eq)]
pub struct Executable {
    pub kind: Kind,
    pub built: PathBuf,
    /// The executable's path in the bundle.
    pub path: String,
    /// Tests: the folder of their package below the root, in which they run; `.` is the root.
    pub folder: Option<String>,
}

/// The packages of the workspace.
pub struct Workspace(Metadata);

impl Workspace {
    pub fn read() -> Result<Self> {
        Ok(Self(MetadataCommand::new().current_dir(paths::root()).no_deps().exec()?))
    }

    /// The version of the package `tribin`.
    pub fn version(&self) -> Result<String> {
        let tribin = self.0.packages.iter().find(|package| package.name == "tribin");
        Ok(tribin.context("the workspace has no package tribin")?.version.to_string())
    }

    /// Builds every test, bench and the command.
    pub fn build(&self) -> Result<Vec<Executable>> {
        let mut executables: Vec<Executable> = Vec::new();
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
            let messages = cargo.stdout.take().expect("it is piped");
            // Both name the command.
            for executable in self.executables(messages)? {
                if !executables.contains(&executable) {
                    executables.push(executable);
                }
            }
            let status = cargo.wait()?;
            if !status.success() {
                bail!("`cargo {}` failed: {status}", args.join(" "));
            }
        }
        let mut paths = BTreeSet::new();
        if let Some(twice) =
            executables.iter().find(|executable| !paths.insert(executable.path.as_str()))
        {
            bail!("two executables would be {}", twice.path);
        }
        if !paths.contains("bin/tribin") {
            bail!("cargo built no command");
        }
        Ok(executables)
    }

    /// The executables that cargo's messages name.
    fn executables(&self, messages: impl Read) -> Result<Vec<Executable>> {
        let mut executables = Vec::new();
        for message in Message::parse_stream(BufReader::new(messages)) {
            if let Message::CompilerArtifact(artifact) = message.context("cargo's messages")? {
                executables.extend(self.executable(artifact)?);
            }
        }
        Ok(executables)
    }

    fn executable(&self, artifact: Artifact) -> Result<Option<Executable>> {
        let Some(built) = artifact.executable else { return Ok(None) };
        let packages = &self.0.packages;
        let package = packages.iter().find(|package| package.id == artifact.package_id);
        let Some(package) = package else { return Ok(None) };
        let name = &artifact.target.name;
        let kinds = &artifact.target.kind;
        let (kind, path) = if kinds.contains(&TargetKind::Bench) {
            (Kind::Bench, format!("benches/{name}"))
        } else if artifact.profile.test {
            let target = match kinds.first() {
                Some(TargetKind::Test) => name.clone(),
                Some(TargetKind::Bin) => format!("bin-{name}"),
                _ => "lib".to_owned(),
            };
            let launches = package.name == "tribin" && KERNEL_TESTS.contains(&target.as_str());
            let kind = if launches { Kind::KernelTest } else { Kind::Test };
            (kind, format!("tests/{}.{target}", package.name))
        } else if kinds.contains(&TargetKind::Bin) && name == "tribin" {
            (Kind::Command, "bin/tribin".to_owned())
        } else {
            return Ok(None);
        };
        let folder = if matches!(kind, Kind::Test | Kind::KernelTest) {
            let folder = package.manifest_path.parent().context("a manifest lies in a folder")?;
            let folder = folder.strip_prefix(&self.0.workspace_root)?.as_str();
            Some(if folder.is_empty() { "." } else { folder }.to_owned())
        } else {
            None
        };
        Ok(Some(Executable { kind, built: built.into(), path, folder }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const METADATA: &str = r#"{
        "packages": [PACKAGES], "workspace_members": [], "workspace_default_members": [],
        "resolve": null, "workspace_root": "/w", "target_directory": "/w/target", "version": 1}"#;

    fn package(name: &str, folder: &str) -> String {
        format!(
            r#"{{"name": "{name}", "version": "1.2.3", "id": "path+file://{folder}#{name}@1.2.3",
            "dependencies": [], "targets": [], "features": {{}}, "license": null,
            "license_file": null, "description": null, "source": null,
            "manifest_path": "{folder}/Cargo.toml", "metadata": null, "publish": null,
            "authors": [], "categories": [], "keywords": [], "readme": null, "repository": null,
            "homepage": null, "documentation": null, "edition": "2024", "links": null,
            "default_run": null, "rust_version": null}}"#
        )
    }

    fn workspace() -> Workspace {
        let packages = [package("tribin", "/w"), package("tribin-device", "/w/gpu/device")];
        let text = METADATA.replace("PACKAGES", &packages.join(","));
        Workspace(serde_json::from_str(&text).unwrap())
    }

    fn artifact(package: &str, kind: &str, name: &str, test: bool, executable: &str) -> String {
        let folder = if package == "tribin" { "/w" } else { "/w/gpu/device" };
        format!(
            concat!(
                r#"{{"reason": "compiler-artifact", "package_id": "path+file://{}#{}@1.2.3","#,
                r#" "manifest_path": "{}/Cargo.toml", "target": {{"kind": ["{}"],"#,
                r#" "crate_types": ["bin"], "name": "{}", "src_path": "x.rs", "edition": "2024","#,
                r#" "doc": false, "doctest": false, "test": true}}, "profile": {{"#,
                r#""opt_level": "3", "debuginfo": 0, "debug_assertions": false,"#,
                r#" "overflow_checks": false, "test": {}}}, "features": [], "filenames": [],"#,
                r#" "executable": {}, "fresh": false}}"#,
                "\n"
            ),
            folder, package, folder, kind, name, test, executable
        )
    }

    fn found(package: &str, kind: &str, name: &str, test: bool) -> Option<(Kind, String, String)> {
        let line = artifact(package, kind, name, test, "\"/t/x\"");
        let mut executables = workspace().executables(line.as_bytes()).unwrap();
        let executable = executables.pop()?;
        assert_eq!(executable.built, PathBuf::from("/t/x"));
        Some((executable.kind, executable.path, executable.folder.unwrap_or_default()))
    }

    #[test]
    fn each_executable_has_its_kind_path_and_folder() {
        let row = |kind, path: &str, folder: &str| Some((kind, path.to_owned(), folder.to_owned()));
        for (package, kind, name, test, expected) in [
            ("tribin", "lib", "tribin", true, row(Kind::Test, "tests/tribin.lib", ".")),
            ("tribin", "bin", "tribin", true, row(Kind::Test, "tests/tribin.bin-tribin", ".")),
            ("tribin", "test", "cli", true, row(Kind::Test, "tests/tribin.cli", ".")),
            ("tribin", "test", "kernels", true, row(Kind::KernelTest, "tests/tribin.kernels", ".")),
            (
                "tribin-device",
                "test",
                "kernels",
                true,
                row(Kind::Test, "tests/tribin-device.kernels", "gpu/device"),
            ),
            ("tribin", "bin", "tribin", false, row(Kind::Command, "bin/tribin", "")),
            ("tribin", "bench", "gpu", false, row(Kind::Bench, "benches/gpu", "")),
            ("tribin", "bench", "read", true, row(Kind::Bench, "benches/read", "")),
            ("tribin", "example", "demo", false, None),
            ("tribin", "bin", "other", false, None),
        ] {
            assert_eq!(found(package, kind, name, test), expected, "{package} {kind} {name}");
        }
    }

    #[test]
    fn what_is_no_executable_of_the_workspace_is_left_out() {
        let library = artifact("tribin", "lib", "tribin", false, "null");
        let other = artifact("other", "bin", "tribin", false, "\"/t/x\"");
        let finished = "{\"reason\": \"build-finished\", \"success\": true}\n";
        let messages = library + &other + finished;
        assert_eq!(workspace().executables(messages.as_bytes()).unwrap(), []);
    }

    #[test]
    fn the_version_is_that_of_tribin() {
        assert_eq!(workspace().version().unwrap(), "1.2.3");
    }
}
