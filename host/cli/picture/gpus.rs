//! Curves: how many times as fast several GPUs are as one.

use std::error::Error;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use tribin::bench::{DeviceRecord, GraphRecord, Measured, Record};

use super::Area;
use super::style::{DISTINCT, GRID, INK, PALE, bold, digits, marker, text, ticks};

/// The height of the panel.
pub const HEIGHT: u32 = 330;

/// A graph on one GPU and on several.
pub struct Series {
    name: String,
    colour: usize,
    /// Whether counting alone is meant, or all of it.
    counting: bool,
    /// GPUs, and how many times as fast they are as one; ascending.
    points: Vec<(f64, f64)>,
}

/// How many GPUs a device is; `None` for the CPU.
fn gpus(device: &DeviceRecord) -> Option<u32> {
    device.device.strip_prefix("gpu")?;
    let several = device.name.split_once(" × ").and_then(|(number, _)| number.parse().ok());
    Some(several.unwrap_or(1))
}

/// The graphs that an engine counted on one GPU and on several.
pub fn series(record: &Record, shown: &[&GraphRecord]) -> Vec<Series> {
    let mut all = Vec::new();
    for graph in shown {
        let on = |result: &Measured| record.device(result).and_then(gpus);
        let ones = graph.results.iter().filter(|result| on(result) == Some(1));
        for one in ones {
            let colour = all.len() / 2 % DISTINCT.len();
            for (what, counting) in [("counting", true), ("all", false)] {
                let seconds = |result: &Measured| match counting {
                    true => result.seconds.count.median,
                    false => result.seconds.total.median,
                };
                let same = graph.results.iter().filter(|result| result.engine == one.engine);
                let point = |result: &Measured| {
                    let gpus = on(result).filter(|&gpus| gpus > 1)?;
                    Some((f64::from(gpus), seconds(one) / seconds(result)))
                };
                let mut points: Vec<(f64, f64)> = same.filter_map(point).collect();
                points.retain(|point| point.1.is_finite());
                points.push((1.0, 1.0));
                points.sort_by(|a, b| a.0.total_cmp(&b.0));
                let name = format!("{}, {} · {what}", graph.graph, one.engine);
                all.push(Series { name, colour, counting, points });
            }
        }
    }
    all.retain(|series| series.points.len() > 1);
    all
}

/// Draws the curves and their names.
pub fn draw(area: &Area, series: &[Series]) -> Result<(), Box<dyn Error>> {
    area.draw(&Text::new("Times as fast as one GPU", (24, 12), bold(15, &INK)))?;
    let points = || series.iter().flat_map(|series| &series.points);
    let most = |of: fn(&(f64, f64)) -> f64| points().map(of).fold(1.0, f64::max) * 1.05;
    let (gpus, times) = (most(|point| point.0), most(|point| point.1));
    let place = |(from, to): (i32, i32), value: f64, most: f64| {
        from + (f64::from(to - from) * value / most).round() as i32
    };
    let at = |&(x, y): &(f64, f64)| (place(ACROSS, x, gpus), place(DOWN, y, times));
    let grey = |pos| text(11, &PALE).pos(pos);
    for tick in ticks(times, 5.0) {
        let y = place(DOWN, tick, times);
        area.draw(&PathElement::new(vec![(ACROSS.0, y), (ACROSS.1, y)], GRID.stroke_width(1)))?;
        let left = grey(Pos::new(HPos::Right, VPos::Center));
        area.draw(&Text::new(digits(tick), (ACROSS.0 - 8, y), left))?;
    }
    let mut numbers: Vec<u32> = points().map(|point| point.0 as u32).collect();
    numbers.sort_unstable();
    numbers.dedup();
    for number in numbers {
        let x = place(ACROSS, number.into(), gpus);
        area.draw(&PathElement::new(vec![(x, DOWN.0), (x, DOWN.0 + 5)], GRID.stroke_width(1)))?;
        let below = grey(Pos::new(HPos::Center, VPos::Top));
        let gpus = if number == 1 { "1 GPU".to_owned() } else { format!("{number} GPUs") };
        area.draw(&Text::new(gpus, (x, DOWN.0 + 8), below))?;
    }
    // As many times as fast as there are GPUs.
    let ideal = gpus.min(times);
    let line = vec![at(&(0.0, 0.0)), at(&(ideal, ideal))];
    area.draw(&PathElement::new(line, PALE.stroke_width(1)))?;
    for (i, series) in series.iter().enumerate() {
        let colour = DISTINCT[series.colour];
        let places: Vec<(i32, i32)> = series.points.iter().map(at).collect();
        let y = DOWN.1 + 8 + 20 * i as i32;
        let x = ACROSS.1 + 24;
        for line in [places.clone(), vec![(x, y), (x + 20, y)]] {
            area.draw(&PathElement::new(line, colour.stroke_width(2)))?;
        }
        for dot in places.into_iter().chain([(x + 10, y)]) {
            marker(area, dot, colour, series.counting)?;
        }
        let beside = text(13, &INK).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(series.name.clone(), (x + 28, y), beside))?;
    }
    Ok(())
}

/// Where the curves are, in pixels: from left to right, and from the axis up.
const ACROSS: (i32, i32) = (84, 600);
const DOWN: (i32, i32) = (290, 52);
