//! Pictures, as SVG or PNG.

mod axis;
mod bars;
mod gpus;
mod histogram;
mod measurement;
mod png;
mod scaling;
mod style;

use std::error;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;
use tribin::bench::Record;
use tribin::report::OutputFile;
use tribin::{Error, Result};

use super::histogram::Histogram;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// A file to draw into.
pub struct Target {
    output: OutputFile,
    png: bool,
}

impl Target {
    /// Checks the name: .svg or .png. Standard output gets SVG.
    pub fn new(path: impl AsRef<Path>) -> Result<Target> {
        let path = path.as_ref();
        let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
        let png = match extension.as_ref().and_then(|extension| extension.to_str()) {
            Some("svg") => false,
            Some("png") => true,
            _ if path == Path::new("-") => false,
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

    /// Draws and writes a measurement.
    pub fn write_measurement(&self, record: &Record) -> Result<()> {
        self.write(measurement::svg(record))
    }

    /// Draws and writes a histogram.
    pub fn write_histogram(&self, histogram: &Histogram) -> Result<()> {
        self.write(histogram::svg(histogram))
    }

    fn write(&self, svg: Result<String, String>) -> Result<()> {
        let refuse =
            |message: String| Error::Input { file: self.output.name(), message: message.into() };
        let svg = svg.map_err(refuse)?;
        if self.png {
            return self.output.write(&png::of_svg(&svg).map_err(refuse)?);
        }
        self.output.write(svg.as_bytes())
    }
}

/// An SVG of a size, on white.
fn drawn(
    size: (u32, u32),
    draw: impl FnOnce(&Area) -> Result<(), Box<dyn error::Error>>,
) -> Result<String, String> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        let draw = || -> Result<(), Box<dyn error::Error>> {
            root.fill(&WHITE)?;
            draw(&root)?;
            Ok(root.present()?)
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
