//! Measuring: what is kept of the runs, and that engines that disagree are found.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use tribin::bench::{BenchRecord, Contender, markdown, measure};
use tribin::count::{CountOptions, EngineCount, EngineSeconds};
use tribin::{Context, DeviceChoice, Engine, Error, Graph, Options, Result, Session};
use tribin_graph::Summary;

/// Counts a triangle, and more after some runs; says that it took as many seconds as it ran times.
struct Scripted {
    name: &'static str,
    runs: Arc<AtomicU64>,
    right: u64,
}

impl Engine for Scripted {
    fn name(&self) -> &str {
        self.name
    }
    fn device(&self) -> String {
        "test".into()
    }
    fn device_name(&self) -> String {
        "Example 3000".into()
    }
    fn count(&self, _: &Graph, _: &CountOptions, _: &Context) -> Result<EngineCount> {
        let run = self.runs.fetch_add(1, Relaxed);
        let summary =
            Summary { vertices: 3, edges: 3, wedges: 3, max_degree: 2, ..Summary::default() };
        let seconds = EngineSeconds { count: run as f64, ..EngineSeconds::default() };
        let triangles = 1 + u64::from(run >= self.right);
        Ok(EngineCount { triangles, summary, seconds, ..EngineCount::default() })
    }
}

fn scripted(name: &'static str, right: u64) -> (Contender, Arc<AtomicU64>) {
    let runs = Arc::new(AtomicU64::new(0));
    let engine = Scripted { name, runs: runs.clone(), right };
    let session =
        Session::open(Options { engine: Some(Arc::new(engine)), ..Options::default() }).unwrap();
    (Contender::without_device(session), runs)
}

fn triangle() -> Graph {
    Graph::from_edges(vec![[0, 1], [1, 2], [2, 0]])
}

#[test]
fn the_first_run_is_not_timed() {
    let (contender, runs) = scripted("a", u64::MAX);
    let measured = measure(&triangle(), &[contender], 4).unwrap();
    assert_eq!(runs.load(Relaxed), 5);
    // Seconds 1, 2, 3 and 4.
    let count = measured.results[0].seconds.count;
    assert_eq!((count.median, count.least, count.most, count.runs), (2.5, 1.0, 4.0, 4));
    assert_eq!((measured.entries, measured.edges, measured.triangles), (3, 3, 1));
    assert_eq!((measured.vertices, measured.wedges, measured.max_degree), (3, 3, 2));
}

#[test]
fn engines_that_disagree_are_an_error() {
    let (right, _) = scripted("right", u64::MAX);
    let (wrong, _) = scripted("wrong", 0);
    let error = measure(&triangle(), &[right, wrong], 1).unwrap_err();
    assert_eq!(
        error.to_string(),
        "(memory): right on test counted 1 triangles and wrong on test counted 2: one of the two is \
         wrong, most likely the engine that is not tribin's"
    );
}

#[test]
fn an_engine_that_disagrees_with_itself_is_one_too() {
    let (fickle, runs) = scripted("fickle", 3);
    let error = measure(&triangle(), &[fickle], 9).unwrap_err();
    assert!(matches!(error, Error::Disagreement(_)), "{error}");
    assert_eq!(runs.load(Relaxed), 4);
}

/// Has no room for any graph.
struct Full;

impl Engine for Full {
    fn name(&self) -> &str {
        "full"
    }
    fn device(&self) -> String {
        "test".into()
    }
    fn device_name(&self) -> String {
        "Example 3000".into()
    }
    fn count(&self, _: &Graph, _: &CountOptions, _: &Context) -> Result<EngineCount> {
        Err(Error::DeviceMemory { needed: 2, free: 1, device: "Example 3000".into() })
    }
}

#[test]
fn an_engine_that_refuses_the_graph_does_not_keep_others_from_it() {
    let full = || {
        let session =
            Session::open(Options { engine: Some(Arc::new(Full)), ..Options::default() }).unwrap();
        Contender::without_device(session)
    };
    let (other, runs) = scripted("other", u64::MAX);
    let measured = measure(&triangle(), &[full(), other], 2).unwrap();
    assert_eq!(runs.load(Relaxed), 3);
    assert_eq!((measured.results.len(), &*measured.results[0].engine), (1, "other"));
    let refused = &measured.refused[0];
    assert_eq!((&*refused.engine, &*refused.device), ("full", "test"));
    assert!(refused.reason.starts_with("the graph needs 2 bytes of device memory"));
    assert!(matches!(measure(&triangle(), &[full()], 1), Err(Error::DeviceMemory { .. })));
}

#[test]
fn nothing_to_measure_is_a_usage_error() {
    let (contender, _) = scripted("a", u64::MAX);
    for (contenders, runs) in [(&[][..], 1), (&[contender][..], 0)] {
        assert!(matches!(measure(&triangle(), contenders, runs), Err(Error::Usage(_))));
    }
}

#[test]
fn a_record_survives_json() {
    let mut options = Options::default();
    options.device = DeviceChoice::Cpu;
    let contender =
        Contender::new(Session::open(options).unwrap(), CountOptions::default()).unwrap();
    let device = contender.device();
    assert_eq!(device.device, "cpu");
    let mut measured = measure(&triangle(), &[contender], 2).unwrap();
    // More than 64 bits.
    measured.wedges = 1 << 90;
    let record = BenchRecord {
        version: "1.2.3".into(),
        command: "tribin bench".into(),
        runs: 2,
        devices: vec![device],
        graphs: vec![measured],
    };
    let text = serde_json::to_string_pretty(&record).unwrap();
    assert!(text.contains("\"wedges\": 1237940039285380274899124224,"), "{text}");
    let again: BenchRecord = serde_json::from_str(&text).unwrap();
    assert_eq!(again, record);
    let table = markdown::results(&again);
    assert!(table.contains("\n| (memory) | forward | cpu    | "), "{table}");
}
