//! Whether a GPU that was left to the program does some work, or the CPU: whoever is predicted to be done first, with the time
//! that a GPU takes to start.

use super::reason::{Bound, Chosen, Reason, ReasonFigure, Rules};
use super::task::Task;
use super::time;

/// Seconds until the first GPU can be used, while other work may go on: the driver, a context and the kernels. (`tribin count
/// --device gpu tests/data/karate.mtx` on an H200, docs/measured.md: 0.19 to 0.23 s.)
pub const START_UP: f64 = 0.22;

/// Seconds that a process with a GPU takes beside that, while nothing else goes on: memory to copy through at the first
/// upload, and giving all back at the end. (`tribin count` takes 0.34 to 0.37 s of small graphs on the GPU and 0.42 of 50 M entries, of which
/// 0.20 to 0.25 go by until it is open.)
pub const ONCE: f64 = 0.15;

/// Thread-seconds that a byte of a file takes to read. (Text: 1.0 GB in 1.16 s on two threads, docs/measured.md.)
const READ: f64 = 2.3e-9;

/// Seconds that a byte of text takes however many threads read. (1.13 GB in 0.21 s on 16 threads, same place.)
const LEAST_READ: f64 = 1.9e-10;

/// Seconds that a byte takes of a file that has no more bytes than its entries in memory, such as raw pairs. (rmat22: 537 MB in
/// 0.019 to 0.027 s.)
const RAW_READ: f64 = 5.0e-11;

/// Seconds an entry: counting alone, on a GPU. (1.6 to 2 ms of rmat20, 6.4 of rmat22, on an H200.)
const GPU_COUNT: f64 = 1.2e-10;

/// Seconds of a GPU beside those in proportion to the entries: about ten launches that are waited for.
const GPU_LEAST: f64 = 1.0e-3;

/// The state of a GPU that may have to be opened.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Readiness {
    /// The GPU can be used.
    Open,
    /// The GPU is being opened, for this number of seconds so far.
    Opening(f64),
    /// The GPU is not open, and nothing opens it.
    Closed,
}

/// The facts by which a graph goes to the CPU or to a GPU.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeviceFacts {
    /// Edge entries.
    pub entries: u64,
    /// One more than the largest vertex; 0 where it is not known.
    pub vertices: u64,
    /// Bytes that are still to be read.
    pub unread: u64,
    /// Whether the graph is prepared, in host memory.
    pub is_prepared: bool,
    /// CPU threads.
    pub threads: usize,
    /// How far the GPU is.
    pub gpu: Readiness,
    /// The result that is to be found.
    pub task: Task,
}

/// What a task takes for an entry after the preparation.
struct TaskRates {
    /// Thread-seconds on the CPU.
    cpu: f64,
    /// Seconds on a GPU, beside those that the CPU takes as well.
    gpu: f64,
}

/// The device that does the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worker {
    /// The GPU that was left to the program.
    Gpu,
    /// The CPU.
    Cpu,
}

impl DeviceFacts {
    /// The rates of the task.
    fn rates(&self) -> TaskRates {
        let count = time::CPU_COUNT;
        let (cpu, gpu) = match self.task {
            Task::Preparation | Task::Estimate => (0.0, 0.0),
            // Ten vertices of each: 1,500 to 7,000 thread-nanoseconds an entry, and 160 to 390 on a GPU, for which the CPU lays both
            // directions out (docs/measured.md).
            Task::Similar => (5.0e-6, 2.0e-7),
            Task::Count => (count, GPU_COUNT),
            // `stats` and `local` of rmat18 take 0.55 s of processor time, and `count` 0.31 s, with all that is around both.
            Task::AtVertices | Task::Cores | Task::FourCycles | Task::Stats => {
                (1.5 * count, 1.5 * GPU_COUNT)
            }
            // `local` of rmat18 and rmat20 on 16 threads: 360 to 510 thread-nanoseconds an entry, of them 50 for degrees, which
            // the CPU counts beside a GPU as well. The GPU's whole takes 5 to 6.5 ns.
            Task::ByDirection => (3.5e-7, 2.6e-9),
            // Onnela's coefficient of the same: 400 to 540. A GPU leaves 130 of them to the CPU, for roots and sums.
            Task::Products => (3.0e-7, 2.6e-9),
            // 4-cliques of rmat16, rmat18 and rmat20 take 1.2 to 1.7 ns an edge on an H200 (docs/measured.md).
            Task::Cliques | Task::Motifs => (time::CPU_CLIQUES, 14.0 * GPU_COUNT),
            // No GPU has a kernel for them.
            Task::CliquesAtVertices | Task::CliquesOnEdges => (time::CPU_CLIQUES, 0.0),
            // Support of rmat20 takes 2.5 counts on a GPU, about two on a CPU, and is copied back.
            Task::Any | Task::OnEdges | Task::List | Task::Trusses => {
                (2.0 * count, 4.0 * GPU_COUNT)
            }
        };
        TaskRates { cpu, gpu }
    }

    /// Seconds that reading takes.
    pub fn reading(&self) -> f64 {
        let is_text = self.unread > self.entries.saturating_mul(8);
        let byte =
            if is_text { (READ / time::workers(self.threads)).max(LEAST_READ) } else { RAW_READ };
        self.unread as f64 * byte
    }

    /// The facts of a graph whose results are found on a device that is open.
    pub fn of_graph(entries: u64, vertices: u64, threads: usize, task: Task) -> DeviceFacts {
        let (is_prepared, gpu) = (true, Readiness::Open);
        DeviceFacts { entries, vertices, unread: 0, is_prepared, threads, gpu, task }
    }

    /// Seconds of the CPU, from entries or rows in memory on.
    pub fn on_cpu(&self) -> f64 {
        let prepare = if self.is_prepared { 0.0 } else { self.prepare_on_cpu() };
        prepare + self.find_on_cpu()
    }

    /// Seconds of the CPU to prepare the graph.
    pub fn prepare_on_cpu(&self) -> f64 {
        time::prepare_on_cpu(self.entries, self.threads)
    }

    /// Seconds of the CPU, from the prepared graph on.
    pub fn find_on_cpu(&self) -> f64 {
        let entries = self.entries as f64;
        let finding = match self.rates().cpu {
            0.0 => 0.0,
            rate => time::find_on_cpu(self.entries, self.vertices, self.threads, rate),
        };
        let peeling = match self.task {
            // On 16 threads the degeneracy of R-MAT and hyperbolic graphs takes 4 ns of an entry, of uniform ones 16 to 18, and of Barabási and
            // Albert's 25. Two threads take about as long.
            Task::Stats => entries * 1.6e-8,
            // All core numbers of the same take 18 to 25 ns.
            Task::Cores => entries * 2.0e-8,
            // On two threads 620 ns of rmat18 for each entry, on 16 threads 290, and 370 of rmat20.
            Task::Trusses => entries * 8.0e-7 / time::workers(self.threads).cbrt(),
            _ => 0.0,
        };
        finding + peeling
    }

    /// Seconds of a GPU that is open, from entries or rows in memory on.
    pub fn on_gpu(&self) -> f64 {
        if self.task.is_left_to_cpu() {
            // The CPU finds it of rows that are copied back. The CPU prepares them as well, so that no graph goes to the GPU for that alone.
            return self.on_cpu() + GPU_LEAST + time::upload(self.entries.saturating_mul(4));
        }
        let prepare = match self.is_prepared {
            true => time::upload(self.entries.saturating_mul(4)),
            false => self.prepare_on_gpu(),
        };
        prepare + self.find_on_gpu()
    }

    /// Seconds of a GPU to prepare the graph.
    pub fn prepare_on_gpu(&self) -> f64 {
        let sorted = time::orient(self.entries) + time::clean(self.entries);
        time::upload_entries(self.entries) + sorted
    }

    /// Seconds of a GPU, from the prepared graph on.
    pub fn find_on_gpu(&self) -> f64 {
        let entries = self.entries as f64;
        let peeling = match self.task {
            // rmat16 to rmat24: 15, 8, 7, 7 and 8 ns an entry, and thousands of rounds.
            Task::Trusses => 1.0e-2 + entries * 8.0e-9,
            // The same graphs: 0.4 to 0.6 ns, and 1.5 of one with eight neighbours a vertex.
            Task::Stats | Task::Cores => 2.0e-3 + entries * 5.0e-10,
            _ => 0.0,
        };
        GPU_LEAST + entries * self.rates().gpu + peeling
    }

    /// Seconds until the GPU can be used, after the file is read, with those that it takes once.
    pub fn wait(&self) -> f64 {
        let left = |seconds: f64| (START_UP - seconds - self.reading()).max(0.0);
        match self.gpu {
            Readiness::Open => 0.0,
            // A GPU that is being opened also costs its end, whichever device does the work.
            Readiness::Opening(seconds) => left(seconds),
            Readiness::Closed => left(0.0) + ONCE,
        }
    }

    /// What speaks for the GPU.
    fn reason(&self) -> Reason {
        let (cpu, gpu) = (self.on_cpu(), self.on_gpu() + self.wait());
        let bound = Bound::AtLeast(ReasonFigure::Quotient(1e3 * gpu, 1.0));
        let figure = ReasonFigure::Quotient(1e3 * cpu, 1.0);
        Reason::compared(cpu >= gpu, figure, "ms predicted on the CPU", bound)
    }

    /// The time of the GPU.
    fn time_of_gpu(&self) -> Reason {
        let (wait, gpu) = (1e3 * self.wait(), 1e3 * self.on_gpu());
        let ready = match self.gpu {
            Readiness::Open => format!("{gpu:.1} ms on the GPU, which is open"),
            Readiness::Opening(_) => format!("{gpu:.1} ms on the GPU, which is ready in {wait:.1}"),
            Readiness::Closed => format!("{gpu:.1} ms on a GPU, which takes {wait:.1} to open"),
        };
        Reason::new(true, ready)
    }
}

/// Chooses who does the work in a session whose device was left open, on a machine that seems to have a GPU. O(1).
///
/// Memory is no matter here: a device that has too little of it fails, and the session's rule for that holds.
pub fn worker(facts: &DeviceFacts) -> Chosen<Worker> {
    let (reason, gpu) = (facts.reason(), facts.time_of_gpu());
    let against = vec![reason.clone().decided(), gpu.clone()];
    let rules = Rules::unbounded().rule("the GPU", Worker::Gpu, 0, vec![reason, gpu]);
    rules.otherwise("the CPU", Worker::Cpu, 0, against)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: Task = Task::Count;

    const FACTS: DeviceFacts = DeviceFacts {
        entries: 1 << 24,
        vertices: 1 << 20,
        unread: 0,
        is_prepared: false,
        threads: 16,
        gpu: Readiness::Closed,
        task: COUNT,
    };

    /// The least number of entries that goes to the GPU.
    fn border(facts: &DeviceFacts) -> u64 {
        let goes = |entries| {
            let vertices = facts.vertices.min(entries / 16);
            worker(&DeviceFacts { entries, vertices, ..*facts }).choice == Worker::Gpu
        };
        let (mut cpu, mut gpu) = (0, 1 << 40);
        assert!(!goes(cpu) && goes(gpu));
        while gpu - cpu > 1 {
            let middle = cpu + (gpu - cpu) / 2;
            if goes(middle) { gpu = middle } else { cpu = middle }
        }
        gpu
    }

    #[test]
    fn a_gpu_is_taken_where_it_is_done_first() {
        let with = |task, threads, gpu| DeviceFacts { task, threads, gpu, ..FACTS };
        for (facts, millions) in [
            // A count makes up for the start in graphs of tens of millions of entries.
            (with(COUNT, 2, Readiness::Closed), 8.0..11.0),
            (with(COUNT, 16, Readiness::Closed), 45.0..60.0),
            (with(COUNT, 64, Readiness::Closed), 90.0..130.0),
            (with(Task::Any, 16, Readiness::Closed), 35.0..50.0),
            (with(Task::OnEdges, 16, Readiness::Closed), 35.0..50.0),
            (with(Task::AtVertices, 16, Readiness::Closed), 40.0..55.0),
            (with(Task::Stats, 16, Readiness::Closed), 16.9..19.5),
            (with(Task::Cores, 16, Readiness::Closed), 12.0..18.0),
            // Peeling does so much sooner.
            (with(Task::Trusses, 2, Readiness::Closed), 0.3..0.7),
            (with(Task::Trusses, 16, Readiness::Closed), 0.8..1.4),
            (with(Task::ByDirection, 16, Readiness::Closed), 14.0..20.0),
            (with(Task::Products, 16, Readiness::Closed), 15.0..22.0),
            // Half of the start is over, or all of it.
            (with(COUNT, 16, Readiness::Opening(START_UP / 2.0)), 17.0..25.0),
            (with(COUNT, 16, Readiness::Opening(9.0)), 0.1..0.3),
            (with(COUNT, 16, Readiness::Open), 0.1..0.3),
            (with(COUNT, 2, Readiness::Open), 0.01..0.05),
            // A graph that the CPU has prepared is worth less of a GPU's time.
            (DeviceFacts { is_prepared: true, ..FACTS }, 80.0..110.0),
        ] {
            let found = border(&facts) as f64 / 1e6;
            assert!(millions.contains(&found), "{found} million: {facts:?}");
        }
    }

    #[test]
    fn reading_hides_the_start() {
        // All of it, for what takes longer to read; what a process takes once is left.
        let wait = |unread, gpu| DeviceFacts { unread, gpu, ..FACTS }.wait();
        let much = (START_UP / LEAST_READ) as u64 + 1;
        assert_eq!(wait(much, Readiness::Closed), ONCE);
        assert_eq!(wait(0, Readiness::Closed), START_UP + ONCE);
        assert!((wait(much / 2, Readiness::Closed) - START_UP / 2.0 - ONCE).abs() < 1e-6);
        assert_eq!(wait(much, Readiness::Opening(0.0)), 0.0);
        assert_eq!(wait(0, Readiness::Opening(0.1)), START_UP - 0.1);
        assert_eq!(wait(0, Readiness::Open), 0.0);
        let of = |unread| border(&DeviceFacts { unread, ..FACTS });
        assert!(2 * of(0) > 3 * of(much), "{} {}", of(0), of(much));
    }

    /// However large the graph, and however far the GPU is.
    #[test]
    fn what_no_gpu_finds_goes_to_the_cpu() {
        for task in [Task::CliquesAtVertices, Task::CliquesOnEdges] {
            for entries in [0, 1 << 24, 1 << 40] {
                for gpu in [Readiness::Closed, Readiness::Opening(9.0), Readiness::Open] {
                    for is_prepared in [false, true] {
                        let facts = DeviceFacts { task, entries, gpu, is_prepared, ..FACTS };
                        assert_eq!(worker(&facts).choice, Worker::Cpu, "{facts:?}");
                    }
                }
            }
        }
        let counted = DeviceFacts { task: Task::Cliques, gpu: Readiness::Open, ..FACTS };
        assert_eq!(worker(&counted).choice, Worker::Gpu);
    }

    #[test]
    fn dense_graphs_go_to_the_gpu_sooner() {
        let dense = DeviceFacts { vertices: 1 << 12, ..FACTS };
        assert!(dense.on_cpu() > 2.0 * FACTS.on_cpu());
        assert_eq!(DeviceFacts { vertices: 0, ..FACTS }.on_gpu(), FACTS.on_gpu());
        assert_eq!(worker(&dense).choice, Worker::Gpu);
    }

    #[test]
    fn a_choice_says_why() {
        let because = |facts: &DeviceFacts| {
            let chosen = worker(facts);
            let texts: Vec<_> = chosen.because.iter().map(ToString::to_string).collect();
            (chosen.name, texts)
        };
        let small = DeviceFacts { entries: 78, vertices: 34, ..FACTS };
        let texts = [
            "0.0 ms predicted on the CPU, under 371.3",
            "1.3 ms on a GPU, which takes 370.0 to open",
        ];
        assert_eq!(because(&small), ("the CPU", texts.map(String::from).to_vec()));
        let opening = DeviceFacts { gpu: Readiness::Opening(0.12), ..small };
        let texts = [
            "0.0 ms predicted on the CPU, under 101.3",
            "1.3 ms on the GPU, which is ready in 100.0",
        ];
        assert_eq!(because(&opening), ("the CPU", texts.map(String::from).to_vec()));
        let open = because(&DeviceFacts { gpu: Readiness::Open, entries: 1 << 28, ..FACTS });
        assert!(open.1[1].ends_with(" ms on the GPU, which is open"), "{open:?}");
    }

    #[test]
    fn no_figure_is_too_large() {
        for entries in [0, 1, u64::MAX] {
            for vertices in [0, 1, u64::MAX] {
                let facts = DeviceFacts { entries, vertices, unread: entries, threads: 0, ..FACTS };
                assert!(facts.on_cpu().is_finite() && facts.on_gpu().is_finite());
                worker(&facts);
            }
        }
    }
}
