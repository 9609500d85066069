//! Asynchronous copies from global to shared memory.

use core::arch::asm;

use super::{Global, SharedBase};
use crate::memory::Element;

macro_rules! copy {
    ($instruction:literal, $to:expr, $from:expr) => {
        asm!(
            "{{",
            ".reg .u64 %from;",
            "cvta.to.global.u64 %from, {from};",
            concat!($instruction, ";"),
            "}}",
            to = in(reg32) $to, from = in(reg64) $from, options(nostack)
        )
    };
}

#[inline(always)]
pub(crate) fn copy_async<T: Element>(
    to: SharedBase,
    to_index: u32,
    from: Global<T>,
    from_index: u64,
) {
    let (to, from) = (to.at::<T>(to_index), from.at(from_index));
    // SAFETY: the kernel's contract is that both indices lie inside their arrays.
    unsafe {
        match size_of::<T>() {
            4 => copy!("cp.async.ca.shared.global [{to}], [%from], 4", to, from),
            8 => copy!("cp.async.ca.shared.global [{to}], [%from], 8", to, from),
            _ => copy!("cp.async.cg.shared.global [{to}], [%from], 16", to, from),
        }
    }
}

#[inline(always)]
pub(crate) fn copy_async_commit() {
    // SAFETY: it closes a group of copies, and no more.
    unsafe { asm!("cp.async.commit_group;", options(nostack)) };
}

/// Waits for all groups but the latest `groups`. The instruction takes a constant: of a number that is none,
/// or is greater than 7, it waits for all.
#[inline(always)]
pub(crate) fn copy_async_wait(groups: u32) {
    macro_rules! wait {
        ($groups:literal) => {
            asm!(concat!("cp.async.wait_group ", $groups, ";"), options(nostack))
        };
    }
    // SAFETY: it waits, and no more.
    unsafe {
        match groups {
            1 => wait!(1),
            2 => wait!(2),
            3 => wait!(3),
            4 => wait!(4),
            5 => wait!(5),
            6 => wait!(6),
            7 => wait!(7),
            _ => wait!(0),
        }
    }
}
