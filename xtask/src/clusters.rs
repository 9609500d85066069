//! `cargo xtask clusters`: the Python package is tested with Spark and Ray, each a cluster in this machine.

use std::env;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::ci::{apt, step};
use crate::{paths, python};

/// The oldest Java that Spark runs on.
const OLDEST_JAVA: u32 = 17;

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

/// Installs Debian's Java where there is none that is new enough.
fn java() -> Result<()> {
    if newest_java().is_some_and(|version| version >= OLDEST_JAVA) {
        return Ok(());
    }
    apt(&["default-jre-headless"]).with_context(|| {
        format!("Spark needs Java {OLDEST_JAVA} or newer, as `java` or below JAVA_HOME")
    })
}

/// The version of the Java that Spark takes.
fn newest_java() -> Option<u32> {
    let home = env::var_os("JAVA_HOME");
    let program = home.map_or_else(|| "java".into(), |home| Path::new(&home).join("bin/java"));
    let output = Command::new(program).arg("-version").output().ok()?;
    major(&String::from_utf8_lossy(&output.stderr))
}

/// The first number of what Java says of its version, which stands in quotes.
fn major(told: &str) -> Option<u32> {
    let version = told.split('"').nth(1)?;
    version.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::major;

    #[test]
    fn the_version_of_java_is_found() {
        assert_eq!(major("openjdk version \"17.0.15\" 2025-04-15\nOpenJDK"), Some(17));
        assert_eq!(major("openjdk version \"25\" 2025-09-16"), Some(25));
        assert_eq!(major("java version \"1.8.0_202\""), Some(1));
        assert_eq!(major("openjdk version \"24-ea\""), Some(24));
        assert_eq!(major("sh: java: not found"), None);
    }
}
