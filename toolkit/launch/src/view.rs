//! Borrowed parts of arrays in device memory.

use std::marker::PhantomData;

use crate::{Device, DeviceId, Element};

/// A borrow `B` of elements of the device `D`.
type Borrowed<B, T, D> = PhantomData<(B, T, fn(&D))>;

/// A part of a [`Buffer`](crate::Buffer) that kernels may read. It may be copied.
pub type View<'a, T, D> = Part<&'a (), T, D>;

/// A part of a [`Buffer`](crate::Buffer) that kernels may read and write.
pub type ViewMut<'a, T, D> = Part<&'a mut (), T, D>;

/// A part of a [`Buffer`](crate::Buffer), borrowed as `B` is: a [`View`] or a [`ViewMut`].
pub struct Part<B, T: Element, D: Device> {
    device: DeviceId,
    address: u64,
    len: u64,
    of: Borrowed<B, T, D>,
}

impl<B: Copy, T: Element, D: Device> Clone for Part<B, T, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B: Copy, T: Element, D: Device> Copy for Part<B, T, D> {}

impl<B, T: Element, D: Device> Part<B, T, D> {
    /// Memory of a device that something else allocated there: the `len` elements from `address` on.
    ///
    /// # Safety
    /// For as long as the borrow, the range lies inside one live allocation of that device, its address is a multiple of
    /// an element's size, and nothing else writes to it, or reads it if it is a [`ViewMut`]. On a [`LaunchGraph`](crate::LaunchGraph) that is so for as long as it is launched.
    pub unsafe fn from_raw_parts(device: &D, address: u64, len: u64) -> Self {
        Part::new(device.id(), address, len)
    }

    pub(crate) fn new(device: DeviceId, address: u64, len: u64) -> Self {
        Part { device, address, len, of: PhantomData }
    }

    /// The device whose memory the view is of.
    pub fn device(&self) -> DeviceId {
        self.device
    }

    /// Elements.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether the view has no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The address where the view starts, as kernels see it.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// A view of the same memory as elements of another type.
    ///
    /// # Panics
    /// If its bytes are not whole elements of that type, or not aligned to it.
    #[track_caller]
    pub fn cast<U: Element>(self) -> Part<B, U, D> {
        let (bytes, size) = (self.len * size_of::<T>() as u64, size_of::<U>() as u64);
        let is_aligned = self.address.is_multiple_of(align_of::<U>() as u64);
        let fits = size > 0 && bytes.is_multiple_of(size) && is_aligned;
        assert!(fits, "cast of {bytes} bytes at {:#x} to elements of {size}", self.address);
        Part::new(self.device, self.address, bytes / size)
    }

    /// The `len` elements from `start` on.
    ///
    /// # Panics
    /// If there are not as many.
    #[track_caller]
    pub fn slice(self, start: u64, len: u64) -> Self {
        let all = self.len;
        assert!(
            start <= all && len <= all - start,
            "slice of {len} from {start} on of a view of {all}"
        );
        Part { address: self.address + start * size_of::<T>() as u64, len, ..self }
    }
}

impl<'a, T: Element, D: Device> ViewMut<'a, T, D> {
    /// A view of the same memory, to be read.
    pub fn into_view(self) -> View<'a, T, D> {
        Part::new(self.device, self.address, self.len)
    }

    /// The elements before `at`, and those from there on: two parts that one kernel writes.
    ///
    /// # Panics
    /// If there are not as many.
    #[track_caller]
    pub fn split_at(self, at: u64) -> (ViewMut<'a, T, D>, ViewMut<'a, T, D>) {
        assert!(at <= self.len, "split at {at} of a view of {}", self.len);
        let rest = self.address + at * size_of::<T>() as u64;
        let rest = Part::new(self.device, rest, self.len - at);
        (Part { len: at, ..self }, rest)
    }
}
