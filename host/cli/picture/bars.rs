//! Bars: where each engine's time goes, and how fast it is against a copy.

use std::error::Error;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use tribin::bench::{GraphRecord, Measured, Record};

use super::Area;
use super::style::{GRID, INK, PALE, bold, digits, phase, seconds, short, text, ticks};

/// Where columns begin and end.
const LABELS: i32 = 24;
const PHASES: (i32, i32) = (150, 520);
const SHARES: (i32, i32) = (690, 880);

const ROW: i32 = 26;
const BAR: i32 = 18;
/// Above and below the rows of a graph.
const TITLE: i32 = 30;
const AXIS: i32 = 34;
/// The legend, above all graphs.
const LEGEND: i32 = 34;

/// The height that the graphs take.
pub fn height(graphs: &[&GraphRecord]) -> u32 {
    (LEGEND + graphs.iter().map(|graph| height_of(graph)).sum::<i32>()) as u32
}

fn height_of(graph: &GraphRecord) -> i32 {
    TITLE + AXIS * groups(graph).count() as i32 + ROW * graph.results.len() as i32
}

/// The results of the CPU and those of GPUs: they differ so much in speed that each has an axis of its own.
fn groups(graph: &GraphRecord) -> impl Iterator<Item = &[Measured]> {
    let on_cpu = |result: &Measured| result.device == "cpu";
    graph.results.chunk_by(move |a, b| on_cpu(a) == on_cpu(b))
}

/// Draws the graphs below each other.
pub fn draw(area: &Area, record: &Record, graphs: &[&GraphRecord]) -> Result<(), Box<dyn Error>> {
    legend(area, graphs)?;
    let mut top = LEGEND;
    for graph in graphs {
        title(area, graph, top)?;
        let mut rows = top + TITLE;
        for results in groups(graph) {
            bars(area, record, graph, results, rows)?;
            rows += AXIS + ROW * results.len() as i32;
        }
        top += height_of(graph);
    }
    Ok(())
}

fn legend(area: &Area, graphs: &[&GraphRecord]) -> Result<(), Box<dyn Error>> {
    let results = || graphs.iter().flat_map(|graph| &graph.results);
    let occurs = |name: &str| {
        results().any(|result| {
            result.seconds.phases().iter().any(|(phase, time)| *phase == name && time.median > 0.0)
        })
    };
    let mut x = PHASES.0;
    for name in ["upload", "orient", "clean", "count", "other"] {
        if name != "other" && !occurs(name) {
            continue;
        }
        area.draw(&Rectangle::new([(x, 6), (x + 13, 19)], phase(name).filled()))?;
        area.draw(&Text::new(name, (x + 18, 6), text(13, &INK)))?;
        x += 80;
    }
    area.draw(&Text::new(
        "speed against a plain copy of the edges",
        (SHARES.0, 6),
        text(13, &INK),
    ))?;
    Ok(())
}

fn title(area: &Area, graph: &GraphRecord, top: i32) -> Result<(), Box<dyn Error>> {
    let name = Text::new(graph.graph.clone(), (LABELS, top + 4), bold(15, &INK));
    area.draw(&name)?;
    let (edges, triangles) = (short(graph.edges as f64), short(graph.triangles as f64));
    let name_width = 10 * graph.graph.chars().count() as i32 + 16;
    let beside = (PHASES.0.max(LABELS + name_width), top + 6);
    let figures = format!("{edges} edges, {triangles} triangles");
    area.draw(&Text::new(figures, beside, text(13, &PALE)))?;
    Ok(())
}

/// The bars of the CPU or of GPUs, and their axes.
fn bars(
    area: &Area,
    record: &Record,
    graph: &GraphRecord,
    results: &[Measured],
    rows: i32,
) -> Result<(), Box<dyn Error>> {
    let bottom = rows + ROW * results.len() as i32;
    let most = results.iter().map(|r| r.seconds.total.median).fold(0.0, f64::max);
    let share = |result: &Measured| {
        record.device(result).map_or(0.0, |device| 100.0 * graph.of_copy_speed(result, device))
    };
    // One scale for all devices.
    let best = graph.results.iter().map(share).fold(0.0, f64::max);
    axis(area, PHASES, (rows, bottom), most, &seconds)?;
    axis(area, SHARES, (rows, bottom), best, &|percent| format!("{} %", digits(percent)))?;

    for (i, result) in results.iter().enumerate() {
        let y = rows + ROW * i as i32 + (ROW - BAR) / 2;
        let middle = y + BAR / 2;
        let centred = |size, colour| text(size, colour).pos(Pos::new(HPos::Left, VPos::Center));
        let label = format!("{} · {}", result.engine, result.device);
        area.draw(&Text::new(label, (LABELS, middle), centred(13, &INK)))?;
        let times = result.seconds;
        let known: f64 = times.phases().iter().map(|(_, time)| time.median).sum();
        let other = ("other", (times.total.median - known).max(0.0));
        let parts = times.phases().map(|(name, time)| (name, time.median));
        let mut from = 0.0;
        for (name, time) in parts.into_iter().chain([other]) {
            let ends = [from, from + time].map(|value| place(PHASES, value, most));
            if ends[1] > ends[0] {
                let corners = [(ends[0], y), (ends[1], y + BAR)];
                area.draw(&Rectangle::new(corners, phase(name).filled()))?;
            }
            from += time;
        }
        let total = format!(
            "{} · {} edges/s",
            seconds(times.total.median),
            short(graph.edges_per_second(result))
        );
        let end = place(PHASES, from, most) + 8;
        area.draw(&Text::new(total, (end, middle), centred(13, &INK)))?;

        let end = place(SHARES, share(result), best);
        area.draw(&Rectangle::new([(SHARES.0, y), (end, y + BAR)], PALE.filled()))?;
        let percent = format!("{} %", digits(share(result)));
        area.draw(&Text::new(percent, (end + 8, middle), centred(13, &INK)))?;
    }
    Ok(())
}

fn place((from, to): (i32, i32), value: f64, most: f64) -> i32 {
    if most > 0.0 { from + (f64::from(to - from) * value / most).round() as i32 } else { from }
}

fn axis(
    area: &Area,
    span: (i32, i32),
    (top, bottom): (i32, i32),
    most: f64,
    label: &dyn Fn(f64) -> String,
) -> Result<(), Box<dyn Error>> {
    for tick in ticks(most, 4.0) {
        let x = place(span, tick, most);
        let line = vec![(x, top), (x, bottom + 4)];
        area.draw(&PathElement::new(line, GRID.stroke_width(1)))?;
        let below = text(11, &PALE).pos(Pos::new(HPos::Center, VPos::Top));
        area.draw(&Text::new(label(tick), (x, bottom + 7), below))?;
    }
    Ok(())
}
