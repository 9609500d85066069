//! `tribin man [SUBCOMMAND]`, `tribin man --output DIR`, and `tribin completions SHELL`.

use clap::CommandFactory;
use tribin::Error;

use super::args::{Args, CompletionsArgs, ManArgs};
use super::failure::Failure;
use super::output::print;

pub fn man(args: &ManArgs) -> Result<(), Failure> {
    let mut command = Args::command();
    if let Some(folder) = &args.output {
        let written = clap_mangen::generate_to(command, folder);
        return Ok(written.map_err(|source| Error::Io { path: folder.clone(), source })?);
    }
    command.build();
    let page = match &args.subcommand {
        None => command,
        Some(name) => command
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| Error::Usage(format!("there is no subcommand `{name}`").into()))?,
    };
    let mut roff = Vec::new();
    clap_mangen::Man::new(page)
        .render(&mut roff)
        .map_err(|source| Error::Io { path: "the manual page".into(), source })?;
    print(&String::from_utf8_lossy(&roff))
}

pub fn completions(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "tribin", &mut script);
    print(&String::from_utf8_lossy(&script))
}
