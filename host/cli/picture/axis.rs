//! Axes: how numbers become pixels.

use super::style::ticks;

/// How numbers become pixels.
pub struct Axis {
    least: f64,
    most: f64,
    logarithmic: bool,
    pixels: (i32, i32),
}

impl Axis {
    /// From zero, or logarithmic where values differ so much that the small ones could not be told
    /// from zero.
    pub fn of(values: impl Iterator<Item = f64> + Clone, pixels: (i32, i32)) -> Axis {
        let most = values.clone().fold(0.0, f64::max);
        if values.clone().fold(f64::INFINITY, f64::min) < most / 10.0 {
            return Axis::logarithmic(values, pixels);
        }
        Axis { least: 0.0, most: most * 1.08, logarithmic: false, pixels }
    }

    pub fn logarithmic(values: impl Iterator<Item = f64> + Clone, pixels: (i32, i32)) -> Axis {
        // Numbers of edges, and speeds: one at least where there is any.
        let least = values.clone().fold(f64::INFINITY, f64::min).max(1.0) / 1.25;
        Axis { least, most: values.fold(1.0, f64::max) * 1.25, logarithmic: true, pixels }
    }

    pub fn ticks(&self) -> Vec<f64> {
        if !self.logarithmic {
            return ticks(self.most, 5.0);
        }
        // Of more than two powers of ten each second tick would touch its neighbours.
        let digits = if self.most / self.least > 300.0 { &[1.0][..] } else { &[1.0, 2.0, 5.0] };
        let numbers = (0..20).flat_map(|power| digits.iter().map(move |d| d * 10f64.powi(power)));
        numbers.filter(|number| (self.least..=self.most).contains(number)).collect()
    }

    pub fn place(&self, value: f64) -> i32 {
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
