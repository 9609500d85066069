//! What the vertices of a graph are called in its file.

use std::fmt;

use super::Names;

/// The ids or names of the vertices `0..bound` of a [`Graph`](crate::Graph) in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VertexIds {
    /// Vertex `v` is called `v`; every vertex is below `bound`.
    Identity {
        /// One more than the largest vertex (0 in an empty graph).
        bound: u32,
    },
    /// Vertex `v` is called `v + 1`, as in formats that number from 1 and declare how many there are.
    OneBased {
        /// The number of vertices that the file declares.
        bound: u32,
    },
    /// Vertex `v` is called `table[v]`; the table is strictly ascending.
    Table(Vec<u64>),
    /// Vertex `v` has a name. Names are in the order in which the file mentions them first.
    Names(Names),
}

/// The id or the name of a vertex in its file.
///
/// ```
/// use tribin::graph::VertexId;
///
/// assert_eq!(VertexId::from(7).to_string(), "7");
/// assert_eq!(VertexId::from("Ann").to_string(), "Ann");
/// // A name of digits is no number.
/// assert_ne!(VertexId::from("7"), VertexId::from(7));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VertexId<'a> {
    /// A number.
    Number(u64),
    /// Any text.
    Name(&'a str),
}

impl VertexId<'_> {
    /// The number; `None` of a name, also of one that consists of digits.
    pub fn number(self) -> Option<u64> {
        match self {
            VertexId::Number(number) => Some(number),
            VertexId::Name(_) => None,
        }
    }
}

impl fmt::Display for VertexId<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VertexId::Number(number) => number.fmt(f),
            VertexId::Name(name) => f.pad(name),
        }
    }
}

impl From<u64> for VertexId<'_> {
    fn from(number: u64) -> Self {
        VertexId::Number(number)
    }
}

impl<'a> From<&'a str> for VertexId<'a> {
    fn from(name: &'a str) -> Self {
        VertexId::Name(name)
    }
}

impl Default for VertexIds {
    fn default() -> Self {
        VertexIds::Identity { bound: 0 }
    }
}

impl VertexIds {
    /// One more than the largest vertex index: the length that a per-vertex array needs.
    pub fn bound(&self) -> usize {
        match self {
            VertexIds::Identity { bound } | VertexIds::OneBased { bound } => *bound as usize,
            VertexIds::Table(table) => table.len(),
            VertexIds::Names(names) => names.len(),
        }
    }

    /// The id or the name of vertex `v` in the file.
    ///
    /// ```
    /// use tribin::VertexIds;
    /// use tribin::graph::{Names, VertexId};
    ///
    /// assert_eq!(VertexIds::OneBased { bound: 3 }.id(2), VertexId::Number(3));
    /// let names = Names::distinct(["Ann", "Bo"]).unwrap();
    /// assert_eq!(VertexIds::Names(names).id(1), VertexId::Name("Bo"));
    /// ```
    ///
    /// # Panics
    /// If `v` is not below [`bound`](Self::bound).
    pub fn id(&self, v: u32) -> VertexId<'_> {
        match self {
            VertexIds::Names(names) => VertexId::Name(names.get(v)),
            _ => VertexId::Number(self.number(v)),
        }
    }

    /// The number that the file calls vertex `v`, or its index where it has a name.
    ///
    /// # Panics
    /// If `v` is not below [`bound`](Self::bound).
    #[inline]
    pub fn number(&self, v: u32) -> u64 {
        let check = |bound: usize| assert!((v as usize) < bound, "vertex {v} of {bound}");
        match self {
            VertexIds::Identity { bound } => {
                check(*bound as usize);
                u64::from(v)
            }
            VertexIds::OneBased { bound } => {
                check(*bound as usize);
                u64::from(v) + 1
            }
            VertexIds::Table(table) => table[v as usize],
            VertexIds::Names(names) => {
                check(names.len());
                u64::from(v)
            }
        }
    }

    /// The names, where vertices are called by names.
    pub fn names(&self) -> Option<&Names> {
        match self {
            VertexIds::Names(names) => Some(names),
            _ => None,
        }
    }

    /// The vertex that the file calls by a number or a name; `None` where it is no vertex. Constant time, or
    /// O(log n) where numbers were given anew.
    ///
    /// ```
    /// use tribin::VertexIds;
    /// use tribin::graph::Names;
    ///
    /// assert_eq!(VertexIds::Identity { bound: 3 }.index(3), None);
    /// assert_eq!(VertexIds::OneBased { bound: 3 }.index(3), Some(2));
    /// assert_eq!(VertexIds::Table(vec![7, 1 << 40]).index(1 << 40), Some(1));
    /// let names = VertexIds::Names(Names::distinct(["Ann", "7"]).unwrap());
    /// assert_eq!((names.index("7"), names.index(7)), (Some(1), None));
    /// ```
    pub fn index<'a>(&self, id: impl Into<VertexId<'a>>) -> Option<u32> {
        let below = |v: u64, bound: u32| u32::try_from(v).ok().filter(|&v| v < bound);
        let id = id.into();
        match (self, id) {
            (VertexIds::Names(names), VertexId::Name(name)) => names.index(name),
            (VertexIds::Names(_), VertexId::Number(_)) | (_, VertexId::Name(_)) => None,
            (VertexIds::Identity { bound }, VertexId::Number(number)) => below(number, *bound),
            (VertexIds::OneBased { bound }, VertexId::Number(number)) => {
                below(number.checked_sub(1)?, *bound)
            }
            (VertexIds::Table(table), VertexId::Number(number)) => {
                table.binary_search(&number).ok().map(|v| v as u32)
            }
        }
    }
}
