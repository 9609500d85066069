//! Who makes the entries of a generated graph.

use super::reason::{Chosen, Reason, Rules};

/// The question that the choice answers.
pub const WHO_MAKES: &str = "who makes the entries";

/// The maker of the entries of a generated graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Maker {
    /// The CPU, block by block, from where they go to the devices.
    Host,
    /// Each device makes its share.
    Devices,
}

/// Bytes for each vertex that a device takes to make its entries: a pair of places twice, as a sort takes it. The first exchange
/// of each place and its id come to that.
const BYTES_A_VERTEX: u64 = 24;

/// Bytes of each entry of a device that its keys take later, when those of the vertices are free again.
const BYTES_AN_ENTRY: u64 = 16;

/// The facts by which a GPU or the CPU makes the entries of a generated graph.
#[derive(Debug, Clone, Copy)]
pub struct MakingFacts {
    /// Whether an entry follows from its number.
    pub formula: bool,
    /// Entries of the graph.
    pub entries: u64,
    /// Vertices of the graph.
    pub vertices: u64,
    /// Devices that share the entries.
    pub devices: u64,
}

impl MakingFacts {
    /// Bytes of a device to shuffle the ids, beside those that its keys take later in any case.
    fn fits(&self) -> Reason {
        let later = BYTES_AN_ENTRY * self.entries.div_ceil(self.devices.max(1));
        let needed = BYTES_A_VERTEX * self.vertices;
        Reason::whole_at_most(
            needed,
            "bytes of each GPU to shuffle ids, which keys take later",
            later,
        )
    }
}

/// Chooses who makes the entries of a generated graph. O(1).
pub fn maker(facts: &MakingFacts) -> Chosen<Maker> {
    let because = match facts.formula {
        true => vec![Reason::new(true, "an entry follows from its number"), facts.fits()],
        false => vec![Reason::new(false, "an entry does not follow from its number alone")],
    };
    Rules::new().rule("each GPU", Maker::Devices, 0, because).or("the CPU", Maker::Host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_make_what_has_a_formula_where_the_ids_have_room() {
        let facts = MakingFacts { formula: true, entries: 1 << 28, vertices: 1 << 24, devices: 8 };
        for (facts, expected) in [
            (facts, Maker::Devices),
            (MakingFacts { formula: false, ..facts }, Maker::Host),
            (MakingFacts { devices: 11, ..facts }, Maker::Host),
            (MakingFacts { vertices: 1 << 25, ..facts }, Maker::Host),
            (MakingFacts { vertices: 1 << 25, devices: 4, ..facts }, Maker::Devices),
            (MakingFacts { entries: 0, vertices: 0, ..facts }, Maker::Devices),
        ] {
            assert_eq!(maker(&facts).choice, expected, "{facts:?}");
        }
    }

    #[test]
    fn the_reason_has_the_figures() {
        let facts = MakingFacts { formula: true, entries: 320, vertices: 100, devices: 2 };
        let because: Vec<String> =
            maker(&facts).because.iter().map(|reason| reason.to_string()).collect();
        assert_eq!(
            because,
            [
                "an entry follows from its number",
                "2400 bytes of each GPU to shuffle ids, which keys take later, at most 2560"
            ]
        );
    }
}
