//! Distinct names, in the order of the vertices that they belong to.

use crate::control::memory::fallible;
use std::collections::{TryReserveError, hash_map::RandomState};
use std::fmt;
use std::hash::BuildHasher;
use std::sync::OnceLock;

use hashbrown::HashTable;

/// Distinct names of vertices: vertex `v` is called `get(v)`.
///
/// The texts stand one after another in one buffer. A name takes its bytes and 4 more.
///
/// ```
/// use tribin::graph::Names;
///
/// let names = Names::distinct(["Ann", "Bo"]).unwrap();
/// assert_eq!((names.len(), names.get(1)), (2, "Bo"));
/// assert_eq!((names.index("Ann"), names.index("Cy")), (Some(0), None));
/// ```
#[derive(Clone, Default)]
pub struct Names {
    text: String,
    /// The low 32 bits of where each name ends.
    ends: Vec<u32>,
    /// The names before whose ends the low 32 bits began again from 0: none below 4 GiB of text.
    wraps: Vec<u32>,
    /// Finds names; made when one is first looked for.
    lookup: OnceLock<Lookup>,
}

/// Names by hash.
#[derive(Debug, Clone)]
struct Lookup {
    vertices: HashTable<u32>,
    hasher: RandomState,
}

impl Names {
    /// No names.
    pub const fn new() -> Names {
        Names { text: String::new(), ends: Vec::new(), wraps: Vec::new(), lookup: OnceLock::new() }
    }

    /// A table of these names, which must be distinct; `None` where two are the same. O(n) for n names.
    pub fn distinct<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<Names> {
        let mut all = Names::new();
        for name in names {
            all.push(name).ok()?;
        }
        (0..all.len() as u32).all(|v| all.index(all.get(v)) == Some(v)).then_some(all)
    }

    /// Appends a name that is not there yet.
    ///
    /// # Errors
    /// Where there is no memory.
    pub fn push(&mut self, name: &str) -> Result<(), TryReserveError> {
        fallible(|| self.text.try_reserve(name.len()))?;
        fallible(|| self.ends.try_reserve(1))?;
        let (before, end) = (self.text.len() as u64, (self.text.len() + name.len()) as u64);
        // A name of 4 GiB and more wraps as often as it has that.
        for _ in before >> 32..end >> 32 {
            fallible(|| self.wraps.try_reserve(1))?;
            self.wraps.push(self.ends.len() as u32);
        }
        self.text.push_str(name);
        self.ends.push(end as u32);
        self.lookup.take();
        Ok(())
    }

    /// Makes room for some names that have `bytes` bytes of text together.
    pub fn reserve(&mut self, names: usize, bytes: usize) -> Result<(), TryReserveError> {
        fallible(|| self.ends.try_reserve_exact(names))?;
        fallible(|| self.text.try_reserve_exact(bytes))
    }

    /// Drops all names and keeps the room.
    pub fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.wraps.clear();
        self.lookup.take();
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bytes of all texts.
    pub fn bytes(&self) -> usize {
        self.text.len()
    }

    /// The name of vertex `v`.
    ///
    /// # Panics
    /// If `v` is not below [`len`](Self::len).
    pub fn get(&self, v: u32) -> &str {
        let start = if v == 0 { 0 } else { self.end(v - 1) };
        &self.text[start..self.end(v)]
    }

    fn end(&self, v: u32) -> usize {
        let low = self.ends[v as usize] as usize;
        match self.wraps.is_empty() {
            true => low,
            false => (self.wraps.partition_point(|&wrap| wrap <= v) << 32) | low,
        }
    }

    /// The names, in the order of the vertices.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|v| self.get(v as u32))
    }

    /// The vertex that has this name; `None` where none has. Constant time; O(n) the first time, when a table
    /// of at most 12 bytes a name is made, and always where there is no memory for it.
    pub fn index(&self, name: &str) -> Option<u32> {
        if self.lookup.get().is_none()
            && let Some(lookup) = Lookup::of(self)
        {
            // Another thread may have been faster.
            let _ = self.lookup.set(lookup);
        }
        match self.lookup.get() {
            Some(Lookup { vertices, hasher }) => {
                vertices.find(hasher.hash_one(name), |&v| self.get(v) == name).copied()
            }
            None => self.iter().position(|other| other == name).map(|v| v as u32),
        }
    }
}

impl Lookup {
    /// `None` where there is no memory.
    fn of(names: &Names) -> Option<Lookup> {
        let (mut vertices, hasher) = (HashTable::new(), RandomState::new());
        let hash = |&v: &u32| hasher.hash_one(names.get(v));
        fallible(|| vertices.try_reserve(names.len(), hash)).ok()?;
        for v in 0..names.len() as u32 {
            // The first of two equal names keeps its place.
            let is_same = |&other: &u32| names.get(other) == names.get(v);
            vertices.entry(hash(&v), is_same, hash).or_insert(v);
        }
        Some(Lookup { vertices, hasher })
    }
}

impl PartialEq for Names {
    fn eq(&self, other: &Names) -> bool {
        self.text == other.text && self.ends == other.ends && self.wraps == other.wraps
    }
}

impl Eq for Names {}

impl fmt::Debug for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 8;
        let more = self.len().saturating_sub(SHOWN);
        f.debug_list().entries(self.iter().take(SHOWN)).finish()?;
        if more > 0 { write!(f, " and {more} more") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_by_vertex_and_by_text() {
        let texts = ["b", "", "a b", "😀", "b\n", "c"];
        let names = Names::distinct(texts).unwrap();
        for (v, text) in texts.into_iter().enumerate() {
            assert_eq!(names.get(v as u32), text);
            assert_eq!(names.index(text), Some(v as u32));
        }
        assert_eq!(names.index("d"), None);
        assert_eq!(names.bytes(), 11);
        assert!(names.iter().eq(texts));
        assert!(Names::distinct(["a", "b", "a"]).is_none());
        assert_eq!(Names::new().index(""), None);
        assert_eq!(format!("{:?}", Names::distinct(["a", "b"]).unwrap()), r#"["a", "b"]"#);
    }

    #[test]
    fn a_name_that_comes_later_is_found_too() {
        let mut names = Names::distinct(["a"]).unwrap();
        assert_eq!(names.index("b"), None);
        names.push("b").unwrap();
        assert_eq!(names.index("b"), Some(1));
        names.clear();
        assert_eq!((names.index("a"), names.len()), (None, 0));
    }

    /// Four billion bytes of text are too many for a test: the ends that they would have are not.
    #[test]
    fn ends_past_32_bits_are_put_together() {
        let names = Names { ends: vec![9, 2, 7, 1], wraps: vec![1, 3, 3], ..Names::new() };
        let ends: Vec<usize> = (0..4).map(|v| names.end(v)).collect();
        assert_eq!(ends, [9, (1 << 32) + 2, (1 << 32) + 7, (3 << 32) + 1]);
    }
}
