//! Buffers of pages that are used again: memory that is fresh from the system costs more than what is read into it.

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;

/// Buffers that nobody uses.
#[derive(Clone, Default)]
pub(super) struct Pool(Arc<Mutex<Vec<Vec<u8>>>>);

/// Buffers that are kept at most.
const KEPT: usize = 16;

/// The longest that is kept.
const LONGEST: usize = 4 << 20;

impl Pool {
    /// A buffer of any length and content, perhaps none.
    pub(super) fn take(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    pub(super) fn give_back(&self, buffer: Vec<u8>) {
        let mut buffers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buffers.len() < KEPT && buffer.len() <= LONGEST {
            buffers.push(buffer);
        }
    }

    /// The first bytes of a buffer, which comes back when nobody uses them any more.
    pub(super) fn lend(&self, buffer: Vec<u8>, len: usize) -> Bytes {
        Bytes::from_owner(Lent { buffer, len, pool: self.clone() })
    }
}

struct Lent {
    buffer: Vec<u8>,
    len: usize,
    pool: Pool,
}

impl AsRef<[u8]> for Lent {
    fn as_ref(&self) -> &[u8] {
        &self.buffer[..self.len]
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.pool.give_back(std::mem::take(&mut self.buffer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_come_back() {
        let pool = Pool::default();
        let lent = pool.lend(vec![1, 2, 3, 4], 2);
        let part = lent.slice(1..);
        assert_eq!((&lent[..], &part[..]), (&[1, 2][..], &[2][..]));
        drop(lent);
        assert!(pool.take().is_empty());
        drop(part);
        assert_eq!(pool.take(), [1, 2, 3, 4]);
    }
}
