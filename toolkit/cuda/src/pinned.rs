//! Page-locked memory that a program holds, and copies that go on while it does something else.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use cudarc::driver::{DriverError, result};
use warpwise_launch::{Device, Element, View, ViewMut};

use crate::event::Event;
use crate::page_locked::PageLocked;
use crate::{Gpu, Result};

/// Page-locked host memory, which GPUs copy from and to while the host goes on. It is a slice.
pub struct Pinned<T: Element> {
    memory: PageLocked,
    element: PhantomData<T>,
}

impl<T: Element> Deref for Pinned<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        warpwise_launch::bytemuck::cast_slice(self.memory.bytes())
    }
}

impl<T: Element> DerefMut for Pinned<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        warpwise_launch::bytemuck::cast_slice_mut(self.memory.first(usize::MAX))
    }
}

/// A copy that is under way. It has the page-locked memory, which it gives back once it is done. To drop it is to wait.
#[must_use = "the copy goes on only as long as this is kept: to drop it is to wait"]
pub struct Copying<T: Element> {
    done: Event,
    /// The page-locked memory, until it is given back.
    memory: Option<Pinned<T>>,
}

impl<T: Element> Copying<T> {
    /// The event after the copy.
    pub fn done(&self) -> &Event {
        &self.done
    }

    /// Waits for the copy and gives the memory back.
    ///
    /// # Errors
    /// What the driver reports, also of the work before the copy.
    pub fn wait(mut self) -> Result<Pinned<T>> {
        self.done.synchronize().map_err(|error| crate::Error::driver("a copy failed", error))?;
        Ok(self.memory.take().expect("it was not given back"))
    }
}

impl<T: Element> Drop for Copying<T> {
    fn drop(&mut self) {
        let _ = self.done.synchronize();
    }
}

impl Gpu {
    /// Page-locked memory for `len` elements, whose bytes are zero. To lock a megabyte takes a tenth of a millisecond and more.
    ///
    /// # Errors
    /// What the driver reports, where no more memory can be locked.
    pub fn pinned<T: Element>(&self, len: usize) -> Result<Pinned<T>> {
        const { assert!(align_of::<T>() <= 4096, "page-locked memory is aligned to pages") };
        let bytes = len.saturating_mul(size_of::<T>());
        let mut memory = self.ask(|| PageLocked::new(&self.context, bytes))?;
        memory.first(bytes).fill(0);
        Ok(Pinned { memory, element: PhantomData })
    }

    /// Begins to copy page-locked memory to the GPU, after all work asked for before. Work that is asked for later comes after the copy.
    ///
    /// # Errors
    /// What the driver reports.
    ///
    /// # Panics
    /// If they differ in length, or the view is of another GPU.
    #[track_caller]
    pub fn begin_upload<T: Element>(
        &self,
        from: Pinned<T>,
        to: ViewMut<'_, T, Gpu>,
    ) -> Result<Copying<T>> {
        assert_eq!(to.len(), from.len() as u64, "upload of another length");
        self.begin((to.device(), true), from, |memory| {
            let from = memory.memory.bytes();
            // SAFETY: the view is of as many bytes; `Copying` keeps what is read until the copy is done.
            unsafe { result::memcpy_htod_async(to.address(), from, self.work().handle()) }
        })
    }

    /// Begins to copy the GPU's memory to page-locked memory, after all work asked for before.
    ///
    /// # Errors
    /// What the driver reports.
    ///
    /// # Panics
    /// If they differ in length, or the view is of another GPU.
    #[track_caller]
    pub fn begin_download<T: Element>(
        &self,
        from: View<'_, T, Gpu>,
        to: Pinned<T>,
    ) -> Result<Copying<T>> {
        assert_eq!(from.len(), to.len() as u64, "download of another length");
        self.begin((from.device(), false), to, |memory| {
            let to = memory.memory.first(usize::MAX);
            // SAFETY: as above; nobody looks at what is written before.
            unsafe { result::memcpy_dtoh_async(to, from.address(), self.work().handle()) }
        })
    }

    #[track_caller]
    fn begin<T: Element>(
        &self,
        (owner, writes): (warpwise_launch::DeviceId, bool),
        mut memory: Pinned<T>,
        copy: impl FnOnce(&mut Pinned<T>) -> Result<(), DriverError>,
    ) -> Result<Copying<T>> {
        assert!(self.accepts(owner), "copy by {} of memory of {owner}", self.id());
        self.using(owner, writes, || {
            let done = self.ask(|| {
                let done = Event::untimed(&self.context)?;
                copy(&mut memory)?;
                // Where nothing tells when the copy is done, it is waited for.
                let told = self.work().record(&done);
                told.or_else(|error| self.work().synchronize().and(Err(error)))?;
                Ok(done)
            })?;
            Ok(Copying { done, memory: Some(memory) })
        })
    }
}
