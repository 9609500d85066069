//! The `tribin` command.

// It panics where standard error cannot be written: `cli::stderr` does not.
#![deny(clippy::print_stderr)]

mod cli;

fn main() -> std::process::ExitCode {
    cli::run(std::env::args_os()).into()
}
