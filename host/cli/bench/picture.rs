//! The picture of a measurement: phases, speed against a copy, scaling.

mod bars;
mod scaling;
mod style;

use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;
use tribin::bench::{GraphRecord, Record};
use tribin::report::OutputFile;
use tribin::{Error, Result};

use super::png;
use style::{INK, PALE, WIDTH, bold, text};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// A file to draw into.
pub struct Target {
    output: OutputFile,
    png: bool,
}

impl Target {
    /// Checks the name: .svg or .png.
    pub fn new(path: impl AsRef<Path>) -> Result<Target> {
        let path = path.as_ref();
        let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
        let png = match extension.as_ref().and_then(|extension| extension.to_str()) {
            Some("svg") => false,
            Some("png") => true,
            _ => {
                return Err(Error::Usage(
                    format!("{}: a plot's name ends in .svg or .png", path.display()).into(),
                ));
            }
        };
        Ok(Target { output: OutputFile::new(path)?, png })
    }

    /// Where the picture goes.
    pub fn output(&self) -> &OutputFile {
        &self.output
    }

    /// Draws and writes.
    pub fn write(&self, record: &Record) -> Result<()> {
        let refuse =
            |message: String| Error::Input { file: self.output.name(), message: message.into() };
        let svg = svg(record).map_err(refuse)?;
        if self.png {
            return self.output.write(&png::of_svg(&svg).map_err(refuse)?);
        }
        self.output.write(svg.as_bytes())
    }
}

/// Pixels above the first panel.
const HEADER: u32 = 74;

/// Draws everything.
fn svg(record: &Record) -> Result<String, String> {
    let shown = shown(record);
    let sizes = scaling::series(record);
    let bars = bars::height(&shown);
    let curves = if sizes.is_empty() { 0 } else { scaling::HEIGHT };
    let mut svg = String::new();
    {
        let size = (WIDTH, HEADER + bars + curves);
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        let draw = || -> std::result::Result<(), Box<dyn std::error::Error>> {
            root.fill(&WHITE)?;
            header(&root, record)?;
            let (_, below) = root.split_vertically(HEADER);
            let (upper, lower) = below.split_vertically(bars);
            bars::draw(&upper, record, &shown)?;
            if !sizes.is_empty() {
                scaling::draw(&lower, &sizes)?;
            }
            root.present()?;
            Ok(())
        };
        draw().map_err(|error| error.to_string())?;
    }
    Ok(legal(svg))
}

/// Writes out the characters of names that XML has no way to hold.
fn legal(svg: String) -> String {
    let illegal = |c: char| c.is_control() && c != '\n' || matches!(c, '\u{fffe}' | '\u{ffff}');
    if !svg.contains(illegal) {
        return svg;
    }
    svg.chars().fold(String::new(), |mut legal, c| {
        match illegal(c) {
            true => legal.extend(c.escape_default()),
            false => legal.push(c),
        }
        legal
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
