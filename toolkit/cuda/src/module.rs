//! The kernels, loaded into a GPU.

use std::collections::HashMap;
use std::ffi::{CString, c_void};
use std::sync::Mutex;

use cudarc::driver::{DriverError, result, sys};

use crate::{Error, Result, error};

/// A loaded PTX module and the functions that were asked for.
pub(crate) struct Module {
    module: sys::CUmodule,
    functions: Mutex<HashMap<&'static str, Function>>,
}

#[derive(Clone, Copy)]
struct Function {
    handle: sys::CUfunction,
    shared_bytes: u32,
}

/// What a block gets without asking.
const DEFAULT_SHARED_BYTES: u32 = 48 << 10;

// SAFETY: the driver's handles may be used from any thread.
unsafe impl Send for Module {}
// SAFETY: as above; the table has its lock.
unsafe impl Sync for Module {}

impl Module {
    /// Compiles PTX for the current context's GPU (or takes it from the driver's cache).
    pub(crate) fn load(ptx: &str) -> Result<Module> {
        let Ok(text) = CString::new(ptx) else {
            let source = error::DriverError(DriverError(sys::CUresult::CUDA_ERROR_INVALID_PTX));
            return Err(Error::Kernels { source, log: "the PTX has a zero byte".into() });
        };
        let mut log = vec![0u8; 16 << 10];
        let mut options = [
            sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
            sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
        ];
        let mut values =
            [log.as_mut_ptr().cast::<c_void>(), std::ptr::without_provenance_mut(log.len())];
        let mut module = std::ptr::null_mut();
        // SAFETY: the text ends with a zero, the options are as many as said, and the log buffer
        // has the length given with it.
        let outcome = unsafe {
            sys::cuModuleLoadDataEx(
                &mut module,
                text.as_ptr().cast(),
                options.len() as u32,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        outcome.result().map_err(|error| {
            let end = log.iter().position(|&byte| byte == 0).unwrap_or(log.len());
            let log = String::from_utf8_lossy(&log[..end]).trim().replace('\n', "; ");
            Error::Kernels { source: error::DriverError(error), log }
        })?;
        Ok(Module { module, functions: Mutex::default() })
    }

    /// The function of a kernel, allowed `shared_bytes` of shared memory a block.
    pub(crate) fn function(
        &self,
        name: &'static str,
        shared_bytes: u32,
    ) -> Result<sys::CUfunction, DriverError> {
        let mut functions = self.functions.lock().unwrap_or_else(|broken| broken.into_inner());
        let function = match functions.get_mut(name) {
            Some(function) => function,
            None => {
                let symbol = CString::new(name).expect("a kernel's name has no zero byte");
                // SAFETY: the module is loaded.
                let handle = unsafe { result::module::get_function(self.module, symbol)? };
                functions
                    .entry(name)
                    .or_insert(Function { handle, shared_bytes: DEFAULT_SHARED_BYTES })
            }
        };
        if shared_bytes > function.shared_bytes {
            // SAFETY: the function is of a loaded module.
            unsafe {
                result::function::set_function_attribute(
                    function.handle,
                    sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                    shared_bytes as i32,
                )?;
            }
            function.shared_bytes = shared_bytes;
        }
        Ok(function.handle)
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: loaded by `load`, unloaded once, when nothing runs.
        let _ = unsafe { result::module::unload(self.module) };
    }
}
