//! `cargo xtask python`: the wheel is built, installed into an empty environment, and tested there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::ci::{apt, step};
use crate::paths;

#[derive(clap::Args, Default)]
pub struct Args {
    /// Build as for users, and hold the wheel's size and the time to a first count against their limits
    #[arg(long)]
    pub release: bool,
    /// Run the tests that take long, too, and the whole suite of NetworkX's
    #[arg(long)]
    pub slow: bool,
    /// Build for this Python instead, one without the global lock, and run the tests of calls there
    #[arg(long, value_name = "PROGRAM")]
    pub free_threaded: Option<PathBuf>,
}

/// The oldest Python that the package and NetworkX's backend run on.
const OLDEST: (u32, u32) = (3, 11);

/// The largest wheel.
const MOST_BYTES: u64 = 12 << 20;

/// The longest way from an empty environment to a count.
const MOST_TIME: Duration = Duration::from_secs(20);

pub fn run(args: &Args) -> Result<()> {
    let Some(environments) = environments()? else { return Ok(()) };
    let folder = paths::target().join("python");
    let wheels = folder.join("wheels");
    if wheels.exists() {
        fs::remove_dir_all(&wheels)?;
    }
    let sources = paths::root().join("python");
    let builder = environments.make(&folder.join("builder"))?;
    pip(&builder, "install the builder", &["install", "--upgrade", "maturin>=1.9,<2"])?;
    let mut build = Command::new(builder.join("bin/maturin"));
    build.args(["build", "--manifest-path"]).arg(sources.join("Cargo.toml"));
    // As the tests are built, it shares what it can with them.
    build.arg("--out").arg(&wheels).env("CARGO_TARGET_DIR", paths::target());
    if args.release {
        build.arg("--release");
    }
    if let Some(python) = &args.free_threaded {
        step("maturin build", build.arg("--interpreter").arg(python))?;
        return without_lock(python, &folder, &only_wheel(&wheels, "tribin-")?);
    }
    step("maturin build", &mut build)?;
    let path = |path: &Path| path.display().to_string();
    // From a copy: the builder leaves files beside what it builds.
    let backend = folder.join("nx-tribin");
    paths::copy(&sources.join("nx-tribin"), &backend)?;
    let to = ["wheel", "--no-deps", "--wheel-dir", &path(&wheels), &path(&backend)];
    pip(&builder, "build nx-tribin", &to)?;

    let wheel = only_wheel(&wheels, "tribin-")?;
    let bytes = fs::metadata(&wheel)?.len();
    println!("    {}: {bytes} bytes", path(&wheel));
    if args.release && bytes > MOST_BYTES {
        bail!("the wheel has {bytes} bytes: it must have at most {MOST_BYTES}");
    }

    let empty = try_wheel(&environments, &folder, &wheel)?;
    let requirements = path(&sources.join("tests/requirements.txt"));
    pip(&empty, "install what the tests need", &["install", "-r", &requirements])?;
    let backend = path(&only_wheel(&wheels, "nx_tribin-")?);
    pip(&empty, "install nx-tribin", &["install", "--no-deps", &backend])?;
    let mut tests = pytest(&empty);
    if args.slow {
        tests.arg("--slow");
    }
    step("pytest python/tests", tests.arg(sources.join("tests")))?;
    step("pytest python/nx-tribin/tests", pytest(&empty).arg(sources.join("nx-tribin/tests")))?;
    networkx(&empty, &sources, args.slow)
}

/// Installs a wheel into an empty environment, counts, and runs the command.
pub fn try_wheel(environments: &Environments, folder: &Path, wheel: &Path) -> Result<PathBuf> {
    let empty = folder.join("empty");
    if empty.exists() {
        fs::remove_dir_all(&empty)?;
    }
    let empty = environments.make(&empty)?;
    // What everybody downloads is downloaded before the clock runs.
    let download = folder.join("download").display().to_string();
    let both = ["download", "--dest", &download, "numpy", "polars"];
    pip(&empty, "download NumPy and Polars", &both)?;
    let start = Instant::now();
    let wheel = wheel.display().to_string();
    let install = ["install", "--no-index", "--find-links", &download, &wheel, "polars"];
    pip(&empty, "install the wheel and Polars", &install)?;
    let count = Command::new(empty.join("bin/python"))
        .arg(paths::root().join("python/tests/first_count.py"))
        .output()
        .context("python cannot be run")?;
    let took = start.elapsed();
    if count.stdout != b"1\n" {
        bail!("the first count fails: {}", String::from_utf8_lossy(&count.stderr));
    }
    println!("    from an empty environment to a count: {:.1} s", took.as_secs_f64());
    if took > MOST_TIME {
        println!("    this is more than {} s: is the machine busy?", MOST_TIME.as_secs());
    }
    let mut command = Command::new(empty.join("bin/tribin"));
    command.arg("count").arg(paths::root().join("tests/data/karate.mtx"));
    step("tribin count, from the wheel", &mut command)?;
    Ok(empty)
}

/// The tests of calls, threads that share a graph among them, on a Python without the global lock. Not all that the other
/// tests read from has wheels for it.
fn without_lock(python: &Path, folder: &Path, wheel: &Path) -> Result<()> {
    let environment = folder.join("free-threaded");
    let mut make = Command::new(python);
    make.args(["-m", "venv", "--clear"]).arg(&environment);
    step(&format!("{} -m venv", python.display()), &mut make)?;
    let wheel = wheel.display().to_string();
    let install = ["install", &wheel, "networkx>=3.5", "pytest"];
    pip(&environment, "install the wheel and NetworkX", &install)?;
    let tests = paths::root().join("python/tests");
    let mut pytest = pytest(&environment);
    pytest.args(["test_calls.py", "test_exact.py"].map(|file| tests.join(file)));
    step("pytest python/tests, without the lock", &mut pytest)
}

/// Files of NetworkX's tests that have the functions of the backend. One counts cores of a class of its own.
const OF_BACKEND: [&str; 10] = [
    "approximation.tests.test_kcomponents",
    "assortativity.tests.test_neighbor_degree",
    "bipartite.tests.test_cluster",
    "tests.test_clique",
    "tests.test_cluster",
    "tests.test_core",
    "tests.test_link_prediction",
    "tests.test_reciprocity",
    "tests.test_structuralholes",
    "tests.test_triads",
];

/// NetworkX's own tests with the backend: the whole suite, or the files of the functions that the backend has.
fn networkx(environment: &Path, sources: &Path, whole: bool) -> Result<()> {
    let mut tests = pytest(environment);
    tests.args(["-p", "no:cacheprovider", "--pyargs"]);
    if whole {
        tests.arg("networkx");
    } else {
        tests.args(OF_BACKEND.map(|file| format!("networkx.algorithms.{file}")));
    }
    let skipped = fs::read_to_string(sources.join("nx-tribin/skips.txt"))?;
    for line in skipped.lines().filter(|line| !line.starts_with('#')) {
        if let Some(test) = line.split_whitespace().next() {
            tests.arg(format!("--deselect={test}"));
        }
    }
    tests.env("NETWORKX_TEST_BACKEND", "tribin").env("NETWORKX_FALLBACK_TO_NX", "True");
    step("NetworkX's tests with the backend tribin", &mut tests)
}

/// A Python that makes virtual environments.
pub struct Environments {
    /// `-m venv`, or `-m virtualenv` where the system's Python comes without the former.
    module: &'static str,
}

impl Environments {
    /// Makes one in a folder, where there is none.
    pub fn make(&self, folder: &Path) -> Result<PathBuf> {
        if !folder.join("bin/python").exists() {
            let mut make = Command::new("python3");
            make.args(["-m", self.module]).arg(folder);
            step(&format!("python3 -m {} {}", self.module, folder.display()), &mut make)?;
        }
        Ok(folder.to_owned())
    }
}

/// Finds out how environments are made, and installs what makes them where it can. `None` where the step has to be
/// left out, which it says.
pub fn environments() -> Result<Option<Environments>> {
    let runs = |code: &str| {
        let found = Command::new("python3").args(["-c", code]).output();
        found.is_ok_and(|found| found.status.success())
    };
    let (major, minor) = OLDEST;
    if !runs(&format!("import sys; assert sys.version_info >= ({major}, {minor})")) {
        println!(
            "==> skipped: the Python package: python3 is missing or older than {major}.{minor}"
        );
        return Ok(None);
    }
    if runs("import venv, ensurepip") {
        return Ok(Some(Environments { module: "venv" }));
    }
    if let Err(error) = apt(&["python3-venv"]) {
        println!("    {error:#}");
    }
    if runs("import venv, ensurepip") {
        return Ok(Some(Environments { module: "venv" }));
    }
    if runs("import virtualenv") {
        return Ok(Some(Environments { module: "virtualenv" }));
    }
    println!(
        "==> skipped: the Python package: python3 has neither venv with ensurepip nor virtualenv (Debian: \
         apt install python3-venv)"
    );
    Ok(None)
}

/// Runs pip in an environment.
pub fn pip(environment: &Path, title: &str, arguments: &[&str]) -> Result<()> {
    let mut pip = Command::new(environment.join("bin/python"));
    pip.args(["-m", "pip", "--quiet", "--disable-pip-version-check"]).args(arguments);
    step(&format!("pip: {title}"), &mut pip)
}

pub fn pytest(environment: &Path) -> Command {
    let mut pytest = Command::new(environment.join("bin/python"));
    pytest.args(["-m", "pytest", "--quiet"]);
    pytest
}

/// The one wheel of a folder whose name begins so.
pub fn only_wheel(folder: &Path, prefix: &str) -> Result<PathBuf> {
    let names = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let mut wheels: Vec<PathBuf> = names
        .iter()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix))
        .map(|entry| entry.path())
        .collect();
    match (wheels.pop(), wheels.pop()) {
        (Some(wheel), None) => Ok(wheel),
        _ => bail!("{}: one wheel of {prefix} is expected", folder.display()),
    }
}
