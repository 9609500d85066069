//! The cliques on every edge.

use tribin_device::memory::InOut;
use tribin_device::warp;

use super::search::{Searcher, Sums, Words};

/// The cliques that hold each edge of the graph, modulo 2⁶⁴.
///
/// Where three places are left, each member of the set is chosen in turn, whether it is the largest or not. What the set shares with
/// its row is a set as well, and a member of that has as many triangles with the first as it has neighbours there. So no step is taken
/// for a single clique.
#[derive(Clone, Copy)]
pub struct OnEdges<const BY_PIVOTS: bool> {
    pub on: InOut<u64>,
    /// The edge between two places of the block's row, of which the larger is x and the smaller y, at `first + x · side + y`.
    pub edges: InOut<u32>,
    pub first: u64,
    pub side: u32,
}

impl<const BY_PIVOTS: bool> OnEdges<BY_PIVOTS> {
    /// Adds to the edge between two places of the row.
    #[inline(always)]
    fn add_to(self, one: u32, other: u32, cliques: u64) {
        let (larger, smaller) = (one.max(other), one.min(other));
        let at = self.first + u64::from(larger * self.side + smaller);
        self.on.atomic_add(u64::from(self.edges.get(at)), cliques);
    }

    /// Adds the cliques that have a place, two members of a set that are joined to it and to one another, and all that was chosen.
    /// Gives their number. The set is what `of` has, word by word. The warp calls it together.
    #[inline(always)]
    fn add_with<W: Words>(
        self,
        searcher: &Searcher<W, Self>,
        place: u32,
        of: impl Fn(u32) -> u32,
        chosen: u32,
    ) -> u64 {
        let (words, width, lane) = (searcher.words, searcher.width, warp::lane_id());
        // Behind the sets of the search.
        let both = searcher.sets + (searcher.k - 4) * width;
        let mut word = lane;
        while word < width {
            words.set(both + word, words.get(place * searcher.stride + word) & of(word));
            word += warp::SIZE;
        }
        warp::sync_warp(warp::ALL);
        let members = searcher.list_members(both);
        let mut twice = 0;
        let mut member = lane;
        while member < members {
            let other = searcher.listed(member);
            let third = u64::from(searcher.joined_to(other, both, width));
            if other < place && third > 0 {
                self.add_to(place, other, third);
            }
            twice += third;
            member += warp::SIZE;
        }
        warp::sync_warp(warp::ALL);
        let cliques = warp::warp_reduce_add_64(twice) / 2;
        if cliques > 0 {
            if lane < chosen {
                self.add_to(searcher.mine, place, cliques);
            }
            if lane == warp::SIZE - 1 {
                self.on.atomic_add(u64::from(searcher.start + place), cliques);
            }
        }
        cliques
    }

    /// Adds cliques that have all that was chosen.
    #[inline(always)]
    fn add_among_chosen<W: Words>(self, searcher: &Searcher<W, Self>, chosen: u32, cliques: u64) {
        let (lane, mine) = (warp::lane_id(), searcher.mine);
        if lane < chosen {
            self.on.atomic_add(u64::from(searcher.start + mine), cliques);
        }
        let mut depth = 0;
        while depth + 1 < chosen {
            let other = warp::warp_shuffle_idx(warp::ALL, mine, depth);
            if lane > depth && lane < chosen {
                self.add_to(other, mine, cliques);
            }
            depth += 1;
        }
    }
}

impl<W: Words, const BY_PIVOTS: bool> Sums<W> for OnEdges<BY_PIVOTS> {
    const LEFT: u32 = 3;
    const BY_PIVOTS: bool = BY_PIVOTS;
    const BOTH_DIRECTIONS: bool = true;

    #[inline(always)]
    fn joined(self, larger: u32, smaller: u32, edge: u32) {
        self.edges.set(self.first + u64::from(larger * self.side + smaller), edge);
    }

    #[inline(always)]
    fn add_whole(self, of: &mut Searcher<W, Self>, place: u32) {
        self.add_with(of, place, |_| u32::MAX, 0);
    }

    #[inline(always)]
    fn add_in_complete_row(self, of: &mut Searcher<W, Self>, place: u32) {
        let (heads, k) = (of.heads_of_row(), of.k);
        if heads + 1 < k {
            return;
        }
        // Beside the tail and the place, and beside these and another one.
        let with_one = of.binomial(heads - 1, k - 2) as u64;
        let with_two = of.binomial(heads - 2, k - 3) as u64;
        let mut other = warp::lane_id();
        while other < place {
            self.add_to(place, other, with_two);
            other += warp::SIZE;
        }
        if warp::lane_id() == 0 {
            self.on.atomic_add(u64::from(of.start + place), with_one);
        }
    }

    #[inline(always)]
    fn add(self, of: &mut Searcher<W, Self>, set: u32, chosen: u32) {
        let words = of.words;
        let mut thrice = 0;
        let mut word = 0;
        while word < of.width {
            let mut bits = words.get(set + word);
            while bits != 0 {
                let place = word * 32 + bits.trailing_zeros();
                thrice += self.add_with(of, place, |word| words.get(set + word), chosen);
                bits &= bits - 1;
            }
            word += 1;
        }
        // Another lane may write next what this one has read.
        warp::sync_warp(warp::ALL);
        if thrice > 0 {
            self.add_among_chosen(of, chosen, thrice / 3);
        }
    }

    #[inline(always)]
    fn add_complete(self, of: &mut Searcher<W, Self>, members: u32, left: u32, chosen: u32) {
        let with_one = of.binomial(members - 1, left - 1) as u64;
        let with_two = of.binomial(members - 2, left - 2) as u64;
        let lane = warp::lane_id();
        let mut member = lane;
        while member < members {
            let place = of.listed(member);
            self.on.atomic_add(u64::from(of.start + place), with_one);
            let mut other = 0;
            while other < member {
                self.add_to(place, of.listed(other), with_two);
                other += 1;
            }
            member += warp::SIZE;
        }
        let mut depth = 0;
        while depth < chosen {
            let other = warp::warp_shuffle_idx(warp::ALL, of.mine, depth);
            let mut member = lane;
            while member < members {
                self.add_to(other, of.listed(member), with_one);
                member += warp::SIZE;
            }
            depth += 1;
        }
        // Another lane may write next what this one has read.
        warp::sync_warp(warp::ALL);
        self.add_among_chosen(of, chosen, of.binomial(members, left) as u64);
    }
}
