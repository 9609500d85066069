//! Stacks of emulated threads, kept for reuse.

use std::sync::{Condvar, Mutex, PoisonError};

use corosensei::stack::DefaultStack;

/// Bytes of a stack. Kernels need little; a panic formats its message on it.
pub(crate) const STACK_BYTES: usize = 64 << 10;

/// Most stacks of the process: each takes two mappings, and Linux allows 65530 by default.
const MOST_STACKS: usize = 16 << 10;

struct StackPool {
    free: Vec<DefaultStack>,
    /// Stacks that may still be reserved.
    left: usize,
}

static POOL: Mutex<StackPool> = Mutex::new(StackPool { free: Vec::new(), left: MOST_STACKS });
static RETURNED: Condvar = Condvar::new();

/// The right to use some stacks, given back when dropped.
pub(crate) struct Stacks {
    reserved: usize,
    free: Vec<DefaultStack>,
}

impl Stacks {
    /// Waits until `count` stacks may be used. All are reserved at once, so that no two launches
    /// wait for each other's.
    pub(crate) fn reserve(count: usize) -> Stacks {
        let reserved = count.min(MOST_STACKS);
        let pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        let mut pool = RETURNED
            .wait_while(pool, |pool| pool.left < reserved)
            .unwrap_or_else(PoisonError::into_inner);
        pool.left -= reserved;
        Stacks { reserved, free: Vec::new() }
    }

    pub(crate) fn take(&mut self) -> std::io::Result<DefaultStack> {
        if let Some(stack) = self.free.pop() {
            return Ok(stack);
        }
        let kept = POOL.lock().unwrap_or_else(PoisonError::into_inner).free.pop();
        kept.map_or_else(|| DefaultStack::new(STACK_BYTES), Ok)
    }

    pub(crate) fn give_back(&mut self, stack: DefaultStack) {
        self.free.push(stack);
    }
}

impl Drop for Stacks {
    fn drop(&mut self) {
        let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        pool.left += self.reserved;
        pool.free.append(&mut self.free);
        drop(pool);
        RETURNED.notify_all();
    }
}
