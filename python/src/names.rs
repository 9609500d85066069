//! Distinct texts, numbered in the order in which they are first met.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};
use tribin::Result;

use crate::errors::input;

/// Texts one after another, each once.
#[derive(Default)]
pub struct Names {
    text: String,
    ends: Vec<usize>,
    numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Names {
    /// The number of a text, which is a new one if it was not met before.
    pub fn number(&mut self, name: &str) -> Result<u32> {
        let Names { text, ends, numbers, hasher } = self;
        let of = |number: u32| {
            let end = ends[number as usize];
            let start = (number as usize).checked_sub(1).map_or(0, |before| ends[before]);
            &text[start..end]
        };
        let hash = hasher.hash_one(name);
        if let Some(&number) = numbers.find(hash, |&number| of(number) == name) {
            return Ok(number);
        }
        let number = u32::try_from(ends.len()).ok().filter(|&number| number < u32::MAX - 1);
        let number = number.ok_or_else(|| input("there are more than 2^32-2 names"))?;
        numbers.insert_unique(hash, number, |&number| hasher.hash_one(of(number)));
        text.push_str(name);
        ends.push(text.len());
        Ok(number)
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|number| {
            let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
            &self.text[start..self.ends[number]]
        })
    }
}
