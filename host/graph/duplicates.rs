//! What becomes of entries that are one edge.

use std::fmt;
use std::str::FromStr;

use crate::{Error, Result};

/// The rule for the weights of entries that are one edge: the same two vertices, and where directions count,
/// in the same direction.
///
/// ```
/// use tribin::Duplicates;
///
/// assert_eq!("sum".parse::<Duplicates>()?, Duplicates::Sum);
/// assert_eq!(Duplicates::Equal.to_string(), "equal");
/// # Ok::<(), tribin::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Duplicates {
    /// The weights of one edge must be equal. Others are an error.
    #[default]
    Equal,
    /// The weights of one edge are added, in the order of the entries.
    Sum,
    /// The last one counts.
    Last,
}

impl Duplicates {
    /// All rules.
    pub const ALL: [Duplicates; 3] = [Duplicates::Equal, Duplicates::Sum, Duplicates::Last];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Duplicates::Equal => "equal",
            Duplicates::Sum => "sum",
            Duplicates::Last => "last",
        }
    }

    /// Two weights of one edge, the later one second; `None` where they do not go together.
    pub fn join(self, first: f64, second: f64) -> Option<f64> {
        match self {
            Duplicates::Equal => (first == second).then_some(first),
            Duplicates::Sum => Some(first + second),
            Duplicates::Last => Some(second),
        }
    }
}

impl fmt::Display for Duplicates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Duplicates {
    type Err = Error;

    fn from_str(name: &str) -> Result<Duplicates> {
        Duplicates::ALL.into_iter().find(|rule| rule.name() == name).ok_or_else(|| {
            let message = format!("`{name}` says nothing of duplicates: use equal, sum or last");
            Error::Usage(message.into())
        })
    }
}
