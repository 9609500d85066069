//! Curves: how speed changes with the size of a graph.

use std::error::Error;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use tribin::bench::Record;

use super::Area;
use super::axis::Axis;
use super::style::{DISTINCT, GRID, INK, PALE, bold, marker, short, text};

/// The height of the panel.
pub const HEIGHT: u32 = 330;

/// An engine on a device over the graphs of a kind.
pub struct Series {
    name: String,
    /// Edges, and edges a second; ascending.
    points: Vec<(f64, f64)>,
}

/// The kinds that were measured in two sizes or more.
pub fn series(record: &Record) -> Vec<Series> {
    let mut series: Vec<Series> = Vec::new();
    for graph in &record.graphs {
        let Some(kind) = &graph.kind else { continue };
        for result in &graph.results {
            let name = format!("{kind}, {} · {}", result.engine, result.device);
            let point = (graph.edges as f64, graph.edges_per_second(result));
            match series.iter_mut().find(|series| series.name == name) {
                Some(series) => series.points.push(point),
                None => series.push(Series { name, points: vec![point] }),
            }
        }
    }
    series.retain(|series| series.points.len() > 1);
    series.iter_mut().for_each(|series| series.points.sort_by(|a, b| a.0.total_cmp(&b.0)));
    series
}

/// Draws the curves and their names.
pub fn draw(area: &Area, series: &[Series]) -> Result<(), Box<dyn Error>> {
    let title = "Edges a second, by the number of edges";
    area.draw(&Text::new(title, (24, 12), bold(15, &INK)))?;
    let points = || series.iter().flat_map(|series| &series.points);
    let sizes = Axis::logarithmic(points().map(|point| point.0), ACROSS);
    let speeds = Axis::of(points().map(|point| point.1), DOWN);
    let grey = |pos| text(11, &PALE).pos(pos);
    for tick in speeds.ticks() {
        let y = speeds.place(tick);
        area.draw(&PathElement::new(vec![(ACROSS.0, y), (ACROSS.1, y)], GRID.stroke_width(1)))?;
        let left = grey(Pos::new(HPos::Right, VPos::Center));
        area.draw(&Text::new(short(tick), (ACROSS.0 - 8, y), left))?;
    }
    for tick in sizes.ticks() {
        let x = sizes.place(tick);
        area.draw(&PathElement::new(vec![(x, DOWN.0), (x, DOWN.0 + 5)], GRID.stroke_width(1)))?;
        let below = grey(Pos::new(HPos::Center, VPos::Top));
        area.draw(&Text::new(short(tick), (x, DOWN.0 + 8), below))?;
    }
    for (i, series) in series.iter().enumerate() {
        let colour = DISTINCT[i % DISTINCT.len()];
        let place = |&(edges, speed): &(f64, f64)| (sizes.place(edges), speeds.place(speed));
        let places: Vec<(i32, i32)> = series.points.iter().map(place).collect();
        let y = DOWN.1 + 8 + 22 * i as i32;
        let x = ACROSS.1 + 24;
        for line in [places.clone(), vec![(x, y), (x + 20, y)]] {
            area.draw(&PathElement::new(line, colour.stroke_width(2)))?;
        }
        for dot in places.into_iter().chain([(x + 10, y)]) {
            // Of more curves than there are colours, those of one colour differ by their points.
            marker(area, dot, colour, (i / DISTINCT.len()).is_multiple_of(2))?;
        }
        let beside = text(13, &INK).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(series.name.clone(), (x + 28, y), beside))?;
    }
    Ok(())
}

/// Where the curves are, in pixels: from left to right, and from the axis up.
const ACROSS: (i32, i32) = (84, 680);
const DOWN: (i32, i32) = (290, 52);
