//! The `tribin` command.

#[cfg(target_os = "linux")]
mod allocator;

fn main() -> std::process::ExitCode {
    #[cfg(target_os = "linux")]
    allocator::exit_at_aborts();
    tribin::cli::run(std::env::args_os()).into()
}
