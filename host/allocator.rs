//! The memory of the command: where the system has none left, the process ends with one line and exit code 1.
//!
//! Allocations that grow with the input are asked for by calls that may fail, and such a failure is an error with a
//! file's name in it. All others, in this program and in libraries, end the process here: the standard library would say
//! lines of its own, and end it by a signal.

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Bytes below which nobody asks whether there is memory: hardly an error could be made without them.
const SMALL: usize = 1 << 20;

/// The system's allocator.
struct Checked;

#[global_allocator]
static ALLOCATOR: Checked = Checked;

impl Checked {
    #[inline]
    fn check(memory: *mut u8, bytes: usize) -> *mut u8 {
        if memory.is_null() && (bytes < SMALL || !tribin::report::allocation_may_fail()) {
            end(bytes);
        }
        memory
    }
}

// SAFETY: all memory is the system's, and none is returned where it returns none.
unsafe impl GlobalAlloc for Checked {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        Checked::check(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        Checked::check(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        Checked::check(unsafe { System.realloc(memory, layout, bytes) }, bytes)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// A line that needs no memory of the heap.
struct CacheLine {
    bytes: [u8; 128],
    len: usize,
}

impl Write for CacheLine {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = self.bytes.get_mut(self.len..self.len + text.len()).ok_or(fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.len += text.len();
        Ok(())
    }
}

static ENDING: AtomicBool = AtomicBool::new(false);

/// Ends the process, which has no memory for these bytes.
fn end(bytes: usize) -> ! {
    // One of the threads says it; the others wait for the end.
    while ENDING.swap(true, Relaxed) {
        std::hint::spin_loop();
    }
    let mut line = CacheLine { bytes: [0; 128], len: 0 };
    let _ = writeln!(line, "error: out of memory: {bytes} bytes more are not there");
    tribin::report::remove_all_if_free();
    // SAFETY: the line lives, and nothing runs after the process has ended.
    unsafe {
        let _ = libc::write(libc::STDERR_FILENO, line.bytes.as_ptr().cast(), line.len);
        libc::_exit(1)
    }
}

/// What the standard library does where it cannot go on: it has said so, and aborts.
extern "C" fn aborted(_signal: libc::c_int) {
    tribin::report::remove_all_if_free();
    // SAFETY: nothing runs after the process has ended.
    unsafe { libc::_exit(1) }
}

/// From now on an abort is an exit with code 1, and a file that may not grow is an error of the write.
pub fn exit_at_aborts() {
    // SAFETY: ignoring a signal runs nothing.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    // SAFETY: the handler ends the process, and calls nothing that a signal forbids but for the removal of files,
    // which does nothing where it would have to wait.
    unsafe { libc::signal(libc::SIGABRT, aborted as *const () as libc::sighandler_t) };
}
