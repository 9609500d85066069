//! Borrowed parts of arrays in device memory.

use std::marker::PhantomData;

use crate::{Device, DeviceId, Element};

/// A borrow of a buffer of the device `D`.
type Borrowed<B, D> = PhantomData<(B, fn(&D))>;

/// A part of a [`Buffer`](crate::Buffer) that kernels may read.
pub struct View<'a, T: Element, D: Device> {
    device: DeviceId,
    address: u64,
    len: u64,
    buffer: Borrowed<&'a T, D>,
}

/// A part of a [`Buffer`](crate::Buffer) that kernels may read and write.
pub struct ViewMut<'a, T: Element, D: Device> {
    device: DeviceId,
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

impl<'a, T: Element, D: Device> View<'a, T, D> {
    /// Memory of a device that something else allocated there: the `len` elements from `address` on.
    ///
    /// # Safety
    /// For as long as `'a`, the range lies inside one live allocation of that device, its address is a multiple of
    /// an element's size, and nothing writes to it.
    pub unsafe fn from_raw_parts(device: &D, address: u64, len: u64) -> Self {
        View::new(device.id(), address, len)
    }

    pub(crate) fn new(device: DeviceId, address: u64, len: u64) -> Self {
        View { device, address, len, buffer: PhantomData }
    }

    /// The device whose memory it is.
    pub fn device(&self) -> DeviceId {
        self.device
    }

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

    /// A view of the same memory as elements of another type.
    ///
    /// # Panics
    /// If its bytes are not whole elements of that type, or not aligned to it.
    pub fn cast<U: Element>(self) -> View<'a, U, D> {
        let (bytes, size) = (self.len * size_of::<T>() as u64, size_of::<U>() as u64);
        let is_aligned = self.address.is_multiple_of(align_of::<U>() as u64);
        assert!(size > 0 && bytes.is_multiple_of(size) && is_aligned, "cast of a view");
        View::new(self.device, self.address, bytes / size)
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
    pub(crate) fn new(device: DeviceId, address: u64, len: u64) -> Self {
        ViewMut { device, address, len, buffer: PhantomData }
    }

    /// The device whose memory it is.
    pub fn device(&self) -> DeviceId {
        self.device
    }

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

    /// A view of the same memory as elements of another type.
    ///
    /// # Panics
    /// If its bytes are not whole elements of that type, or not aligned to it.
    pub fn cast<U: Element>(self) -> ViewMut<'a, U, D> {
        let (bytes, size) = (self.len * size_of::<T>() as u64, size_of::<U>() as u64);
        let is_aligned = self.address.is_multiple_of(align_of::<U>() as u64);
        assert!(size > 0 && bytes.is_multiple_of(size) && is_aligned, "cast of a view");
        ViewMut::new(self.device, self.address, bytes / size)
    }

    /// The `len` elements from `start` on.
    ///
    /// # Panics
    /// If there are not as many.
    pub fn slice(self, start: u64, len: u64) -> ViewMut<'a, T, D> {
        assert!(start <= self.len && len <= self.len - start, "slice past the end of a view");
        ViewMut { address: self.address + start * size_of::<T>() as u64, len, ..self }
    }

    /// A view of the same memory, to be read.
    pub fn into_view(self) -> View<'a, T, D> {
        View::new(self.device, self.address, self.len)
    }

    /// The elements before `at`, and those from there on: two parts that one kernel writes.
    ///
    /// # Panics
    /// If there are not as many.
    pub fn split_at(self, at: u64) -> (ViewMut<'a, T, D>, ViewMut<'a, T, D>) {
        assert!(at <= self.len, "split past the end of a view");
        let rest = self.address + at * size_of::<T>() as u64;
        let rest = ViewMut::new(self.device, rest, self.len - at);
        (ViewMut { len: at, ..self }, rest)
    }
}
