//! The picture of a histogram: a dot for each number, on axes that show many powers of ten.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::super::histogram::Histogram;
use super::axis::Axis;
use super::style::{DISTINCT, GRID, INK, PALE, WIDTH, bold, short, text};

const HEIGHT: u32 = 480;

/// Where the dots are, in pixels: from left to right, and from the axis up.
const ACROSS: (i32, i32) = (84, 920);
const DOWN: (i32, i32) = (420, 84);

/// Draws it.
pub fn svg(histogram: &Histogram) -> Result<String, String> {
    let Histogram { graph, of, rows, counts } = histogram;
    super::drawn((WIDTH, HEIGHT), |root| {
        let title = format!("{graph}: {rows} by {of}");
        root.draw(&Text::new(title, (24, 18), bold(20, &INK)))?;
        let values = Axis::of(counts.iter().map(|&(value, _)| f64::from(value)), ACROSS);
        let numbers = Axis::of(counts.iter().map(|&(_, number)| number as f64), DOWN);
        for tick in values.ticks() {
            let x = values.place(tick);
            let line = vec![(x, DOWN.0), (x, DOWN.1)];
            root.draw(&PathElement::new(line, GRID.stroke_width(1)))?;
            let below = text(11, &PALE).pos(Pos::new(HPos::Center, VPos::Top));
            root.draw(&Text::new(short(tick), (x, DOWN.0 + 8), below))?;
        }
        for tick in numbers.ticks() {
            let y = numbers.place(tick);
            let line = vec![(ACROSS.0, y), (ACROSS.1, y)];
            root.draw(&PathElement::new(line, GRID.stroke_width(1)))?;
            let beside = text(11, &PALE).pos(Pos::new(HPos::Right, VPos::Center));
            root.draw(&Text::new(short(tick), (ACROSS.0 - 8, y), beside))?;
        }
        let middle = (ACROSS.0 + ACROSS.1) / 2;
        let below = text(13, &INK).pos(Pos::new(HPos::Center, VPos::Top));
        root.draw(&Text::new(*of, (middle, DOWN.0 + 28), below))?;
        root.draw(&Text::new(*rows, (24, DOWN.1 - 26), text(13, &INK)))?;
        for &(value, number) in counts {
            let place = (values.place(f64::from(value)), numbers.place(number as f64));
            root.draw(&Circle::new(place, 3, DISTINCT[0].filled()))?;
        }
        Ok(())
    })
}
