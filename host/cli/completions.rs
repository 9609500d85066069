//! `tribin completions SHELL`.

use clap::CommandFactory;

use super::args::{Args, CompletionsArgs};
use super::failure::Failure;
use super::output::print;

pub fn run(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "tribin", &mut script);
    print(&String::from_utf8_lossy(&script))
}
