//! Curves: how speed changes with the size of a graph.

use std::error::Error;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use tribin::bench::Record;

use super::Area;
use super::style::{DISTINCT, GRID, INK, PALE, bold, short, text, ticks};

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
            area.draw(&Circle::new(dot, 4, colour.filled()))?;
        }
        let beside = text(13, &INK).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(series.name.clone(), (x + 28, y), beside))?;
    }
    Ok(())
}

/// Where the curves are, in pixels: from left to right, and from the axis up.
const ACROSS: (i32, i32) = (84, 680);
const DOWN: (i32, i32) = (290, 52);

/// How numbers become pixels.
struct Axis {
    least: f64,
    most: f64,
    logarithmic: bool,
    pixels: (i32, i32),
}

impl Axis {
    /// From zero, or logarithmic where values differ so much that the small ones could not be told
    /// from zero.
    fn of(values: impl Iterator<Item = f64> + Clone, pixels: (i32, i32)) -> Axis {
        let most = values.clone().fold(0.0, f64::max);
        if values.clone().fold(f64::INFINITY, f64::min) < most / 10.0 {
            return Axis::logarithmic(values, pixels);
        }
        Axis { least: 0.0, most: most * 1.08, logarithmic: false, pixels }
    }

    fn logarithmic(values: impl Iterator<Item = f64> + Clone, pixels: (i32, i32)) -> Axis {
        // Numbers of edges, and speeds: one at least where there is any.
        let least = values.clone().fold(f64::INFINITY, f64::min).max(1.0) / 1.25;
        Axis { least, most: values.fold(1.0, f64::max) * 1.25, logarithmic: true, pixels }
    }

    fn ticks(&self) -> Vec<f64> {
        if !self.logarithmic {
            return ticks(self.most, 5.0);
        }
        // Of more than two powers of ten each second tick would touch its neighbours.
        let digits = if self.most / self.least > 300.0 { &[1.0][..] } else { &[1.0, 2.0, 5.0] };
        let numbers = (0..20).flat_map(|power| digits.iter().map(move |d| d * 10f64.powi(power)));
        numbers.filter(|number| (self.least..=self.most).contains(number)).collect()
    }

    fn place(&self, value: f64) -> i32 {
        let share = match self.logarithmic {
            true => (value.max(self.least) / self.least).ln() / (self.most / self.least).ln(),
            false => value / self.most,
        };
        let (from, to) = self.pixels;
        from + (f64::from(to - from) * share).round() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_far_apart_are_shown_by_their_logarithms() {
        let axis = |values: &[f64]| Axis::of(values.iter().copied(), (100, 0));
        let linear = axis(&[20.0, 100.0]);
        assert_eq!((linear.place(0.0), linear.place(54.0)), (100, 50));
        assert_eq!(linear.ticks(), [0.0, 50.0, 100.0]);
        let wide = axis(&[1e3, 1e5]);
        assert_eq!(wide.ticks(), [1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5]);
        assert_eq!((wide.place(800.0), wide.place(1e4), wide.place(125e3)), (100, 50, 0));
    }
}
