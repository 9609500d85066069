//! Standard input and output, which may not be there.

/// Whether the process was started without standard input: Rust opens /dev/null in its place, and nothing comes from
/// that. Known on Linux only.
pub fn is_input_closed() -> bool {
    #[cfg(target_os = "linux")]
    return at_start::INPUT.load(std::sync::atomic::Ordering::Relaxed);
    #[cfg(not(target_os = "linux"))]
    false
}

/// Whether the process was started without standard output: what is written there would be lost in silence.
pub fn is_output_closed() -> bool {
    #[cfg(target_os = "linux")]
    return at_start::OUTPUT.load(std::sync::atomic::Ordering::Relaxed);
    #[cfg(not(target_os = "linux"))]
    false
}

#[cfg(target_os = "linux")]
mod at_start {
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

    pub(super) static INPUT: AtomicBool = AtomicBool::new(false);
    pub(super) static OUTPUT: AtomicBool = AtomicBool::new(false);

    /// Runs before Rust's runtime, after which nothing tells a closed descriptor from /dev/null.
    // SAFETY: a list of functions that the C library calls once each, which this one is fit for: it uses
    // nothing of Rust's runtime.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;

    extern "C" fn look() {
        for (descriptor, closed) in [(libc::STDIN_FILENO, &INPUT), (libc::STDOUT_FILENO, &OUTPUT)] {
            // SAFETY: reads the flags of a descriptor, or fails where there is none.
            let flags = unsafe { libc::fcntl(descriptor, libc::F_GETFD) };
            closed.store(flags == -1, Relaxed);
        }
    }
}
