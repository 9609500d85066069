//! Maintenance tasks: `cargo xtask --help`.

mod attack;
mod bundle;
mod ci;
mod clusters;
mod manual;
mod miri;
mod mutate;
mod nightly;
mod outside;
mod paths;
mod ptx;
mod ptxas;
mod python;
mod run_tests;
mod tally;
mod wheels;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Maintenance tasks of tribin")]
struct Cli {
    #[command(subcommand)]
    task: TaskCommand,
}

#[derive(Subcommand)]
enum TaskCommand {
    /// Damage files, and compare what is read in them with other programs
    Attack(attack::Args),
    /// Put tests, benches and the command into one folder that needs no Rust
    Bundle(bundle::Args),
    /// Run every check: format, lints, docs, PTX, tests
    Ci(ci::Args),
    /// Write shell completions and manual pages of the command
    Manual(manual::Args),
    /// Run what Miri can run
    Miri,
    /// Change the kernels one place at a time, and see whether their tests notice
    Mutate(mutate::Args),
    /// Test the example outside the workspace with the toolkit's crates as these would be published
    Outside,
    /// Test the Python package with Spark and Ray, with the wheel that `python` has built
    Clusters,
    /// Compile the kernels of each package and write their PTX files
    Ptx(ptx::Args),
    /// Assemble the committed PTX for each GPU generation; fail on spills and stack frames
    Ptxas(ptxas::Args),
    /// Build the Python package, install it into an empty environment, and run its tests there
    Python(python::Args),
    /// Run the tests of the bundle that this program lies in
    RunTests(run_tests::Args),
    /// Make all wheels and source distributions of the Python packages, and look at them
    Wheels(wheels::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().task {
        TaskCommand::Attack(args) => attack::run(&args),
        TaskCommand::Bundle(args) => bundle::run(&args),
        TaskCommand::Ci(args) => ci::run(&args),
        TaskCommand::Clusters => clusters::run(),
        TaskCommand::Manual(args) => manual::run(&args),
        TaskCommand::Miri => miri::run(),
        TaskCommand::Mutate(args) => mutate::run(&args),
        TaskCommand::Outside => outside::run(),
        TaskCommand::Ptx(args) => ptx::run(&args),
        TaskCommand::Ptxas(args) => ptxas::run(&args),
        TaskCommand::Python(args) => python::run(&args),
        TaskCommand::RunTests(args) => run_tests::run(&args),
        TaskCommand::Wheels(args) => wheels::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
