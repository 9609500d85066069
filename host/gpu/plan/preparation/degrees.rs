//! How much degrees differ, and how many wedges close.

use super::Order;
use crate::graph::Summary;
use crate::plan::facts::LandmarkClass;
use tribin_plan::reason::{Bound, Reason, ReasonFigure};

/// Fewest entries of a graph for which landmarks are looked at, and neighbourhoods may be laid out: what others read again is in the
/// caches anyway.
pub const MIN_ENTRIES: u64 = 1 << 22;

/// Most wedges of the simple graph for each of its edges, and
pub(super) const MAX_WEDGES_BY_ID: u128 = 200;

/// largest degree, of a graph whose vertices are as well in the order of their ids: one thread merges two rows
/// of that length in microseconds. A graph without hubs may have more of both ([`FLAT`]).
const MAX_DEGREE_BY_ID: u64 = 1_024;

/// Ends of an edge are near if their ids, or ranks, differ by at most this part of the number of vertices.
pub const NEAR_PART: u64 = 256;

/// Vertices have about the same number of neighbours if the largest number is at most this many times the wedges of an entry. An entry of a
/// uniform graph has as many wedges as a vertex has neighbours. (Uniform and clustered graphs have 1.7 to 2.1, and communities of
/// different sizes 2.4.)
pub(super) const FLAT: f64 = 2.25;

/// Whether the degrees of a graph differ so little that its rows are nearly as short in any order.
///
/// The lengths of both rows, summed over all edges, are at most the squared degrees, which few wedges an edge
/// keep small. Or no vertex has many more neighbours than the mean.
pub(super) fn flat(summary: &Summary) -> Vec<Reason> {
    let few = vec![
        wedges_an_entry(summary, MAX_WEDGES_BY_ID),
        Reason::whole_at_most(summary.max_degree, "is the largest degree", MAX_DEGREE_BY_ID),
    ];
    let even = even(summary);
    if even.holds && few.iter().any(|reason| !reason.holds) { vec![even] } else { few }
}

/// Whether no vertex has many more neighbours than the mean of those that have any.
pub(super) fn even(summary: &Summary) -> Reason {
    let most = FLAT * 2.0 * summary.edges as f64 / summary.vertices.max(1) as f64;
    Reason::compared(
        summary.max_degree as f64 <= most,
        ReasonFigure::Whole(summary.max_degree),
        "is the largest degree",
        Bound::AtMost(ReasonFigure::Quotient(most, 1.0)),
    )
}

pub(super) fn wedges_an_entry(summary: &Summary, most: u128) -> Reason {
    Reason::at_most(summary.wedges, summary.edges, "wedges an entry", most as u64)
}

pub(super) fn close(wedges: LandmarkClass, least: u32) -> Reason {
    let of = "of the sampled wedges of edges without a hub close";
    Reason::share(wedges.closed, wedges.wedges.max(1), of, least)
}

/// The figures without the largest vertex where it comes first, and its row is empty.
pub(super) fn without_largest(summary: &Summary, order: Order) -> Summary {
    match order {
        Order::Degrees | Order::HubsFirst { .. } => {
            let largest = u128::from(summary.max_degree);
            let of_largest = largest * largest.saturating_sub(1) / 2;
            Summary { wedges: summary.wedges.saturating_sub(of_largest), ..*summary }
        }
        Order::AsTheyAre | Order::Ids | Order::MinHash => *summary,
    }
}
