//! How many triples of vertices are of each class.

use std::fmt;

use super::cpu::directed::{CODES, Neighbours, has_arc};

/// The classes of three vertices by their arcs, called by their numbers of mutual, asymmetric and absent arcs, and
/// a letter where these leave a choice (Down, Up, Cyclic, Transitive). The order is that of NetworkX's
/// `triadic_census` and igraph's `triad_census`.
///
/// Source: Holland and Leinhardt, "Local structure in social networks", Sociological Methodology 7, 1976.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Triad(usize);

const NAMES: [&str; Triad::COUNT] = [
    "003", "012", "102", "021D", "021U", "021C", "111D", "111U", "030T", "030C", "201", "120D",
    "120U", "120C", "210", "300",
];

impl Triad {
    /// The number of classes.
    pub const COUNT: usize = 16;

    /// All classes in their order.
    pub fn all() -> impl Iterator<Item = Triad> {
        (0..Triad::COUNT).map(Triad)
    }

    /// The name, for example `030T`.
    pub fn name(self) -> &'static str {
        NAMES[self.0]
    }

    /// The class of a name.
    pub fn of_name(name: &str) -> Option<Triad> {
        NAMES.iter().position(|&other| other == name).map(Triad)
    }

    /// The number of pairs of vertices with an arc each way, and with an arc one way.
    fn pairs(self) -> [u128; 2] {
        let digit = |place: usize| u128::from(NAMES[self.0].as_bytes()[place] - b'0');
        [digit(0), digit(1)]
    }
}

impl fmt::Display for Triad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The number of triples of vertices of each [class](Triad). Together they are all n (n - 1) (n - 2) / 6 triples.
///
/// ```
/// use tribin::analytics::Triad;
/// use tribin::{Graph, Input, Options, Session};
///
/// let graph = Graph::from_edges([[0, 1], [1, 2], [2, 0], [2, 3]]);
/// let census = Session::open(Options::default())?.prepare(Input::from(&graph).directed())?.census()?;
/// let found: Vec<_> = census.iter().filter(|&(_, count)| count > 0).collect();
/// let class = |name| Triad::of_name(name).unwrap();
/// assert_eq!(found, [(class("012"), 1), (class("021D"), 1), (class("021C"), 1), (class("030C"), 1)]);
/// # Ok::<(), tribin::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Census([u128; Triad::COUNT]);

/// What two edges of a vertex are, and the class of the triple if the other two vertices have none: by the kinds of
/// the two neighbours, 0 where an arc leads there, 1 where one comes from there, 2 for both.
const WEDGES: [(usize, usize, &str); 6] =
    [(0, 0, "021D"), (1, 1, "021U"), (0, 1, "021C"), (1, 2, "111D"), (0, 2, "111U"), (2, 2, "201")];

impl Census {
    /// The census of a graph of `vertices` vertices, from the kinds of each vertex's neighbours and the numbers of
    /// triangles of each code.
    ///
    /// Triples with arcs between two or three pairs are counted by pairs of neighbours of a vertex. A triangle has
    /// three such pairs, which are taken off. What is left of the triples that a pair of vertices is in, and of
    /// all triples, is of the classes with fewer arcs. With fewer than 2³² vertices there are fewer than 2⁹⁴
    /// triples, and the sums on the way are below 2⁹⁸.
    pub fn new(vertices: u64, neighbours: &[Neighbours], codes: &[u64; CODES]) -> Census {
        let mut counts = [0i128; Triad::COUNT];
        let mut pairs = [0i128; 2];
        for of_vertex in neighbours {
            let kinds = [of_vertex.out, of_vertex.into, of_vertex.mutual].map(i128::from);
            for (one, other, name) in WEDGES {
                counts[place(name)] += match one == other {
                    true => kinds[one] * (kinds[one] - 1) / 2,
                    false => kinds[one] * kinds[other],
                };
            }
            // Each pair at one of its vertices, or at both.
            pairs[0] += i128::from(of_vertex.mutual);
            pairs[1] += i128::from(of_vertex.out);
        }
        pairs[0] /= 2;
        for (code, &triangles) in codes.iter().enumerate().filter(|&(_, &triangles)| triangles > 0)
        {
            let triangles = i128::from(triangles);
            for corner in 0..3 {
                counts[place(wedge_at(code, corner))] -= triangles;
            }
            counts[place(class_of(code))] += triangles;
        }
        let n = i128::from(vertices);
        for (kind, name) in ["102", "012"].into_iter().enumerate() {
            let in_others: i128 = Triad::all()
                .filter(|triad| triad.name() != name)
                .map(|triad| counts[triad.0] * triad.pairs()[kind] as i128)
                .sum();
            counts[place(name)] = pairs[kind] * (n - 2).max(0) - in_others;
        }
        // Dividing early keeps the product of three numbers of 32 bits, and is exact.
        let all = n * (n - 1) / 2 * (n - 2) / 3;
        counts[0] = all - counts[1..].iter().sum::<i128>();
        Census(counts.map(|count| u128::try_from(count).expect("no class has fewer than none")))
    }

    /// The number of triples of a class.
    pub fn count(&self, triad: Triad) -> u128 {
        self.0[triad.0]
    }

    /// Triangles of the graph without directions, each once: the triples of the last classes.
    pub fn triangles(&self) -> u64 {
        let classes = ["030T", "030C", "120D", "120U", "120C", "210", "300"];
        // They were counted in 64 bits.
        classes.iter().map(|name| self.0[place(name)] as u64).sum()
    }

    /// Every class, and the number of its triples.
    pub fn iter(&self) -> impl Iterator<Item = (Triad, u128)> {
        Triad::all().map(|triad| (triad, self.0[triad.0]))
    }
}

/// An object with a key for each class, in their order.
#[cfg(feature = "serde")]
impl serde::Serialize for Census {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(triad, count)| (triad.name(), count)))
    }
}

fn place(name: &str) -> usize {
    NAMES.iter().position(|&other| other == name).expect("a class")
}

/// What the two edges at a corner of a triangle would be without the third.
fn wedge_at(code: usize, corner: usize) -> &'static str {
    let kind = |other: usize| match (has_arc(code, corner, other), has_arc(code, other, corner)) {
        (true, true) => 2,
        (true, false) => 0,
        (false, _) => 1,
    };
    let (one, other) = (kind((corner + 1) % 3), kind((corner + 2) % 3));
    let is = |wedge: &&(usize, usize, _)| (wedge.0, wedge.1) == (one.min(other), one.max(other));
    WEDGES.iter().find(is).expect("every pair of kinds is there").2
}

/// The class of a triangle.
fn class_of(code: usize) -> &'static str {
    let corners = [0, 1, 2];
    let arcs = |from: usize| {
        corners.into_iter().filter(move |&to| to != from && has_arc(code, from, to)).count()
    };
    let into = |to: usize| {
        corners.into_iter().filter(|&from| from != to && has_arc(code, from, to)).count()
    };
    let mutual = [[0, 1], [0, 2], [1, 2]];
    let mutual =
        mutual.iter().filter(|[x, y]| has_arc(code, *x, *y) && has_arc(code, *y, *x)).count();
    // The corner that the mutual pair leaves out.
    let third = corners.into_iter().find(|&x| {
        let (y, z) = ((x + 1) % 3, (x + 2) % 3);
        has_arc(code, y, z) && has_arc(code, z, y)
    });
    match (mutual, third) {
        (0, _) if corners.into_iter().all(|corner| arcs(corner) == 1) => "030C",
        (0, _) => "030T",
        (1, Some(third)) => match (arcs(third), into(third)) {
            (2, _) => "120D",
            (_, 2) => "120U",
            _ => "120C",
        },
        (2, _) => "210",
        _ => "300",
    }
}
