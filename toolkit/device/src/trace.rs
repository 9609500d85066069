//! Lines of text that kernels write for people.

/// Writes a line, as `println!` would: in the emulator to standard error, with the kernel, the block and the thread
/// before it. Tests find the lines with `Emulator::take_trace`. On a GPU it does nothing: the arguments are not even
/// computed.
///
/// ```
/// use warpwise_device::emulated::{Config, Emulator};
/// use warpwise_device::launch::Shape;
/// use warpwise_device::{kernel, thread, trace};
///
/// kernel!(
///     #[requires()]
///     pub unsafe fn says_hello(times: u32) {
///         trace!("hello {times} times from thread {}", thread::thread_idx_x());
///     }
/// );
///
/// # fn main() -> Result<(), warpwise_device::emulated::EmulatorError> {
/// let emulator = Emulator::with(Config { print_trace: false, ..Config::default() });
/// says_hello(&emulator, Shape::new(1, 1), 3)?;
/// let line = "kernel says_hello, block 0 thread 0: hello 3 times from thread 0";
/// assert_eq!(emulator.take_trace(), [line]);
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! trace {
    ($($argument:tt)*) => {
        $crate::__trace(|| {
            #[cfg(not(target_arch = "nvptx64"))]
            $crate::__write_trace(format_args!($($argument)*));
            // The arguments count as used.
            #[cfg(target_arch = "nvptx64")]
            let _ = format_args!($($argument)*);
        })
    };
}

/// Runs what a [`trace!`](crate::trace) says, on a host.
#[doc(hidden)]
#[inline(always)]
pub fn __trace(write: impl FnOnce()) {
    #[cfg(not(target_arch = "nvptx64"))]
    write();
    #[cfg(target_arch = "nvptx64")]
    let _ = write;
}

/// Writes one line.
#[doc(hidden)]
#[cfg(not(target_arch = "nvptx64"))]
pub fn __write_trace(text: core::fmt::Arguments<'_>) {
    crate::imp::trace(text);
}
