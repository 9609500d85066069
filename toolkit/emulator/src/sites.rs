//! Source lines as 16-bit numbers, so that a shadow cell can hold them.

use std::cell::Cell;
use std::collections::HashMap;
use std::panic::Location;
use std::sync::{LazyLock, Mutex, PoisonError};

type Site = &'static Location<'static>;

#[derive(Default)]
struct SiteTable {
    numbers: HashMap<(&'static str, u32, u32), u16>,
    sites: Vec<Site>,
}

static TABLE: LazyLock<Mutex<SiteTable>> = LazyLock::new(Mutex::default);

/// The number of a line: equal for equal lines, also where the compiler keeps copies of one
/// [`Location`]. 0 past the first 65535 lines.
fn number(site: Site) -> u16 {
    let mut table = TABLE.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (site.file(), site.line(), site.column());
    if let Some(&number) = table.numbers.get(&key) {
        return number;
    }
    let Ok(number) = u16::try_from(table.sites.len() + 1) else { return 0 };
    table.sites.push(site);
    table.numbers.insert(key, number);
    number
}

/// The line of a number.
pub(crate) fn site(number: u16) -> Option<Site> {
    let table = TABLE.lock().unwrap_or_else(PoisonError::into_inner);
    table.sites.get(usize::from(number).checked_sub(1)?).copied()
}

const ENTRIES: usize = 256;

/// A cache of numbers, by the address of the [`Location`].
pub(crate) struct SiteCache([Cell<(usize, u16)>; ENTRIES]);

impl SiteCache {
    pub(crate) fn new() -> SiteCache {
        SiteCache([const { Cell::new((0, 0)) }; ENTRIES])
    }

    #[inline]
    pub(crate) fn number(&self, site: Site) -> u16 {
        let address = std::ptr::from_ref(site).addr();
        let entry = &self.0[(address / align_of::<Location>()) % ENTRIES];
        let (key, value) = entry.get();
        if key == address {
            return value;
        }
        let value = number(site);
        entry.set((address, value));
        value
    }
}
