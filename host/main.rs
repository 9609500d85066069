//! The `tribin` command.

// It panics where standard error cannot be written: `cli::stderr` does not.
#![deny(clippy::print_stderr)]

#[cfg(target_os = "linux")]
mod allocator;
mod cli;

fn main() -> std::process::ExitCode {
    #[cfg(target_os = "linux")]
    allocator::exit_at_aborts();
    cli::run(std::env::args_os()).into()
}
