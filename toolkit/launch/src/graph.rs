//! Launches that are captured once and done as often as one likes.

use std::cell::RefCell;
use std::marker::PhantomData;

use crate::{Arg, ArgValue, Buffer, Device, DeviceId, Dim3, Element, Entry, Launch, View, ViewMut};

/// A sequence of launches that a device does as a whole: a CUDA graph on a GPU, one launch after the other in the emulator.
///
/// A graph is a device, which has no memory of its own. It borrows what it works on, for as long as it is launched. While
/// [`capture`](Self::capture) runs, launches and [fills](Buffer::fill_bytes) become part of the sequence, and nothing is done. Their
/// arguments are fixed then: a number that has to differ from launch to launch of the graph is read from a buffer. At other times
/// what is asked of a graph is done at once.
///
/// ```
/// use warpwise_launch::{Buffer, Device, LaunchGraph};
///
/// fn clear<D: Device>(device: &D, numbers: &mut Buffer<u32, D>) -> Result<(), D::Error> {
///     let mut graph = LaunchGraph::of(device);
///     let mut numbers = graph.writes(numbers.view_mut());
///     // Kernels are launched on `graph` as on any device.
///     graph.capture(|graph| numbers.fill_bytes(graph, 0))?;
///     graph.launch()?;
///     assert!(numbers.to_vec(&graph)?.iter().all(|&number| number == 0));
///     graph.launch()
/// }
/// ```
///
/// What is borrowed cannot go before the graph is launched for the last time:
///
/// ```compile_fail
/// # use warpwise_launch::{Buffer, Device, LaunchGraph};
/// fn clear<D: Device>(device: &D, numbers: Buffer<u32, D>) -> Result<(), D::Error> {
///     let graph = LaunchGraph::of(device);
///     graph.reads(numbers.view());
///     drop(numbers);
///     graph.launch()
/// }
/// ```
pub struct LaunchGraph<'g, D: Device> {
    device: &'g D,
    captured: RefCell<CapturedSteps>,
    is_capturing: bool,
    ready: Option<D::Graph>,
    /// A graph that borrows for longer is no graph that borrows for less: what it works on would go before it.
    borrowed: PhantomData<fn(&'g ()) -> &'g ()>,
}

/// One step of a captured sequence.
#[derive(Debug)]
pub enum LaunchStep {
    /// A launch: what its own arguments are stands beside it.
    Launch(Launch<'static>, Vec<Arg>),
    /// Bytes of device memory are set.
    Fill {
        /// Where they begin.
        address: u64,
        /// What they are set to.
        byte: u8,
        /// How many they are.
        bytes: u64,
    },
}

impl LaunchStep {
    /// Asks a device for the step.
    ///
    /// # Safety
    /// As for [`Device::launch`] and [`Device::fill`].
    ///
    /// # Errors
    /// What the device reports.
    pub unsafe fn ask<D: Device>(&self, device: &D) -> Result<(), D::Error> {
        match self {
            LaunchStep::Launch(launch, args) => {
                // SAFETY: the caller's promise.
                unsafe { device.launch(Launch { args, ..*launch }) }
            }
            &LaunchStep::Fill { address, byte, bytes } => {
                // SAFETY: as above.
                unsafe { device.fill(address, byte, bytes) }
            }
        }
    }
}

#[derive(Default)]
struct CapturedSteps {
    steps: Vec<LaunchStep>,
    /// The devices whose memory the steps use, and whether they write it.
    owners: Vec<(DeviceId, bool)>,
}

impl CapturedSteps {
    fn uses(&mut self, owner: DeviceId, writes: bool) {
        match self.owners.iter_mut().find(|(other, _)| *other == owner) {
            Some((_, written)) => *written |= writes,
            None => self.owners.push((owner, writes)),
        }
    }
}

impl<'g, D: Device> LaunchGraph<'g, D> {
    /// A graph without launches.
    pub fn of(device: &'g D) -> Self {
        let (captured, borrowed) = (RefCell::default(), PhantomData);
        LaunchGraph { device, captured, is_capturing: false, ready: None, borrowed }
    }

    /// Memory of the device that kernels of the graph read.
    pub fn reads<T: Element>(&self, view: View<'g, T, D>) -> View<'g, T, Self> {
        View::new(view.device(), view.address(), view.len())
    }

    /// Memory of the device that kernels of the graph read and write.
    pub fn writes<T: Element>(&self, view: ViewMut<'g, T, D>) -> Buffer<T, Self> {
        Buffer::of_memory(BorrowedMemory(view.address()), view.device(), view.len())
    }

    /// Captures the launches that `ask` asks for, in the place of those that were captured before.
    ///
    /// # Errors
    /// What `ask` and the device report. The graph has no launches then.
    ///
    /// # Panics
    /// If `ask` asks for anything but launches and fills, or panics.
    pub fn capture(
        &mut self,
        ask: impl FnOnce(&Self) -> Result<(), D::Error>,
    ) -> Result<(), D::Error> {
        (self.captured, self.is_capturing, self.ready) = (RefCell::default(), true, None);
        let asked = ask(self);
        self.is_capturing = false;
        let steps = std::mem::take(&mut self.captured.get_mut().steps);
        asked?;
        // SAFETY: each launch was checked when it was captured. What the steps use is borrowed for as long as this graph is.
        self.ready = Some(unsafe { self.device.prepare(steps)? });
        Ok(())
    }

    /// Does what was captured, after all that was asked of the device before.
    ///
    /// # Errors
    /// What the device reports: on a GPU, faults of a kernel may come with a later call.
    ///
    /// # Panics
    /// While a sequence is captured.
    pub fn launch(&self) -> Result<(), D::Error> {
        self.assert_at_once("the launch of a graph");
        let Some(ready) = &self.ready else { return Ok(()) };
        // SAFETY: as in `capture`.
        let mut launch = || unsafe { self.device.replay(ready) };
        in_order(self.device, &self.captured.borrow().owners, &mut launch)
    }

    fn assert_at_once(&self, what: &str) {
        assert!(
            !self.is_capturing,
            "{what} while a graph captures launches: do it before or after"
        );
    }
}

/// Asks for work that uses memory of devices that a device accepts.
fn in_order<D: Device>(
    device: &D,
    owners: &[(DeviceId, bool)],
    work: &mut dyn FnMut() -> Result<(), D::Error>,
) -> Result<(), D::Error> {
    match owners {
        [] => work(),
        [(owner, writes), others @ ..] => {
            device.using(*owner, *writes, || in_order(device, others, work))
        }
    }
}

/// Memory of the device that a [`LaunchGraph`] is of: its first address.
pub struct BorrowedMemory(u64);

impl<D: Device> Device for LaunchGraph<'_, D> {
    type Error = D::Error;
    type Memory = BorrowedMemory;
    type Event = D::Event;
    type Graph = D::Graph;

    fn id(&self) -> DeviceId {
        self.device.id()
    }

    fn accepts(&self, owner: DeviceId) -> bool {
        self.device.accepts(owner)
    }

    fn using<R>(
        &self,
        owner: DeviceId,
        writes: bool,
        work: impl FnOnce() -> Result<R, D::Error>,
    ) -> Result<R, D::Error> {
        if !self.is_capturing {
            return self.device.using(owner, writes, work);
        }
        self.captured.borrow_mut().uses(owner, writes);
        work()
    }

    /// Panics: a graph works on what it borrows.
    fn allocate(&self, _bytes: u64) -> Result<BorrowedMemory, D::Error> {
        panic!(
            "a graph allocates no memory: allocate it on the graph's device, before, and lend it with `writes`"
        )
    }

    fn address(memory: &BorrowedMemory) -> u64 {
        memory.0
    }

    unsafe fn fill(&self, address: u64, byte: u8, bytes: u64) -> Result<(), D::Error> {
        if !self.is_capturing {
            // SAFETY: the caller's promise, about the same device.
            return unsafe { self.device.fill(address, byte, bytes) };
        }
        self.captured.borrow_mut().steps.push(LaunchStep::Fill { address, byte, bytes });
        Ok(())
    }

    unsafe fn upload(&self, address: u64, from: &[u8]) -> Result<(), D::Error> {
        self.assert_at_once("an upload");
        // SAFETY: as above.
        unsafe { self.device.upload(address, from) }
    }

    unsafe fn download(&self, address: u64, to: &mut [u8]) -> Result<(), D::Error> {
        self.assert_at_once("a download");
        // SAFETY: as above.
        unsafe { self.device.download(address, to) }
    }

    unsafe fn launch(&self, launch: Launch<'_>) -> Result<(), D::Error> {
        if !self.is_capturing {
            // SAFETY: as above.
            return unsafe { self.device.launch(launch) };
        }
        let mut captured = self.captured.borrow_mut();
        for arg in launch.args {
            if let ArgValue::Memory { device, writable, .. } = arg.value {
                captured.uses(device, writable);
            }
        }
        let args = launch.args.to_vec();
        captured.steps.push(LaunchStep::Launch(Launch { args: &[], ..launch }, args));
        Ok(())
    }

    unsafe fn prepare(&self, steps: Vec<LaunchStep>) -> Result<D::Graph, D::Error> {
        // SAFETY: as above.
        unsafe { self.device.prepare(steps) }
    }

    unsafe fn replay(&self, graph: &D::Graph) -> Result<(), D::Error> {
        self.assert_at_once("the launch of another graph");
        // SAFETY: as above.
        unsafe { self.device.replay(graph) }
    }

    fn synchronize(&self) -> Result<(), D::Error> {
        self.assert_at_once("a wait");
        self.device.synchronize()
    }

    fn record(&self) -> Result<D::Event, D::Error> {
        self.assert_at_once("an event");
        self.device.record()
    }

    fn seconds_between(&self, start: &D::Event, end: &D::Event) -> Result<f64, D::Error> {
        self.assert_at_once("a wait for an event");
        self.device.seconds_between(start, end)
    }

    fn multiprocessors(&self) -> u32 {
        self.device.multiprocessors()
    }

    fn most_shared_bytes(&self) -> u32 {
        self.device.most_shared_bytes()
    }

    fn max_active_blocks_per_multiprocessor(
        &self,
        kernel: Entry,
        block: Dim3,
        shared_bytes: u32,
    ) -> Result<u32, D::Error> {
        self.device.max_active_blocks_per_multiprocessor(kernel, block, shared_bytes)
    }
}
