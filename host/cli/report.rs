//! `tribin report`.

use std::path::PathBuf;

use clap::ValueHint;
use tribin::plan::Task;
use tribin::report::{OutputFile, page};
use tribin::{Error, Input};

use super::args::{PlaceArgs, WorkArgs};
use super::failure::Failure;

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

    #[command(flatten)]
    work: WorkArgs,
}

pub fn run(args: &ReportArgs) -> Result<(), Failure> {
    let output = OutputFile::new(&args.output)?;
    let extension = args.output.extension().map(|extension| extension.to_ascii_lowercase());
    if output.is_file() && extension.is_none_or(|named| named != "html" && named != "htm") {
        let message = format!("{}: a report is a page: call it .html", output.name());
        return Err(Error::Usage(message.into()).into());
    }
    output.refuse_as([&args.file])?;
    let (display, session, reading) = args.place.open(&args.work)?;
    display.begin(&args.file);
    let graph =
        session.prepare(Input::file(args.file.clone(), &reading).for_task(Task::Trusses))?;
    let page = page::html(&graph)?;
    display.end();
    Ok(output.write(page.as_bytes())?)
}
