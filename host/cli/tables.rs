//! What the commands share that write a table of one graph.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::ValueHint;
use tribin::analytics::EdgeValues;
use tribin::read::Format;
use tribin::report::table::{Column, Table, TableFormat, Values, Written};
use tribin::report::{OutputFile, human, standard_output};
use tribin::{DeviceChoice, Error, Options, Phase, PreparedGraph, Result, Session};

use super::args::{ReadAllArgs, format};
use super::failure::Failure;
use super::fallback;
use super::output::print;
use super::progress::Display;
use super::size;

const ABOUT: &str = "\
The extension of OUT says how the table is written:
  .csv          commas, a line of column names
  .tsv .txt     tabs, the column names in a comment; so is standard output
  .npy          a NumPy array: one column a number, or one record a row where some are doubles
  .parquet      Apache Parquet

Vertices are called as in FILE. Vertices without an edge have no row.
";

/// The graph, and how to work on it.
#[derive(Debug, clap::Args)]
pub struct GraphArgs {
    /// The graph; `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// The file to write: whole under its name, or not there; `-` is standard output
    #[arg(short, long, value_name = "OUT", default_value = "-", value_hint = ValueHint::FilePath)]
    output: PathBuf,

    /// CPU threads; by default one for each core
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// The graph's format, where it is not what extension and first bytes say
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    format: Option<Format>,

    #[command(flatten)]
    read: ReadAllArgs,

    /// No progress bars, no notes and no report: only warnings and errors go to stderr
    #[arg(short, long)]
    quiet: bool,
}

/// Where to work on it.
#[derive(Debug, clap::Args)]
pub struct DeviceArgs {
    /// Where to find the numbers: auto, cpu, gpu or gpu:N
    #[arg(long, value_name = "DEVICE", default_value = "auto", value_parser = str::parse::<DeviceChoice>)]
    device: DeviceChoice,

    /// Device memory that may be used at most, for example 24G
    #[arg(long, value_name = "BYTES", value_parser = size::parse)]
    memory: Option<u64>,
}

impl DeviceArgs {
    /// The CPU, whatever there is.
    pub const CPU: DeviceArgs = DeviceArgs { device: DeviceChoice::Cpu, memory: None };
}

/// Both.
#[derive(Debug, clap::Args)]
#[command(after_help = ABOUT)]
pub struct TableArgs {
    #[command(flatten)]
    pub graph: GraphArgs,

    #[command(flatten)]
    pub device: DeviceArgs,
}

/// Rows of the tables whose values are all there before they are written.
const BLOCK: usize = 1 << 16;

/// A prepared graph, and where its table goes.
pub struct Work<'a> {
    args: &'a GraphArgs,
    destination: Destination,
    display: Display,
    pub graph: PreparedGraph,
    start: Instant,
}

enum Destination {
    StandardOutput,
    File(OutputFile, TableFormat),
}

impl Destination {
    /// Checks what can be checked before the work.
    fn new(path: &Path) -> Result<Destination> {
        if path == Path::new("-") {
            return Ok(Destination::StandardOutput);
        }
        let format = TableFormat::of(path)?;
        Ok(Destination::File(OutputFile::new(path)?, format))
    }

    fn format(&self) -> TableFormat {
        match self {
            Destination::StandardOutput => TableFormat::Tsv,
            Destination::File(_, format) => *format,
        }
    }

    fn write(&self, table: &Table) -> Result<Written> {
        match self {
            Destination::StandardOutput => {
                let written = standard_output()
                    .and_then(|mut output| table.write(TableFormat::Tsv, &mut output));
                written.map_err(|source| Error::Io { path: "standard output".into(), source })
            }
            Destination::File(file, format) => file.write_with(|to| table.write(*format, to)),
        }
    }
}

impl<'a> Work<'a> {
    /// Reads and prepares the graph.
    pub fn begin(args: &'a GraphArgs, device: &DeviceArgs) -> Result<Work<'a>> {
        let destination = Destination::new(&args.output)?;
        if let Destination::File(file, _) = &destination {
            file.refuse_as([&args.file])?;
        }
        let mut options = Options::default();
        options.device = device.device;
        options.device_memory = device.memory;
        options.threads = args.threads;
        let display = Display::new(args.quiet);
        options.work = display.work().clone();
        let session = Session::with_progress(options, display.on_phase())?;
        fallback::check_memory(device.memory, device.device, session.selection())?;
        fallback::say(session.selection(), "working");
        let reading = args.read.options(args.format, Some(display.on_bytes()));
        display.begin(&args.file);
        let graph = session.prepare_file(&args.file, &reading).inspect_err(|_| display.end())?;
        Ok(Work { args, destination, display, graph, start: Instant::now() })
    }

    /// How the table will be written.
    pub fn format(&self) -> TableFormat {
        self.destination.format()
    }

    /// Writes a table of `rows` rows, made a range at a time.
    pub fn write_rows<'v>(
        &'v self,
        columns: &[Column],
        rows: usize,
        make: impl Fn(std::ops::Range<usize>) -> Vec<Values<'v>> + Sync,
    ) -> Result<(), Failure> {
        let block = |block: usize| make(block * BLOCK..rows.min((block + 1) * BLOCK));
        self.write(&Table {
            columns,
            rows: rows as u64,
            blocks: rows.div_ceil(BLOCK),
            block: &block,
        })
    }

    /// Writes every edge with its number, in a column of this name.
    pub fn write_edges(&self, number: &'static str, found: &EdgeValues) -> Result<(), Failure> {
        let [u, v] = end_columns(&self.graph);
        self.write_rows(&[u, v, Column::Whole(number)], found.len(), |rows| {
            let values = found.values()[rows.clone()].iter().map(|&value| value.into()).collect();
            let mut row = ends(&self.graph, &found.edges()[rows]);
            row.push(Values::Whole(values));
            row
        })
    }

    /// Writes the table, and reports on it where it does not go to standard output.
    pub fn write(&self, table: &Table) -> Result<(), Failure> {
        let found = self.start.elapsed();
        self.display.say(Phase::Write);
        let work = self.display.work();
        work.begin(table.blocks as u64);
        let block = |block: usize| {
            let values = (table.block)(block);
            work.add(1);
            values
        };
        let table = &Table { block: &block, ..*table };
        let written = self.graph.session().install(|| self.destination.write(table));
        self.display.end();
        let written = written?;
        if self.args.quiet || matches!(self.destination, Destination::StandardOutput) {
            return Ok(());
        }
        let seconds = [found, self.start.elapsed() - found].map(|time| time.as_secs_f64());
        let name = self.args.output.display().to_string();
        print(&human::table(&self.graph, &name, &written, seconds))
    }
}

/// Edges as two columns of ids.
pub fn ends<'a>(graph: &'a PreparedGraph, edges: &[[u32; 2]]) -> Vec<Values<'a>> {
    let end = |end: usize| Values::of_ids(graph.ids(), edges.iter().map(|edge| edge[end]));
    vec![end(0), end(1)]
}

/// The columns of [`ends`].
pub fn end_columns(graph: &PreparedGraph) -> [Column; 2] {
    ["u", "v"].map(|name| Column::of_ids(name, graph.ids()))
}
