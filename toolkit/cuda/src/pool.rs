//! A GPU's memory, as one user of it takes and gives back.

use cudarc::driver::{DriverError, result, sys};
use sys::CUmemPool_attribute as Attribute;

/// A pool of device memory. It is no other user's: the driver's default pool, which all of the process
/// share, is left as it is.
pub(crate) struct MemoryPool(sys::CUmemoryPool);

// SAFETY: the driver's handles may be used from any thread that made the context current.
unsafe impl Send for MemoryPool {}
// SAFETY: as above.
unsafe impl Sync for MemoryPool {}

impl MemoryPool {
    /// A pool of the memory of a device. Memory that is given back stays with the pool: taking it again
    /// costs nothing.
    pub(crate) fn create(device: sys::CUdevice) -> Result<MemoryPool, DriverError> {
        let properties = sys::CUmemPoolProps {
            allocType: sys::CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
            handleTypes: sys::CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_NONE,
            location: sys::CUmemLocation {
                type_: sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
                id: device,
            },
            win32SecurityAttributes: std::ptr::null_mut(),
            maxSize: 0,
            usage: 0,
            reserved: [0; 54],
        };
        // SAFETY: the properties are filled in as the driver wants them.
        let pool = MemoryPool(unsafe { result::mem_pool::create(&properties)? });
        pool.set(Attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, u64::MAX)?;
        Ok(pool)
    }

    /// Takes memory, in the order of the stream.
    ///
    /// # Safety
    /// The pool and the stream are of the current context, and outlive what is returned, which is given
    /// back once.
    pub(crate) unsafe fn allocate(
        &self,
        bytes: usize,
        stream: sys::CUstream,
    ) -> Result<sys::CUdeviceptr, DriverError> {
        // SAFETY: the caller's promise.
        unsafe { result::mem_pool::alloc_async(self.0, bytes, stream) }
    }

    /// Lets kernels and copies of another device read what the pool gives.
    pub(crate) fn let_read(&self, reader: sys::CUdevice) -> Result<(), DriverError> {
        let access = sys::CUmemAccessDesc {
            location: sys::CUmemLocation {
                type_: sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
                id: reader,
            },
            flags: sys::CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
        };
        // SAFETY: the pool lives until drop, and one description is passed.
        unsafe { sys::cuMemPoolSetAccess(self.0, &access, 1) }.result()
    }

    /// Bytes that the pool has and nobody uses.
    pub(crate) fn unused(&self) -> Result<u64, DriverError> {
        let reserved = self.get(Attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT)?;
        let used = self.get(Attribute::CU_MEMPOOL_ATTR_USED_MEM_CURRENT)?;
        Ok(reserved.saturating_sub(used))
    }

    /// The most bytes that were in use at a time since the last call.
    pub(crate) fn take_peak(&self) -> Result<u64, DriverError> {
        let peak = self.get(Attribute::CU_MEMPOOL_ATTR_USED_MEM_HIGH)?;
        self.set(Attribute::CU_MEMPOOL_ATTR_USED_MEM_HIGH, 0)?;
        Ok(peak)
    }

    /// The attributes that are asked for are 64-bit numbers.
    fn get(&self, which: Attribute) -> Result<u64, DriverError> {
        let mut value = 0u64;
        let to = std::ptr::from_mut(&mut value).cast();
        // SAFETY: the pool lives until drop, and the attribute is as long as the variable.
        unsafe { result::mem_pool::get_attribute(self.0, which, to)? };
        Ok(value)
    }

    fn set(&self, which: Attribute, mut value: u64) -> Result<(), DriverError> {
        let from = std::ptr::from_mut(&mut value).cast();
        // SAFETY: as in `get`.
        unsafe { result::mem_pool::set_attribute(self.0, which, from) }
    }
}

impl Drop for MemoryPool {
    fn drop(&mut self) {
        // SAFETY: created by `create`, destroyed once.
        let _ = unsafe { result::mem_pool::destroy(self.0) };
    }
}
