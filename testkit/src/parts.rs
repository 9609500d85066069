//! A device of the emulator that finds what graphs have in parts.

use std::sync::Mutex;

use tribin_base::Result;
use tribin_base::control::Context;
use tribin_base::par::Pool;
use tribin_gpu::parts::find;
use tribin_gpu::plan::Task;
use tribin_gpu::plan::row_parts::{RowCounts, RowPartFacts, RowParts};
use tribin_parts::{EdgeNumbers, FoundInParts, PartsOnDevice, RowSource};
use warpwise_device::emulated::{Config, Emulator};

/// An emulated device, with room for parts and pieces of some bytes.
pub struct OnEmulator {
    device: Mutex<Emulator>,
    pool: Pool,
    /// Bytes of a part.
    pub part: u64,
    /// Bytes of a piece.
    pub piece: u64,
}

impl OnEmulator {
    /// A device of this seed.
    ///
    /// # Panics
    /// If the system gives no thread.
    pub fn new(seed: u64, part: u64, piece: u64) -> OnEmulator {
        let device = Mutex::new(Emulator::with(Config::seeded(seed)));
        let pool = Pool::start(1, "test").unwrap();
        OnEmulator { device, pool, part, piece }
    }
}

impl PartsOnDevice for OnEmulator {
    fn names(&self) -> [String; 2] {
        ["gpu:0".into(), "the emulator".into()]
    }

    fn find_in_parts(
        &self,
        rows: &dyn RowSource,
        task: Task,
        on_edges: &mut dyn EdgeNumbers,
        piece_on_host: u64,
        context: &Context,
    ) -> Result<FoundInParts> {
        let (RowCounts { rows: ranks, edges }, unit) =
            (rows.before(rows.units()), rows.largest_unit());
        let (whole, free) = (u64::MAX, u64::MAX);
        let facts = RowPartFacts { task, ranks, edges, unit, whole, free, piece_on_host };
        let sizes = RowParts { facts, part: self.part, piece: self.piece };
        let device = self.device.lock().unwrap();
        find((&*device, &self.pool), rows, on_edges, &sizes, context)
    }
}
