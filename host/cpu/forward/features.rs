//! The intersection of rows, compiled for several instruction sets, chosen when the program runs.
//!
//! Joining bitmaps is and-and-count over words. The x86-64 baseline has no instruction that counts
//! bits; AVX2 and AVX-512 VPOPCNTDQ count 4 and 8 words at a time. Short rows gain from AVX-512 too (`avx512.rs`).

use std::ops::Range;

use super::Thresholds;
#[cfg(target_arch = "x86_64")]
use super::avx512::Wide;
use super::hub_bits::HubBits;
use super::places::{self, RowSink};
#[cfg(target_arch = "x86_64")]
use super::places512;
use super::row::{Plain, RowScratch, count_rows};
use super::visit::{self, Piece, PieceContext, Sink, visit_piece};
use crate::graph::RowRange;

/// An instruction set that this processor has.
#[derive(Debug, Clone, Copy)]
pub struct Features(InstructionLevel);

/// Work on words of bits that is compiled for each instruction set. Let `run` be inlined.
pub trait Multiversioned {
    /// The result of the work.
    type Output;

    /// Does the work.
    fn run(self) -> Self::Output;
}

#[derive(Debug, Clone, Copy)]
enum InstructionLevel {
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Features {
    /// All that this processor has, the baseline first, the widest last.
    pub fn available() -> Vec<Features> {
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut))]
        let mut levels = vec![InstructionLevel::Baseline];
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt");
            let avx512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vbmi")
                && is_x86_feature_detected!("avx512vpopcntdq");
            if avx2 {
                levels.push(InstructionLevel::Avx2);
            }
            if avx2 && avx512 {
                levels.push(InstructionLevel::Avx512);
            }
        }
        levels.into_iter().map(Features).collect()
    }

    /// The widest that this processor has.
    pub fn widest() -> Features {
        Features::available().into_iter().next_back().expect("the baseline is always there")
    }

    /// Whether lines of bits are added up in fewer steps than their bits are visited.
    pub fn adds_by_lines(self) -> bool {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            InstructionLevel::Avx512 => true,
            _ => false,
        }
    }

    /// [`count_rows`] with the instructions of this set.
    pub(super) fn count_rows<'g>(
        self,
        tails: &RowRange,
        heads: &'g RowRange,
        hubs: &HubBits,
        thresholds: &Thresholds,
        scratch: &mut RowScratch<'g>,
        rows: Range<u32>,
    ) -> u64 {
        match self.0 {
            InstructionLevel::Baseline => {
                count_rows((tails, heads), hubs, thresholds, scratch, rows, Plain)
            }
            #[cfg(target_arch = "x86_64")]
            // SAFETY: only `available` makes this level, where the processor has its features.
            InstructionLevel::Avx2 => unsafe {
                avx2(tails, heads, hubs, thresholds, scratch, rows)
            },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: only `available` makes this level, where the processor has its features.
            InstructionLevel::Avx512 => unsafe {
                avx512(tails, heads, hubs, thresholds, scratch, rows)
            },
        }
    }

    /// Hands the triangles of some rows to a sink.
    ///
    /// # Panics
    /// If this set does not [add by lines](Self::adds_by_lines).
    // Only the one match has them all.
    #[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables))]
    pub(super) fn count_places<'g, S: RowSink>(
        self,
        around: (&places::RowContext<'g>, &RowRange),
        scratch: &mut places::PlacesScratch<'g>,
        sink: &mut S,
        rows: Range<u32>,
    ) {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: only `available` makes this level, where the processor has its features.
            InstructionLevel::Avx512 => unsafe {
                places512::count_places(around, scratch, sink, rows);
            },
            _ => unreachable!("places are counted with AVX-512 alone"),
        }
    }

    /// Some work with the instructions of this set.
    pub fn run<C: Multiversioned>(self, work: C) -> C::Output {
        match self.0 {
            InstructionLevel::Baseline => work.run(),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: only `available` makes these levels, where the processor has their features.
            InstructionLevel::Avx2 | InstructionLevel::Avx512 => unsafe { run_avx2(work) },
        }
    }

    /// [`visit_piece`] with the instructions of this set.
    pub(super) fn visit_piece<'g, S: Sink>(
        self,
        (around, tails): (&PieceContext<'g>, &RowRange),
        scratch: &mut visit::VisitScratch<'g>,
        sink: &mut S,
        piece: Piece,
    ) {
        match self.0 {
            InstructionLevel::Baseline => visit_piece(around, tails, scratch, sink, piece),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: only `available` makes these levels, where the processor has their features.
            InstructionLevel::Avx2 | InstructionLevel::Avx512 => unsafe {
                visit_avx2(around, tails, scratch, sink, piece);
            },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn run_avx2<C: Multiversioned>(work: C) -> C::Output {
    work.run()
}

/// A visitor goes from bit to bit: wider instructions than those that count a word's bits do not
/// help it.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn visit_avx2<'g, S: Sink>(
    around: &PieceContext<'g>,
    tails: &RowRange,
    scratch: &mut visit::VisitScratch<'g>,
    sink: &mut S,
    piece: Piece,
) {
    visit_piece(around, tails, scratch, sink, piece);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn avx2<'g>(
    tails: &RowRange,
    heads: &'g RowRange,
    hubs: &HubBits,
    thresholds: &Thresholds,
    scratch: &mut RowScratch<'g>,
    rows: Range<u32>,
) -> u64 {
    count_rows((tails, heads), hubs, thresholds, scratch, rows, Plain)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,avx512f,avx512vl,avx512vpopcntdq")]
fn avx512<'g>(
    tails: &RowRange,
    heads: &'g RowRange,
    hubs: &HubBits,
    thresholds: &Thresholds,
    scratch: &mut RowScratch<'g>,
    rows: Range<u32>,
) -> u64 {
    count_rows((tails, heads), hubs, thresholds, scratch, rows, Wide::new())
}
