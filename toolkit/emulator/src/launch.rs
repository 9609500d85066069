//! One launch, and what its threads share.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use warpwise_launch::{Arg, ArgValue, Dim3, Launch, Shape};

use crate::clock::{self, Clock};
use crate::config::Config;
use crate::global::GlobalArray;
use crate::memory::Registry;
use crate::report::{EmulatorError, Finding};
use crate::scheduler::resident_blocks;

/// Most bytes of shared memory of a block: compute capability 9.0.
pub(crate) const MOST_SHARED: u32 = 227 << 10;

/// Most blocks of a grid, and threads of a block, along each axis.
const MOST_BLOCKS: [u32; 3] = [(1 << 31) - 1, 65_535, 65_535];
const MOST_THREADS: [u32; 3] = [1024, 1024, 64];

fn is_within(dim: Dim3, most: [u32; 3]) -> bool {
    [dim.x, dim.y, dim.z].iter().zip(most).all(|(n, most)| (1..=most).contains(n))
}

/// Whether a block may have these threads.
pub(crate) fn is_block(block: Dim3) -> bool {
    is_within(block, MOST_THREADS) && block.count() <= 1024
}

/// The clocks that atomic words carry from fence to fence, by allocation and byte.
type Published = HashMap<(usize, u64), Carried>;

/// How far an atomic access orders others: to the threads of its block, or to all.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    pub(crate) block: u32,
    /// Whether it is to the threads of the block alone.
    pub(crate) is_narrow: bool,
}

/// The clock that an atomic word carries, for whom it was published.
#[derive(Default)]
struct Carried {
    everyone: Option<Arc<Clock>>,
    /// What threads of a block published, for that block.
    blocks: HashMap<u32, Option<Arc<Clock>>>,
    /// Whether some of it was published for a block alone.
    has_narrow: bool,
}

/// One launch.
pub(crate) struct RunningLaunch<'l> {
    pub(crate) kernel: &'static str,
    pub(crate) shape: Shape,
    /// Blocks of the grid.
    pub(crate) blocks: u32,
    /// Threads of a block.
    pub(crate) block_threads: u32,
    pub(crate) args: &'l [Arg],
    pub(crate) body: fn(&[Arg]),
    pub(crate) config: &'l Config,
    pub(crate) check_uninitialized: bool,
    /// The emulator's seed, for the report.
    pub(crate) seed: u64,
    /// Number of this launch, from 1.
    pub(crate) epoch: u32,
    arrays: Vec<Option<GlobalArray>>,
    next_block: Cell<u32>,
    /// Set by the first finding or failure: all stop.
    pub(crate) stop: Cell<bool>,
    failure: RefCell<Option<EmulatorError>>,
    /// Whether any thread used a fence.
    pub(crate) fenced: Cell<bool>,
    published: RefCell<Published>,
    /// What threads wrote for people.
    trace: RefCell<Vec<String>>,
}

impl<'l> RunningLaunch<'l> {
    pub(crate) fn new(
        launch: &Launch<'l>,
        config: &'l Config,
        seed: u64,
        epoch: u32,
        registry: &Registry,
    ) -> Result<RunningLaunch<'l>, EmulatorError> {
        let Shape { grid, block, shared_bytes, together, cluster } = launch.shape;
        let kernel = launch.kernel;
        if !is_within(grid, MOST_BLOCKS)
            || !is_block(block)
            || shared_bytes > MOST_SHARED
            || !Shape::fits_clusters(grid, cluster)
        {
            return Err(EmulatorError::Shape { kernel, shape: launch.shape });
        }
        let threads = launch.shape.threads();
        if threads > u64::from(u32::MAX) {
            return Err(EmulatorError::TooManyThreads { kernel, threads });
        }
        let blocks = grid.count() as u32;
        let most = resident_blocks(config, block.count() as u32);
        if together && blocks > most {
            return Err(EmulatorError::NotTogether { kernel, blocks, most });
        }
        Ok(RunningLaunch {
            kernel,
            shape: launch.shape,
            blocks,
            block_threads: block.count() as u32,
            args: launch.args,
            body: launch.body,
            config,
            check_uninitialized: config.check_uninitialized_global,
            seed,
            epoch,
            arrays: resolve(launch, registry)?,
            next_block: Cell::new(0),
            stop: Cell::new(false),
            failure: RefCell::new(None),
            fenced: Cell::new(false),
            published: RefCell::default(),
            trace: RefCell::default(),
        })
    }

    #[inline]
    pub(crate) fn array(&self, parameter: u32) -> &GlobalArray {
        self.arrays[parameter as usize].as_ref().expect("the parameter is memory")
    }

    /// The next block that nobody has started, in the order of their indices.
    pub(crate) fn take_block(&self) -> Option<u32> {
        let block = self.next_block.get();
        self.next_block.set(block + 1);
        (block < self.blocks).then_some(block)
    }

    pub(crate) fn report(&self, finding: Finding) {
        self.fail(EmulatorError::Finding(Box::new(finding)));
    }

    /// Ends the launch. The first failure is the one that the caller sees.
    pub(crate) fn fail(&self, error: EmulatorError) {
        self.failure.borrow_mut().get_or_insert(error);
        self.stop.set(true);
    }

    /// A thread writes a line.
    pub(crate) fn trace(&self, block: u32, thread: u32, text: fmt::Arguments<'_>) {
        let line = format!("kernel {}, block {block} thread {thread}: {text}", self.kernel);
        if self.config.print_trace {
            eprintln!("{line}");
        }
        let mut lines = self.trace.borrow_mut();
        if lines.len() < self.config.trace_lines {
            lines.push(line);
        }
    }

    /// The lines that threads wrote.
    pub(crate) fn take_trace(&self) -> Vec<String> {
        self.trace.take()
    }

    pub(crate) fn into_result(self) -> Result<(), EmulatorError> {
        self.failure.into_inner().map_or(Ok(()), Err)
    }

    /// An atomic word is about to carry what a thread of a block released, for all that it reaches: instead of what it
    /// carried (`replaces`: a store starts anew) or with it.
    pub(crate) fn publish(
        &self,
        array: &GlobalArray,
        at: u64,
        clock: Option<Arc<Clock>>,
        Reach { block, is_narrow }: Reach,
        replaces: bool,
    ) {
        let mut published = self.published.borrow_mut();
        let key = (Arc::as_ptr(&array.allocation).addr(), at);
        if replaces {
            published.remove(&key);
        }
        let Some(clock) = clock else { return };
        let carried = published.entry(key).or_default();
        clock::join(carried.blocks.entry(block).or_default(), &clock);
        if is_narrow {
            carried.has_narrow = true;
        } else {
            clock::join(&mut carried.everyone, &clock);
        }
    }

    /// What an atomic word carries for a block: that of its own threads alone if the reader's scope is narrow.
    pub(crate) fn published(
        &self,
        array: &GlobalArray,
        at: u64,
        Reach { block, is_narrow }: Reach,
    ) -> Option<Arc<Clock>> {
        let published = self.published.borrow();
        let carried = published.get(&(Arc::as_ptr(&array.allocation).addr(), at))?;
        let of_block = || carried.blocks.get(&block)?.clone();
        if is_narrow {
            return of_block();
        }
        let mut clock = carried.everyone.clone();
        if let Some(of_block) = of_block().filter(|_| carried.has_narrow) {
            clock::join(&mut clock, &of_block);
        }
        clock
    }
}

/// The parameters that are memory, with their allocations.
fn resolve(
    launch: &Launch<'_>,
    registry: &Registry,
) -> Result<Vec<Option<GlobalArray>>, EmulatorError> {
    let mut arrays = Vec::with_capacity(launch.args.len());
    for arg in launch.args {
        let ArgValue::Memory { address, len, element_bytes, element_align, writable, .. } =
            arg.value
        else {
            arrays.push(None);
            continue;
        };
        let bytes = len.saturating_mul(u64::from(element_bytes));
        let Some((allocation, start)) = registry.find(address, bytes) else {
            let what = format!("kernel {}, parameter {}", launch.kernel, arg.name);
            return Err(EmulatorError::Range { what, address, bytes });
        };
        arrays.push(Some(GlobalArray {
            name: arg.name,
            len,
            element_align,
            writable,
            allocation,
            start,
            cells: None,
        }));
    }
    // What nothing in the launch may write cannot race.
    for i in 0..arrays.len() {
        let Some(array) = &arrays[i] else { continue };
        let same = |other: &&GlobalArray| Arc::ptr_eq(&other.allocation, &array.allocation);
        let aliases = || arrays.iter().flatten().filter(same);
        let unit = aliases().map(|alias| alias.element_align).min().unwrap_or(1);
        let cells = match aliases().any(|alias| alias.writable) {
            true => {
                let cells = array.allocation.cells(unit);
                Some(cells.map_err(|bytes| EmulatorError::OutOfMemory { bytes })?)
            }
            false => None,
        };
        arrays[i].as_mut().expect("it is an array").cells = cells;
    }
    Ok(arrays)
}
