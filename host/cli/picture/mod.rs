//! Pictures, as SVG.

mod axis;
mod bars;
mod gpus;
mod histogram;
mod measurement;
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
pub struct Target(OutputFile);

impl Target {
    /// Checks the name.
    pub fn new(path: impl AsRef<Path>) -> Result<Target> {
        let path = path.as_ref();
        let is_svg =
            path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
        if !is_svg && path != Path::new("-") {
            let message =
                format!("{}: pictures are drawn as SVG: end the name in .svg", path.display());
            return Err(Error::Usage(message.into()));
        }
        Ok(Target(OutputFile::new(path)?))
    }

    /// Where the picture goes.
    pub fn output(&self) -> &OutputFile {
        &self.0
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
        let svg =
            svg.map_err(|message| Error::Input { file: self.0.name(), message: message.into() });
        self.0.write(svg?.as_bytes())
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
