//! Measurements in files.

use std::fs;
use std::path::Path;

use tribin::bench::Record;
use tribin::{Error, Result};

/// Reads what `--json` wrote.
pub fn load(path: &Path) -> Result<Record> {
    let text = read(path)?;
    let refuse = |reason: String| Error::Input {
        file: path.display().to_string(),
        message: format!("these are no measurements of `tribin bench --json` ({reason})").into(),
    };
    let record: Record = serde_json::from_str(&text).map_err(|error| refuse(error.to_string()))?;
    check(&record).map_err(refuse)?;
    Ok(record)
}

/// Refuses times that no clock measures.
fn check(record: &Record) -> std::result::Result<(), String> {
    for graph in &record.graphs {
        for result in &graph.results {
            let times = result.seconds;
            let total = [("total", times.total)];
            for (phase, time) in times.phases().into_iter().chain(total) {
                let possible = time.least >= 0.0
                    && (time.least..=time.most).contains(&time.median)
                    && time.most < LONGEST
                    && (phase != "total" || time.least > SHORTEST);
                if !possible {
                    return Err(format!(
                        "{}, {} on {}: {phase} takes {:e} s, between {:e} and {:e} s",
                        graph.graph,
                        result.engine,
                        result.device,
                        time.median,
                        time.least,
                        time.most
                    ));
                }
            }
        }
    }
    let copies = record.devices.iter().map(|device| device.copy_bytes_per_second);
    match copies.into_iter().find(|speed| !(*speed > 0.0 && *speed < 1e30)) {
        Some(speed) => Err(format!("a device copies {speed:e} bytes a second")),
        None => Ok(()),
    }
}

/// Seconds that no count is shorter than, and longer than.
const SHORTEST: f64 = 1e-12;
const LONGEST: f64 = 1e12;

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|source| Error::Io { path: path.into(), source })
}
