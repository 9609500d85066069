//! Standard output, which may not be there.

use std::io;

/// Standard output, to write to.
///
/// # Errors
/// Where the process was started without one: Rust opens /dev/null in its place, and what is written there
/// would be lost in silence. Known on Linux only.
pub fn standard_output() -> io::Result<io::Stdout> {
    #[cfg(target_os = "linux")]
    if at_start::WAS_CLOSED.load(std::sync::atomic::Ordering::Relaxed) {
        return Err(io::Error::other("it is closed"));
    }
    Ok(io::stdout())
}

#[cfg(target_os = "linux")]
mod at_start {
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

    pub(super) static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

    /// Runs before Rust's runtime, after which nothing tells a closed descriptor from /dev/null.
    // SAFETY: a list of functions that the C library calls once each, which this one is fit for: it uses
    // nothing of Rust's runtime.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;

    extern "C" fn look() {
        // SAFETY: reads the flags of a descriptor, or fails where there is none.
        let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
        WAS_CLOSED.store(flags == -1, Relaxed);
    }
}
