//! The example of kernels of one's own, as a stranger would build it: by the guide's first commands, and by `cargo xtask outside` with
//! the toolkit's crates as these would be published.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::{ci, paths};

/// The crates that a package of kernels may depend on.
const TOOLKIT: [&str; 8] = [
    "warpwise-checked",
    "warpwise-cuda",
    "warpwise-device",
    "warpwise-emulator",
    "warpwise-harness",
    "warpwise-launch",
    "warpwise-primitives",
    "warpwise-ptx-builder",
];

/// Tests the package as the guide's first commands do.
pub fn by_the_guide() -> Result<()> {
    let copy = paths::target().join("my-kernels");
    paths::copy(&paths::root().join("examples"), &copy)?;
    let config = copy.join(".cargo/config.toml");
    let text = fs::read_to_string(&config)?;
    fs::write(&config, text.replace("\"../", &format!("\"{}/", paths::root().display())))?;
    let mut test = ci::command("test --quiet -- --show-output");
    test.current_dir(copy.join("own-kernels")).env("CARGO_TARGET_DIR", paths::target());
    ci::tallied("cargo test in a copy of examples", &mut test)
}

/// Packs the toolkit's crates; formats, lints and tests the packages that use them.
pub fn run() -> Result<()> {
    let mut pack = ci::command("package --quiet --no-verify --allow-dirty");
    for name in TOOLKIT {
        pack.args(["--package", name]);
    }
    ci::step("cargo package of the toolkit", &mut pack)?;
    let folder = paths::target().join("outside");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    }
    for name in TOOLKIT {
        unpack(name, &folder.join("packages"))?;
    }
    let copy = folder.join("own-kernels");
    paths::copy(&paths::root().join("examples/own-kernels"), &copy)?;
    let manifest = copy.join("Cargo.toml");
    // The package has another name, as everybody's copy will.
    let text = fs::read_to_string(&manifest)?;
    fs::write(&manifest, text.replace("name = \"own-kernels\"", "name = \"renamed\""))?;
    let mut format = ci::command("fmt --check --manifest-path");
    ci::step("cargo fmt --check in examples/own-kernels", format.arg(&manifest))?;
    let mut clippy = ci::command("clippy --quiet --all-targets --manifest-path");
    with_packages(clippy.arg(&manifest), &folder).args(["--", "-D", "warnings"]);
    ci::step("cargo clippy in examples/own-kernels", &mut clippy)?;
    // With the packages that it depends on.
    let mut doc = ci::command("doc --quiet --manifest-path");
    with_packages(doc.arg(&manifest), &folder).env("RUSTDOCFLAGS", "-D warnings");
    ci::step("cargo doc in examples/own-kernels", &mut doc)?;
    let mut test = ci::command("test --quiet --manifest-path");
    with_packages(test.arg(&manifest), &folder).args(["--", "--show-output"]);
    ci::tallied("cargo test in examples/own-kernels", &mut test)
}

/// Lets cargo take the toolkit from its packages.
fn with_packages<'a>(command: &'a mut Command, folder: &Path) -> &'a mut Command {
    for name in TOOLKIT {
        let path = folder.join("packages").join(name);
        command.arg("--config").arg(format!("patch.crates-io.{name}.path={path:?}"));
    }
    // Packages whose PTX is fresh build without a device toolchain.
    command.env("CARGO_TARGET_DIR", paths::target()).env("WARPWISE_DEVICE_RUSTC", "/none")
}

/// Unpacks a package to a folder of its name.
fn unpack(name: &str, to: &Path) -> Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    let file = paths::target().join(format!("package/{name}-{version}.crate"));
    fs::create_dir_all(to)?;
    ci::output(Command::new("tar").arg("-xzf").arg(file).arg("-C").arg(to))?;
    Ok(fs::rename(to.join(format!("{name}-{version}")), to.join(name))?)
}
