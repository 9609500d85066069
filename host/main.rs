//! The `tribin` command.

// It panics where standard error cannot be written: `cli::stderr` does not.
#![deny(clippy::print_stderr)]

#[cfg(target_os = "linux")]
mod allocator;
mod cli;

/// Bytes of the stack of a command.
const STACK: usize = 8 << 20;

/// The exit code of a panic, as the standard library has it.
const PANICKED: u8 = 101;

fn main() -> std::process::ExitCode {
    #[cfg(target_os = "linux")]
    allocator::exit_at_aborts();
    // On a stack of its own: that of the first thread is as small as a limit of the system makes it.
    match std::thread::Builder::new().stack_size(STACK).spawn(|| cli::run(std::env::args_os())) {
        Ok(command) => command.join().unwrap_or(PANICKED).into(),
        Err(_) => cli::run(std::env::args_os()).into(),
    }
}
