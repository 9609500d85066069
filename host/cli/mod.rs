//! The command line: parsing, dispatch, exit codes.

mod arcs;
mod args;
mod bench;
mod census;
mod completions;
mod convert;
mod count;
mod doctor;
mod failure;
mod fallback;
mod generate;
mod histogram;
mod list;
mod local;
mod logging;
mod man;
mod output;
#[cfg(feature = "plots")]
mod picture;
#[cfg(not(feature = "plots"))]
#[path = "no_picture.rs"]
mod picture;
mod progress;
mod selection;
mod size;
mod sources;
mod stats;
mod stderr;
mod support;
mod tables;
mod threads;
mod truss;

use std::ffi::OsString;

use clap::Parser;

use args::{Args, Command};
use failure::Failure;

/// Runs the command with these arguments, of which the first is its name, and returns its exit code: 0 for success,
/// 1 for a failure, 2 for a usage error. A defect panics. The Python package has the same command.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    std::panic::set_hook(Box::new(|panic| {
        if tribin::read::is_contained() {
            return;
        }
        let what = panic.to_string().replace('\n', " ");
        stderr::error(format_args!("{what}: this is a defect in tribin, please report it"));
    }));
    let args = Args::parse_from(arguments);
    tribin::report::remove_on_signals();
    logging::start(args.verbose);
    let result = match args.command {
        Command::Count(args) => count::run(&args),
        Command::Stats(args) => stats::run(&args),
        Command::Local(args) => local::run(&args),
        Command::Census(args) => census::run(&args),
        Command::Support(args) => support::run(&args),
        Command::Truss(args) => truss::run(&args),
        Command::List(args) => list::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    };
    result.map_or_else(Failure::report, |()| 0)
}
