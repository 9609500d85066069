//! Colours, letters and numbers of the picture.

use std::error::Error;

use plotters::prelude::*;

use super::Area;

/// Width of the picture.
pub const WIDTH: u32 = 960;

/// Text, lines that carry a value.
pub const INK: RGBColor = RGBColor(0x22, 0x27, 0x2e);
/// Text beside the point.
pub const PALE: RGBColor = RGBColor(0x5f, 0x6b, 0x7a);
/// Lines of the grid.
pub const GRID: RGBColor = RGBColor(0xe3, 0xe7, 0xec);

/// Colours that people with any colour vision tell apart (Okabe and Ito, 2008).
pub const DISTINCT: [RGBColor; 6] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
];

/// The colour of a phase; what belongs to none is `other`.
pub fn phase(name: &str) -> RGBColor {
    match name {
        "upload" => DISTINCT[3],
        "orient" => DISTINCT[4],
        "clean" => DISTINCT[5],
        "count" => DISTINCT[0],
        _ => RGBColor(0xc4, 0xcb, 0xd4),
    }
}

/// A point of a curve: a disk, or a ring.
pub fn marker(
    area: &Area,
    place: (i32, i32),
    colour: RGBColor,
    filled: bool,
) -> Result<(), Box<dyn Error>> {
    area.draw(&Circle::new(place, 4, if filled { colour.filled() } else { WHITE.filled() }))?;
    if !filled {
        area.draw(&Circle::new(place, 4, colour.stroke_width(2)))?;
    }
    Ok(())
}

/// Letters of a size and colour, their place the upper left corner.
pub fn text(size: i32, colour: &RGBColor) -> TextStyle<'_> {
    ("sans-serif", size).into_font().color(colour)
}

/// Bold letters of a size and colour, their place the upper left corner.
pub fn bold(size: i32, colour: &RGBColor) -> TextStyle<'_> {
    ("sans-serif", size, FontStyle::Bold).into_font().color(colour)
}

/// Steps of 1, 2 or 5 times a power of ten that cut `0..=most` into about `parts`, from 0 on.
pub fn ticks(most: f64, parts: f64) -> Vec<f64> {
    // Numbers next to zero have too few digits to be cut.
    if most < 1e-300 || !most.is_finite() {
        return vec![0.0];
    }
    let raw = most / parts;
    let power = 10f64.powf(raw.log10().floor());
    let step =
        [1.0, 2.0, 5.0, 10.0].into_iter().map(|digit| digit * power).find(|step| *step >= raw);
    let step = step.unwrap_or(raw);
    (0..).map(|i| f64::from(i) * step).take_while(|tick| *tick <= most * 1.0001).collect()
}

/// `1.2 s`, `34 ms`, three digits at most.
pub fn seconds(value: f64) -> String {
    let (scaled, unit) = match value {
        0.0 => return "0".into(),
        _ if value >= 1.0 => (value, "s"),
        _ if value >= 1e-3 => (value * 1e3, "ms"),
        _ => (value * 1e6, "µs"),
    };
    format!("{} {unit}", digits(scaled))
}

/// `12.3 M`, three digits at most.
pub fn short(value: f64) -> String {
    let units = [(1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")];
    let (scale, unit) = units.into_iter().find(|(scale, _)| value >= *scale).unwrap_or((1.0, ""));
    format!("{}{unit}", digits(value / scale))
}

/// Three digits, without zeros at the end.
pub fn digits(value: f64) -> String {
    let text = match value {
        _ if value >= 99.95 => format!("{value:.0}"),
        _ if value >= 9.995 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    };
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(seconds(0.0), "0");
        assert_eq!(seconds(1.234), "1.23 s");
        assert_eq!(seconds(0.0345), "34.5 ms");
        assert_eq!(seconds(12e-6), "12 µs");
        assert_eq!(short(999.0), "999");
        assert_eq!(short(15_701_346.0), "15.7 M");
        assert_eq!(short(2e9), "2 G");
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(10.0, 5.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(ticks(0.0, 5.0), [0.0]);
        assert_eq!(ticks(5e-324, 4.0), [0.0]);
        assert_eq!(ticks(f64::INFINITY, 4.0), [0.0]);
        assert_eq!(ticks(0.9, 3.0), [0.0, 0.5]);
    }
}
