//! Maintenance tasks: `cargo xtask --help`.
fn main() {}
