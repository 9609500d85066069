//! `cargo xtask clusters`: the Python package is tested with Spark and Ray, each a cluster in this machine.

use std::env;
use std::process::Command;

use anyhow::{Context, Result};

use crate::ci::{apt, step};
use crate::{paths, python};

/// Installs the wheel that `cargo xtask python` has built, beside the engines, and runs the tests.
pub fn run() -> Result<()> {
    let Some(environments) = python::environments()? else { return Ok(()) };
    let folder = paths::target().join("python");
    let wheel = python::only_wheel(&folder.join("wheels"), "tribin-")
        .context("`cargo xtask python` builds the wheel")?;
    java()?;
    // It is kept: the engines are half a gigabyte.
    let engines = environments.make(&folder.join("engines"))?;
    let tests = paths::root().join("python/cluster-tests");
    let requirements = tests.join("requirements.txt").display().to_string();
    python::pip(&engines, "install Spark and Ray", &["install", "-r", &requirements])?;
    let wheel = wheel.display().to_string();
    let again = ["install", "--force-reinstall", "--no-deps", &wheel];
    python::pip(&engines, "install the wheel", &again)?;
    step("pytest python/cluster-tests", python::pytest(&engines).arg(&tests))
}

/// Installs Debian's Java where there is none. Spark itself says which versions it runs on.
fn java() -> Result<()> {
    let there =
        env::var_os("JAVA_HOME").is_some() || Command::new("java").arg("-version").output().is_ok();
    if there {
        return Ok(());
    }
    apt(&["default-jre-headless"]).context("Spark needs Java, as `java` or below JAVA_HOME")
}
