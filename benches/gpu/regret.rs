//! What `auto` loses against the best: every order of the vertices with every counting method, beside the choice.
//!
//! Counts are compared, and each line has milliseconds on the device: of the preparation, from degrees to rows, of
//! what the method builds beside the graph, and of counting.

use tribin::Graph;
use tribin::count::{hybrid, sample};
use tribin::device::cuda::Gpu;
use tribin::graph::{DeviceGraph, Summary};
use tribin::methods::InPlace;
use tribin::methods::bloom_filters::BloomFilters;
use tribin::methods::forward::gpu::CountShape;
use tribin::methods::narrow_bloom_filters::NarrowBloomFilters;
use tribin::methods::segments::Segments;
use tribin::plan::preparation::{CLASSES, Order, hubs_beyond};
use tribin::plan::{EdgeOrder, Landmarks, Tuning};
use tribin::prepare::gpu::decide::decide;
use tribin::prepare::gpu::keys::{Degrees, Orientation, count_degrees, orient_by};
use tribin::prepare::gpu::rows::{adopt, clean};
use tribin::prepare::gpu::vertex_order::{
    VertexOrder, landmark_labels, landmarks, min_hash_labels, min_hash_labels_of,
};
use tribin::prepare::gpu::{prepare_uploaded, upload};
use tribin_device::launch::{Buffer, Device};

/// Degrees up to which a graph is counted in the orders that do not look at degrees.
const MOST_DEGREE: u64 = 4_096;

/// Seconds from which on a count is measured once, after a warm-up: nothing so slow is the best.
const SLOW: f64 = 0.02;

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

fn median(mut samples: Vec<f64>) -> f64 {
    samples.remove(0);
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

/// Prints every order with every method, and gives what `auto` lost.
pub fn bench(gpu: &Gpu, name: &str, graph: &Graph, runs: usize) -> tribin::Result<Regret> {
    let (major, minor) = gpu.info().compute_capability;
    let tuning = Tuning::for_compute_capability(major, minor);
    let (auto, triangles) = auto(gpu, graph, &tuning, runs)?;
    print(name, &auto);
    let (edges, _) = upload(gpu, graph)?;
    let degrees = count_degrees(gpu, &edges, graph.vertex_bound() as u64)?;
    let summary = degrees.summary(gpu, edges.len())?;
    let sorted = degrees.order(gpu)?;
    let (entries, filled) = (edges.len(), summary.vertices);
    let (mut samples, mut found) = (Vec::new(), None);
    for _ in 0..=runs {
        let start = gpu.record()?;
        let made = landmark_labels(gpu, &edges, &degrees.degree, entries, filled)?;
        found = Some(landmarks(gpu, &edges, &degrees.degree, &made, entries, filled)?);
        samples.push(1e3 * gpu.seconds_between(&start, &gpu.record()?)?);
    }
    let landmarks = found.expect("at least one run");
    println!(
        "{name}\tfacts\t{entries} entries, {sorted:?}, {:.1} wedges an entry, {} is the largest degree, mean {:.1}; \
         entries, wedges and closed by class: {}; {:.3} ms to look at landmarks",
        summary.wedges as f64 / entries as f64,
        summary.max_degree,
        2.0 * entries as f64 / filled as f64,
        of_classes(&landmarks),
        median(samples),
    );
    drop(edges);
    let mut orders = vec![Order::Degrees];
    orders.extend((0..CLASSES).map(|class| hubs_beyond(class, &landmarks, entries, filled)));
    if summary.max_degree <= MOST_DEGREE {
        orders.extend([Order::Ids, Order::MinHash]);
        if sorted != EdgeOrder::Unsorted {
            orders.push(Order::AsTheyAre);
        }
    }
    let mut lines = Vec::new();
    for order in orders {
        let (mut samples, mut ready) = (Vec::new(), None);
        for _ in 0..=runs {
            drop(ready.take());
            let (ordered, ms) = prepare(gpu, graph, order)?;
            samples.push(ms);
            ready = Some(ordered);
        }
        let ready = ready.expect("at least one run");
        let prepare = median(samples);
        let named = match order {
            Order::HubsFirst { most_degree, .. } => format!("hubs above {most_degree}"),
            other => format!("{other:?}"),
        };
        let sample = sample::measure(gpu, &ready, &tuning)?;
        println!(
            "{name}\t{named}\tsample: {:.1} wedges an edge, {:.2} triangles an edge, {:.1}% close, {:.1}% high, \
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
        let mut add = |method: &str, (build, count, found): (f64, f64, u64)| {
            assert_eq!(found, triangles, "{named}, {method}");
            let (order, method) = (named.clone(), method.to_owned());
            let line = Line { order, method, prepare, build, count };
            print(name, &line);
            lines.push(line);
        };
        let sparse = sample.edges < u64::from(tuning.filter_min_row) * (ready.rows.len() / 2);
        let filters = match sparse {
            true => InPlace::NarrowBloomFilters(NarrowBloomFilters),
            false => InPlace::BloomFilters(BloomFilters),
        };
        for (method, by) in [
            ("merge", InPlace::Merge(CountShape::for_rows(false))),
            ("merge-long", InPlace::Merge(CountShape::for_rows(true))),
            ("segments", InPlace::Segments(Segments)),
            ("filters", filters),
        ] {
            add(method, in_place(gpu, &ready, by, runs)?);
        }
        add("groups", in_groups(gpu, &ready, &tuning, runs)?);
    }
    let least = |of: &dyn Fn(&Line) -> f64| {
        lines.iter().min_by(|a, b| of(a).total_cmp(&of(b))).expect("some").clone()
    };
    let (best, best_counted) = (least(&Line::whole), least(&Line::counted));
    Ok(Regret { name: name.to_owned(), auto, best, best_counted })
}

fn of_classes(landmarks: &Landmarks) -> String {
    let sampled = landmarks.sampled as f64;
    let class = |class: &tribin::plan::LandmarkClass| {
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

/// The preparation and the count that the plan chooses.
fn auto(gpu: &Gpu, graph: &Graph, tuning: &Tuning, runs: usize) -> tribin::Result<(Line, u64)> {
    let (mut prepares, mut builds, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    let (mut names, mut triangles) = ((String::new(), String::new()), 0);
    for _ in 0..=runs {
        let (edges, _) = upload(gpu, graph)?;
        let ready = prepare_uploaded(gpu, edges, graph.vertex_bound() as u64)?;
        let (found, explanation) = hybrid::count_within(gpu, &ready.graph, tuning, u64::MAX)?;
        prepares.push(1e3 * (ready.seconds.orient + ready.seconds.clean));
        builds.push(1e3 * found.seconds.group);
        counts.push(1e3 * found.seconds.count());
        triangles = found.triangles;
        let choice = |decisions: &[tribin::plan::Decision]| {
            decisions.first().map_or(String::new(), |decision| decision.choice.clone())
        };
        names = (choice(&ready.decisions), choice(&explanation.decisions));
    }
    let (order, method) = (format!("auto: {}", names.0), names.1);
    let line = Line {
        order,
        method,
        prepare: median(prepares),
        build: median(builds),
        count: median(counts),
    };
    Ok((line, triangles))
}

/// A graph in this order, and milliseconds of the preparation without what it takes to decide.
fn prepare(gpu: &Gpu, graph: &Graph, order: Order) -> tribin::Result<(DeviceGraph<Gpu>, f64)> {
    let (edges, _) = upload(gpu, graph)?;
    let start = gpu.record()?;
    let degrees = count_degrees(gpu, &edges, graph.vertex_bound() as u64)?;
    let counted = gpu.record()?;
    let before = gpu.seconds_between(&start, &counted)?;
    let figures = degrees.summary(gpu, edges.len())?;
    let sorted = degrees.order(gpu)?;
    let sort = decide(gpu, &edges, &degrees, EdgeOrder::Unsorted, false)?.orientation(false).sort;
    let start = gpu.record()?;
    let graph = if order == Order::AsTheyAre {
        adopt(gpu, &edges, &degrees.degree, sorted)?
    } else {
        let order = ordered(gpu, &edges, &degrees, &figures, order)?;
        let orientation = Orientation { order, sort, keep_vertices: false };
        clean(gpu, orient_by(gpu, edges, degrees, orientation)?)?
    };
    let end = gpu.record()?;
    Ok((graph, 1e3 * (before + gpu.seconds_between(&start, &end)?)))
}

fn ordered(
    gpu: &Gpu,
    edges: &Buffer<u64, Gpu>,
    degrees: &Degrees<Gpu>,
    figures: &Summary,
    order: Order,
) -> tribin::Result<VertexOrder<Gpu>> {
    let (degrees, filled) = (&degrees.degree, figures.vertices);
    Ok(match order {
        Order::AsTheyAre => unreachable!("such edges have no keys"),
        Order::Ids => VertexOrder::Ids,
        Order::Degrees => VertexOrder::Degrees,
        Order::MinHash => VertexOrder::MinHash(min_hash_labels(gpu, edges, degrees, filled)?),
        Order::HubsFirst { most_degree, neighbours } => {
            let labels = min_hash_labels_of(gpu, edges, degrees, neighbours, filled, most_degree)?;
            VertexOrder::HubsFirst { labels, most_degree }
        }
    })
}

fn in_place(
    gpu: &Gpu,
    graph: &DeviceGraph<Gpu>,
    method: InPlace,
    runs: usize,
) -> tribin::Result<(f64, f64, u64)> {
    let (mut builds, mut counts, mut triangles) = (Vec::new(), Vec::new(), 0);
    for _ in 0..=runs {
        let start = gpu.record()?;
        let counted = method.run(gpu, graph, &start)?;
        builds.push(1e3 * counted.build);
        counts.push(1e3 * counted.count);
        triangles = counted.triangles;
        if counted.count > SLOW && counts.len() > 1 {
            break;
        }
    }
    Ok((median(builds), median(counts), triangles))
}

fn in_groups(
    gpu: &Gpu,
    graph: &DeviceGraph<Gpu>,
    tuning: &Tuning,
    runs: usize,
) -> tribin::Result<(f64, f64, u64)> {
    let always = Tuning { grouped_min_permille: 0, ..*tuning };
    let (mut builds, mut counts, mut triangles) = (Vec::new(), Vec::new(), 0);
    for _ in 0..=runs {
        let counted = hybrid::count_oriented(gpu, graph, &always)?;
        builds.push(1e3 * counted.seconds.group);
        counts.push(1e3 * counted.seconds.count());
        triangles = counted.triangles;
        if counted.seconds.count() > SLOW && counts.len() > 1 {
            break;
        }
    }
    Ok((median(builds), median(counts), triangles))
}

/// Prints what `auto` took over the best, the worst first.
pub fn print_worst_first(mut regrets: Vec<Regret>) {
    let by_whole = |regret: &Regret| regret.auto.whole() / regret.best.whole();
    regrets.sort_by(|a, b| by_whole(b).total_cmp(&by_whole(a)));
    println!(
        "regret of edges on the device -> count, and of method and counting alone, worst first"
    );
    for regret in &regrets {
        let Regret { name, auto, best, best_counted } = regret;
        println!(
            "{:5.2} {:5.2}  {name}: {} by {}; best {} by {}, and by counting {} by {}",
            by_whole(regret),
            auto.counted() / best_counted.counted(),
            auto.order,
            auto.method,
            best.order,
            best.method,
            best_counted.order,
            best_counted.method,
        );
    }
}
