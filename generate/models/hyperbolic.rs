//! Random hyperbolic graphs: a power law and high clustering.

use std::f64::consts::PI;
use std::ops::Range;

use super::random::Streams;
use super::{BLOCK, check_memory, fraction, vertices};
use crate::graph::EdgeBlocks;
use crate::{Error, Result};
use tribin_base::par;

/// Points in a disk of the hyperbolic plane, joined where their distance is at most the disk's radius:
/// the threshold model of Krioukov et al., "Hyperbolic geometry of complex networks", Phys. Rev. E 82
/// (2010), of temperature 0. Degrees follow a power law, and neighbours of a vertex are often
/// neighbours, as in social networks and the Internet. Each edge comes once, no self-loops.
///
/// Points are in bands by their radius and in the order of their angles within a band: a point's
/// neighbours in a band are in an interval of angles (von Looz, Meyerhenke, Prutkin, "Generating random
/// hyperbolic graphs in subquadratic time", ISAAC 2015), and every pair of the interval is checked.
/// O(n log² n + m) for m edges; points are kept, 20 bytes each.
///
/// Functions of real numbers are `libm`'s, which computes them by additions and multiplications in one
/// order: the same edges on every machine.
#[derive(Debug)]
pub struct Hyperbolic {
    /// The hyperbolic cosine of the disk's radius.
    reach: f64,
    bands: Vec<Band>,
    /// The vertices, band by band.
    ids: Vec<u32>,
    /// The angle of each vertex of `ids`, in units of 2⁻⁶⁴ of the circle.
    angles: Vec<u64>,
    /// e to the power of the radius of each vertex of `ids`.
    powers: Vec<f64>,
}

/// Points whose radii are near each other.
#[derive(Debug)]
struct Band {
    /// e to the power of a radius that no point of the band is below.
    inner: f64,
    places: Range<usize>,
    /// Points of a block.
    span: usize,
    /// Blocks of the bands before.
    blocks_before: u64,
}

impl Band {
    fn blocks(&self) -> u64 {
        self.places.len().div_ceil(self.span) as u64
    }
}

/// What rounding may change a radius or, as a part, an angle by, and much more.
const MARGIN: f64 = 1e-9;

impl Hyperbolic {
    /// `vertices` points with the radius of the disk that gives the expected degree `degree`, to 2% in
    /// large graphs, and a power law of the degrees with the given exponent. The degree of a single
    /// graph differs by its few hubs, the more the nearer the exponent is to 2.
    ///
    /// # Errors
    /// [`Error::Usage`] for too many vertices, for a degree that is not from 1 to an eighth of the
    /// vertices, and for an exponent that is not above 2 and at most 10.
    pub fn new(vertices: u64, degree: u64, exponent: f64, seed: u64) -> Result<Hyperbolic> {
        let count = self::vertices(vertices.into())?;
        if degree == 0 || degree > count / 8 {
            return Err(Error::Usage(format!(
                "{vertices} vertices in a disk cannot have a degree of {degree}: use 1 to an eighth of \
                 the vertices"
            ).into()));
        }
        if !(exponent > 2.0 && exponent <= 10.0) {
            return Err(Error::Usage(
                format!(
                    "degrees cannot have the exponent {exponent}: use a number above 2, 10 at most"
                )
                .into(),
            ));
        }
        // Keys, and the ids and angles that are made of them.
        check_memory(28 * count)?;
        // The exponent of the points' density along the radius.
        let growth = (exponent - 1.0) / 2.0;
        let radius = radius(count as f64, degree as f64, growth);
        Ok(Hyperbolic::of_points(count as u32, radius, growth, seed))
    }

    fn of_points(count: u32, radius: f64, growth: f64, seed: u64) -> Hyperbolic {
        let streams = Streams::new(seed);
        // The share of points within r is (cosh(growth · r) - 1) / (cosh(growth · radius) - 1).
        let most = libm::cosh(growth * radius) - 1.0;
        let point = |id: u32| {
            let mut random = streams.stream(u64::from(id));
            let angle = random.draw();
            let share = fraction(random.draw());
            (angle, libm::acosh(1.0 + share * most) / growth)
        };
        // All points up to half of the radius are joined: one band, and more of width 1 or less.
        let half = radius / 2.0;
        let outer = libm::ceil(half);
        let width = half / outer;
        // The radius is below 150.
        let band =
            |r: f64| if r < half { 0 } else { 1 + ((r - half) / width).min(outer - 1.0) as u8 };
        // The band, the angle and the number of each point.
        let mut keys = par::tabulate(count as usize, |id| {
            let (angle, r) = point(id as u32);
            u128::from(band(r)) << 96 | u128::from(angle) << 32 | id as u128
        });
        par::sort_unstable(&mut keys);
        let mut bands: Vec<Band> = (0..=outer as u8)
            .map(|band| {
                let inner = half + f64::from(band.max(1) - 1) * width - MARGIN;
                let start = |band| keys.partition_point(|key| (key >> 96) < u128::from(band));
                Band {
                    inner: if band == 0 { 1.0 } else { libm::exp(inner) },
                    places: start(band)..start(band + 1),
                    span: 1,
                    blocks_before: 0,
                }
            })
            .collect();
        let ids = par::tabulate(keys.len(), |place| keys[place] as u32);
        let angles = par::tabulate(keys.len(), |place| (keys[place] >> 32) as u64);
        drop(keys);
        let powers = par::tabulate(ids.len(), |place| libm::exp(point(ids[place]).1));
        let reach = libm::cosh(radius);
        let mut blocks = 0;
        for band in 0..bands.len() {
            // The points that one at the inner edge is compared with, on average.
            let compared: f64 = bands[band..]
                .iter()
                .map(|other| {
                    other.places.len() as f64 * angle(reach, bands[band].inner, other.inner) / PI
                })
                .sum();
            bands[band].span = ((BLOCK as f64 / (1.0 + compared)) as usize).max(1);
            bands[band].blocks_before = blocks;
            blocks += bands[band].blocks();
        }
        Hyperbolic { reach, bands, ids, angles, powers }
    }

    /// Calls `found` with the places of every pair within reach whose first is `place`, in a band. The
    /// second is in this band, further on, or in an outer one.
    fn pairs(&self, band: usize, place: usize, mut found: impl FnMut(usize, usize)) {
        for (number, other) in self.bands.iter().enumerate().skip(band) {
            let all =
                if number == band { place + 1..other.places.end } else { other.places.clone() };
            let half = self.half_interval(place, other);
            for part in self.interval(&all, self.angles[place], half).into_iter().flatten() {
                part.filter(|&second| self.near(place, second))
                    .for_each(|second| found(place, second));
            }
        }
    }

    /// The greatest difference of angles of a neighbour in a band, in units of 2⁻⁶⁴ of the circle, or
    /// `None` where all differences are possible.
    fn half_interval(&self, place: usize, band: &Band) -> Option<u64> {
        let angle = angle(self.reach, self.powers[place], band.inner);
        // 2⁶³ units are half of the circle.
        let units = (angle * (1.0 + MARGIN) / PI) * (1u64 << 63) as f64 + 1024.0;
        (units < (1u64 << 63) as f64).then_some(units as u64)
    }

    /// The places within `all`, of one band, whose angles differ from `angle` by `half` at most.
    fn interval(
        &self,
        all: &Range<usize>,
        angle: u64,
        half: Option<u64>,
    ) -> [Option<Range<usize>>; 2] {
        let Some(half) = half else { return [Some(all.clone()), None] };
        let angles = &self.angles[all.clone()];
        // Half is below 2⁶³: the interval does not meet itself.
        let (from, to) = (angle.wrapping_sub(half), angle.wrapping_add(half));
        let before = all.start + angles.partition_point(|&other| other < from);
        let after = all.start + angles.partition_point(|&other| other <= to);
        if from <= to {
            [Some(before..after), None]
        } else {
            [Some(all.start..after), Some(before..all.end)]
        }
    }

    /// Whether two points are within reach: cosh d = cosh(r - s) + 2 sinh r sinh s sin²(difference / 2).
    #[inline]
    fn near(&self, i: usize, j: usize) -> bool {
        let difference = self.angles[i].wrapping_sub(self.angles[j]);
        let difference = difference.min(difference.wrapping_neg());
        let sine = libm::sin(difference as f64 * (PI / (1u128 << 64) as f64));
        2.0 * sinh(self.powers[i]) * sinh(self.powers[j]) * sine * sine
            <= self.reach - cosh_of_difference(self.powers[i], self.powers[j])
    }
}

/// The hyperbolic sine of r, from e to the power of r.
#[inline]
fn sinh(power: f64) -> f64 {
    (power - 1.0 / power) / 2.0
}

/// The hyperbolic cosine of r - s, from e to the powers of r and s.
#[inline]
fn cosh_of_difference(power: f64, other: f64) -> f64 {
    (power / other + other / power) / 2.0
}

/// The greatest difference of angles of two points within reach, given e to the powers of their radii.
/// It falls with each of the radii.
fn angle(reach: f64, power: f64, other: f64) -> f64 {
    let square = (reach - cosh_of_difference(power, other)) / (2.0 * sinh(power) * sinh(other));
    // A point in the middle has all differences; there, the square is infinite or no number. Near 1 the
    // angle is not to be had exactly.
    if square < 1.0 - MARGIN { 2.0 * libm::asin(libm::sqrt(square.max(0.0))) } else { PI }
}

/// The radius of the disk for an expected degree (Krioukov et al., equation 22), by halving.
fn radius(vertices: f64, degree: f64, growth: f64) -> f64 {
    let ratio = growth / (growth - 0.5);
    let expected = |radius: f64| {
        let bracket = PI / 4.0 / (growth * growth) - (PI - 1.0) / growth + (PI - 2.0);
        let sum = libm::exp(-radius / 2.0)
            + libm::exp(-growth * radius) * (growth * radius / 2.0 * bracket - 1.0);
        2.0 / PI * ratio * ratio * vertices * sum
    };
    // From 3 on the degree falls with the radius, from more than an eighth of the vertices to less than
    // 1.
    let (mut low, mut high) = (3.0, 2.0 * libm::log(vertices * ratio * ratio) + 1.0);
    for _ in 0..64 {
        let middle = (low + high) / 2.0;
        *(if expected(middle) > degree { &mut low } else { &mut high }) = middle;
    }
    low
}

impl EdgeBlocks for Hyperbolic {
    fn vertices(&self) -> u64 {
        self.ids.len() as u64
    }

    /// The number of entries, found by making all of them.
    fn entries(&self) -> u64 {
        let of_blocks = par::map(0..self.blocks(), |block| {
            let mut entries = 0;
            self.pairs_of(block, |_, _| entries += 1);
            entries
        });
        of_blocks.into_iter().sum()
    }

    fn blocks(&self) -> u64 {
        self.bands.last().map_or(0, |last| last.blocks_before + last.blocks())
    }

    fn block(&self, block: u64, edges: &mut Vec<[u32; 2]>) {
        self.pairs_of(block, |i, j| edges.push([self.ids[i], self.ids[j]]));
    }
}

impl Hyperbolic {
    /// The pairs whose first is in a block.
    fn pairs_of(&self, block: u64, mut found: impl FnMut(usize, usize)) {
        let number = self.bands.partition_point(|band| band.blocks_before <= block) - 1;
        let band = &self.bands[number];
        let from = band.places.start + (block - band.blocks_before) as usize * band.span;
        for place in from..band.places.end.min(from + band.span) {
            self.pairs(number, place, &mut found);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Every pair's distance by the hyperbolic law of cosines, with coordinates from the same draws by
    /// the standard library's functions.
    fn by_pairs(model: &Hyperbolic, radius: f64, growth: f64, seed: u64) -> BTreeSet<[u32; 2]> {
        let streams = Streams::new(seed);
        let points: Vec<(f64, f64)> = (0..model.ids.len() as u64)
            .map(|id| {
                let mut random = streams.stream(id);
                let angle = random.draw() as f64 / 2f64.powi(64) * 2.0 * PI;
                let share = fraction(random.draw());
                let most = (growth * radius).cosh() - 1.0;
                (angle, (1.0 + share * most).acosh() / growth)
            })
            .collect();
        let points: Vec<[f64; 3]> =
            points.into_iter().map(|(angle, r)| [angle, r.cosh(), r.sinh()]).collect();
        let mut edges = BTreeSet::new();
        for (v, [angle, cosh, sinh]) in points.iter().enumerate() {
            for (u, [other, other_cosh, other_sinh]) in points[..v].iter().enumerate() {
                let cosine = cosh * other_cosh - sinh * other_sinh * (angle - other).cos();
                if cosine <= radius.cosh() {
                    edges.insert([u as u32, v as u32]);
                }
            }
        }
        edges
    }

    #[test]
    fn bands_find_every_pair_once() {
        for (vertices, degree, exponent) in [
            (8, 1, 2.5),
            (100, 12, 2.1),
            (300, 8, 2.5),
            (800, 20, 3.0),
            (900, 112, 2.2),
            (700, 5, 10.0),
            // Bands of several blocks.
            (3_000, 60, 2.2),
        ] {
            for seed in [1, 5] {
                let growth = (exponent - 1.0) / 2.0;
                let radius = radius(vertices as f64, degree as f64, growth);
                let model = Hyperbolic::new(vertices, degree, exponent, seed).unwrap();
                let mut edges = Vec::new();
                (0..model.blocks()).for_each(|block| model.block(block, &mut edges));
                assert_eq!(model.entries(), edges.len() as u64);
                edges.iter_mut().for_each(|pair| pair.sort_unstable());
                let set: BTreeSet<[u32; 2]> = edges.iter().copied().collect();
                assert_eq!(set.len(), edges.len(), "{vertices} vertices: an edge came twice");
                let expected = by_pairs(&model, radius, growth, seed);
                assert_eq!(set, expected, "{vertices} vertices of degree {degree}, {exponent}");
            }
        }
    }

    #[test]
    fn the_degree_is_about_as_asked() {
        for (exponent, degree) in [(2.7, 20), (2.9, 10), (5.0, 40)] {
            // Single graphs differ by their hubs.
            let entries = (1..=5).map(|seed| {
                Hyperbolic::new(20_000, degree, exponent, seed).unwrap().entries() as f64
            });
            let found = 2.0 * entries.sum::<f64>() / 100_000.0;
            let part = found / degree as f64;
            assert!((0.95..1.05).contains(&part), "{found} of {degree}, exponent {exponent}");
        }
    }

    #[test]
    fn every_radius_has_its_degree() {
        // The least and the greatest degree that are allowed have a radius within the limits.
        for vertices in [8u64, 1_000, 1 << 31] {
            for exponent in [2.001, 2.5, 4.0, 10.0] {
                let growth = (exponent - 1.0) / 2.0;
                let [few, many] = [1, vertices / 8]
                    .map(|degree: u64| radius(vertices as f64, degree as f64, growth));
                assert!(3.0 < many && many <= few && few < 150.0, "{vertices}, {exponent}");
            }
        }
    }

    #[test]
    fn what_cannot_be() {
        let say = |vertices, degree, exponent| {
            Hyperbolic::new(vertices, degree, exponent, 1).unwrap_err().to_string()
        };
        for (vertices, degree) in [(0, 0), (7, 1), (100, 13), (100, 0)] {
            assert_eq!(
                say(vertices, degree, 2.5),
                format!(
                    "{vertices} vertices in a disk cannot have a degree of {degree}: use 1 to an eighth \
                     of the vertices"
                )
            );
        }
        for exponent in [2.0, 1.0, 10.5, f64::NAN, f64::INFINITY] {
            assert_eq!(
                say(100, 3, exponent),
                format!(
                    "degrees cannot have the exponent {exponent}: use a number above 2, 10 at most"
                )
            );
        }
        assert!(say(1 << 32, 3, 2.5).contains("at most 4294967294 (2^32-2)"));
    }
}
