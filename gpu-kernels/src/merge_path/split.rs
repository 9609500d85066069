use tribin_device::memory::In;
use tribin_device::shared::Shared;
use tribin_device::warp;

use super::BLOCK;

/// Stands behind the end of a list: larger than every vertex.
const NONE: u32 = u32::MAX;

/// The two lists of an edge, by their places among the heads.
#[derive(Clone, Copy)]
pub struct Lists {
    first: u32,
    second: u32,
    /// Entries of the first list.
    pub first_len: u32,
    /// Entries of the second list.
    pub second_len: u32,
}

impl Lists {
    /// Words that [`keep`](Self::keep) takes for each edge.
    pub const WORDS: u32 = 4;

    /// What stands before place `i` in its row, and the row of its head.
    #[inline(always)]
    pub unsafe fn of_edge(tails: In<u32>, heads: In<u32>, rows: In<u64>, i: u32) -> Lists {
        let first = rows.get(u64::from(tails.get(u64::from(i)))) as u32;
        let row = rows.get(u64::from(heads.get(u64::from(i))));
        let (second, end) = (row as u32, (row >> 32) as u32);
        Lists { first, second, first_len: i - first, second_len: end - second }
    }

    /// Steps of the whole path.
    #[inline(always)]
    pub fn len(self) -> u32 {
        self.first_len + self.second_len
    }

    /// Writes the lists of the block's edge number `edge`; field by field, so that the threads of a
    /// warp write to different banks.
    #[inline(always)]
    pub unsafe fn keep(self, lists: Shared<u32>, edge: u32) {
        lists.set(edge, self.first);
        lists.set(BLOCK + edge, self.second);
        lists.set(2 * BLOCK + edge, self.first_len);
        lists.set(3 * BLOCK + edge, self.second_len);
    }

    /// What [`keep`](Self::keep) wrote.
    #[inline(always)]
    pub unsafe fn kept(lists: Shared<u32>, edge: u32) -> Lists {
        Lists {
            first: lists.get(edge),
            second: lists.get(BLOCK + edge),
            first_len: lists.get(2 * BLOCK + edge),
            second_len: lists.get(3 * BLOCK + edge),
        }
    }

    /// How many entries of the first list are before the path's crossing of a diagonal.
    #[inline(always)]
    pub unsafe fn crossing(self, heads: In<u32>, diagonal: u32) -> u32 {
        let (mut low, mut high) = bounds(self.first_len, self.second_len, diagonal);
        while low < high {
            let middle = low + (high - low) / 2;
            let first = heads.get(u64::from(self.first + middle));
            let second = heads.get(u64::from(self.second + diagonal - 1 - middle));
            (low, high) = if first <= second { (middle + 1, high) } else { (low, middle) };
        }
        low
    }

    /// Copies the entries `from` up to `to` of both lists to `stage`, from word `at` on. Behind the
    /// second part stands the list's next entry: steps along the first are compared with it, and it
    /// may be equal. Behind the first part stands none: only steps along the second are left there.
    /// The whole warp calls it.
    #[inline(always)]
    pub unsafe fn copy(
        self,
        heads: In<u32>,
        stage: Shared<u32>,
        at: u32,
        from: (u32, u32),
        to: (u32, u32),
    ) -> Staged {
        let lane = warp::lane_id();
        let staged = Staged { first: at, first_len: to.0 - from.0, second_len: to.1 - from.1 };
        let mut k = lane;
        while k <= staged.first_len {
            let inside = k < staged.first_len;
            let entry = if inside { heads.get(u64::from(self.first + from.0 + k)) } else { NONE };
            stage.set(at + k, entry);
            k += warp::SIZE;
        }
        let second = staged.second();
        let mut k = lane;
        while k <= staged.second_len {
            let inside = from.1 + k < self.second_len;
            let entry = if inside { heads.get(u64::from(self.second + from.1 + k)) } else { NONE };
            stage.set(second + k, entry);
            k += warp::SIZE;
        }
        staged
    }
}

/// The least and the most entries of the first list that can be before a crossing of the diagonal.
#[inline(always)]
fn bounds(first_len: u32, second_len: u32, diagonal: u32) -> (u32, u32) {
    (diagonal.saturating_sub(second_len), diagonal.min(first_len))
}

/// Parts of two lists in a warp's stage, with one entry behind each.
#[derive(Clone, Copy)]
pub struct Staged {
    first: u32,
    first_len: u32,
    second_len: u32,
}

impl Staged {
    /// No entries.
    pub const EMPTY: Staged = Staged { first: 0, first_len: 0, second_len: 0 };

    #[inline(always)]
    fn second(self) -> u32 {
        self.first + self.first_len + 1
    }

    /// The word behind both parts.
    #[inline(always)]
    pub fn end(self) -> u32 {
        self.second() + self.second_len + 1
    }

    /// The equal entries on `steps` steps of the path from its crossing of a diagonal on.
    #[inline(always)]
    pub unsafe fn walk(self, stage: Shared<u32>, diagonal: u32, steps: u32) -> u32 {
        let second = self.second();
        let (mut low, mut high) = bounds(self.first_len, self.second_len, diagonal);
        while low < high {
            let middle = low + (high - low) / 2;
            let along_first =
                stage.get(self.first + middle) <= stage.get(second + diagonal - 1 - middle);
            (low, high) = if along_first { (middle + 1, high) } else { (low, middle) };
        }
        let mut count = 0;
        if steps > 0 {
            let (mut i, mut j) = (self.first + low, second + diagonal - low);
            let (mut a, mut b) = (stage.get(i), stage.get(j));
            let mut left = steps;
            loop {
                let along_first = a <= b;
                count += u32::from(a == b);
                i += u32::from(along_first);
                j += u32::from(!along_first);
                left -= 1;
                if left == 0 {
                    break;
                }
                let next = stage.get(if along_first { i } else { j });
                a = if along_first { next } else { a };
                b = if along_first { b } else { next };
            }
        }
        count
    }
}
