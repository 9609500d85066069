//! Reports for people.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::fold::folded;
use super::number::{bytes, counted, duration, grouped};
use super::printable;
use super::table::Written;
use crate::analytics::{
    Bounded, Cliques, DirectedStats, Estimate, Motifs, ReportHead, StageSeconds, Stats,
};
use crate::count::{Count, Figure, OverRanks};
use crate::graph::Reading;
use crate::plan::{Decision, Explanation, OutOfCore, Reason};
use crate::{Plan, PreparedGraph};

/// A block of `label value` lines under the file's name.
struct TextBlock(String);

impl TextBlock {
    /// The lines on a graph whose edges memory does not hold, if that is so.
    fn out_of_core(&mut self, out_of_core: Option<&OutOfCore>) {
        let Some(out_of_core) = out_of_core else { return };
        let parts = counted(out_of_core.parts, "part", "parts");
        self.line(
            "out of core",
            &format!("{parts}, {} of memory", bytes(out_of_core.memory_bytes)),
        );
        let folder = out_of_core.scratch.display().to_string();
        let size = bytes(out_of_core.scratch_bytes);
        self.line("scratch", &format!("{size} in {folder}"));
    }

    /// How several processes shared the work, if they did.
    fn over_ranks(&mut self, over: Option<&OverRanks>) {
        let Some(over) = over else { return };
        let ranks = counted(over.ranks.into(), "rank", "ranks");
        let shared = format!(
            "{} of up to {} entries",
            counted(over.groups, "group", "groups"),
            grouped(over.largest_group)
        );
        self.line("ranks", &format!("{ranks}, {shared}"));
        let balance = over.count_balance;
        self.line(
            "balance",
            &format!("{balance:.2} time of counting (the largest share, in means)"),
        );
    }

    fn new(title: &str) -> TextBlock {
        TextBlock(format!("{}\n", printable(title)))
    }

    /// A block about a file, with the line that says how a table was read. What is doubtful of that was told when it was read.
    fn of_file(file: &str, reading: Option<&Reading>) -> TextBlock {
        let mut block = TextBlock::new(file);
        block.reading(reading);
        block
    }

    /// A block about a prepared graph, with its figures. Where its edges are in scratch files, it says what that took.
    fn of_graph(graph: &PreparedGraph) -> TextBlock {
        let mut block = TextBlock::of_file(graph.name(), graph.reading());
        let all = graph.summary();
        block.graph(all.vertices, all.edges, all.max_degree);
        block.dropped(all.self_loops_dropped, all.duplicates_dropped, all.reciprocal_dropped);
        block.out_of_core(graph.out_of_core().as_ref());
        block
    }

    /// The text, with the device and the time at its end.
    fn ended(mut self, head: &ReportHead) -> String {
        self.line("device", &device(&head.device, &head.device_name, head.threads));
        self.stages(&head.seconds);
        self.0
    }

    fn line(&mut self, label: &str, value: &str) {
        writeln!(self.0, "  {label:<14}{}", printable(value)).expect("writing to a string");
    }

    /// Writes a line with a label and a value, folded where it is longer than a line.
    fn folded(&mut self, label: &str, value: &str) {
        for (i, line) in folded(value, 16).iter().enumerate() {
            self.line(if i == 0 { label } else { "" }, line);
        }
    }

    fn reading(&mut self, reading: Option<&Reading>) {
        if let Some(reading) = reading {
            self.folded("read as", &reading.to_string());
        }
    }

    /// The line that says what was counted on.
    fn graph(&mut self, vertices: u64, edges: u64, max_degree: u64) {
        let edges = counted(edges, "edge", "edges");
        self.sizes(vertices, &format!("{edges}, largest degree {}", grouped(max_degree)));
    }

    /// The line that says what of the entries is no edge.
    fn dropped(&mut self, self_loops: u64, duplicates: u64, reciprocal: Option<u64>) {
        let self_loops = counted(self_loops, "self-loop", "self-loops");
        let duplicates = self::duplicates(duplicates, reciprocal);
        self.line("dropped", &format!("{self_loops}, {duplicates}"));
    }

    /// The figures of all triangles.
    fn triangles(&mut self, triangles: u64, wedges: u128, transitivity: f64) {
        self.line("triangles", &grouped(triangles));
        self.line("wedges", &grouped(wedges));
        self.line("transitivity", &format!("{transitivity:.6}"));
    }

    /// The vertices, and the edges or arcs.
    fn sizes(&mut self, vertices: u64, edges: &str) {
        self.line("graph", &format!("{}, {edges}", counted(vertices, "vertex", "vertices")));
    }

    /// The lines with the whole time, and with that of each phase that took any.
    fn time(&mut self, total: f64, phases: &[(&str, f64)]) {
        self.line("time", &duration(total));
        for &(phase, seconds) in phases.iter().filter(|(_, seconds)| *seconds > 0.0) {
            self.part(phase, &duration(seconds));
        }
    }

    /// The stages of a result.
    fn stages(&mut self, seconds: &StageSeconds) {
        self.time(seconds.total, &seconds.iter().collect::<Vec<_>>());
    }

    /// The stages of a prepared graph, and then these, which are all that was done.
    fn stages_of(&mut self, graph: &PreparedGraph, found: &[(&'static str, f64)]) {
        let prepared = graph.seconds();
        let total = prepared.total + found.iter().map(|(_, seconds)| seconds).sum::<f64>();
        self.stages(&StageSeconds { found: found.to_vec(), total, ..prepared });
    }

    /// A value under the line before, right-aligned so that units stand below each other.
    fn part(&mut self, label: &str, value: &str) {
        writeln!(self.0, "    {label:<12}{value:>12}").expect("writing to a string");
    }

    /// A row of three columns under each other.
    fn row(&mut self, cells: [&str; 3]) {
        let [first, second, third] = cells;
        writeln!(self.0, "    {first:>13}  {second:>24}  {third:>24}")
            .expect("writing to a string");
    }

    /// A label, a number and a bar.
    fn bar(&mut self, label: &str, number: &str, bar: &str) {
        let line = format!("  {label:>27}  {number:>18}  {bar}");
        writeln!(self.0, "{}", line.trim_end()).expect("writing to a string");
    }

    /// Every decision with its reasons, and what was rejected before it.
    fn decisions(&mut self, decisions: &[Decision]) {
        let why = |reasons: &[Reason]| {
            let texts: Vec<_> = reasons.iter().map(Reason::to_string).collect();
            if texts.is_empty() { "nothing else is left".to_owned() } else { texts.join("; ") }
        };
        for decision in decisions {
            writeln!(self.0, "  {}: {}", decision.question, decision.choice)
                .expect("writing to a string");
            self.folded("", &format!("because {}", why(&decision.because)));
            for rejected in &decision.rejected {
                let reasons = why(&rejected.because);
                self.folded("", &format!("not {}: {reasons}", rejected.name));
            }
        }
    }

    /// Every decision, and every step beside its prediction, where they are asked for.
    fn explanation(&mut self, explanation: Option<&Explanation>) {
        let Some(explanation) = explanation else { return };
        self.decisions(&explanation.decisions);
        let cells = |cells: [String; 4]| {
            let [step, predicted, took, memory] = cells;
            format!("{step:<6}{predicted:>11}{took:>11}  {memory:>34}")
        };
        let heads = ["", "predicted", "took", "memory, predicted"].map(str::to_owned);
        self.line("steps", &cells(heads));
        for step in &explanation.steps {
            let memory = step.predicted_bytes.map_or("".into(), bytes);
            // Of some steps nothing is predicted.
            let predicted = Some(step.predicted_seconds).filter(|&seconds| seconds > 0.0);
            let predicted = predicted.map_or("".into(), duration);
            let cells = cells([step.step.to_owned(), predicted, duration(step.seconds), memory]);
            self.line("", cells.trim_end());
        }
        if let (Some(predicted), Some(peak)) =
            (explanation.predicted_peak_bytes, explanation.peak_bytes)
        {
            self.line("peak memory", &bytes(peak));
            self.line("", &format!("{} predicted", bytes(predicted)));
        }
        if let Some(exchanged) = explanation.exchanged_bytes {
            self.line("exchanged", &format!("{} between GPUs", bytes(exchanged)));
        }
    }

    /// What an engine did, in figures of its own: those that have several values with two blanks between them.
    fn figures(&mut self, figures: &[Figure]) {
        for (at, Figure { name, values, .. }) in figures.iter().enumerate() {
            let values: Vec<String> = values.iter().copied().map(grouped).collect();
            let figure = format!("{:<18}{}", name.replace('_', " "), values.join("  "));
            self.line(if at == 0 { "figures" } else { "" }, figure.trim_end());
        }
    }
}

/// The labels and values of a report that is a block of lines, without its title.
pub(crate) fn rows(report: &str) -> Vec<(String, String)> {
    let row = |line: &str| {
        let (label, value) = line.split_at(line.floor_char_boundary(16));
        (label.trim().to_owned(), value.trim().to_owned())
    };
    report.lines().skip(1).map(row).collect()
}

/// The entries that repeated an edge: those in its other direction apart from the others, where they are told
/// apart. A list of both directions of each edge has no duplicates in the eyes of who made it.
fn duplicates(all: u64, reciprocal: Option<u64>) -> String {
    let duplicates = |number| counted(number, "duplicate", "duplicates");
    match reciprocal {
        None => format!("{} in either direction", duplicates(all)),
        Some(0) => duplicates(all),
        Some(reciprocal) => format!(
            "{}, the other direction of {}",
            duplicates(all - reciprocal),
            counted(reciprocal, "edge", "edges")
        ),
    }
}

/// The report of a count.
///
/// ```
/// use tribin::report::human;
/// use tribin::{Graph, Options, Session};
///
/// let count = Session::open(Options::default())?.count(&Graph::from_edges(vec![[0, 1]]))?;
/// assert!(human::count(&count).contains("triangles"));
/// # Ok::<(), tribin::Error>(())
/// ```
pub fn count(count: &Count) -> String {
    let mut block = TextBlock::of_file(&count.file, count.reading.as_ref());
    block.graph(count.vertices, count.edges, count.max_degree);
    block.dropped(count.self_loops_dropped, count.duplicates_dropped, count.reciprocal_dropped);
    block.triangles(count.triangles, count.wedges, count.transitivity);
    block.line("engine", &count.engine);
    block.line("device", &device(&count.device, &count.device_name, count.threads));
    block.over_ranks(count.over_ranks.as_ref());
    block.out_of_core(count.out_of_core.as_ref());
    if let Some(verifier) = &count.verified_by {
        let time = duration(count.seconds.verify);
        block.line("verified", &format!("{verifier} found the same in {time}"));
    }
    let seconds = &count.seconds;
    let phases = [
        ("read", seconds.read),
        ("upload", seconds.upload),
        ("clean", seconds.clean),
        ("orient", seconds.orient),
        ("count", seconds.count),
    ];
    block.time(seconds.total, &phases);
    let speeds = [count.edges_per_second(), count.edges_per_second_in_memory()];
    let [speed, in_memory] = speeds.map(|speed| grouped(speed as u64));
    block.line("speed", &format!("{speed} edges/s, {in_memory} once in memory"));
    block.figures(&count.figures);
    block.explanation(count.explanation.as_ref());
    block.0
}

/// The figures of a graph.
pub fn stats(stats: &Stats) -> String {
    let mut block = TextBlock::of_file(&stats.head.file, stats.head.reading.as_ref());
    block.graph(stats.vertices, stats.edges, stats.max_degree);
    block.dropped(stats.self_loops_dropped, stats.duplicates_dropped, stats.reciprocal_dropped);
    if stats.isolated_vertices > 0 {
        let isolated = grouped(stats.isolated_vertices);
        let all = counted(stats.vertices_all, "vertex", "vertices");
        block.line("isolated", &format!("{isolated} of {all} have no edge"));
    }
    let [least, most] = [stats.min_degree, stats.max_degree].map(grouped);
    let (mean, median) = (stats.mean_degree, stats.median_degree);
    block.line("degrees", &format!("{least} to {most}, mean {mean:.3}, median {median:.1}"));
    block.triangles(stats.triangles, stats.wedges, stats.transitivity);
    let average = format!("{:.6} on average", stats.average_clustering);
    if stats.isolated_vertices > 0 {
        let joined = counted(stats.vertices, "vertex", "vertices");
        block.line("clustering", &format!("{average} of the {joined} with an edge"));
        let (all, average) = (grouped(stats.vertices_all), stats.average_clustering_all);
        block.line("", &format!("{average:.6} on average of all {all}, as NetworkX has it"));
    } else {
        block.line("clustering", &average);
    }
    block.line("degeneracy", &grouped(stats.degeneracy));
    if let Some(signed) = &stats.signed {
        let [one, two] = [signed.one_negative, signed.two_negative].map(grouped);
        let [none, all] = [signed.all_positive, signed.all_negative].map(grouped);
        block.line("signs", &format!("+++ {none}, ++- {one}, +-- {two}, --- {all}"));
        let none = || "no triangle has three signs".into();
        let share = |share| format!("{share:.6} of these triangles");
        block.line("balanced", &signed.balanced.map_or_else(none, share));
    }
    block.out_of_core(stats.out_of_core.as_ref());
    block.ended(&stats.head)
}

/// The figures of a directed graph, as a block of lines.
pub fn census(stats: &DirectedStats) -> String {
    let mut block = TextBlock::of_file(&stats.head.file, stats.head.reading.as_ref());
    block.sizes(stats.vertices, &counted(stats.arcs, "arc", "arcs"));
    let back = format!("{} have one back", counted(stats.mutual_arcs, "arc", "arcs"));
    let share = |share| format!("{share:.6}, {back}");
    block.line("reciprocity", &stats.reciprocity.map_or("no arcs".into(), share));
    if stats.self_loops > 0 {
        let looped = counted(stats.self_loops, "self-loop", "self-loops");
        block.line("", &format!("{looped} without one"));
    }
    block.line("triangles", &grouped(stats.triangles));
    for (place, (triad, count)) in stats.census.iter().enumerate() {
        let label = if place == 0 { "census" } else { "" };
        block.line(label, &format!("{:<5}{:>26}", triad.name(), grouped(count)));
    }
    block.out_of_core(stats.out_of_core.as_ref());
    block.ended(&stats.head)
}

/// The report of a table that was written: `seconds` has the time of finding the results and of writing them. Of a graph
/// in scratch files it has what that took.
pub fn table(graph: &PreparedGraph, file: &str, written: &Written, seconds: [f64; 2]) -> String {
    let mut block = TextBlock::of_graph(graph);
    let rows = counted(written.rows, "row", "rows");
    block.line("written", &format!("{file}: {rows}, {}", bytes(written.bytes)));
    let [find, write] = seconds;
    block.stages_of(graph, &[("find", find), ("write", write)]);
    block.0
}

/// How many edges each truss of a graph has: `counts` has each trussness and its edges, ascending, and `seconds`
/// is the time that it took to find them.
pub fn trusses(graph: &PreparedGraph, counts: &BTreeMap<u32, u64>, seconds: f64) -> String {
    let mut block = TextBlock::of_graph(graph);
    block.line("largest k", &grouped(counts.last_key_value().map_or(0, |(&k, _)| k)));
    let mut left: u64 = counts.values().sum();
    block.row(["k", "edges of the k-truss", "edges of trussness k"]);
    for (&k, &edges) in counts {
        block.row([&grouped(k), &grouped(left), &grouped(edges)]);
        left -= edges;
    }
    block.stages_of(graph, &[("peel", seconds)]);
    block.0
}

/// What was decided of a result, and what its steps took beside what was predicted: lines that follow its report.
pub fn explanation(explanation: &Explanation) -> String {
    let mut block = TextBlock(String::new());
    block.explanation(Some(explanation));
    block.0
}

/// The report of a number of cliques.
pub fn cliques(cliques: &Cliques) -> String {
    let mut block = TextBlock::of_file(&cliques.head.file, cliques.head.reading.as_ref());
    block.sizes(cliques.vertices, &counted(cliques.edges, "edge", "edges"));
    block.line(&format!("{}-cliques", cliques.k), &grouped(cliques.cliques));
    block.line("engine", &cliques.engine);
    block.ended(&cliques.head)
}

/// The report of motifs.
pub fn motifs(motifs: &Motifs) -> String {
    let mut block = TextBlock::of_file(&motifs.head.file, motifs.head.reading.as_ref());
    block.sizes(motifs.vertices, &counted(motifs.edges, "edge", "edges"));
    block.bar("motif", "induced", "          subgraphs");
    for (name, _, count) in motifs.iter() {
        let subgraphs = format!("{:>19}", grouped(count.subgraphs));
        block.bar(name, &grouped(count.induced), &subgraphs);
    }
    block.ended(&motifs.head)
}

/// The report of an estimate.
pub fn estimate(estimate: &Estimate) -> String {
    let mut block = TextBlock::of_file(&estimate.head.file, estimate.head.reading.as_ref());
    block.sizes(estimate.vertices, &counted(estimate.edges, "edge", "edges"));
    block.line("wedges", &grouped(estimate.wedges));
    let interval = |[value, low, high]: [String; 3]| match estimate.exact {
        true => format!("{value}, exact"),
        false => format!("{value}, from {low} to {high}"),
    };
    let shares = |number: &Bounded<f64>| {
        interval([number.value, number.low, number.high].map(|share| format!("{share:.6}")))
    };
    let Bounded { value, low, high } = estimate.triangles;
    block.line("triangles", &interval([value, low, high].map(grouped)));
    block.line("transitivity", &shares(&estimate.transitivity));
    block.line("clustering", &format!("{}, on average", shares(&estimate.average_clustering)));
    if !estimate.exact {
        let [error, confidence] = [estimate.error, estimate.confidence].map(|share| 100.0 * share);
        let asked = format!("{confidence:.4}% for each interval, {error:.4}% of error");
        block.line("confidence", &asked);
        let [wedges, vertices] = [estimate.sampled_wedges, estimate.sampled_vertices].map(grouped);
        let seed = estimate.seed;
        block.line("drawn", &format!("{wedges} wedges, {vertices} of vertices, with seed {seed}"));
    }
    block.folded("because", &estimate.because);
    block.ended(&estimate.head)
}

/// The report of a dry run.
pub fn plan(plan: &Plan) -> String {
    let mut block = TextBlock::new(&format!("{} (dry run: nothing is counted)", plan.file));
    let told_by = match plan.format_told_by {
        "option" => "as asked",
        "first bytes" => "told by its first bytes",
        "extension" => "told by its extension",
        _ => "assumed",
    };
    block.line("format", &format!("{}, {told_by}", plan.format));
    if let Some(compression) = &plan.compression {
        block.line("compression", compression);
    }
    if let Some(size) = plan.bytes {
        block.line("file", &bytes(size));
    }
    block.reading(plan.reading.as_ref());
    let [about, bound] = match plan.sampled {
        true => ["about ", "at least"],
        false => ["", "at most"],
    };
    let entries = counted(plan.entries, "edge entry", "edge entries");
    let vertices = counted(plan.vertex_bound, "vertex", "vertices");
    block.line("graph", &format!("{about}{entries}, {vertices} {bound}"));
    if plan.sampled {
        let error = 100.0 * plan.entries_error;
        block.line("", &format!("estimated from a sample; entries to within {error:.2}%"));
    }
    block.line("edges", &format!("{} of host memory", bytes(plan.edge_bytes)));
    if let Some(memory) = &plan.host_memory {
        block.line("memory", &format!("{} at most, at the peak", bytes(memory.most)));
        block.line("", &format!("{} at least", bytes(memory.least)));
    }
    block.out_of_core(plan.out_of_core.as_ref());
    block.line("engine", &plan.engine);
    block.line("device", &device(&plan.device, &plan.device_name, plan.threads));
    block.line("because", &plan.reason);
    block.decisions(&plan.decisions);
    if let Some(memory) = &plan.device_memory {
        block.line("device memory", &format!("{} free", bytes(memory.free)));
        for phase in memory.phases.iter().filter(|phase| phase.bytes > 0) {
            block.line(&format!("  {}", phase.phase), &bytes(phase.bytes));
        }
        if !memory.fits() {
            block.line("but", "the graph does not fit the device");
        }
    }
    block.0
}

fn device(device: &str, name: &str, threads: usize) -> String {
    if device == "cpu" {
        format!("cpu ({name}, {})", counted(threads as u64, "thread", "threads"))
    } else {
        format!("{device} ({name})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::{CountOptions, EngineCount, EngineSeconds, Seconds};
    use crate::plan::StepPrediction;
    use crate::plan::{DeviceMemory, PhaseMemory};
    use tribin_base::Context;
    use tribin_graph::Graph;
    use tribin_session::{Engine, Options, Session};

    /// Says what it was told to say.
    struct Canned(EngineCount, &'static str);

    impl Engine for Canned {
        fn name(&self) -> &str {
            "forward"
        }
        fn device(&self) -> String {
            self.1.into()
        }
        fn device_name(&self) -> String {
            "Example 3000".into()
        }
        fn count(&self, _: &Graph, _: &CountOptions, _: &Context) -> crate::Result<EngineCount> {
            Ok(self.0.clone())
        }
    }

    fn example(device: &'static str) -> Count {
        let found = EngineCount {
            triangles: 424_085_609,
            summary: crate::graph::Summary {
                vertices: 645_820,
                edges: 15_698_680,
                self_loops_dropped: 1,
                duplicates_dropped: 1_078_535,
                reciprocal_dropped: Some(1_000_000),
                wedges: 35_038_349_124,
                max_degree: 65_537,
            },
            seconds: EngineSeconds { upload: 0.0, clean: 0.25, orient: 0.1, count: 2.5 },
            ..EngineCount::default()
        };
        let options = Options {
            threads: std::num::NonZeroUsize::new(2),
            engine: Some(std::sync::Arc::new(Canned(found, device))),
            ..Options::default()
        };
        let session = Session::open(options).unwrap();
        let mut count = session.count(&Graph::default()).unwrap();
        count.file = "rmat20.el".into();
        count.seconds = Seconds { read: 1.0, total: 4.0, ..count.seconds };
        count
    }

    #[test]
    fn a_count_on_the_cpu() {
        assert_eq!(
            count(&example("cpu")),
            "\
rmat20.el
  graph         645,820 vertices, 15,698,680 edges, largest degree 65,537
  dropped       1 self-loop, 78,535 duplicates, the other direction of 1,000,000 edges
  triangles     424,085,609
  wedges        35,038,349,124
  transitivity  0.036310
  engine        forward
  device        cpu (Example 3000, 2 threads)
  time          4.000 s
    read             1.000 s
    clean         250.000 ms
    orient        100.000 ms
    count            2.500 s
  speed         3,924,670 edges/s, 5,232,893 once in memory
"
        );
    }

    #[test]
    fn duplicates_are_told_from_other_directions_where_they_can_be() {
        assert_eq!(duplicates(0, Some(0)), "0 duplicates");
        assert_eq!(duplicates(2, Some(0)), "2 duplicates");
        assert_eq!(duplicates(2, Some(1)), "1 duplicate, the other direction of 1 edge");
        assert_eq!(duplicates(3, Some(3)), "0 duplicates, the other direction of 3 edges");
        assert_eq!(duplicates(2, None), "2 duplicates in either direction");
    }

    #[test]
    fn a_verified_count_on_a_gpu() {
        let mut example = example("gpu:1");
        example.verified_by = Some("forward on cpu".into());
        example.seconds.verify = 2.0;
        example.seconds.upload = 0.5;
        let text = count(&example);
        assert!(text.contains("\n  device        gpu:1 (Example 3000)\n"), "{text}");
        assert!(
            text.contains("\n  verified      forward on cpu found the same in 2.000 s\n"),
            "{text}"
        );
        assert!(text.contains("\n    upload        500.000 ms\n"), "{text}");
    }

    #[test]
    fn figures_of_an_engine() {
        let mut example = example("gpu:0");
        example.figures =
            vec![Figure::one("candidates", 1_223_427), Figure::each("edges_left", vec![13_166, 9])];
        let text = count(&example);
        let report = "once in memory
  figures       candidates        1,223,427
                edges left        13,166  9
";
        assert!(text.ends_with(report), "{text}");
        let object = crate::json::line(&example);
        assert!(
            object.contains(r#","figures":{"candidates":1223427,"edges_left":[13166,9]},"#),
            "{object}"
        );
    }

    #[test]
    fn an_explanation() {
        let mut example = example("gpu:0");
        let reason = |holds, text: &'static str| Reason::new(holds, text);
        let mut explanation = Explanation {
            decisions: vec![Decision {
                question: "counting method",
                choice: "segments of 32 ranks".into(),
                because: vec![reason(true, "11.5 wedges an edge, at least 8")],
                rejected: vec![crate::plan::Rejected {
                    name: "groups by head",
                    because: vec![reason(false, "11.5 wedges an edge, at least 20")],
                }],
            }],
            peak_bytes: Some(3 << 20),
            ..Explanation::default()
        };
        let predicted = StepPrediction::on_device(0.5e-3, 4 << 20);
        explanation.step("count", predicted, 0.25e-3);
        example.explanation = Some(explanation);
        let text = count(&example);
        let expected = "\
  counting method: segments of 32 ranks
                because 11.5 wedges an edge, at least 8
                not groups by head: 11.5 wedges an edge, at least 20
  steps                 predicted       took                   memory, predicted
                count  500.000 µs 250.000 µs           4,194,304 bytes (4.0 MiB)
  peak memory   3,145,728 bytes (3.0 MiB)
                4,194,304 bytes (4.0 MiB) predicted
";
        assert!(text.ends_with(expected), "{text}");
    }

    #[test]
    fn a_plan() {
        let mut example = Plan {
            file: "rmat20.el.gz".into(),
            format: "edge-list",
            format_told_by: "extension",
            compression: Some("gzip".into()),
            bytes: Some(97_517_568),
            reading: None,
            sampled: false,
            entries: 16_777_216,
            entries_error: 0.0,
            vertex_bound: 1_048_576,
            edge_bytes: 134_217_728,
            host_memory: None,
            out_of_core: None,
            device_memory: Some(DeviceMemory {
                free: 1 << 27,
                phases: vec![
                    PhaseMemory { phase: "upload", bytes: 1 << 27 },
                    PhaseMemory { phase: "orient", bytes: 0 },
                ],
            }),
            engine: "forward".into(),
            device: "gpu:0".into(),
            device_name: "Example 3000".into(),
            reason: "a GPU can be used".into(),
            threads: 2,
            decisions: vec![],
        };
        let text = plan(&example);
        assert_eq!(
            text,
            "\
rmat20.el.gz (dry run: nothing is counted)
  format        edge-list, told by its extension
  compression   gzip
  file          97,517,568 bytes (93.0 MiB)
  graph         16,777,216 edge entries, 1,048,576 vertices at most
  edges         134,217,728 bytes (128.0 MiB) of host memory
  engine        forward
  device        gpu:0 (Example 3000)
  because       a GPU can be used
  device memory 134,217,728 bytes (128.0 MiB) free
    upload      134,217,728 bytes (128.0 MiB)
"
        );
        (example.sampled, example.entries_error) = (true, 0.0126);
        let sampled = plan(&example);
        let lines = "\
  graph         about 16,777,216 edge entries, 1,048,576 vertices at least
                estimated from a sample; entries to within 1.26%
  edges         134,217,728 bytes (128.0 MiB) of host memory
";
        assert!(sampled.contains(lines), "{sampled}");
        let memory = example.device_memory.as_mut().unwrap();
        memory.free -= 1;
        assert!(plan(&example).ends_with("\n  but           the graph does not fit the device\n"));
    }
}
