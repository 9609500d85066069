//! The host's side: devices, their memory, and launches whose arguments the compiler checks.

use std::marker::PhantomData;

use crate::memory::Element;

/// Something that runs kernels and holds their memory: a GPU, or the emulator.
///
/// Work is done in the order in which it was asked for, as on one CUDA stream.
pub trait Device: Sized {
    /// What can go wrong.
    type Error;

    /// An allocation. Dropping it frees it, after all work asked for before.
    type Memory;

    /// A point in the device's work, for timing.
    type Mark;

    /// Allocates `bytes` bytes (at least one), aligned to 256, with unspecified content.
    ///
    /// # Errors
    /// When there is not enough memory.
    fn allocate(&self, bytes: u64) -> Result<Self::Memory, Self::Error>;

    /// Where an allocation starts, as kernels see it.
    fn address(memory: &Self::Memory) -> u64;

    /// Fills device memory with a byte.
    ///
    /// # Safety
    /// `address..address + bytes` lies inside one live allocation of this device.
    ///
    /// # Errors
    /// What the device reports.
    unsafe fn fill(&self, address: u64, byte: u8, bytes: u64) -> Result<(), Self::Error>;

    /// Copies host memory to the device. The host memory may be reused when this returns.
    ///
    /// # Safety
    /// `address..address + from.len()` lies inside one live allocation of this device.
    ///
    /// # Errors
    /// What the device reports.
    unsafe fn upload(&self, address: u64, from: &[u8]) -> Result<(), Self::Error>;

    /// Copies device memory to the host, after all work asked for before.
    ///
    /// # Safety
    /// `address..address + to.len()` lies inside one live allocation of this device.
    ///
    /// # Errors
    /// What the device reports, also of the work asked for before.
    unsafe fn download(&self, address: u64, to: &mut [u8]) -> Result<(), Self::Error>;

    /// Runs a kernel.
    ///
    /// # Errors
    /// What the device reports: on a GPU, faults of a kernel may come with a later call.
    fn launch(&self, launch: Launch<'_>) -> Result<(), Self::Error>;

    /// Waits until all work asked for is done.
    ///
    /// # Errors
    /// What the device reports of that work.
    fn synchronize(&self) -> Result<(), Self::Error>;

    /// The point that all work asked for so far leads to.
    ///
    /// # Errors
    /// What the device reports.
    fn mark(&self) -> Result<Self::Mark, Self::Error>;

    /// Seconds that the device took from one point to another; waits for the later one.
    ///
    /// # Errors
    /// What the device reports, also of the work before `end`.
    fn seconds_between(&self, start: &Self::Mark, end: &Self::Mark) -> Result<f64, Self::Error>;

    /// Multiprocessors: how many blocks run side by side is a small multiple of it.
    fn multiprocessors(&self) -> u32;
}

/// How many threads run a kernel, and how much shared memory each block has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Blocks, from 1 to 2³¹ - 1.
    pub grid: u32,
    /// Threads in a block, from 1 to 1024.
    pub block: u32,
    /// Bytes of shared memory of each block.
    pub shared_bytes: u32,
}

impl Shape {
    /// `grid` blocks of `block` threads without shared memory.
    pub fn new(grid: u32, block: u32) -> Shape {
        Shape { grid, block, shared_bytes: 0 }
    }

    /// The same with `bytes` of shared memory a block.
    pub fn shared(self, bytes: u32) -> Shape {
        Shape { shared_bytes: bytes, ..self }
    }

    /// As many blocks of `block` threads as give every one of `items` a thread, at most `most` (the
    /// kernel then strides).
    pub fn cover(items: u64, block: u32, most: u32) -> Shape {
        let grid = items.div_ceil(u64::from(block)).clamp(1, u64::from(most));
        Shape::new(grid as u32, block)
    }
}

/// A launch with its types forgotten, as [`kernel!`](crate::kernel) hands it to a device.
pub struct Launch<'a> {
    /// The kernel's name: its entry in the PTX module.
    pub kernel: &'static str,
    /// How many threads.
    pub shape: Shape,
    /// The arguments, in the order of the parameters.
    pub args: &'a [Arg],
    /// The body of one thread, for the emulator.
    pub body: &'a (dyn Fn(&[Arg]) + Sync),
}

/// One argument of a launch.
#[derive(Debug, Clone, Copy)]
pub struct Arg {
    /// The parameter's name.
    pub name: &'static str,
    /// Its value.
    pub value: ArgValue,
}

/// The value of an [`Arg`].
#[derive(Debug, Clone, Copy)]
pub enum ArgValue {
    /// Device memory.
    Memory {
        /// Where it starts.
        address: u64,
        /// How many elements it has.
        len: u64,
        /// Bytes of an element.
        element_bytes: u32,
        /// Whether the kernel may write it.
        writable: bool,
    },
    /// A 32-bit number.
    U32(u32),
    /// A 64-bit number.
    U64(u64),
}

impl Arg {
    pub(crate) fn memory<T: Element>(
        name: &'static str,
        address: u64,
        len: u64,
        writable: bool,
    ) -> Arg {
        let element_bytes = size_of::<T>() as u32;
        Arg { name, value: ArgValue::Memory { address, len, element_bytes, writable } }
    }
}

/// An array in device memory.
pub struct Buffer<T: Element, D: Device> {
    memory: D::Memory,
    len: u64,
    element: PhantomData<T>,
}

/// A borrow of a buffer of the device `D`.
type Borrowed<B, D> = PhantomData<(B, fn(&D))>;

/// A part of a [`Buffer`] that kernels may read.
pub struct View<'a, T: Element, D: Device> {
    address: u64,
    len: u64,
    buffer: Borrowed<&'a T, D>,
}

/// A part of a [`Buffer`] that kernels may read and write.
pub struct ViewMut<'a, T: Element, D: Device> {
    address: u64,
    len: u64,
    buffer: Borrowed<&'a mut T, D>,
}

impl<T: Element, D: Device> Clone for View<'_, T, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Element, D: Device> Copy for View<'_, T, D> {}

impl<T: Element, D: Device> Buffer<T, D> {
    /// `len` elements of unspecified content.
    ///
    /// # Errors
    /// When the device has not enough memory.
    pub fn uninitialized(device: &D, len: u64) -> Result<Self, D::Error> {
        let memory = device.allocate((len * size_of::<T>() as u64).max(1))?;
        Ok(Buffer { memory, len, element: PhantomData })
    }

    /// `len` elements whose every byte is zero.
    ///
    /// # Errors
    /// When the device has not enough memory.
    pub fn zeroed(device: &D, len: u64) -> Result<Self, D::Error> {
        let mut buffer = Buffer::uninitialized(device, len)?;
        buffer.fill_bytes(device, 0)?;
        Ok(buffer)
    }

    /// Sets every byte.
    ///
    /// # Errors
    /// What the device reports.
    pub fn fill_bytes(&mut self, device: &D, byte: u8) -> Result<(), D::Error> {
        if self.len == 0 {
            return Ok(());
        }
        // SAFETY: the range is this allocation.
        unsafe { device.fill(D::address(&self.memory), byte, self.len * size_of::<T>() as u64) }
    }

    /// Elements.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Copies `from`, bytes of whole elements, over the elements from `start` on.
    ///
    /// # Errors
    /// What the device reports.
    ///
    /// # Panics
    /// If `from` does not fit or is not of whole elements.
    pub fn upload_bytes(&mut self, device: &D, start: u64, from: &[u8]) -> Result<(), D::Error> {
        let element = size_of::<T>() as u64;
        let bytes = from.len() as u64;
        assert!(bytes.is_multiple_of(element), "upload of a part of an element");
        assert!(start + bytes / element <= self.len, "upload past the end of a buffer");
        if from.is_empty() {
            return Ok(());
        }
        // SAFETY: the range was checked to lie in this allocation.
        unsafe { device.upload(D::address(&self.memory) + start * element, from) }
    }

    /// All of it, to read.
    pub fn view(&self) -> View<'_, T, D> {
        View { address: D::address(&self.memory), len: self.len, buffer: PhantomData }
    }

    /// All of it, to read and write.
    pub fn view_mut(&mut self) -> ViewMut<'_, T, D> {
        ViewMut { address: D::address(&self.memory), len: self.len, buffer: PhantomData }
    }
}

impl<T: Element + bytemuck::Pod, D: Device> Buffer<T, D> {
    /// A copy of host memory.
    ///
    /// # Errors
    /// When the device has not enough memory.
    pub fn from_host(device: &D, from: &[T]) -> Result<Self, D::Error> {
        let mut buffer = Buffer::uninitialized(device, from.len() as u64)?;
        buffer.upload(device, 0, from)?;
        Ok(buffer)
    }

    /// Overwrites the elements from `start` on with `from`.
    ///
    /// # Errors
    /// What the device reports.
    ///
    /// # Panics
    /// If `from` does not fit.
    pub fn upload(&mut self, device: &D, start: u64, from: &[T]) -> Result<(), D::Error> {
        self.upload_bytes(device, start, bytemuck::cast_slice(from))
    }

    /// Copies the elements from `start` on to `to`.
    ///
    /// # Errors
    /// What the device reports, also of the work asked for before.
    ///
    /// # Panics
    /// If the buffer is shorter.
    pub fn download(&self, device: &D, start: u64, to: &mut [T]) -> Result<(), D::Error> {
        assert!(start + to.len() as u64 <= self.len, "download past the end of a buffer");
        if to.is_empty() {
            return Ok(());
        }
        let address = D::address(&self.memory) + start * size_of::<T>() as u64;
        // SAFETY: the range was checked to lie in this allocation.
        unsafe { device.download(address, bytemuck::cast_slice_mut(to)) }
    }

    /// All of it, on the host.
    ///
    /// # Errors
    /// What the device reports, also of the work asked for before.
    pub fn to_vec(&self, device: &D) -> Result<Vec<T>, D::Error> {
        let mut to = vec![T::zeroed(); self.len as usize];
        self.download(device, 0, &mut to)?;
        Ok(to)
    }
}

impl<'a, T: Element, D: Device> View<'a, T, D> {
    /// Elements.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Where it starts, as kernels see it.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// The same memory as elements of another type.
    ///
    /// # Panics
    /// If its bytes are not whole elements of that type, or not aligned to it.
    pub fn cast<U: Element>(self) -> View<'a, U, D> {
        let (bytes, size) = (self.len * size_of::<T>() as u64, size_of::<U>() as u64);
        assert!(bytes.is_multiple_of(size) && self.address.is_multiple_of(size), "cast of a view");
        View { address: self.address, len: bytes / size, buffer: PhantomData }
    }

    /// The `len` elements from `start` on.
    ///
    /// # Panics
    /// If there are not as many.
    pub fn slice(self, start: u64, len: u64) -> View<'a, T, D> {
        assert!(start <= self.len && len <= self.len - start, "slice past the end of a view");
        View { address: self.address + start * size_of::<T>() as u64, len, ..self }
    }
}

impl<'a, T: Element, D: Device> ViewMut<'a, T, D> {
    /// Elements.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Where it starts, as kernels see it.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// The same memory as elements of another type.
    ///
    /// # Panics
    /// If its bytes are not whole elements of that type, or not aligned to it.
    pub fn cast<U: Element>(self) -> ViewMut<'a, U, D> {
        let (bytes, size) = (self.len * size_of::<T>() as u64, size_of::<U>() as u64);
        assert!(bytes.is_multiple_of(size) && self.address.is_multiple_of(size), "cast of a view");
        ViewMut { address: self.address, len: bytes / size, buffer: PhantomData }
    }

    /// The `len` elements from `start` on.
    ///
    /// # Panics
    /// If there are not as many.
    pub fn slice(self, start: u64, len: u64) -> ViewMut<'a, T, D> {
        assert!(start <= self.len && len <= self.len - start, "slice past the end of a view");
        ViewMut { address: self.address + start * size_of::<T>() as u64, len, ..self }
    }
}
