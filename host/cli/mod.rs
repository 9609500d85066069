//! The command line: parsing, dispatch, exit codes.

mod arcs;
mod args;
#[cfg(feature = "bench")]
mod bench;
mod census;
mod cliques;
mod convert;
mod count;
mod doctor;
mod edges;
mod estimate;
mod failure;
mod generate;
mod labels;
mod list;
mod local;
mod logging;
#[cfg(feature = "manual")]
mod manual;
mod motifs;
mod output;
mod progress;
#[cfg(feature = "cluster")]
mod ranks;
mod report;
mod reports;
mod similar;
pub mod size;
mod sources;
mod stats;
mod stderr;
mod support;
mod tables;
mod threads;
mod truss;
mod with;

use std::ffi::OsString;
use std::sync::{Mutex, PoisonError};

use anstream::{AutoStream, ColorChoice};
use clap::{CommandFactory, FromArgMatches};

use args::{Args, Command};

/// Whether the command's exit code is known. A thread that cannot be started ends the process with an error only before that, so
/// that a command never prints an error and ends with 0.
static IS_DECIDED: Mutex<bool> = Mutex::new(false);

/// Says that a thread cannot be started, and ends the process, unless the command came to its end without it.
fn end_for_want_of_a_thread() -> ! {
    let is_decided = IS_DECIDED.lock().unwrap_or_else(PoisonError::into_inner);
    if *is_decided {
        drop(is_decided);
        loop {
            std::thread::park();
        }
    }
    stderr::error(format_args!("out of memory: a thread cannot be started"));
    tribin::report::remove_all_if_free();
    // With the lock: who decides otherwise waits for it.
    std::process::exit(1);
}

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
            end_for_want_of_a_thread();
        }
        stderr::error(format_args!("{what}: this is a defect in tribin, please report it"));
    }));
    *IS_DECIDED.lock().unwrap_or_else(PoisonError::into_inner) = false;
    let matches = match Args::command().try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) if error.use_stderr() => error.exit(),
        // Help, or the version.
        Err(asked) => {
            let text = asked.render();
            let text = match AutoStream::choice(&std::io::stdout()) {
                ColorChoice::Never => text.to_string(),
                _ => text.ansi().to_string(),
            };
            return output::print(&text).map_or_else(|failure| failure.report(""), |()| 0);
        }
    };
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
        Command::Cliques(args) => cliques::run(&args),
        Command::Motifs(args) => motifs::run(&args),
        Command::Estimate(args) => estimate::run(&args),
        Command::Similar(args) => similar::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Convert(args) => convert::run(&args),
        #[cfg(feature = "bench")]
        Command::Bench(args) => bench::run(&args),
        #[cfg(not(feature = "bench"))]
        Command::Bench(_) => Err(failure::left_out("bench", "`tribin bench` needs").into()),
        Command::Doctor(args) => doctor::run(&args),
        #[cfg(feature = "manual")]
        Command::Completions(args) => manual::completions(&args),
        #[cfg(feature = "manual")]
        Command::Man(args) => manual::man(&args),
        #[cfg(not(feature = "manual"))]
        Command::Manual(_) => {
            Err(failure::left_out("manual", "completions and manual pages need").into())
        }
    };
    let code = result.map_or_else(|failure| failure.report(&command), |()| 0);
    *IS_DECIDED.lock().unwrap_or_else(PoisonError::into_inner) = true;
    code
}
