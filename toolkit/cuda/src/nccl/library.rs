//! The library, and the addresses of its functions.

use std::env;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::path::{Path, PathBuf};

use libloading::Library;

use super::{LEAST, Surroundings, Version};
use crate::{Error, Result};

/// Bytes of a [`UniqueId`].
pub const UNIQUE_ID_BYTES: usize = 128;

/// What all that are to be linked know: one makes it, and the others are told.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct UniqueId(pub [u8; UNIQUE_ID_BYTES]);

/// What the library calls a communicator.
pub(super) type Handle = *mut c_void;

/// What a call says: 0 is success.
pub(super) type Code = c_int;

pub(super) const SUCCESS: Code = 0;
pub(super) const IN_PROGRESS: Code = 7;

/// The bytes of a message are its elements.
pub(super) const BYTES: c_int = 1;
pub(super) const WORDS: c_int = 3;
pub(super) const SUM: c_int = 0;
pub(super) const MAX: c_int = 2;

/// How a communicator is to be, as of version 2.14; what later versions added keeps its default.
#[repr(C)]
pub(super) struct Config {
    size: usize,
    magic: c_uint,
    version: c_uint,
    blocking: c_int,
}

impl Config {
    /// No call waits.
    pub fn without_waiting() -> Config {
        Config { size: size_of::<Config>(), magic: 0xcafe_beef, version: 21_400, blocking: 0 }
    }
}

/// The library's functions.
pub(super) struct Functions {
    pub get_unique_id: unsafe extern "C" fn(*mut UniqueId) -> Code,
    pub init_rank: unsafe extern "C" fn(*mut Handle, c_int, UniqueId, c_int, *mut Config) -> Code,
    pub async_error: unsafe extern "C" fn(Handle, *mut Code) -> Code,
    pub abort: unsafe extern "C" fn(Handle) -> Code,
    pub all_reduce: unsafe extern "C" fn(
        *const c_void,
        *mut c_void,
        usize,
        c_int,
        c_int,
        Handle,
        *mut c_void,
    ) -> Code,
    pub send: unsafe extern "C" fn(*const c_void, usize, c_int, c_int, Handle, *mut c_void) -> Code,
    pub receive:
        unsafe extern "C" fn(*mut c_void, usize, c_int, c_int, Handle, *mut c_void) -> Code,
    pub group_start: unsafe extern "C" fn() -> Code,
    pub group_end: unsafe extern "C" fn() -> Code,
    error_string: unsafe extern "C" fn(Code) -> *const c_char,
    last_error: unsafe extern "C" fn(Handle) -> *const c_char,
}

/// The variable by which NCCL is told whether it may use NVLink's multicast.
const MULTICAST: &str = "NCCL_NVLS_ENABLE";

/// NCCL, found and loaded. It is never unloaded, because threads of its own may run in it.
pub struct Nccl {
    pub(super) functions: Functions,
    version: Version,
    file: PathBuf,
}

impl Nccl {
    /// Finds the library and loads it: the file that `named` names, or the first that works of those that
    /// [`candidates`](super::candidates) lists.
    ///
    /// # Errors
    /// [`Error::Multicast`] where nobody has said whether NCCL may use NVLink's multicast, and [`Error::NoNccl`], which
    /// says what was tried, and why it is not NCCL.
    pub fn load(named: Option<&Path>) -> Result<&'static Nccl> {
        if env::var_os(MULTICAST).is_none() {
            return Err(Error::Multicast);
        }
        let surroundings = Surroundings::of_process(named.map(Path::to_owned));
        Nccl::load_first(surroundings.files())
    }

    /// The first of these files that works.
    pub(super) fn load_first(files: Vec<PathBuf>) -> Result<&'static Nccl> {
        let mut tried = Vec::new();
        for file in files {
            match Nccl::open(&file) {
                Ok(nccl) => return Ok(Box::leak(Box::new(nccl))),
                Err(why) => tried.push(format!("{} ({why})", file.display())),
            }
        }
        Err(Error::NoNccl { tried: tried.join(", ") })
    }

    fn open(file: &Path) -> Result<Nccl, String> {
        // SAFETY: loading runs the library's start-up code, which is trusted of a file of this name, as CUDA's is.
        let library = unsafe { Library::new(file) }.map_err(|error| {
            let text = error.to_string();
            let why = std::error::Error::source(&error).map_or(text, ToString::to_string);
            if why.contains("No such file") { "not found".into() } else { why }
        })?;
        let version = {
            // SAFETY: the function has this type in every version.
            let get_version: unsafe extern "C" fn(*mut c_int) -> Code =
                unsafe { function(&library, "ncclGetVersion")? };
            let mut code = 0;
            // SAFETY: writes one integer.
            let outcome = unsafe { get_version(&mut code) };
            if outcome != SUCCESS {
                return Err("it does not tell its version".into());
            }
            Version::from_code(u32::try_from(code).unwrap_or(0))
        };
        if version < LEAST {
            let Version { major, minor, .. } = LEAST;
            return Err(format!("version {version}, and {major}.{minor} or later is needed"));
        }
        // SAFETY: the functions have these types in all versions from 2.14 on.
        let functions = unsafe {
            Functions {
                get_unique_id: function(&library, "ncclGetUniqueId")?,
                init_rank: function(&library, "ncclCommInitRankConfig")?,
                async_error: function(&library, "ncclCommGetAsyncError")?,
                abort: function(&library, "ncclCommAbort")?,
                all_reduce: function(&library, "ncclAllReduce")?,
                send: function(&library, "ncclSend")?,
                receive: function(&library, "ncclRecv")?,
                group_start: function(&library, "ncclGroupStart")?,
                group_end: function(&library, "ncclGroupEnd")?,
                error_string: function(&library, "ncclGetErrorString")?,
                last_error: function(&library, "ncclGetLastError")?,
            }
        };
        // The functions are called for as long as the process lives.
        std::mem::forget(library);
        Ok(Nccl { functions, version, file: file.to_owned() })
    }

    /// The library's version.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The file, as it was asked for.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Makes what the GPUs that are to be linked are told.
    ///
    /// # Errors
    /// What the library reports.
    pub fn unique_id(&self) -> Result<UniqueId> {
        let mut id = UniqueId([0; UNIQUE_ID_BYTES]);
        // SAFETY: writes as many bytes as the type has.
        self.check(unsafe { (self.functions.get_unique_id)(&mut id) })?;
        Ok(id)
    }

    /// The error that a call reports. One that is under way is none.
    pub(super) fn check(&self, code: Code) -> Result<()> {
        if code == SUCCESS || code == IN_PROGRESS {
            return Ok(());
        }
        // SAFETY: the function takes any code, and what it returns is text that is never freed.
        let kind = unsafe { text((self.functions.error_string)(code)) };
        // SAFETY: the function takes no communicator too, and what it returns is text that lives until this thread's
        // next error.
        let last = unsafe { text((self.functions.last_error)(std::ptr::null_mut())) };
        let last = last.lines().next_back().unwrap_or_default().trim().to_owned();
        let what = if last.is_empty() { kind } else { format!("{kind}: {last}") };
        Err(Error::Nccl { what })
    }
}

/// A function of the library, by its name.
///
/// # Safety
/// It has this type, and is called while the library is loaded.
unsafe fn function<F: Copy>(library: &Library, name: &str) -> Result<F, String> {
    // SAFETY: the caller's promise.
    let symbol = unsafe { library.get::<F>(name) };
    symbol.map(|symbol| *symbol).map_err(|_| format!("it has no function {name}"))
}

/// Text of the library's.
///
/// # Safety
/// The address is null, or of text that ends with a zero.
unsafe fn text(address: *const c_char) -> String {
    if address.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(address) }.to_string_lossy().into_owned()
}
