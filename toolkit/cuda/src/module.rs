//! The kernels, loaded into a GPU.

use std::collections::{HashMap, hash_map};
use std::ffi::{CString, c_void};
use std::sync::Mutex;

use cudarc::driver::{DriverError, result, sys};

use crate::kernels::Kernels;
use crate::{ComputeCapability, Error, Result, error};

/// A loaded module and the functions that were asked for.
pub(crate) struct Module {
    module: sys::CUmodule,
    /// Whether the module was loaded as machine code, and not compiled from PTX.
    pub(crate) is_machine_code: bool,
    /// The functions by the names of their kernels.
    functions: Mutex<HashMap<&'static str, Function>>,
}

#[derive(Clone, Copy)]
struct Function {
    handle: sys::CUfunction,
    shared_bytes: u32,
    /// What its parameters are, once a launch has found that it takes them.
    takes: Option<u64>,
}

/// What a block gets without asking.
const DEFAULT_SHARED_BYTES: u32 = 48 << 10;

// SAFETY: the driver's handles may be used from any thread.
unsafe impl Send for Module {}
// SAFETY: as above; the table has its lock.
unsafe impl Sync for Module {}

impl Module {
    /// Loads the kernels into the current context's GPU, which has this compute capability. Machine code that the
    /// driver does not take, one older than its assembler say, leaves it to compile the PTX.
    pub(crate) fn load(kernels: &Kernels<'_>, chip: ComputeCapability) -> Result<Module> {
        let machine_code =
            kernels.machine_code(chip).and_then(|code| Module::from_machine_code(&code));
        machine_code.map_or_else(|| Module::compile(kernels.ptx), Ok)
    }

    fn from_machine_code(code: &[u8]) -> Option<Module> {
        // A program's bytes lie anywhere: the driver reads the structures of a file in them.
        let word = |bytes: &[u8]| {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            u64::from_ne_bytes(word)
        };
        let aligned: Vec<u64> = code.chunks(8).map(word).collect();
        let mut module = std::ptr::null_mut();
        // SAFETY: the bytes are a whole cubin, which tells its length, and live until the call ends.
        let outcome = unsafe { sys::cuModuleLoadData(&mut module, aligned.as_ptr().cast()) };
        let functions = Mutex::default();
        outcome.result().ok().map(|()| Module { module, is_machine_code: true, functions })
    }

    /// Compiles PTX for the current context's GPU (or takes it from the driver's cache).
    fn compile(ptx: &str) -> Result<Module> {
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
        Ok(Module { module, is_machine_code: false, functions: Mutex::default() })
    }

    /// The function of a kernel, allowed as much shared memory a block as it is launched with. `takes` says what its parameters are for
    /// a launch.
    ///
    /// # Errors
    /// If there is no kernel of that name, or one with other parameters, and what the driver reports.
    pub(crate) fn function(
        &self,
        kernel: &'static str,
        takes: Option<u64>,
        shared_bytes: u32,
    ) -> Result<sys::CUfunction> {
        let failed = |error| Error::driver(format!("kernel {kernel}"), error);
        let missing = |other| {
            move |error| match error {
                DriverError(sys::CUresult::CUDA_ERROR_NOT_FOUND) => {
                    Error::NoKernel { kernel, other }
                }
                error => failed(error),
            }
        };
        let symbol = |name| CString::new(name).expect("a kernel's name has no zero byte");
        let mut functions = self.functions.lock().unwrap_or_else(|broken| broken.into_inner());
        let function = match functions.entry(kernel) {
            hash_map::Entry::Occupied(function) => function.into_mut(),
            hash_map::Entry::Vacant(place) => {
                // SAFETY: the module is loaded.
                let handle =
                    unsafe { result::module::get_function(self.module, symbol(kernel.to_owned())) }
                        .map_err(missing(false))?;
                let shared_bytes = DEFAULT_SHARED_BYTES;
                place.insert(Function { handle, shared_bytes, takes: None })
            }
        };
        if let Some(number) = takes
            && function.takes != takes
        {
            let variable = symbol(format!("{kernel}__takes_{number}"));
            // SAFETY: as above.
            unsafe { result::module::get_global(self.module, variable) }.map_err(missing(true))?;
            function.takes = takes;
        }
        if shared_bytes > function.shared_bytes {
            // SAFETY: the function is of a loaded module.
            unsafe {
                result::function::set_function_attribute(
                    function.handle,
                    sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                    shared_bytes as i32,
                )
            }
            .map_err(failed)?;
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
