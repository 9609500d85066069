//! A group: what it stands for, which entries it needs, and how it is split.

use super::colours::{Colours, Pairs};

/// The triangles with a corner in each of three sets of colours. The first two sets are one, and the third holds it or
/// none of it; or no two of the three have a colour in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Group {
    corners: [Colours; 3],
}

impl Group {
    /// All triangles.
    pub const ALL: Group = Group { corners: [Colours::ALL; 3] };

    /// The group with these corners; `None` where the sets are not as a group has them.
    pub fn new(corners: [Colours; 3]) -> Option<Group> {
        let [a, b, c] = corners;
        let apart = |one: Colours, other: Colours| one.without(other) == one;
        let is_pair = a == b && (apart(a, c) || a.without(c).is_empty());
        let is_apart = apart(a, b) && apart(a, c) && apart(b, c);
        let is_empty = corners.iter().any(|corner| corner.is_empty());
        ((is_pair || is_apart) && !is_empty).then_some(Group { corners })
    }

    /// The groups of the colours divided into `classes` sets, of which each has about as many entries as the others. A set
    /// has a group of the triangles with two corners or more in it. Three sets have a group of the triangles with a corner
    /// in each. Every triangle is in one group.
    pub(super) fn of_classes(pairs: &Pairs, classes: usize) -> Vec<Group> {
        let mut sets = vec![Colours::ALL];
        while sets.len() < classes {
            // The first of n sets takes one nth of what is left.
            let left = classes - sets.len() + 1;
            let rest = sets.pop().unwrap_or_default();
            let Some((first, rest)) = cut_off(rest, left, |colour| pairs.of(colour, Colours::ALL))
            else {
                sets.push(rest);
                break;
            };
            sets.extend([first, rest]);
        }
        let mut groups: Vec<Group> =
            sets.iter().map(|&set| Group { corners: [set, set, Colours::ALL] }).collect();
        for (k, &c) in sets.iter().enumerate() {
            for (j, &b) in sets[..k].iter().enumerate() {
                groups.extend(sets[..j].iter().map(|&a| Group { corners: [a, b, c] }));
            }
        }
        groups
    }

    /// The sets that the corners are in.
    pub fn corners(&self) -> [Colours; 3] {
        self.corners
    }

    /// The set A where two corners are in it, and the set T of the third.
    pub(super) fn pair(&self) -> Option<(Colours, Colours)> {
        let [a, b, third] = self.corners;
        (a == b).then_some((a, third))
    }

    /// Whether the vertices of A become two each: those of T are others.
    pub(super) fn is_doubled(&self) -> bool {
        self.pair().is_some_and(|(a, third)| !a.without(third).is_empty())
    }

    /// Whether an entry between two colours belongs to the group.
    pub fn takes(&self, one: u8, other: u8) -> bool {
        let [a, b, c] = self.corners.map(|corner| (corner.has(one), corner.has(other)));
        let joins = |x: (bool, bool), y: (bool, bool)| x.0 && y.1 || x.1 && y.0;
        joins(a, b) || joins(a, c) || joins(b, c)
    }

    /// Calls `see` once with each two colours between which the group takes entries, the smaller one first.
    pub(super) fn pairs(&self, mut see: impl FnMut(u8, u8)) {
        let [a, b, c] = self.corners;
        let all = a.with(b).with(c);
        for one in all.iter() {
            for other in all.iter().filter(|&other| one <= other && self.takes(one, other)) {
                see(one, other);
            }
        }
    }

    /// Whether the group is the one, of all of a plan, that tells the figures of an edge between two colours: it has
    /// the triangles with two corners of the smaller colour and one of the other.
    pub fn is_home(&self, one: u8, other: u8) -> bool {
        let (least, most) = (one.min(other), one.max(other));
        self.pair().is_some_and(|(a, third)| a.has(least) && third.has(most))
    }

    /// Entries that an engine is given at most, duplicates among them.
    pub fn entries(&self, pairs: &Pairs) -> u64 {
        let [a, b, c] = self.corners;
        match self.pair() {
            Some(_) if self.is_doubled() => pairs.within(a) + 2 * pairs.across(a, c),
            Some(_) => pairs.within(a) + pairs.across(a, c.without(a)),
            None => pairs.across(a, b) + pairs.across(a, c) + pairs.across(b, c),
        }
    }

    /// Whether the group has anything to tell: triangles, or the figures of an edge.
    pub(super) fn is_needed(&self, pairs: &Pairs) -> bool {
        let [a, b, c] = self.corners;
        match self.pair() {
            Some(_) if self.is_doubled() => pairs.across(a, c) > 0,
            Some(_) => self.entries(pairs) > 0,
            None => {
                [(a, b), (a, c), (b, c)].iter().all(|&(one, other)| pairs.across(one, other) > 0)
            }
        }
    }

    /// Groups among which every triangle of this one has exactly one; none where all sets have one colour. A set with the
    /// most entries is cut, so that both halves have about as many.
    pub fn split(&self, pairs: &Pairs) -> Vec<Group> {
        let [a, b, c] = self.corners;
        let group = |corners| Group { corners };
        if let Some((a, third)) = self.pair() {
            let beside = third.without(a);
            if let Some((x, y)) = halves(a, |colour| pairs.of(colour, a.with(third))) {
                let mut groups = vec![group([x, x, third]), group([y, y, third])];
                if !beside.is_empty() {
                    groups.push(group([x, y, beside]));
                }
                return groups;
            }
            return match halves(beside, |colour| pairs.of(colour, a)) {
                // What stays with A keeps the triangles inside of it.
                Some((_, y)) => vec![group([a, a, third.without(y)]), group([a, a, y])],
                None => Vec::new(),
            };
        }
        let [to_a, to_b, to_c] = [pairs.across(b, c), pairs.across(a, c), pairs.across(a, b)];
        let mut sets =
            [(a, to_b + to_c, [b, c]), (b, to_a + to_c, [a, c]), (c, to_a + to_b, [a, b])];
        sets.sort_by_key(|&(set, entries, _)| (set.len() < 2, u64::MAX - entries));
        let [(set, _, [one, other]), ..] = sets;
        match halves(set, |colour| pairs.of(colour, one.with(other))) {
            Some((x, y)) => vec![group([x, one, other]), group([y, one, other])],
            None => Vec::new(),
        }
    }
}

/// A set as two, of about as many entries each; `None` for fewer than two colours.
fn halves(set: Colours, entries: impl Fn(u8) -> u64) -> Option<(Colours, Colours)> {
    cut_off(set, 2, entries)
}

/// A set as two, of which the first has about one nth of the entries; `None` for fewer than two colours.
fn cut_off(set: Colours, n: usize, entries: impl Fn(u8) -> u64) -> Option<(Colours, Colours)> {
    if set.len() < 2 {
        return None;
    }
    let sizes: Vec<(u8, u64)> = set.iter().map(|colour| (colour, entries(colour))).collect();
    let wanted = sizes.iter().map(|(_, size)| size).sum::<u64>() / n as u64;
    let (mut first, mut before) = (Vec::new(), 0);
    for &(colour, size) in &sizes[..sizes.len() - 1] {
        // A colour goes where more of it fits.
        if !first.is_empty() && before + size / 2 > wanted {
            break;
        }
        first.push(colour);
        before += size;
    }
    let first: Colours = first.into_iter().collect();
    Some((first, set.without(first)))
}
