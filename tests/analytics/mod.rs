//! Results by vertex and edge.

use tribin::{DeviceChoice, Options, Session};

mod cliques;
mod directed;
mod estimate;
mod examples;
mod gpu;
mod labels;
mod list;
mod motifs;
mod results;
mod signed;

/// A session on the CPU, with this many threads, or as many as there are cores.
fn on_cpu(threads: Option<usize>) -> Session {
    let mut options = Options::default();
    options.device = DeviceChoice::Cpu;
    options.threads = threads.map(|threads| threads.try_into().unwrap());
    Session::open(options).unwrap()
}
