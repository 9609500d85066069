//! The picture of a measurement: phases, speed against a copy, scaling.

use plotters::prelude::*;
use tribin::bench::{GraphRecord, Record};

use super::style::{INK, PALE, WIDTH, bold, text};
use super::{Area, bars, gpus, scaling};

/// Pixels above the first panel.
const HEADER: u32 = 74;

/// Draws everything.
pub fn svg(record: &Record) -> Result<String, String> {
    let shown = shown(record);
    let sizes = scaling::series(record);
    let bars = bars::height(&shown);
    let several = gpus::series(record, &shown);
    let curves = if sizes.is_empty() { 0 } else { scaling::HEIGHT };
    let times = if several.is_empty() { 0 } else { gpus::HEIGHT };
    super::drawn((WIDTH, HEADER + bars + curves + times), |root| {
        header(root, record)?;
        let (_, below) = root.split_vertically(HEADER);
        let (upper, lower) = below.split_vertically(bars);
        bars::draw(&upper, record, &shown)?;
        let (middle, lower) = lower.split_vertically(curves);
        if !sizes.is_empty() {
            scaling::draw(&middle, &sizes)?;
        }
        if !several.is_empty() {
            gpus::draw(&lower, &several)?;
        }
        Ok(())
    })
}

fn header(root: &Area, record: &Record) -> std::result::Result<(), Box<dyn std::error::Error>> {
    let title = "From edges in memory to the exact triangle count";
    root.draw(&Text::new(title, (24, 18), bold(20, &INK)))?;
    let devices: Vec<String> = record
        .devices
        .iter()
        .map(|device| match device.device.as_str() {
            "cpu" => format!("cpu: {}, {} threads", device.name, device.threads),
            name => format!("{name}: {}", device.name),
        })
        .collect();
    let line = format!(
        "tribin {}, median of {} runs. {}",
        record.version,
        record.runs,
        devices.join("; ")
    );
    root.draw(&Text::new(line, (24, 46), text(13, &PALE)))?;
    Ok(())
}

/// The graphs that have bars: every file, and the largest graph of each kind.
fn shown(record: &Record) -> Vec<&GraphRecord> {
    let larger = |graph: &GraphRecord| {
        record.graphs.iter().any(|other| other.kind == graph.kind && other.edges > graph.edges)
    };
    record.graphs.iter().filter(|graph| graph.kind.is_none() || !larger(graph)).collect()
}
