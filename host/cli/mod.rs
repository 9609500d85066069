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

use clap::{CommandFactory, FromArgMatches};

use args::{Args, Command};

/// Runs the command with these arguments, of which the first is its name, and returns its exit code: 0 for success,
/// 1 for a failure, 2 for a usage error. A defect panics. The Python package has the same command.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    std::panic::set_hook(Box::new(|panic| {
        if tribin::read::is_contained() {
            return;
        }
        let what = panic.to_string().replace('\n', " ");
        // A thread whose stack cannot be guarded: the standard library has no other way to say so.
        if what.contains("failed to allocate an alternative stack")
            || what.contains("failed to set up alternative stack guard page")
        {
            stderr::error(format_args!("out of memory: a thread cannot be started"));
            std::process::exit(1);
        }
        stderr::error(format_args!("{what}: this is a defect in tribin, please report it"));
    }));
    let matches = Args::command().get_matches_from(arguments);
    let command = matches.subcommand_name().unwrap_or_default().to_owned();
    let args = match Args::from_arg_matches(&matches) {
        Ok(args) => args,
        Err(error) => error.format(&mut Args::command()).exit(),
    };
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
    result.map_or_else(|failure| failure.report(&command), |()| 0)
}
