//! In what order the vertices are ranked.

use super::degrees::{MIN_ENTRIES, close, flat, wedges_an_entry, without_largest};
use crate::graph::Summary;
use crate::plan::facts::{CLASSES, EdgeOrder, EntryFacts, Landmarks, Share};
use tribin_kernels::min_hash::first_degree;
use tribin_plan::reason::{Bound, Chosen, Reason, ReasonFigure, Rules};

/// The order in which the vertices are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// Vertices are ranked by id, and the edges stay as they are: they are sorted and simple already.
    AsTheyAre,
    /// Vertices are ranked by id.
    Ids,
    /// Vertices are ranked by class of degree, the largest first, then by id.
    Degrees,
    /// Vertices are ranked by the greatest hash in each vertex's neighbourhood (MinHash), then by id.
    MinHash,
    /// Hubs by class of degree, the largest first, and then the others by MinHash of their neighbourhoods without
    /// hubs, then by id.
    HubsFirst {
        /// The largest degree of a vertex that is no hub.
        most_degree: u32,
        /// About how many neighbours that are no hubs the vertices that are no hubs have, all of them together.
        neighbours: u64,
    },
}

/// The vertices that have a label.
#[derive(Debug, Clone, Copy)]
pub struct LabelledVertices {
    /// About how many neighbours they have among each other, all of them together.
    pub neighbours: u64,
    /// The largest degree of one.
    pub most_degree: u32,
}

impl Order {
    /// The vertices that have a label, for an order of labels of a graph of `entries` entries.
    pub fn labels(self, entries: u64) -> Option<LabelledVertices> {
        match self {
            Order::AsTheyAre | Order::Ids | Order::Degrees => None,
            Order::MinHash => {
                Some(LabelledVertices { neighbours: 2 * entries, most_degree: u32::MAX })
            }
            Order::HubsFirst { most_degree, neighbours } => {
                Some(LabelledVertices { neighbours, most_degree })
            }
        }
    }
}

/// Most wedges for an entry of a graph that keeps the order of degrees, whatever closes: there is little to save.
pub(super) const FEW_WEDGES: u128 = 64;

/// Entries up to which the rows that a count reads again are found in the caches of an H200, about.
const IN_CACHE: f64 = 16e6;

/// Larger graphs count as this many times that at most.
const BEYOND_CACHE: f64 = 3.0;

/// Largest degree of a graph with few wedges whose entries are sorted: the merge of a hub's row costs less than the sort.
const MAX_DEGREE_SORTED: u64 = 4_096;

/// What the order of degrees costs an entry, in picoseconds on an H200, beside the order of ids.
const DEGREES_ENTRY: f64 = 8.3;

/// What the order of degrees costs an entry for each vertex of an entry, in picoseconds.
const DEGREES_VERTEX: f64 = 20.0;

/// Picoseconds that the count saves in the order of degrees for each wedge of an entry that neighbours drawn at random would not
/// have.
const DEGREES_SAVE: f64 = 0.33;

/// What the order of MinHash labels costs an entry, in picoseconds: to make labels and to rank by them.
const LABELS_ENTRY: f64 = 6.0;

/// What the order of MinHash labels costs an entry for each vertex of an entry, in picoseconds.
const LABELS_VERTEX: f64 = 120.0;

/// Picoseconds that the count saves in the order of labels for each wedge of an entry, if all ends are alike and the rows are in
/// the caches.
const LABELS_SAVE: f64 = 0.75;

/// Fewest wedges for an entry from which on rows are long: they are looked up in tables, which read them at once, whatever the
/// order. Labels then save only what segments do.
const LONG_ROWS: f64 = 48.0;

/// Picoseconds that labels save for each wedge of long rows, times the share of ends that are alike beyond [`ALIKE_LONG`].
const LABELS_SAVE_LONG: f64 = 1.3;

/// The share of alike ends beyond which labels save something where rows are long.
const ALIKE_LONG: f64 = 0.24;

/// Ends are hardly ever alike more often than this.
const MOST_ALIKE: f64 = 0.8;

/// The order of the ids is kept if this share of the edges has ends that are near. Of ids without any order,
/// 0.8% are.
const MIN_NEAR_PERMILLE: u32 = 500;

/// Fewest neighbours on average, of all ids, for which vertices are ordered in any way but by degrees, and landmarks are looked
/// for. For fewer, nearly every vertex offers its hash to them, at random in memory, and there is less to read again. Looking
/// up ranks then costs more than shorter rows save.
const MIN_MEAN_DEGREE: u32 = 8;

/// Fewest neighbours on average for which hubs come first: to rank the others takes more for each vertex.
const MIN_MEAN_DEGREE_HUBS: u32 = 20;

const HUBS_FIRST: &str = "hubs by degree, then MinHash";

/// Vertices of a class of degrees are no hubs if this share of the wedges at its entries closes.
const MIN_CLOSED_PERMILLE: u32 = 250;

/// Hubs come first and the others by their labels if this share of the wedges of entries without a hub closes. Where fewer do, the
/// order of degrees has the shorter rows, which tables look up. (On an H200, of hyperbolic:600000,60,2900,5 54% close: 2.1 ms with hubs
/// first and 1.7 by degrees; of affiliation:800000,150000,800,3 73%: 4.1 and 4.5.)
const MIN_CLOSED_HUBS_PERMILLE: u32 = 600;

/// Fewest neighbours on average where that share of all those wedges has to close. With fewer, rows are too short for tables. Then it
/// is enough if that share of the first class's wedges closes: all vertices of higher degrees are hubs. (hyperbolic:1500000,24,2600,1 is counted in 0.83 ms by degrees,
/// and in 0.60 with those above 48 neighbours first; hyperbolic:400000,80,2700,8 in 0.96 in tables, and in 1.08.)
const MIN_MEAN_DEGREE_TABLES: u64 = 40;

/// Degrees differ so much that [`MIN_CLOSED_PERMILLE`] is enough for that, if an entry has this many times as many wedges as a vertex has
/// neighbours. They are those of hubs, whose rows segments shorten. (hyperbolic:1000000,30,2200,5, of 380 times, takes 2.3 ms with hubs
/// first and 2.5 by degrees; hyperbolic:800000,60,2400,3, of 51 times, 3.7 and 3.5.)
const VERY_UNEVEN: u128 = 100;

/// How often the rows of `entries` entries would fill the caches, at least once.
fn beyond_cache(entries: u64) -> f64 {
    (entries as f64 / IN_CACHE).clamp(1.0, BEYOND_CACHE)
}

/// The costs of an order beside that of ids, and what it saves the count, in picoseconds an entry.
#[derive(Debug, Clone, Copy)]
struct Pays {
    costs: f64,
    saves: f64,
}

impl Pays {
    /// The order of degrees.
    ///
    /// If neighbours were drawn at random, their mean degree were as that of all vertices and one more, and an entry
    /// had as many wedges as a vertex has neighbours. Where degrees differ more, it has more, and those are what the
    /// order of degrees saves.
    fn degrees(facts: &EntryFacts) -> Pays {
        let (entries, summary) = (facts.entries as f64, &facts.summary);
        let (vertices, wedges) =
            (summary.vertices as f64 / entries, summary.wedges as f64 / entries);
        let at_random = 2.0 / vertices.max(f64::MIN_POSITIVE);
        let saves = DEGREES_SAVE * (wedges - at_random).max(0.0);
        Pays { costs: DEGREES_ENTRY + DEGREES_VERTEX * vertices, saves }
    }

    /// The order of neighbourhoods, if this share of the entries has ends of one label.
    fn labels(facts: &EntryFacts, alike: f64) -> Pays {
        let (entries, summary) = (facts.entries as f64, &facts.summary);
        let (vertices, wedges) =
            (summary.vertices as f64 / entries, summary.wedges as f64 / entries);
        let alike = alike * beyond_cache(facts.entries);
        let saves = if wedges < LONG_ROWS {
            LABELS_SAVE * alike * wedges
        } else {
            LABELS_SAVE_LONG * (alike - ALIKE_LONG).max(0.0) * wedges
        };
        Pays { costs: LABELS_ENTRY + LABELS_VERTEX * vertices, saves }
    }

    fn gain(self) -> f64 {
        self.saves - self.costs
    }

    /// Compares what this order gains with `gain`, which another one does; `what` says what it saves.
    fn more_than(self, gain: f64, what: &'static str) -> Reason {
        let least = Bound::AtLeast(ReasonFigure::Quotient(self.costs + gain, 1.0));
        Reason::compared(self.gain() > gain, ReasonFigure::Quotient(self.saves, 1.0), what, least)
    }
}

const SAVED_BY_DEGREES: &str = "ps an entry saved by the order of degrees";

const SAVED_BY_LABELS: &str = "ps an entry saved by the order of neighbourhoods";

fn are_near(near: Share) -> Reason {
    let of = "of the sampled entries join ids near each other";
    Reason::share(near.found, near.sampled, of, MIN_NEAR_PERMILLE)
}

/// The checks for the order of sorted entries of degrees that differ little, which spares a sort: that takes longer than any other
/// order saves the count.
fn flat_as_sorted(summary: &Summary) -> Vec<Reason> {
    let few = wedges_an_entry(summary, FEW_WEDGES);
    match few.holds {
        true => vec![
            few,
            Reason::whole_at_most(summary.max_degree, "is the largest degree", MAX_DEGREE_SORTED),
        ],
        false => flat(summary),
    }
}

/// Whether landmarks are looked for where the degrees are counted, of this many entries between `vertices` ids: where
/// [`order`] may ask for them.
pub fn looks_for_landmarks(entries: u64, vertices: u64) -> bool {
    entries >= MIN_ENTRIES && neighbours(entries, vertices).holds
}

pub(super) fn neighbours(entries: u64, vertices: u64) -> Reason {
    Reason::at_least(2 * entries, vertices, "neighbours an id", MIN_MEAN_DEGREE)
}

/// The order with hubs first, from where on vertices are hubs, and whether it pays.
fn hubs_first(landmarks: &Landmarks, entries: u64, summary: &Summary) -> (Order, Reason) {
    let vertices = summary.vertices;
    let closes = |class: usize| {
        let class = landmarks.classes[class];
        class.closed * 1_000 >= u64::from(MIN_CLOSED_PERMILLE) * class.wedges && class.wedges > 0
    };
    let class = (0..CLASSES).rev().find(|&class| closes(class)).unwrap_or(0);
    let beyond = |class| hubs_beyond(class, landmarks, entries, vertices);
    let Summary { wedges, .. } = without_largest(summary, beyond(class));
    // Wedges are below 2⁹⁵.
    let is_very_uneven =
        wedges * u128::from(vertices) >= VERY_UNEVEN * 2 * u128::from(entries).pow(2);
    let least = if is_very_uneven { MIN_CLOSED_PERMILLE } else { MIN_CLOSED_HUBS_PERMILLE };
    let closed = close(landmarks.up_to(class), least);
    let has_short_rows = 2 * entries < MIN_MEAN_DEGREE_TABLES * vertices;
    if closed.holds || !has_short_rows {
        return (beyond(class), closed);
    }
    (beyond(0), close(landmarks.up_to(0), least))
}

/// The order with those for hubs that have a degree beyond a class of the landmarks.
pub fn hubs_beyond(class: usize, landmarks: &Landmarks, entries: u64, vertices: u64) -> Order {
    let beside = landmarks.up_to(class).edges;
    // Below 2⁹⁷.
    let neighbours =
        2 * u128::from(entries) * u128::from(beside) / u128::from(landmarks.sampled.max(1));
    let most_degree = first_degree(entries, vertices) << class;
    Order::HubsFirst { most_degree, neighbours: neighbours as u64 }
}

/// The order of the vertices. O(1).
pub fn order(facts: &EntryFacts) -> Chosen<Order> {
    let mut rules = Rules::unbounded();
    let sorted = vec![
        match facts.order {
            EdgeOrder::Unsorted => Reason::new(
                false,
                "the entries are not sorted, or hold self-loops, duplicates or both directions",
            ),
            _ => Reason::new(true, "the entries are sorted, simple, and of one direction"),
        },
        match facts.task.names_vertices() {
            true => Reason::new(false, "results by vertex are wanted"),
            false => Reason::new(true, "no result by vertex is wanted"),
        },
    ];
    let large = Reason::whole_at_least(facts.entries, "entries", MIN_ENTRIES);
    let may_stay = Reason::all_hold(&sorted);
    let summary = &facts.summary;
    let flat = flat(summary);
    // What speaks for the order of sorted entries.
    let flat_as_sorted = if may_stay { flat_as_sorted(summary) } else { flat.clone() };
    let stays = [sorted, flat_as_sorted].concat();
    if Reason::all_hold(&stays) {
        return rules.otherwise("ids, as they are", Order::AsTheyAre, 0, stays);
    }
    rules.reject("ids, as they are", stays);
    if !large.holds {
        return order_of_few(facts, flat, large.decided(), rules);
    }
    match Reason::all_hold(&flat) {
        true => order_of_flat(facts, flat, rules),
        false => order_of_skewed(facts, flat, rules),
    }
}

/// The order where there are few entries, of which `few` tells.
fn order_of_few(
    facts: &EntryFacts,
    flat: Vec<Reason>,
    few: Reason,
    mut rules: Rules<Order>,
) -> Chosen<Order> {
    let degrees = Pays::degrees(facts).more_than(0.0, SAVED_BY_DEGREES);
    if Reason::all_hold(&flat) && !degrees.holds {
        rules.reject("degrees", vec![degrees]);
        return rules.otherwise("ids", Order::Ids, 0, vec![few]);
    }
    rules.reject("ids", flat);
    rules.otherwise("degrees", Order::Degrees, 0, vec![few])
}

/// The order where degrees differ, as some of `flat` say.
fn order_of_skewed(
    facts: &EntryFacts,
    flat: Vec<Reason>,
    mut rules: Rules<Order>,
) -> Chosen<Order> {
    let differ = flat.iter().filter(|reason| !reason.holds).cloned().map(Reason::decided);
    let because: Vec<Reason> = differ.collect();
    rules.reject("ids", flat);
    let mean = Reason::at_least(
        2 * facts.entries,
        facts.summary.vertices,
        "neighbours a vertex",
        MIN_MEAN_DEGREE_HUBS,
    );
    let of_ids = neighbours(facts.entries, facts.vertices);
    let few = Some(wedges_an_entry(&facts.summary, FEW_WEDGES));
    let few = few.filter(|few| few.holds).map(|few| few.against());
    if !mean.holds || !of_ids.holds || few.is_some() {
        let against = [mean, of_ids].into_iter().chain(few).collect();
        rules.reject(HUBS_FIRST, against);
        return rules.otherwise("degrees", Order::Degrees, 0, because);
    }
    let (choice, closes) = hubs_first(&facts.landmarks, facts.entries, &facts.summary);
    let checks = vec![mean, closes];
    if Reason::all_hold(&checks) {
        return rules.otherwise(HUBS_FIRST, choice, 0, [because, checks].concat());
    }
    rules.reject(HUBS_FIRST, checks);
    rules.otherwise("degrees", Order::Degrees, 0, because)
}

/// The order where degrees differ little, as `flat` says.
fn order_of_flat(facts: &EntryFacts, flat: Vec<Reason>, mut rules: Rules<Order>) -> Chosen<Order> {
    let near = are_near(facts.near);
    if near.holds {
        return rules.otherwise("ids", Order::Ids, 0, [flat, vec![near]].concat());
    }
    let mean = neighbours(facts.entries, facts.vertices);
    if !mean.holds {
        // Looking up ranks costs more than shorter rows save.
        return rules.otherwise("ids", Order::Ids, 0, vec![mean.decided()]);
    }
    let by_degrees = Pays::degrees(facts);
    let others = by_degrees.gain().max(0.0);
    let pays = |alike| Pays::labels(facts, alike).more_than(others, SAVED_BY_LABELS);
    let at_most = pays(MOST_ALIKE);
    let labels = if at_most.holds { pays(facts.foreseen_alike()) } else { at_most };
    if labels.holds {
        rules.reject("ids", vec![near]);
        return rules.otherwise("MinHash", Order::MinHash, 0, vec![mean, labels]);
    }
    let degrees = by_degrees.more_than(0.0, SAVED_BY_DEGREES);
    rules.reject("MinHash", vec![labels]);
    if degrees.holds {
        rules.reject("ids", vec![near]);
        return rules.otherwise("degrees", Order::Degrees, 0, vec![degrees]);
    }
    rules.reject("degrees", vec![degrees]);
    rules.or("ids", Order::Ids)
}
