//! The picture of a histogram, as SVG: a dot for each number, on axes that show many powers of ten.

use std::fmt::Write;
use std::path::Path;

use tribin::report::OutputFile;
use tribin::{Error, Result};

use super::histogram::Histogram;

/// Where the dots are, in pixels: from left to right, and from the lower axis up.
const ACROSS: [f64; 2] = [84.0, 920.0];
const UP: [f64; 2] = [420.0, 84.0];

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

    /// Draws and writes a histogram.
    pub fn write_histogram(&self, histogram: &Histogram) -> Result<()> {
        self.0.write(svg(histogram).as_bytes())
    }
}

fn svg(histogram: &Histogram) -> String {
    let Histogram { graph, of, rows, counts } = histogram;
    let values = Axis::of(counts.iter().map(|&(value, _)| f64::from(value)), ACROSS);
    let numbers = Axis::of(counts.iter().map(|&(_, number)| number as f64), UP);
    let mut svg = String::from(
        "<svg width=\"960\" height=\"480\" viewBox=\"0 0 960 480\" xmlns=\"http://www.w3.org/2000/svg\" \
         font-family=\"sans-serif\" fill=\"#22272e\">\n<rect width=\"960\" height=\"480\" fill=\"#ffffff\"/>\n",
    );
    let ([left, right], [low, high]) = (ACROSS, UP);
    let mut text = |x: f64, y: f64, style: &str, text: &str| {
        let text = escaped(text);
        let _ = writeln!(svg, "<text x=\"{x:.0}\" y=\"{y:.0}\" {style}>{text}</text>");
    };
    text(24.0, 38.0, "font-size=\"20\" font-weight=\"bold\"", &format!("{graph}: {rows} by {of}"));
    text((left + right) / 2.0, low + 40.0, "font-size=\"13\" text-anchor=\"middle\"", of);
    text(24.0, high - 16.0, "font-size=\"13\"", rows);
    const PALE: &str = "font-size=\"11\" fill=\"#5f6b7a\" text-anchor";
    for tick in values.ticks() {
        text(values.place(tick), low + 18.0, &format!("{PALE}=\"middle\""), &short(tick));
    }
    for tick in numbers.ticks() {
        text(left - 8.0, numbers.place(tick) + 4.0, &format!("{PALE}=\"end\""), &short(tick));
    }
    let mut lines = String::new();
    for x in values.ticks().into_iter().map(|tick| values.place(tick)) {
        let _ = write!(lines, "M{x:.0} {low}V{high}");
    }
    for y in numbers.ticks().into_iter().map(|tick| numbers.place(tick)) {
        let _ = write!(lines, "M{left} {y:.0}H{right}");
    }
    let _ = writeln!(svg, "<path d=\"{lines}\" stroke=\"#e3e7ec\"/>");
    for &(value, number) in counts {
        let (x, y) = (values.place(value.into()), numbers.place(number as f64));
        let _ = writeln!(svg, "<circle cx=\"{x:.0}\" cy=\"{y:.0}\" r=\"3\" fill=\"#0072b2\"/>");
    }
    svg + "</svg>\n"
}

/// Writes out what XML reads otherwise, and characters that it has no way to hold.
fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut escaped, c| {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
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
    pixels: [f64; 2],
}

impl Axis {
    /// From zero, or logarithmic where values differ so much that the small ones could not be told from zero.
    fn of(values: impl Iterator<Item = f64> + Clone, pixels: [f64; 2]) -> Axis {
        let most = values.clone().fold(1.0, f64::max);
        let least = values.fold(f64::INFINITY, f64::min).max(1.0);
        match least < most / 10.0 {
            true => Axis { least: least / 1.25, most: most * 1.25, is_logarithmic: true, pixels },
            false => Axis { least: 0.0, most: most * 1.08, is_logarithmic: false, pixels },
        }
    }

    fn ticks(&self) -> Vec<f64> {
        let powers = (0..20).map(|power| 10f64.powi(power));
        if self.is_logarithmic {
            // Of more than two powers of ten each second tick would touch its neighbours.
            let is_wide = self.most / self.least > 300.0;
            let digits = if is_wide { &[1.0][..] } else { &[1.0, 2.0, 5.0] };
            let all = powers.flat_map(|power| digits.iter().map(move |digit| digit * power));
            return all.filter(|tick| (self.least..=self.most).contains(tick)).collect();
        }
        // About five whole steps of 1, 2 or 5 times a power of ten.
        let mut steps = powers.flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * power));
        let step = steps.find(|step| *step >= self.most / 5.0).unwrap_or(self.most);
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
    let units = [(1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")];
    let (scale, unit) = units.into_iter().find(|(scale, _)| value >= *scale).unwrap_or((1.0, ""));
    format!("{}{unit}", (value / scale * 100.0).round() / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_far_apart_are_shown_by_their_logarithms() {
        let axis = |values: &[f64]| Axis::of(values.iter().copied(), [100.0, 0.0]);
        let linear = axis(&[20.0, 100.0]);
        assert_eq!((linear.place(0.0), linear.place(54.0)), (100.0, 50.0));
        assert_eq!(linear.ticks(), [0.0, 50.0, 100.0]);
        let wide = axis(&[1e3, 1e5]);
        assert_eq!(wide.ticks(), [1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5]);
        assert_eq!((wide.place(800.0), wide.place(1e4), wide.place(125e3)), (100.0, 50.0, 0.0));
        assert_eq!(axis(&[]).ticks(), [0.0, 1.0]);
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([0.0, 999.0, 1_500.0, 2e9].map(short), ["0", "999", "1.5 k", "2 G"]);
    }

    #[test]
    fn any_name_of_a_graph_is_legal() {
        let graph = "a\u{1b}[31m\u{1}<b> & c".to_owned();
        let histogram = Histogram { graph, of: "degree", rows: "vertices", counts: vec![(1, 7)] };
        let drawn = svg(&histogram);
        assert!(
            drawn.contains(r"a\u{1b}[31m\u{1}&lt;b&gt; &amp; c: vertices by degree"),
            "{drawn}"
        );
        assert!(drawn.chars().all(|c| c == '\n' || !c.is_control()));
    }
}
