//! What `auto` loses against the best: every order of the vertices with every sort and every counting method, beside
//! the choice.
//!
//! Counts are compared. Times are milliseconds on the device: of the preparation, from degrees to rows, of what the
//! method builds beside the graph, and of counting.

use testkit::devices::{entries_on, in_groups};
use tribin::Graph;
use tribin_gpu::counting::hybrid;
use tribin_gpu::counting::sample;
use tribin_gpu::device::cuda::Gpu;
use tribin_gpu::device_graph::DeviceGraph;
use tribin_gpu::methods::run_in_place;
use tribin_gpu::plan::counting::{
    BitMatrix, CountShape, CountingSettings, GroupSettings, HubSettings, InPlace,
    NarrowBloomFilters, Product, RowTables, Segments,
};
use tribin_gpu::plan::preparation::{
    CLASSES, KeySort, Order, SortPasses, SortedGroups, hubs_beyond,
};
use tribin_gpu::plan::{EdgeOrder, EntryFacts, Landmarks, Task, WedgeSample};
use tribin_gpu::prepare::degrees::{DeviceDegrees, count_degrees};
use tribin_gpu::prepare::keys::orient_by;
use tribin_gpu::prepare::prepare_uploaded;
use tribin_gpu::prepare::rows::{adopt, clean};
use tribin_gpu::prepare::vertex_order::{VertexOrder, min_hash_labels};
use tribin_graph::Summary;
use tribin_kernels::min_hash::first_degree;
use tribin_kernels::wedge_sample::FIRST_RANKS;
use warpwise_device::launch::{Buffer, Device};

use super::{bed, median};

/// Degrees up to which a graph is counted in the orders that do not look at degrees.
const MOST_DEGREE: u64 = 8_192;

/// Wedges an edge up to which a graph is counted with few bits a row.
const MOST_NARROW_WEDGES: u64 = 50;

/// How many times as long as `auto` a count takes that is measured once only: nothing that slow is the best.
const SLOW: f64 = 1.5;

/// Milliseconds of an order and a method.
#[derive(Debug, Clone)]
struct Line {
    order: String,
    method: String,
    prepare: f64,
    build: f64,
    count: f64,
}

impl Line {
    /// Of the preparation too.
    fn whole(&self) -> f64 {
        self.prepare + self.counted()
    }

    /// Of what is made beside the graph, and of counting.
    fn counted(&self) -> f64 {
        self.build + self.count
    }
}

/// What `auto` took over what the best took.
pub struct Regret {
    name: String,
    auto: Line,
    best: Line,
    best_counted: Line,
}

impl Regret {
    fn of_whole(&self) -> f64 {
        self.auto.whole() / self.best.whole()
    }

    fn of_counting(&self) -> f64 {
        self.auto.counted() / self.best_counted.counted()
    }
}

/// What every measurement of a graph needs.
struct Bench<'a> {
    gpu: &'a Gpu,
    /// The entries on the device, which are copied for each preparation.
    edges: Buffer<u64, Gpu>,
    vertices: u64,
    runs: usize,
}

/// Measures every order with every sort and method, and gives what `auto` lost.
pub fn bench(gpu: &Gpu, name: &str, graph: &Graph, runs: usize) -> tribin::Result<Regret> {
    let edges = entries_on(gpu, graph.edges())?;
    let bench = Bench { gpu, edges, vertices: graph.vertex_bound() as u64, runs };
    let (auto, triangles) = bench.auto()?;
    print(name, &auto);
    let mut lines = Vec::new();
    for order in bench.orders(name)? {
        lines.extend(bench.order(name, order, triangles, auto.whole())?);
    }
    let least = |of: &dyn Fn(&Line) -> f64| {
        lines.iter().min_by(|a, b| of(a).total_cmp(&of(b))).expect("some").clone()
    };
    let (best, best_counted) = (least(&Line::whole), least(&Line::counted));
    Ok(Regret { name: name.to_owned(), auto, best, best_counted })
}

impl Bench<'_> {
    fn copy(&self) -> tribin::Result<Buffer<u64, Gpu>> {
        let len = self.edges.len();
        let mut copy = Buffer::uninitialized(self.gpu, len)?;
        copy.copy_from(self.gpu, 0, self.gpu, &self.edges, 0..len)?;
        Ok(copy)
    }

    /// The preparation and the count that the plan chooses.
    fn auto(&self) -> tribin::Result<(Line, u64)> {
        let (mut prepares, mut builds, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        let (mut names, mut triangles) = ((String::new(), String::new()), 0);
        for _ in 0..=self.runs {
            let ready = prepare_uploaded(self.gpu, self.copy()?, self.vertices, Task::Count)?;
            let (found, explanation) = hybrid::count_within(
                self.gpu,
                &ready.graph,
                &CountingSettings::MEASURED,
                u64::MAX,
            )?;
            prepares.push(1e3 * (ready.seconds.orient + ready.seconds.clean));
            builds.push(1e3 * found.counted.build);
            counts.push(1e3 * found.counted.count);
            triangles = found.counted.triangles;
            let sort = ready.decisions.get(1).map_or("", |decision| &decision.choice);
            let order = ready.order.map_or(String::new(), named);
            let method = explanation.decisions.first();
            let method = method.map_or(String::new(), |decision| decision.choice.clone());
            let matrix = if found.edges.hubs > 0 { " and the matrix of the hubs" } else { "" };
            names = (format!("auto: {order}, {sort}"), format!("{method}{matrix}"));
        }
        let (order, method) = names;
        let (prepare, build, count) = (median(prepares), median(builds), median(counts));
        Ok((Line { order, method, prepare, build, count }, triangles))
    }

    /// The orders that may be taken. Prints what the rules of the preparation may ask for.
    fn orders(&self, name: &str) -> tribin::Result<Vec<Order>> {
        let Bench { gpu, edges, vertices, .. } = self;
        let entries = edges.len();
        let mut degrees = DeviceDegrees::zeroed(*gpu, *vertices)?;
        degrees.find_landmarks(*gpu, entries)?;
        degrees.add(*gpu, edges, 0..entries)?;
        let facts = degrees.look(*gpu, edges, entries, Task::Count)?;
        let EntryFacts { summary, order: sorted, landmarks, .. } = facts;
        let filled = summary.vertices;
        println!(
            "{name}\tfacts\t{entries} entries, {sorted:?}, {:.1} wedges an entry, {} is the largest degree, \
             mean {:.1}; entries, wedges and closed by class: {}",
            summary.wedges as f64 / entries as f64,
            summary.max_degree,
            2.0 * entries as f64 / filled as f64,
            of_classes(&landmarks),
        );
        let mut orders = vec![Order::Degrees];
        let largest = |class: usize| first_degree(entries, filled) << class;
        // One in which no vertex is a hub is enough.
        let below = (0..CLASSES).filter(|&class| u64::from(largest(class)) < summary.max_degree);
        let classes = (below.clone().count() + 1).min(CLASSES);
        orders.extend((0..classes).map(|class| hubs_beyond(class, &landmarks, entries, filled)));
        if summary.max_degree <= MOST_DEGREE {
            orders.extend([Order::Ids, Order::MinHash]);
            if sorted != EdgeOrder::Unsorted {
                orders.push(Order::AsTheyAre);
            }
        }
        Ok(orders)
    }

    /// An order with each sort and method; nothing is sorted where the entries stay as they are.
    fn order(
        &self,
        name: &str,
        order: Order,
        triangles: u64,
        auto: f64,
    ) -> tribin::Result<Vec<Line>> {
        let entries = self.edges.len();
        let fits =
            |passes: &SortPasses| SortedGroups::of(entries, self.vertices, *passes).is_some();
        let sorted_bins = SortedGroups::PASSES
            .into_iter()
            .filter(fits)
            .map(|passes| KeySort::SortedBins { passes });
        let others = std::iter::once(KeySort::Bins).chain(sorted_bins);
        let mut ready = None;
        let mut prepared = Vec::new();
        // Entries that stay as they are have one time.
        let others = others.filter(|_| order != Order::AsTheyAre);
        for sort in std::iter::once(KeySort::Whole).chain(others) {
            let mut samples = Vec::new();
            for _ in 0..=self.runs {
                drop(ready.take());
                let (ordered, ms) = self.prepare(order, sort)?;
                samples.push(ms);
                ready = Some(ordered);
            }
            prepared.push(median(samples));
        }
        let ready = ready.expect("at least one run");
        let prepare = prepared.iter().copied().fold(f64::MAX, f64::min);
        let sample = sample::measure(self.gpu, &ready, &CountingSettings::MEASURED.sample())?;
        print_sample(name, &named(order), &sample);
        let (by, ranks) = (InPlace::Merge, ready.rows.len() / 2);
        let filters = |exact| NarrowBloomFilters::for_rows(sample.row_of_edges(), ranks, exact);
        let [filters, exact] = [0, FIRST_RANKS[0]].map(filters);
        let mut measured = Vec::new();
        for (method, by) in [
            ("merge", by(CountShape::default())),
            ("merge or search", by(CountShape { search: true })),
            ("segments", InPlace::Segments(Segments)),
            ("tables", InPlace::RowTables(RowTables::for_rows(sample.row_of_edges(), ranks))),
        ] {
            measured.push((method, self.in_place(&ready, by, auto)?));
        }
        // Long rows fill their bits, and nearly every wedge is searched for.
        if sample.wedges <= MOST_NARROW_WEDGES * sample.edges {
            for (method, by) in [("filters", filters), ("filters, a bit each", exact)] {
                let by = InPlace::NarrowBloomFilters(by);
                measured.push((method, self.in_place(&ready, by, auto)?));
            }
        }
        if BitMatrix::rows(ready.rows.len() / 2).is_some() {
            for (method, by) in [
                ("matrix by popcount", Product::CommonBits { lanes_log2: 2 }),
                ("matrix by tensor cores", Product::TensorBits),
            ] {
                let by = InPlace::BitMatrix(BitMatrix { by });
                measured.push((method, self.in_place(&ready, by, auto)?));
            }
        }
        let groups = |hubs| CountingSettings {
            groups: Some(GroupSettings {
                min_grouped_permille: 0,
                hubs,
                ..GroupSettings::MEASURED
            }),
            ..CountingSettings::MEASURED
        };
        measured.push(("groups", self.in_groups(&ready, &groups(None), auto)?));
        if matches!(order, Order::Degrees | Order::HubsFirst { .. }) {
            let hubs = HubSettings { min_edges: 0, min_permille: 0, ..HubSettings::MEASURED };
            measured
                .push(("groups and matrix", self.in_groups(&ready, &groups(Some(hubs)), auto)?));
        }
        let lines = measured.into_iter().map(|(method, found)| {
            let Measured { build, count, .. } = found;
            assert_eq!(found.triangles, triangles, "{order:?}, {method}");
            Line { order: named(order), method: method.to_owned(), prepare, build, count }
        });
        let lines: Vec<Line> = lines.collect();
        lines.iter().for_each(|line| print(name, line));
        Ok(lines)
    }

    /// A graph in this order, and milliseconds of the preparation without what it takes to decide.
    fn prepare(&self, order: Order, sort: KeySort) -> tribin::Result<(DeviceGraph<Gpu>, f64)> {
        let (gpu, edges) = (self.gpu, self.copy()?);
        let start = gpu.record()?;
        let mut degrees = count_degrees(gpu, &edges, self.vertices)?;
        let counted = gpu.record()?;
        let before = gpu.seconds_between(&start, &counted)?;
        let seen = degrees.look(gpu, &edges, edges.len(), Task::Count)?;
        let start = gpu.record()?;
        let graph = if order == Order::AsTheyAre {
            adopt(gpu, &edges, &degrees.degree, seen.order)?
        } else {
            let order = ordered(gpu, &edges, &degrees, &seen.summary, order)?;
            clean(gpu, orient_by(gpu, edges, degrees, (order, sort), Task::Count)?)?
        };
        let end = gpu.record()?;
        Ok((graph, 1e3 * (before + gpu.seconds_between(&start, &end)?)))
    }

    fn in_place(
        &self,
        graph: &DeviceGraph<Gpu>,
        method: InPlace,
        auto: f64,
    ) -> tribin::Result<Measured> {
        let (mut builds, mut counts, mut triangles) = (Vec::new(), Vec::new(), 0);
        for _ in 0..=self.runs {
            let start = self.gpu.record()?;
            let counted = run_in_place(&method, self.gpu, graph, &start)?;
            builds.push(1e3 * counted.build);
            counts.push(1e3 * counted.count);
            triangles = counted.triangles;
            if 1e3 * (counted.build + counted.count) > SLOW * auto {
                break;
            }
        }
        Ok(Measured { build: median(builds), count: median(counts), triangles })
    }

    fn in_groups(
        &self,
        graph: &DeviceGraph<Gpu>,
        settings: &CountingSettings,
        auto: f64,
    ) -> tribin::Result<Measured> {
        let (mut builds, mut counts, mut triangles) = (Vec::new(), Vec::new(), 0);
        for _ in 0..=self.runs {
            let found = hybrid::count_within(self.gpu, graph, &in_groups(settings), u64::MAX)?.0;
            let counted = found.counted;
            builds.push(1e3 * counted.build);
            counts.push(1e3 * counted.count);
            triangles = counted.triangles;
            if 1e3 * (counted.build + counted.count) > SLOW * auto {
                break;
            }
        }
        Ok(Measured { build: median(builds), count: median(counts), triangles })
    }
}

/// The medians of a method, in milliseconds, and what it counted.
struct Measured {
    build: f64,
    count: f64,
    triangles: u64,
}

fn named(order: Order) -> String {
    match order {
        Order::HubsFirst { most_degree, .. } => format!("hubs above {most_degree}"),
        other => format!("{other:?}"),
    }
}

fn print_sample(name: &str, order: &str, sample: &WedgeSample) {
    println!(
        "{name}\t{order}\tsample: {:.1} wedges an edge, {:.2} triangles an edge, {:.1}% close, {:.1}% high, \
         {:.1}% near, {:.1}% joined, {:.1}% of the wedges joined, {:.1}% hubs, inequality {:.1}",
        sample.wedges as f64 / sample.edges as f64,
        sample.triangles as f64 / sample.sampled as f64,
        100.0 * sample.triangles as f64 / sample.sampled_wedges as f64,
        100.0 * sample.high_triangles as f64 / sample.sampled_wedges as f64,
        100.0 * sample.near as f64 / sample.sampled as f64,
        100.0 * sample.joined as f64 / sample.sampled as f64,
        100.0 * sample.joined_wedges as f64 / sample.sampled_wedges as f64,
        100.0 * sample.hub_edges as f64 / sample.edges as f64,
        2.0 * sample.wedges as f64 * sample.rows as f64 / (sample.edges as f64).powi(2),
    );
}

fn of_classes(landmarks: &Landmarks) -> String {
    let sampled = landmarks.sampled as f64;
    let class = |class: &tribin_gpu::plan::LandmarkClass| {
        let closed = 100.0 * class.closed as f64 / class.wedges.max(1) as f64;
        format!("{:.1}% {} {closed:.1}%", 100.0 * class.edges as f64 / sampled, class.wedges)
    };
    landmarks.classes.iter().map(class).collect::<Vec<_>>().join(", ")
}

fn print(name: &str, line: &Line) {
    let Line { order, method, prepare, build, count } = line;
    println!(
        "{name}\t{order}\t{method}\tprepare {prepare:.3}\tbuild {build:.3}\tcount {count:.3}\tmethod {:.3}\twhole {:.3}",
        line.counted(),
        line.whole()
    );
}

fn ordered(
    gpu: &Gpu,
    edges: &Buffer<u64, Gpu>,
    degrees: &DeviceDegrees<Gpu>,
    figures: &Summary,
    order: Order,
) -> tribin::Result<VertexOrder<Gpu>> {
    let labels = order
        .labels(edges.len())
        .map(|labelled| min_hash_labels(gpu, edges, &degrees.degree, labelled, figures.vertices));
    Ok(VertexOrder { order, labels: labels.transpose()? })
}

/// Prints what `auto` took over the best, the worst first: of the graphs that something may be chosen by, and of
/// those held out.
pub fn print_worst_first(mut regrets: Vec<Regret>) {
    regrets.sort_by(|a, b| b.of_whole().total_cmp(&a.of_whole()));
    let (held_out, chosen_by): (Vec<_>, Vec<_>) =
        regrets.iter().partition(|regret| bed::is_held_out(&regret.name));
    for (which, regrets) in [("graphs to choose by", chosen_by), ("graphs held out", held_out)] {
        if regrets.is_empty() {
            continue;
        }
        let mean = |of: fn(&Regret) -> f64| {
            let logs: f64 = regrets.iter().map(|regret| of(regret).ln()).sum();
            (logs / regrets.len() as f64).exp()
        };
        println!(
            "{} {which}: regret of edges on the device -> count, and of method and counting alone, worst first; \
             geometric means {:.3} and {:.3}, {} above 1.1",
            regrets.len(),
            mean(Regret::of_whole),
            mean(Regret::of_counting),
            regrets.iter().filter(|regret| regret.of_whole() > 1.1).count(),
        );
        for regret in regrets {
            let Regret { name, auto, best, best_counted } = regret;
            println!(
                "{:5.2} {:5.2}  {name}: {:.2} ms, {} by {}; best {:.2} ms, {} by {}, and by counting {} by {}",
                regret.of_whole(),
                regret.of_counting(),
                auto.whole(),
                auto.order,
                auto.method,
                best.whole(),
                best.order,
                best.method,
                best_counted.order,
                best_counted.method,
            );
        }
    }
}
