//! The README's commands, run.

use std::fs;

use super::{places, run, text};

fn readme() -> String {
    fs::read_to_string(places::root().join("README.md")).unwrap()
}

/// What stands between a line that is `start` and the fence that ends its block.
fn block<'a>(readme: &'a str, start: &str) -> &'a str {
    let (_, after) = readme.split_once(&format!("\n{start}\n")).unwrap();
    after.split_once("\n```").unwrap().0
}

/// The lines that are the same on every machine.
fn lasting(report: &str) -> Vec<&str> {
    let differs = ["device", "time", "read", "upload", "clean", "orient", "count", "speed"];
    let label = |line: &str| line.split_whitespace().next().map(str::to_owned);
    report
        .lines()
        .filter(|line| label(line).is_some_and(|label| !differs.contains(&label.as_str())))
        .collect()
}

#[test]
fn the_first_command_prints_what_the_readme_shows() {
    let readme = readme();
    let commands: Vec<_> =
        readme.lines().filter_map(|line| line.strip_prefix("$ cargo run --release -- ")).collect();
    assert!(!commands.is_empty());
    for command in commands {
        // What the README shows was printed without a GPU.
        let output = run(command.split(' ').chain(["--device", "cpu"]));
        assert!(output.status.success(), "{command}: {}", text(&output.stderr));
        let shown = block(&readme, &format!("$ cargo run --release -- {command}"));
        assert_eq!(lasting(text(&output.stdout)), lasting(shown), "{command}");
    }
}

#[test]
fn the_commands_that_test_are_there() {
    let readme = readme();
    assert!(readme.contains("\n$ cargo test\n"));
    assert!(readme.contains("\n$ cargo xtask ci\n"));
    let ci = fs::read_to_string(places::root().join(".ci/run")).unwrap();
    assert!(ci.ends_with("\nexec cargo xtask ci\n"));
}

#[test]
fn the_oldest_compiler_is_the_same_everywhere() {
    let oldest = format!("stable Rust ({} or newer)", env!("CARGO_PKG_RUST_VERSION"));
    assert!(readme().contains(&oldest), "{oldest}");
    let read = |file: &str| fs::read_to_string(places::root().join(file)).unwrap();
    let table = read("docs/toolchain.md");
    let oldest = format!("| stable {} or newer |", env!("CARGO_PKG_RUST_VERSION"));
    assert_eq!(table.matches(&oldest).count(), 2, "{oldest}");
    let stated = concat!("\nrust-version = \"", env!("CARGO_PKG_RUST_VERSION"), "\"\n");
    for file in ["Cargo.toml", "python/Cargo.toml", "examples/own-kernels/Cargo.toml"] {
        assert!(read(file).contains(stated), "{file}");
    }
}
