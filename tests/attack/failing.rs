//! A library to load before libc: the n-th call of one function fails, and no other.
//!
//! `FAIL_CALL` names the function, `FAIL_AT` counts its calls from 1. The n-th returns what libc returns where the
//! disk is full or memory is short. Calls of a process that has neither variable go through.

use std::ffi::{CStr, c_char, c_int, c_long, c_void};
use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering::Relaxed};

unsafe extern "C" {
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    fn getenv(name: *const c_char) -> *const c_char;
    fn __errno_location() -> *mut c_int;
}

/// What looks for the next library that has a function.
const NEXT: *mut c_void = -1isize as *mut c_void;
const ENOSPC: c_int = 28;
const ENOMEM: c_int = 12;
const EAGAIN: c_int = 11;

/// The number of the call that fails; 0 for none, -1 before the variables were read.
static FAIL_AT: AtomicI64 = AtomicI64::new(-1);
static CALLS: AtomicU64 = AtomicU64::new(0);

/// Whether this call of `name` is the one that fails. Allocates nothing: malloc asks, too.
fn fails(name: &CStr, errno: c_int) -> bool {
    // SAFETY: the names are C strings, and the variables live as long as the process.
    unsafe {
        let asked = getenv(c"FAIL_CALL".as_ptr());
        if asked.is_null() || CStr::from_ptr(asked) != name {
            return false;
        }
        let mut at = FAIL_AT.load(Relaxed);
        if at < 0 {
            let digits = getenv(c"FAIL_AT".as_ptr());
            at = 0;
            if !digits.is_null() {
                for digit in CStr::from_ptr(digits).to_bytes() {
                    at = at * 10 + i64::from(digit.wrapping_sub(b'0'));
                }
            }
            FAIL_AT.store(at, Relaxed);
        }
        let failing = CALLS.fetch_add(1, Relaxed) + 1 == at as u64;
        if failing {
            *__errno_location() = errno;
        }
        failing
    }
}

macro_rules! failing {
    ($($name:ident($($arg:ident: $type:ty),*) -> $result:ty = $failed:expr, $errno:expr;)*) => {
        $(
            /// libc's, or the failure.
            ///
            /// # Safety
            /// As libc's.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($($arg: $type),*) -> $result {
                static NEXT_ONE: AtomicUsize = AtomicUsize::new(0);
                // SAFETY: every C string of a literal ends with a zero.
                let name = unsafe {
                    CStr::from_bytes_with_nul_unchecked(concat!(stringify!($name), "\0").as_bytes())
                };
                if fails(name, $errno) {
                    return $failed;
                }
                let mut next = NEXT_ONE.load(Relaxed);
                if next == 0 {
                    // SAFETY: the name is a C string.
                    next = unsafe { dlsym(NEXT, name.as_ptr()) } as usize;
                    NEXT_ONE.store(next, Relaxed);
                }
                // SAFETY: libc's function of this name has this type.
                let next: unsafe extern "C" fn($($type),*) -> $result =
                    unsafe { std::mem::transmute(next) };
                // SAFETY: the caller's promise.
                unsafe { next($($arg),*) }
            }
        )*
    };
}

failing! {
    write(fd: c_int, from: *const c_void, len: usize) -> isize = -1, ENOSPC;
    writev(fd: c_int, from: *const c_void, count: c_int) -> isize = -1, ENOSPC;
    pwrite64(fd: c_int, from: *const c_void, len: usize, at: i64) -> isize = -1, ENOSPC;
    read(fd: c_int, to: *mut c_void, len: usize) -> isize = -1, 5;
    pread64(fd: c_int, to: *mut c_void, len: usize, at: i64) -> isize = -1, 5;
    mmap(at: *mut c_void, len: usize, prot: c_int, flags: c_int, fd: c_int, offset: c_long) -> *mut c_void = -1isize as *mut c_void, ENOMEM;
    mmap64(at: *mut c_void, len: usize, prot: c_int, flags: c_int, fd: c_int, offset: i64) -> *mut c_void = -1isize as *mut c_void, ENOMEM;
    fsync(fd: c_int) -> c_int = -1, 5;
    fdatasync(fd: c_int) -> c_int = -1, 5;
    ftruncate64(fd: c_int, len: i64) -> c_int = -1, ENOSPC;
    rename(from: *const c_char, to: *const c_char) -> c_int = -1, ENOSPC;
    linkat(a: c_int, from: *const c_char, b: c_int, to: *const c_char, flags: c_int) -> c_int = -1, ENOSPC;
    unlink(path: *const c_char) -> c_int = -1, 13;
    open64(path: *const c_char, flags: c_int, mode: c_int) -> c_int = -1, 24;
    malloc(len: usize) -> *mut c_void = std::ptr::null_mut(), ENOMEM;
    realloc(at: *mut c_void, len: usize) -> *mut c_void = std::ptr::null_mut(), ENOMEM;
    posix_memalign(to: *mut *mut c_void, align: usize, len: usize) -> c_int = ENOMEM, ENOMEM;
    pthread_create(to: *mut c_void, attr: *const c_void, run: *const c_void, arg: *mut c_void) -> c_int = EAGAIN, EAGAIN;
}
