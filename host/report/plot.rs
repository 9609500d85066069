//! Plots of points, as SVG: on axes from zero, or logarithmic where values differ much.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The size of a plot, and where its points are: from left to right, and from the lower axis up.
const SIZE: [u32; 2] = [480, 320];
const ACROSS: [f64; 2] = [58.0, 462.0];
const UP: [f64; 2] = [268.0, 52.0];

/// The most points of a plot whose points show their numbers when a pointer rests on them.
const WITH_TEXTS: usize = 150;

/// The least share that a logarithmic axis shows.
const LEAST_SHARE: f64 = 1e-6;

/// Points, and what their two numbers are.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot<'a> {
    /// The plot's title.
    pub title: &'a str,
    /// What the first number of a point is.
    pub across: &'a str,
    /// What the second number of a point is.
    pub up: &'a str,
    /// Whether the second number is a share, from 0 to 1. Numbers are whole otherwise.
    pub is_share: bool,
    /// Two numbers a point, none below zero.
    pub points: Vec<[f64; 2]>,
}

impl<'a> Plot<'a> {
    /// How many `rows` have each number of this kind: `counts` has every number and how many rows have it.
    pub fn histogram(
        title: &'a str,
        of: &'a str,
        rows: &'a str,
        counts: &BTreeMap<u64, u64>,
    ) -> Self {
        let points = counts.iter().map(|(&value, &rows)| [value as f64, rows as f64]).collect();
        Plot { title, across: of, up: rows, is_share: false, points }
    }

    /// A part of a page, in the colour of its text and as wide as its place, without the title.
    pub fn figure(&self) -> String {
        let ([width, height], top) = (SIZE, UP[1] as u32 - 28);
        let label = escaped(self.title);
        format!(
            "<svg viewBox=\"0 {top} {width} {}\" role=\"img\" aria-label=\"{label}\" fill=\"currentColor\">\n{}</svg>\n",
            height - top,
            self.drawn()
        )
    }

    /// Axes with their names and ticks, and the points.
    fn drawn(&self) -> String {
        let mut svg = String::new();
        let least = if self.is_share { LEAST_SHARE } else { 1.0 };
        let values = Axis::of(self.points.iter().map(|point| point[0]), 1.0, ACROSS);
        let numbers = Axis::of(self.points.iter().map(|point| point[1]), least, UP);
        let ([left, right], [low, high]) = (ACROSS, UP);
        let mut text = |[x, y]: [f64; 2], style: &str, text: &str| {
            let text = escaped(text);
            let _ = writeln!(svg, "<text x=\"{x:.0}\" y=\"{y:.0}\" {style}>{text}</text>");
        };
        let middle = f64::midpoint(left, right);
        text([middle, low + 38.0], "font-size=\"13\" text-anchor=\"middle\"", self.across);
        text([12.0, high - 12.0], "font-size=\"13\"", self.up);
        const PALE: &str = "font-size=\"11\" fill-opacity=\".75\" text-anchor";
        for tick in values.ticks() {
            text([values.place(tick), low + 17.0], &format!("{PALE}=\"middle\""), &short(tick));
        }
        for tick in numbers.ticks() {
            text([left - 7.0, numbers.place(tick) + 4.0], &format!("{PALE}=\"end\""), &short(tick));
        }
        let mut lines = String::new();
        for x in values.ticks().into_iter().map(|tick| values.place(tick)) {
            let _ = write!(lines, "M{x:.0} {low}V{high}");
        }
        for y in numbers.ticks().into_iter().map(|tick| numbers.place(tick)) {
            let _ = write!(lines, "M{left} {y:.0}H{right}");
        }
        let _ =
            writeln!(svg, "<path d=\"{lines}\" stroke=\"currentColor\" stroke-opacity=\".15\"/>");
        let _ = writeln!(svg, "<g fill=\"#1f83c4\">");
        // Points at the same place would be drawn over each other.
        let mut drawn = BTreeSet::new();
        for &[value, number] in &self.points {
            let [x, y] = [values.place(value), numbers.place(number)];
            if !drawn.insert([x as u32, y as u32]) {
                continue;
            }
            let _ = match self.points.len() <= WITH_TEXTS {
                true => writeln!(
                    svg,
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"3\"><title>{} {value}: {number} {}</title></circle>",
                    escaped(self.across),
                    escaped(self.up)
                ),
                false => writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"3\"/>"),
            };
        }
        svg + "</g>\n"
    }
}

/// Writes out what XML and HTML read otherwise, and characters that they have no way to hold.
pub(crate) fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut escaped, c| {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\u{fffe}' | '\u{ffff}' => escaped.extend(c.escape_default()),
            _ if c.is_control() => escaped.extend(c.escape_default()),
            _ => escaped.push(c),
        }
        escaped
    })
}

/// How numbers become pixels.
struct Axis {
    least: f64,
    most: f64,
    is_logarithmic: bool,
    /// Whether zero is shown. A logarithmic axis has it where it begins.
    has_zero: bool,
    pixels: [f64; 2],
}

impl Axis {
    /// The axis of some values: from zero, or logarithmic where values differ so much that the small ones could not be told from zero. No
    /// number that is shown is below `unit` but zero itself.
    fn of(values: impl Iterator<Item = f64> + Clone, unit: f64, pixels: [f64; 2]) -> Axis {
        let most = values.clone().fold(unit, f64::max);
        let has_zero = values.clone().any(|value| value == 0.0);
        let least = values.filter(|&value| value > 0.0).fold(f64::INFINITY, f64::min).max(unit);
        let is_logarithmic = least < most / 10.0;
        let (least, most) = match (is_logarithmic, has_zero) {
            (true, true) => (least / 2.0, most * 1.25),
            (true, false) => (least / 1.25, most * 1.25),
            (false, _) => (0.0, most * 1.08),
        };
        Axis { least, most, is_logarithmic, has_zero, pixels }
    }

    fn ticks(&self) -> Vec<f64> {
        let powers = (-6..20).map(|power| 10f64.powi(power));
        if self.is_logarithmic {
            // Of more than two powers of ten each second tick would touch its neighbours.
            let is_wide = self.most / self.least > 300.0;
            let digits = if is_wide { &[1.0][..] } else { &[1.0, 2.0, 5.0] };
            let all = powers.flat_map(|power| digits.iter().map(move |digit| digit * power));
            // Beside the tick of zero, one of half the least number has no place.
            let least = if self.has_zero { self.least * 1.9 } else { self.least };
            let all = all.filter(|tick| (least..=self.most).contains(tick));
            return self.has_zero.then_some(0.0).into_iter().chain(all).collect();
        }
        // About five steps of 1, 2 or 5 times a power of ten, whole ones where numbers reach 1.08.
        let least = if self.most > 1.08 { 1.0 } else { 0.0 };
        let mut steps = powers.flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * power));
        let step = steps.find(|step| *step >= (self.most / 5.0).max(least)).unwrap_or(self.most);
        (0..).map(|i| f64::from(i) * step).take_while(|tick| *tick <= self.most).collect()
    }

    fn place(&self, value: f64) -> f64 {
        let share = match self.is_logarithmic {
            true => (value.max(self.least) / self.least).ln() / (self.most / self.least).ln(),
            false => value / self.most,
        };
        let [from, to] = self.pixels;
        (from + (to - from) * share).round()
    }
}

/// `12.3 M`, three digits at most.
fn short(value: f64) -> String {
    let units = [(1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k"), (1.0, "")];
    let unit = units.into_iter().find(|(scale, _)| value >= *scale);
    match unit {
        Some((scale, unit)) => format!("{}{unit}", (value / scale * 100.0).round() / 100.0),
        None => format!("{}", (value * 1e6).round() / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_far_apart_are_shown_by_their_logarithms() {
        let axis = |values: &[f64]| Axis::of(values.iter().copied(), 1.0, [100.0, 0.0]);
        let linear = axis(&[20.0, 100.0]);
        assert_eq!((linear.place(0.0), linear.place(54.0)), (100.0, 50.0));
        assert_eq!(linear.ticks(), [0.0, 50.0, 100.0]);
        let wide = axis(&[1e3, 1e5]);
        assert_eq!(wide.ticks(), [1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5]);
        assert_eq!((wide.place(800.0), wide.place(1e4), wide.place(125e3)), (100.0, 50.0, 0.0));
        assert_eq!(axis(&[1.0, 2.0]).ticks(), [0.0, 1.0, 2.0]);
    }

    #[test]
    fn shares_have_ticks_between_zero_and_one() {
        let axis = |values: &[f64]| Axis::of(values.iter().copied(), LEAST_SHARE, [100.0, 0.0]);
        assert_eq!(axis(&[0.5, 1.0]).ticks(), [0.0, 0.5, 1.0]);
        assert_eq!(axis(&[0.0, 0.1, 1.0]).ticks(), [0.0, 0.5, 1.0]);
        let wide: Vec<String> = axis(&[0.0, 0.001, 1.0]).ticks().into_iter().map(short).collect();
        assert_eq!(wide, ["0", "0.001", "0.01", "0.1", "1"]);
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([0.0, 999.0, 1_500.0, 2e9].map(short), ["0", "999", "1.5 k", "2 G"]);
    }

    #[test]
    fn any_name_of_a_graph_is_legal() {
        let title = "a\u{1b}[31m\u{1}<b> & \"c\"";
        let plot = Plot::histogram(title, "degree", "vertices", &BTreeMap::from([(1, 7)]));
        let drawn = plot.figure();
        assert!(drawn.contains(r"a\u{1b}[31m\u{1}&lt;b&gt; &amp; &quot;c&quot;"), "{drawn}");
        assert!(drawn.chars().all(|c| c == '\n' || !c.is_control()));
    }

    #[test]
    fn points_at_one_place_are_drawn_once() {
        let points = (0..100_000).map(|value| (value, 1)).collect::<BTreeMap<u64, u64>>();
        let drawn = Plot::histogram("", "degree", "vertices", &points).figure();
        assert!(drawn.matches("<circle").count() <= 405, "a point for each pixel at most");
    }
}
