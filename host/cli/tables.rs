//! What the commands share that write a table of one graph.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::ValueHint;
use tribin::analytics::EdgeValues;
use tribin::read::Format;
use tribin::report::table::{Column, Table, TableFormat, TableTarget, Values, Written};
use tribin::report::{OutputFile, human};
use tribin::{DeviceChoice, Error, Options, Phase, PreparedGraph, Result, Session};

use super::arcs::{ArcArgs, Made};
use super::args::{ReadAllArgs, format};
use super::failure::Failure;
use super::fallback;
use super::histogram::Histogram;
use super::output::print;
use super::picture::Target;
use super::progress::Display;
use super::selection::Wanted;
use super::size;

/// How tables are written, for the help of the commands that write one.
pub const FORMATS: &str = "\
The extension of OUT says how the table is written:
  .csv .tsv .txt      commas or tabs, the column names in the first line; so is
                      standard output, with tabs. With .gz or .zst compressed
  .npy                a NumPy array: one column a number, or one record a row
                      where the columns are of several kinds
  .parquet            Apache Parquet
  .feather .arrow     Apache Arrow IPC

Vertices are called as in FILE.
";

/// The graph, and how to work on it.
#[derive(Debug, clap::Args)]
pub struct GraphArgs {
    /// The graph; `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// The file to write: whole under its name, or not there; `-` is standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// How to write it, where it is not what the extension says: csv, tsv.gz, npy, …
    #[arg(long, value_name = "FORMAT", value_parser = table_format)]
    to_format: Option<TableTarget>,

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
    /// Where to find the numbers: auto, cpu, gpu, gpu:N, gpu:all, or several GPUs such as gpu:0-3
    #[arg(long, value_name = "DEVICE", default_value = "auto", value_parser = str::parse::<DeviceChoice>)]
    device: DeviceChoice,

    /// Device memory that may be used at most, for example 24G
    #[arg(long, value_name = "BYTES", value_parser = size::parse)]
    memory: Option<u64>,
}

/// Both.
#[derive(Debug, clap::Args)]
pub struct TableArgs {
    #[command(flatten)]
    pub graph: GraphArgs,

    #[command(flatten)]
    pub device: DeviceArgs,
}

/// Rows of the tables whose values are all there before they are written.
const BLOCK: usize = 1 << 16;

fn table_format(name: &str) -> Result<TableTarget, String> {
    name.parse().map_err(|error: Error| error.to_string())
}

impl GraphArgs {
    /// Whether a place or a format is named for the table.
    pub fn names_output(&self) -> bool {
        self.output.is_some() || self.to_format.is_some()
    }
}

/// A prepared graph, and where its table goes.
pub struct Work<'a> {
    args: &'a GraphArgs,
    destination: Destination,
    display: Display,
    pub graph: PreparedGraph,
    /// The same graph, with the directions and weights that were asked for.
    pub made: Made,
    start: Instant,
}

struct Destination {
    output: OutputFile,
    target: TableTarget,
}

impl Destination {
    /// Checks what can be checked before the work.
    fn new(args: &GraphArgs) -> Result<Destination> {
        let path = args.output.as_deref().unwrap_or(Path::new("-"));
        let output = OutputFile::new(path)?;
        let target = match args.to_format {
            Some(target) => target,
            None => match TableTarget::of_name(&output.name()) {
                Err(_) if !output.is_file() => TableTarget::TEXT,
                target => target?,
            },
        };
        output.refuse_as([&args.file])?;
        Ok(Destination { output, target })
    }

    fn write(&self, table: &Table) -> Result<Written> {
        self.output.write_with(|to| table.write(self.target, to))
    }
}

impl<'a> Work<'a> {
    /// Reads and prepares the graph.
    pub fn begin(args: &'a GraphArgs, device: &DeviceArgs) -> Result<Work<'a>> {
        Work::begin_as(args, device, &ArcArgs::default())
    }

    /// Reads and prepares the graph, with directions and weights.
    pub fn begin_as(args: &'a GraphArgs, device: &DeviceArgs, arcs: &ArcArgs) -> Result<Work<'a>> {
        let destination = Destination::new(args)?;
        let mut options = Options::default();
        options.device = arcs.device(device.device)?;
        options.device_memory = device.memory;
        options.threads = args.threads;
        let display = Display::new(args.quiet);
        options.work = display.work().clone();
        let session = Session::with_progress(options, display.on_phase())?;
        fallback::check_memory(("--memory", device.memory), device.device, session.selection())?;
        fallback::say(session.selection(), "working");
        let mut reading = args.read.options(args.format, Some(display.on_bytes()));
        arcs.read(&mut reading);
        display.begin(&args.file);
        let made = arcs.prepare(&session, &args.file, &reading).inspect_err(|_| display.end())?;
        let graph = made.graph().clone();
        Ok(Work { args, destination, display, graph, made, start: Instant::now() })
    }

    /// How the table will be written.
    pub fn format(&self) -> TableFormat {
        self.destination.target.format()
    }

    /// Writes a table of `rows` rows, made a range at a time.
    pub fn write_rows<'v>(
        &'v self,
        columns: &[Column],
        rows: usize,
        make: impl Fn(std::ops::Range<usize>) -> Vec<Values<'v>> + Sync,
    ) -> Result<Option<String>, Failure> {
        let block = |block: usize| Ok(make(block * BLOCK..rows.min((block + 1) * BLOCK)));
        self.write(&Table {
            columns,
            rows: rows as u64,
            blocks: rows.div_ceil(BLOCK),
            block: &block,
        })
    }

    /// Writes edges with their numbers, in a column of this name: those that are wanted, or all.
    pub fn write_edges(
        &self,
        number: &'static str,
        found: &EdgeValues,
        wanted: Wanted,
    ) -> Result<Option<String>, Failure> {
        let [u, v] = end_columns(&self.graph);
        let columns = [u, v, Column::Whole(number)];
        let (edges, values) = (found.edges(), found.values());
        let rows = |edges: &[[u32; 2]], values: &[u32]| {
            let mut row = ends(&self.graph, edges);
            row.push(Values::Whole(values.iter().map(|&value| value.into()).collect()));
            row
        };
        let chosen =
            wanted.rows(edges.len(), |row| values[row].into(), |row, v| edges[row].contains(&v));
        match chosen {
            None => self.write_rows(&columns, edges.len(), |range| {
                rows(&edges[range.clone()], &values[range])
            }),
            Some(chosen) => self.write_rows(&columns, chosen.len(), |range| {
                let chosen = &chosen[range];
                let edges: Vec<_> = chosen.iter().map(|&row| edges[row]).collect();
                let values: Vec<_> = chosen.iter().map(|&row| values[row]).collect();
                rows(&edges, &values)
            }),
        }
    }

    /// Writes the table. Gives the report on it, unless it goes to standard output or nobody wants one.
    pub fn write(&self, table: &Table) -> Result<Option<String>, Failure> {
        let found = self.start.elapsed();
        self.display.say(Phase::Write);
        let work = self.display.work();
        work.begin(table.blocks as u64);
        let block = |block: usize| {
            let values = (table.block)(block)?;
            work.add(1);
            Ok(values)
        };
        let table = &Table { block: &block, ..*table };
        let written = self.graph.session().install(|| self.destination.write(table));
        self.display.end();
        let written = written?;
        if self.args.quiet || !self.destination.output.is_file() {
            return Ok(None);
        }
        let seconds = [found, self.start.elapsed() - found].map(|time| time.as_secs_f64());
        let name = self.destination.output.name();
        Ok(Some(human::table(&self.graph, &name, &written, seconds)))
    }

    /// Seconds since the graph was prepared; nothing is shown of the work any more.
    pub fn end(&self) -> f64 {
        self.display.end();
        self.start.elapsed().as_secs_f64()
    }

    /// Draws where that was asked for, and prints the report, with the histogram in it.
    pub fn finish(
        &self,
        report: Option<String>,
        plot: Option<Target>,
        histogram: &Histogram,
    ) -> Result<(), Failure> {
        if let Some(plot) = &plot {
            plot.write_histogram(histogram)?;
        }
        match report {
            Some(report)
                if plot.as_ref().is_none_or(|plot| !plot.output().is_standard_output()) =>
            {
                print(
                    &(report + &human::histogram(histogram.of, histogram.rows, &histogram.counts)),
                )
            }
            _ => Ok(()),
        }
    }

    /// Where a picture goes, checked before the work.
    pub fn check_plot(args: &GraphArgs, plot: Option<&Target>) -> Result<()> {
        let Some(plot) = plot else { return Ok(()) };
        plot.output().refuse_as([&args.file])?;
        plot.output().refuse_as(args.output.as_deref())?;
        Ok(())
    }

    /// The vertex that the file calls so.
    pub fn vertex(&self, id: &str) -> Result<u32> {
        let ids = self.graph.ids();
        let found = match ids.names() {
            Some(_) => ids.index(id),
            None => id.parse::<u64>().ok().and_then(|id| ids.index(id)),
        };
        found.ok_or_else(|| Error::Input {
            file: self.graph.name().to_owned(),
            message: format!("there is no vertex `{id}`").into(),
        })
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
