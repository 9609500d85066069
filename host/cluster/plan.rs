//! Which groups a graph is counted in, and who counts which.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;

use super::colours::{COLOURS, Pairs};
use super::group::Group;

/// Groups of a plan at most: what is larger then stays as it is.
const MOST_GROUPS: usize = 1 << 16;

/// Groups for each of several ranks, at most, between which their work is evened out.
const GROUPS_OF_A_RANK: usize = 16;

/// How often the largest groups are made smaller, to see whether ranks have less to do then.
const FINER: usize = 6;

/// The groups that a graph is counted in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupPlan {
    /// The groups: the largest first.
    pub groups: Vec<Group>,
    /// The entries of each group, as an engine gets them: duplicates among them, and those of vertices that are doubled
    /// twice.
    pub entries: Vec<u64>,
    /// Entries of the graph, self-loops left out.
    pub of_graph: u64,
    /// Entries that a group should have at most.
    pub most: u64,
}

impl GroupPlan {
    /// Groups of at most `most` entries each, or as small as groups can be.
    pub fn new(pairs: &Pairs, most: u64) -> GroupPlan {
        GroupPlan::from(pairs, vec![Group::ALL], most)
    }

    /// The groups of the colours divided into `sets` sets, from 1 to 256, whatever the sizes of the groups. A set has a group
    /// of the triangles with two corners or more in it, and three sets have a group of those with a corner in each.
    pub fn of_sets(pairs: &Pairs, sets: usize) -> GroupPlan {
        GroupPlan::from(pairs, Group::of_classes(pairs, sets.clamp(1, COLOURS)), u64::MAX)
    }

    /// The plan that splits these groups, among which every triangle has one, as far as they are too large. O(groups ·
    /// colours²).
    fn from(pairs: &Pairs, groups: Vec<Group>, most: u64) -> GroupPlan {
        let sized = |group: Group| (group.entries(pairs), group);
        let mut open: BinaryHeap<(u64, Group)> = groups.into_iter().map(sized).collect();
        let mut done: Vec<(u64, Group)> = Vec::new();
        while let Some((entries, group)) = open.pop() {
            let is_small = entries <= most || open.len() + done.len() >= MOST_GROUPS;
            let parts = if is_small { Vec::new() } else { group.split(pairs) };
            if parts.is_empty() {
                done.push((entries, group));
            }
            let needed = parts.into_iter().filter(|part| part.is_needed(pairs));
            open.extend(needed.map(sized));
        }
        done.sort_by_key(|&(entries, group)| (Reverse(entries), group));
        let (entries, groups) = done.into_iter().unzip();
        GroupPlan { groups, entries, of_graph: pairs.entries(), most }
    }

    /// The plan by which the busiest of several ranks has least to count, with groups of at most `most` entries.
    pub fn for_ranks(pairs: &Pairs, ranks: u32, most: u64) -> GroupPlan {
        let busiest =
            |plan: &GroupPlan| plan.shares(ranks).iter().map(|share| plan.sum(share)).max();
        let mut best = GroupPlan::new(pairs, most);
        let most_groups = GROUPS_OF_A_RANK * ranks as usize;
        for classes in (1..).take_while(|c| c * c * c / 6 + c <= most_groups && ranks > 1) {
            let mut bound = most;
            for _ in 0..FINER {
                let plan = GroupPlan::from(pairs, Group::of_classes(pairs, classes), bound);
                if plan.groups.len() > most_groups {
                    break;
                }
                bound = plan.largest() / 8 * 7;
                if busiest(&plan) < busiest(&best) {
                    best = GroupPlan { most, ..plan };
                }
            }
        }
        best
    }

    /// The groups that each rank counts: one after the other, the largest first, goes to the rank that has least so far.
    pub fn shares(&self, ranks: u32) -> Vec<Vec<usize>> {
        let mut shares = vec![Vec::new(); ranks as usize];
        let mut loads: BinaryHeap<Reverse<(u64, usize)>> =
            (0..ranks as usize).map(|rank| Reverse((0, rank))).collect();
        for (group, &entries) in self.entries.iter().enumerate() {
            if let Some(Reverse((load, rank))) = loads.pop() {
                shares[rank].push(group);
                loads.push(Reverse((load + entries, rank)));
            }
        }
        shares
    }

    /// The groups that take an entry between two colours, by the place of the two: the smaller one times 256 and the
    /// larger one.
    pub fn routes(&self) -> Vec<Vec<u32>> {
        let mut routes = vec![Vec::new(); COLOURS * COLOURS];
        for (number, group) in (0..).zip(&self.groups) {
            group.pairs(|one, other| routes[Pairs::place(one, other)].push(number));
        }
        routes
    }

    /// The entries of some groups together.
    pub fn sum(&self, groups: &[usize]) -> u64 {
        groups.iter().map(|&group| self.entries[group]).sum()
    }

    /// The entries of the largest group.
    pub fn largest(&self) -> u64 {
        self.entries.first().copied().unwrap_or(0)
    }

    /// Whether no group is larger than was asked for.
    pub fn fits(&self) -> bool {
        self.largest() <= self.most
    }

    /// How many entries engines are given for each entry of the graph.
    pub fn copies(&self) -> f64 {
        self.entries.iter().sum::<u64>() as f64 / self.of_graph.max(1) as f64
    }
}

impl fmt::Display for GroupPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} groups: {} of {} entries in the largest, {:.2} entries counted for each one",
            self.groups.len(),
            self.largest(),
            self.of_graph,
            self.copies()
        )
    }
}
