//! What the commands share that write a table of one graph.

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::ValueHint;
use tribin::analytics::EdgeValues;
use tribin::plan::Task;
use tribin::read::Format;
use tribin::report::table::{
    Column, StreamedTable, Table, TableFormat, TableTarget, TakeBlocks, Values, Written,
    values_of_blocks,
};
use tribin::report::{OutputFile, human};
use tribin::{
    DeviceChoice, Error, Input, Options, Phase, Plan, PreparedGraph, Result, Session, VertexIds,
};

use super::arcs::ArcArgs;
use super::args::{CountArgs, ReadAllArgs, format};
use super::failure::Failure;
use super::fallback;
use super::histogram::{Histogram, Target};
use super::output::print;
use super::progress::Display;
use super::selection::Wanted;
use super::{size, stderr, threads};

/// The help on how tables are written, with more formats between, and more behind.
macro_rules! formats {
    ($between:literal, $behind:literal) => {
        concat!(
            "\
The extension of OUT says how the table is written:
  .csv .tsv .txt      commas or tabs, the column names in the first line; so is
                      standard output, with tabs. With .gz or .zst compressed
",
            $between,
            "  .parquet            Apache Parquet
  .feather .arrow     Apache Arrow IPC
",
            $behind
        )
    };
}

/// How tables are written, for the help of the commands that write one.
pub const FORMATS: &str = formats!(
    "  .npy                a NumPy array: one column a number, or one record a row
                      where the columns are of several kinds
",
    "
Vertices are called as in FILE.
"
);

/// How tables with columns of text are written, which no NumPy array holds, and without vertices.
pub const FORMATS_WITH_TEXT: &str = formats!("", "");

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
    #[arg(long, value_name = "N", value_parser = threads::at_least_one)]
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

/// Where to work on a graph that memory may not hold.
#[derive(Debug, Clone, clap::Args)]
pub struct PlaceArgs {
    /// Where to find the numbers: auto, cpu, gpu, gpu:N, gpu:all, or several GPUs such as gpu:0-3
    #[arg(long, value_name = "DEVICE", default_value = "auto", value_parser = str::parse::<DeviceChoice>)]
    pub device: DeviceChoice,

    /// Memory that may be used at most, for example 24G. The edges of a graph that takes more are in scratch files. With
    /// `--device gpu` it is device memory, unless that has `--device-memory`
    #[arg(long, value_name = "BYTES", value_parser = size::parse)]
    memory: Option<u64>,

    /// Device memory that may be used at most, where it is not `--memory`
    #[arg(long, value_name = "BYTES", value_parser = size::parse)]
    device_memory: Option<u64>,

    /// The folder for scratch files, which are removed at the end; by default one of the system's that has room
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    scratch: Option<PathBuf>,
}

impl PlaceArgs {
    /// What to run on.
    pub fn options(&self, threads: Option<NonZeroUsize>) -> Options {
        let mut options = Options::default();
        options.device = self.device;
        (options.memory, options.device_memory) =
            size::limits(self.device, self.memory, self.device_memory);
        options.scratch.clone_from(&self.scratch);
        options.threads = threads;
        options
    }

    /// Refuses what goes with no device.
    pub fn check(&self, session: &Session) -> Result<()> {
        let memory = ("--device-memory", self.device_memory);
        fallback::check_memory(memory, self.device, session)
    }
}

/// A graph, and where to work on it, whether memory holds it or not.
#[derive(Debug, clap::Args)]
pub struct AnySizeArgs {
    #[command(flatten)]
    pub graph: GraphArgs,

    #[command(flatten)]
    pub place: PlaceArgs,
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
    /// The graph that `tribin count` is given.
    pub fn of_count(args: &CountArgs, file: &Path) -> GraphArgs {
        GraphArgs {
            file: file.to_owned(),
            output: args.output.clone(),
            to_format: None,
            threads: args.threads,
            format: args.format,
            read: args.read.clone(),
            quiet: args.quiet,
        }
    }

    /// Whether a place or a format is named for the table.
    pub fn names_output(&self) -> bool {
        self.output.is_some() || self.to_format.is_some()
    }

    /// Reads and prepares the graph for a task of the CPU.
    pub fn begin_on_cpu(&self, task: Task) -> Result<Work<'_>> {
        let mut options = Options::default();
        options.device = DeviceChoice::Cpu;
        options.threads = self.threads;
        Work::begin(self, (options, task), &ArcArgs::default(), |_| Ok(()))
    }

    /// Where the table goes, and how it is written.
    fn target(&self) -> Result<(OutputFile, TableTarget)> {
        let path = self.output.as_deref().unwrap_or(Path::new("-"));
        let output = OutputFile::new(path)?;
        let target = match self.to_format {
            Some(target) => target,
            None => match TableTarget::of_name(&output.name()) {
                Err(_) if !output.is_file() => TableTarget::TEXT,
                target => target?,
            },
        };
        Ok((output, target))
    }

    /// Refuses a NumPy array for a table that has columns of text.
    pub fn refuse_numpy(&self) -> Result<()> {
        let (output, target) = self.target()?;
        if target.format() != TableFormat::Npy {
            return Ok(());
        }
        let message = format!(
            "{}: the table has a column of text, which NumPy arrays do not hold: write .csv, .tsv, .parquet or .feather",
            output.name()
        );
        Err(Error::Usage(message.into()))
    }
}

/// Takes blocks of what was found, and says whether more are wanted.
pub type TakeFound<'a, B> = dyn FnMut(Vec<B>) -> Result<bool> + Send + 'a;

/// A prepared graph, wherever its edges are, and where its table goes.
pub struct Work<'a> {
    args: &'a GraphArgs,
    output: OutputFile,
    target: TableTarget,
    display: Display,
    pub graph: PreparedGraph,
    start: Instant,
}

impl AnySizeArgs {
    /// Reads and prepares the graph for a task, with the directions and weights that are asked for.
    pub fn begin(&self, arcs: &ArcArgs, task: Task) -> Result<Work<'_>> {
        let options = self.place.options(self.graph.threads);
        Work::begin(&self.graph, (options, task), arcs, |session| self.place.check(session))
    }

    /// What a task would do that is planned beside the count of triangles.
    pub fn plan(&self, task: Task) -> Result<Plan> {
        let GraphArgs { file, threads, format, read, quiet, .. } = &self.graph;
        let display = Display::new(*quiet);
        let mut options = self.place.options(*threads);
        options.task = task;
        let session = Session::opened_later(options, display.on_phase())?;
        self.place.check(&session)?;
        let reading = read.options(*format, Some(display.on_bytes()));
        display.begin(file);
        let plan = session.plan_for(Input::file(file, &reading), task);
        display.end();
        plan
    }
}

impl TableArgs {
    /// Reads and prepares the graph for a task, with the directions and weights that are asked for.
    pub fn begin(&self, arcs: &ArcArgs, task: Task) -> Result<Work<'_>> {
        let mut options = Options::default();
        options.device = self.device.device;
        options.device_memory = self.device.memory;
        options.threads = self.graph.threads;
        let memory = ("--memory", self.device.memory);
        Work::begin(&self.graph, (options, task), arcs, |session| {
            fallback::check_memory(memory, self.device.device, session)
        })
    }
}

impl<'a> Work<'a> {
    /// Reads and prepares the graph that `tribin count` is given, to look at every triangle.
    pub fn of_count(graph: &'a GraphArgs, args: &CountArgs) -> Result<Work<'a>> {
        let memory = ("--device-memory", args.device_memory);
        Work::begin(graph, (args.session_options(), Task::List), &ArcArgs::default(), |session| {
            fallback::check_memory(memory, args.device, session)
        })
    }

    fn begin(
        args: &'a GraphArgs,
        (mut options, task): (Options, Task),
        arcs: &ArcArgs,
        check: impl FnOnce(&Session) -> Result<()>,
    ) -> Result<Work<'a>> {
        // What can be checked before the work is.
        let (output, target) = args.target()?;
        output.refuse_as([&args.file])?;
        let display = Display::new(args.quiet);
        options.work = display.work().clone();
        options.task = task;
        let session = Session::opened_later(options, display.on_phase())?;
        check(&session)?;
        let mut reading = args.read.options(args.format, Some(display.on_bytes()));
        arcs.read(&mut reading);
        display.begin(&args.file);
        let input = Input::file(&args.file, &reading);
        let input = if arcs.directed { input.directed() } else { input };
        let graph = session.prepare(input).inspect_err(|_| display.end())?;
        Ok(Work { args, output, target, display, graph, start: Instant::now() })
    }

    /// How the table will be written.
    pub fn format(&self) -> TableFormat {
        self.target.format()
    }

    /// Whether there will be a report.
    pub fn is_reported(&self) -> bool {
        !self.args.quiet && self.output.is_file()
    }

    /// Writes a table of `rows` rows, made a range at a time.
    pub fn write_rows<'v>(
        &self,
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

    /// Writes a table whose rows are found one after the other: `find` hands blocks of them over until it is told `false`,
    /// and `values` makes a block's columns.
    pub fn write_found<'v, B: Send>(
        &self,
        (columns, rows): (&[Column], u64),
        find: impl FnOnce(&mut TakeFound<'_, B>) -> Result<()> + Send,
        values: impl Fn(B) -> Vec<Values<'v>> + Send + Sync,
    ) -> Result<Option<String>, Failure> {
        let mut find = Some(find);
        let mut stream = |to: &mut TakeBlocks<'_, 'v>| {
            let Some(find) = find.take() else { return Ok(()) };
            let mut failed = None;
            let found = find(&mut |blocks| {
                Ok(to(values_of_blocks(blocks, &values)).unwrap_or_else(|error| {
                    failed = Some(error);
                    false
                }))
            });
            found.map_err(io::Error::other)?;
            failed.map_or(Ok(()), Err)
        };
        let table = StreamedTable { columns, rows, stream: &mut stream };
        let write = || self.output.write_with(|to| table.write(self.target, to));
        let written = self.graph.session().install(write);
        self.display.end();
        self.report(&written?, self.start.elapsed())
    }

    /// Writes edges with their numbers, in a column of this name: those that are wanted, or all.
    pub fn write_edges<N: Copy + Into<u64> + Sync>(
        &self,
        number: &'static str,
        found: &EdgeValues<N>,
        wanted: Wanted,
    ) -> Result<Option<String>, Failure> {
        let [u, v] = end_columns(&self.graph);
        let columns = [u, v, Column::Whole(number)];
        let (edges, values) = (found.edges(), found.values());
        let rows = |edges: &[[u32; 2]], values: &[N]| {
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
        let write = || self.output.write_with(|to| table.write(self.target, to));
        let written = self.graph.session().install(write);
        self.display.end();
        self.report(&written?, found)
    }

    /// The report on what was written, where somebody wants one. `found` is the time until all was found.
    fn report(&self, written: &Written, found: Duration) -> Result<Option<String>, Failure> {
        if !self.is_reported() {
            return Ok(None);
        }
        let seconds = [found, self.start.elapsed() - found].map(|time| time.as_secs_f64());
        Ok(Some(human::table(&self.graph, &self.output.name(), written, seconds)))
    }

    /// Says something of what was written, unless nobody wants notes.
    pub fn note(&self, text: &str) {
        if !self.args.quiet {
            stderr::line(format_args!("note: {}: {text}", self.graph.name()));
        }
    }

    /// Seconds since the graph was prepared; nothing is shown of the work any more.
    pub fn end(&self) -> f64 {
        self.display.end();
        self.start.elapsed().as_secs_f64()
    }

    /// Draws where that was asked for, and prints the report, with the histogram in it.
    pub fn finish(
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
        vertex(self.graph.ids(), self.graph.name(), id)
    }
}

/// The vertex that a file calls so.
pub fn vertex(ids: &VertexIds, file: &str, id: &str) -> Result<u32> {
    let found = match ids.names() {
        Some(_) => ids.index(id),
        None => id.parse::<u64>().ok().and_then(|id| ids.index(id)),
    };
    found.ok_or_else(|| Error::Input {
        file: file.to_owned(),
        message: format!("there is no vertex `{id}`").into(),
    })
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
