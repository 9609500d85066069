//! Bulk copies and the barriers at which they arrive, from sm_90 on.

use core::arch::asm;

use super::cluster::needs_sm_90;
use super::{Global, SharedBase};
use crate::memory::Element;

// SAFETY of all: the kernel's contract is that the word is a barrier, and that ranges lie inside their arrays.

#[inline(always)]
pub(crate) fn mbarrier_init(words: SharedBase, index: u32, arrivals: u32) {
    needs_sm_90::<()>();
    // SAFETY: the kernel's contract, as above.
    unsafe {
        asm!(
            "mbarrier.init.shared::cta.b64 [{}], {};", in(reg32) words.at::<u64>(index),
            in(reg32) arrivals, options(nostack)
        );
    }
}

#[inline(always)]
pub(crate) fn mbarrier_arrive(words: SharedBase, index: u32) {
    needs_sm_90::<()>();
    // SAFETY: as above.
    unsafe {
        asm!(
            "{{",
            ".reg .b64 %state;",
            "mbarrier.arrive.shared::cta.b64 %state, [{}];",
            "}}",
            in(reg32) words.at::<u64>(index), options(nostack)
        );
    }
}

#[inline(always)]
pub(crate) fn mbarrier_wait(words: SharedBase, index: u32, parity: u32) {
    needs_sm_90::<()>();
    loop {
        let has_ended: u32;
        // SAFETY: as above.
        unsafe {
            asm!(
                "{{",
                ".reg .pred %ended;",
                "mbarrier.try_wait.parity.shared::cta.b64 %ended, [{}], {};",
                "selp.u32 {}, 1, 0, %ended;",
                "}}",
                in(reg32) words.at::<u64>(index), in(reg32) parity, out(reg32) has_ended,
                options(nostack)
            );
        }
        if has_ended != 0 {
            return;
        }
    }
}

#[inline(always)]
pub(crate) fn bulk_copy<T: Element>(
    to: (SharedBase, u32),
    from: (Global<T>, u64),
    len: u32,
    barrier: (SharedBase, u32),
) {
    needs_sm_90::<()>();
    // The engine has a way of its own to memory: the fence lets it come after what threads did, the barrier's start included.
    // SAFETY: as above.
    unsafe {
        asm!(
            "{{",
            ".reg .u64 %from;",
            "cvta.to.global.u64 %from, {from};",
            "fence.proxy.async.shared::cta;",
            "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [{barrier}], {bytes};",
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [{to}], [%from], {bytes}, [{barrier}];",
            "}}",
            to = in(reg32) to.0.at::<T>(to.1),
            from = in(reg64) from.0.at(from.1),
            bytes = in(reg32) len * size_of::<T>() as u32,
            barrier = in(reg32) barrier.0.at::<u64>(barrier.1),
            options(nostack)
        );
    }
}
