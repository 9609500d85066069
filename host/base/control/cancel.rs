//! A token that stops work.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::{Error, Result};

/// Stops the work that it was given to. Clones are one token, and any thread may use any of them.
///
/// Work looks at its token between blocks of entries, between tasks of a count and between kernels, and then
/// ends with [`Error::Cancelled`]. Nothing is left under the name of an output file.
///
/// ```
/// use tribin::{Cancel, Error, Graph, Options, Session};
///
/// let cancel = Cancel::new();
/// let mut options = Options::default();
/// options.cancel = cancel.clone();
/// let session = Session::open(options)?;
///
/// cancel.cancel();
/// let stopped = session.count(&Graph::from_edges(vec![[0, 1]]));
/// assert!(matches!(stopped, Err(Error::Cancelled)));
/// # Ok::<(), tribin::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<Token>);

#[derive(Debug, Default)]
struct Token {
    cancelled: AtomicBool,
    /// The number of looks at the token until it stops by itself, for tests of work that is stopped on its way.
    looks_left: Option<std::sync::atomic::AtomicU64>,
}

impl Cancel {
    /// A token that nobody has used.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// A token that stops the work at the look after this many: for tests of work that is stopped on its way.
    #[doc(hidden)]
    pub fn after(looks: u64) -> Cancel {
        let looks_left = Some(looks.into());
        Cancel(Arc::new(Token { looks_left, ..Token::default() }))
    }

    /// Asks the work to stop. It cannot be taken back.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Relaxed);
    }

    /// Whether the work is to stop.
    pub fn is_cancelled(&self) -> bool {
        if let Some(left) = &self.0.looks_left
            && left.try_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err()
        {
            self.cancel();
        }
        self.0.cancelled.load(Relaxed)
    }

    /// Goes on unless the work is to stop.
    ///
    /// # Errors
    /// [`Error::Cancelled`] if it is.
    pub fn check(&self) -> Result<()> {
        if self.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }
}

impl PartialEq for Cancel {
    /// Whether both are one token.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Cancel {}
