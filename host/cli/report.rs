//! `tribin report`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::ValueHint;
use tribin::plan::Task;
use tribin::read::Format;
use tribin::report::{OutputFile, page};
use tribin::{Input, Session};

use super::args::{ReadAllArgs, format};
use super::failure::Failure;
use super::progress::Display;
use super::tables::PlaceArgs;
use super::threads;

#[derive(Debug, clap::Args)]
pub struct ReportArgs {
    /// The graph; `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// The page to write, such as graph.html: whole under its name, or not there; `-` is standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    output: PathBuf,

    #[command(flatten)]
    place: PlaceArgs,

    /// CPU threads; by default one for each core
    #[arg(long, value_name = "N", value_parser = threads::at_least_one)]
    threads: Option<NonZeroUsize>,

    /// The graph's format, where it is not what extension and first bytes say
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    format: Option<Format>,

    #[command(flatten)]
    read: ReadAllArgs,

    /// No progress bars and no notes: only warnings and errors go to stderr
    #[arg(short, long)]
    quiet: bool,
}

pub fn run(args: &ReportArgs) -> Result<(), Failure> {
    let output = OutputFile::new(&args.output)?;
    output.refuse_as([&args.file])?;
    let mut options = args.place.options(args.threads);
    let display = Display::new(args.quiet);
    options.work = display.work().clone();
    options.task = Task::Trusses;
    let session = Session::opened_later(options, display.on_phase())?;
    args.place.check(&session)?;
    let reading = args.read.options(args.format, Some(display.on_bytes()));
    display.begin(&args.file);
    let graph = session.prepare(Input::file(args.file.clone(), &reading))?;
    let page = page::html(&graph)?;
    display.end();
    Ok(output.write(page.as_bytes())?)
}
