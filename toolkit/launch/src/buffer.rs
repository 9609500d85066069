//! Arrays in device memory.

use std::marker::PhantomData;
use std::ops::Range;

use crate::{Device, DeviceId, Element, Peer, Pieces, View, ViewMut, Write};

/// An array in device memory.
pub struct Buffer<T: Element, D: Device> {
    memory: D::Memory,
    device: DeviceId,
    len: u64,
    element: PhantomData<T>,
}

impl<T: Element, D: Device> Buffer<T, D> {
    /// `len` elements of unspecified content.
    ///
    /// # Errors
    /// When the device has not enough memory, as for more bytes than 64 bits can count.
    pub fn uninitialized(device: &D, len: u64) -> Result<Self, D::Error> {
        const { assert!(size_of::<T>() > 0, "an element has at least one byte") };
        const { assert!(align_of::<T>() <= 256, "allocations are aligned to 256 bytes") };
        // No device has 2⁶⁴ - 1 bytes: it says that it is out of memory.
        let bytes = len.saturating_mul(size_of::<T>() as u64);
        let memory = device.allocate(bytes.max(1))?;
        Ok(Buffer::of_memory(memory, device.id(), len))
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

    /// An array in memory of the device that it names.
    pub(crate) fn of_memory(memory: D::Memory, device: DeviceId, len: u64) -> Self {
        Buffer { memory, device, len, element: PhantomData }
    }

    /// Sets every byte.
    ///
    /// # Errors
    /// What the device reports.
    ///
    /// # Panics
    /// If the buffer is of another device.
    #[track_caller]
    pub fn fill_bytes(&mut self, device: &D, byte: u8) -> Result<(), D::Error> {
        self.assert_accepted(device, "fill");
        if self.len == 0 {
            return Ok(());
        }
        // SAFETY: the range is this allocation, which is of this device.
        let fill = || unsafe {
            device.fill(D::address(&self.memory), byte, self.len * size_of::<T>() as u64)
        };
        device.using(self.device, true, fill)
    }

    /// The number of elements.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether the buffer has no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The device whose memory the buffer is.
    pub fn device(&self) -> DeviceId {
        self.device
    }

    /// Panics where the device that is to work on the buffer does not accept it.
    #[track_caller]
    fn assert_accepted(&self, device: &D, what: &str) {
        let (id, owner) = (device.id(), self.device);
        assert!(device.accepts(owner), "{what} by {id} of a buffer of {owner}");
    }

    /// Panics where the buffer is not of the device that is to work on it.
    #[track_caller]
    fn assert_on(&self, device: &D, what: &str) {
        let (device, owner) = (device.id(), self.device);
        assert!(owner == device, "{what} by {device} of a buffer of {owner}");
    }

    /// The address of the `len` elements from `start` on. Panics where the buffer has not as many.
    #[track_caller]
    fn address_of(&self, start: u64, len: u64, what: &str) -> u64 {
        let all = self.len;
        let holds = start <= all && len <= all - start;
        assert!(holds, "{what} of {len} elements from {start} on of a buffer of {all}");
        D::address(&self.memory) + start * size_of::<T>() as u64
    }

    /// Copies `from`, bytes of whole elements, over the elements from `start` on.
    ///
    /// # Errors
    /// What the device reports.
    ///
    /// # Panics
    /// If `from` does not fit or is not of whole elements, or the buffer is of another device.
    #[track_caller]
    pub fn upload_bytes(&mut self, device: &D, start: u64, from: &[u8]) -> Result<(), D::Error> {
        self.assert_accepted(device, "upload");
        let element = size_of::<T>();
        assert!(from.len().is_multiple_of(element), "upload of a part of an element");
        let address = self.address_of(start, (from.len() / element) as u64, "upload");
        if from.is_empty() {
            return Ok(());
        }
        // SAFETY: the range was checked to lie in this allocation, which is of this device.
        let upload = || unsafe { device.upload(address, from) };
        device.using(self.device, true, upload)
    }

    /// A view of the whole buffer, to read.
    pub fn view(&self) -> View<'_, T, D> {
        View::new(self.device, D::address(&self.memory), self.len)
    }

    /// A view of the whole buffer, to read and write.
    pub fn view_mut(&mut self) -> ViewMut<'_, T, D> {
        ViewMut::new(self.device, D::address(&self.memory), self.len)
    }
}

impl<T: Element, D: Peer> Buffer<T, D> {
    /// Overwrites the elements from `start` on with those at `places` of a buffer of `other`, which may be this
    /// device, and waits until that is done. Work that writes the source is done before.
    ///
    /// # Errors
    /// What either device reports.
    ///
    /// # Panics
    /// If either buffer is shorter, or of another device.
    #[track_caller]
    pub fn copy_from(
        &mut self,
        device: &D,
        start: u64,
        other: &D,
        from: &Buffer<T, D>,
        places: Range<u64>,
    ) -> Result<(), D::Error> {
        self.assert_on(device, "copy to a peer");
        from.assert_on(other, "copy from a peer");
        let len = places.end.saturating_sub(places.start);
        let to = self.address_of(start, len, "copy to a part");
        let from = from.address_of(places.start, len, "copy of a part");
        if len == 0 {
            return Ok(());
        }
        let bytes = len * size_of::<T>() as u64;
        // SAFETY: both ranges were checked to lie in their allocations, which are two, and of these devices. What is written is
        // borrowed, and nobody writes what is read while it is shared.
        unsafe { device.copy_from(to, (other, from), bytes) }
    }
}

impl<T: Element, D: Device> Buffer<T, D> {
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
    /// If `from` does not fit, or the buffer is of another device.
    #[track_caller]
    pub fn upload(&mut self, device: &D, start: u64, from: &[T]) -> Result<(), D::Error> {
        self.upload_bytes(device, start, bytemuck::cast_slice(from))
    }

    /// Copies `bytes` bytes to the device that `write` writes, piece by piece, by way of this buffer, which is cut into `places`
    /// places of one piece each. `then` is called for each piece once its copy was asked for, with the piece on the device and the
    /// range of its bytes among all: what it asks for comes after the copy, and goes on beside those of the pieces behind. The
    /// ranges that `write` is called for begin at multiples of `grain` bytes.
    ///
    /// # Errors
    /// What the device and `then` report.
    ///
    /// # Panics
    /// If the buffer is of another device, or cannot be cut into places of whole grains and of at most [`Pieces::MOST`]
    /// bytes; if `write` or `then` panics.
    #[track_caller]
    pub fn upload_pieces(
        &mut self,
        device: &D,
        places: u64,
        bytes: u64,
        grain: u64,
        write: &Write<'_>,
        mut then: impl FnMut(View<'_, T, D>, Range<u64>) -> Result<(), D::Error>,
    ) -> Result<(), D::Error> {
        self.assert_on(device, "upload");
        if bytes == 0 {
            return Ok(());
        }
        let size = size_of::<T>() as u64;
        let len = self.len.checked_div(places).unwrap_or(0);
        let piece = len * size;
        assert!(
            piece > 0 && piece <= Pieces::MOST && places * len == self.len,
            "a buffer of no such places"
        );
        assert!(grain > 0 && piece.is_multiple_of(grain), "pieces of parts of grains");
        let pieces = Pieces { address: D::address(&self.memory), places, piece, bytes, grain };
        let all = self.view();
        let mut then = |place: u64, range: Range<u64>| {
            let part = all.slice(place * len, (range.end - range.start) / size);
            then(part, range)
        };
        // SAFETY: the places are those of this allocation, which is of this device and borrowed: nobody else uses it, and a
        // view of a piece does not outlive its call.
        unsafe { device.upload_pieces(&pieces, write, &mut then) }
    }

    /// Copies the elements from `start` on to `to`.
    ///
    /// # Errors
    /// What the device reports, also of the work asked for before.
    ///
    /// # Panics
    /// If the buffer is shorter, or of another device.
    #[track_caller]
    pub fn download(&self, device: &D, start: u64, to: &mut [T]) -> Result<(), D::Error> {
        self.assert_accepted(device, "download");
        let address = self.address_of(start, to.len() as u64, "download");
        if to.is_empty() {
            return Ok(());
        }
        // SAFETY: the range was checked to lie in this allocation, which is of this device.
        let download = || unsafe { device.download(address, bytemuck::cast_slice_mut(to)) };
        device.using(self.device, false, download)
    }

    /// The elements, copied to the host.
    ///
    /// # Errors
    /// What the device reports, also of the work asked for before.
    ///
    /// # Panics
    /// If the buffer is of another device.
    #[track_caller]
    pub fn to_vec(&self, device: &D) -> Result<Vec<T>, D::Error> {
        let mut to = vec![T::zeroed(); self.len as usize];
        self.download(device, 0, &mut to)?;
        Ok(to)
    }
}
