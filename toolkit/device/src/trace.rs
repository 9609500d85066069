//! Lines of text that kernels write for people.

#[cfg(any(target_arch = "nvptx64", test))]
pub(crate) mod c_format;

/// Writes a line, as `println!` would.
///
/// In the emulator it goes to standard error, with the kernel, the block and the thread before it, and tests find it with
/// `Emulator::take_trace`. A GPU keeps up to 1 MiB of text, and what would not fit is lost. The driver writes the text to the process's
/// standard output when the host waits for the GPU next. There a line begins with the numbers of the block and the thread, as
/// `block 0 thread 0: `.
///
/// ```
/// use warpwise_device::emulated::{Config, Emulator};
/// use warpwise_device::launch::Shape;
/// use warpwise_device::{kernel, thread, trace};
///
/// kernel!(
///     #[requires()]
///     pub unsafe fn says_hello(times: u32) {
///         trace!("hello {} times from thread {}", times, thread::thread_idx_x());
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
///
/// # What a GPU prints
///
/// A GPU's text comes from CUDA's `vprintf`. The line's format becomes one of C when the kernel is compiled, and what has no
/// counterpart there is an error then. The emulator takes all that `println!` takes. For both, write this:
///
/// | in the text | values |
/// | --- | --- |
/// | `{}`, `{0}`, or `{name}` with `name = value` behind the text | numbers of up to 64 bits and `bool`, at most 14 in a line |
/// | `{:8}`, `{:<8}`, `{:>8}`, `{:08}` | a width; with zeros for numbers alone |
/// | `{:x}`, `{:X}` | unsigned integers |
/// | `{:.3}` | `f32` and `f64` |
///
/// `{name}` alone, with a variable of the kernel, is for the emulator: a macro cannot see a name within a text. The texts are the same but
/// for `{}` of floating-point numbers, which a GPU prints with 9 digits (`f32`) or 17 (`f64`), as many as tell each number from all
/// others: 0.1 is `0.100000001`.
///
/// A kernel without `trace!` does not pay for it. One with it has a stack frame on a GPU, and is slower there also where it comes to no
/// line: take it out again, or let a constant decide (`if TRACES { trace!(...) }`).
#[cfg(not(target_arch = "nvptx64"))]
#[macro_export]
macro_rules! trace {
    ($($argument:tt)*) => {
        $crate::__write_trace(format_args!($($argument)*))
    };
}

/// Writes a line by CUDA's `vprintf`.
#[cfg(target_arch = "nvptx64")]
#[macro_export]
macro_rules! trace {
    ($text:expr $(, $($argument:tt)*)?) => {
        $crate::__trace_line!([$text] [] [()] $($($argument)*)?)
    };
}

/// Takes the arguments of a line one by one: [text] [names] [values], then what is to come.
#[cfg(target_arch = "nvptx64")]
#[doc(hidden)]
#[macro_export]
macro_rules! __trace_line {
    ([$text:expr] [$($name:expr,)*] [$values:expr]) => {{
        struct Line;
        impl $crate::TracedLine for Line {
            const TEXT: &'static str = $text;
            const NAMES: &'static [&'static str] = &[$($name),*];
        }
        $crate::print_line::<Line, { $crate::c_format_capacity($text) }, _>($values)
    }};
    ($text:tt [$($names:tt)*] [$values:expr] $name:ident = $value:expr $(, $($rest:tt)*)?) => {
        $crate::__trace_line!($text [$($names)* stringify!($name),] [($values, $value)] $($($rest)*)?)
    };
    ($text:tt [$($names:tt)*] [$values:expr] $value:expr $(, $($rest:tt)*)?) => {
        $crate::__trace_line!($text [$($names)* "",] [($values, $value)] $($($rest)*)?)
    };
}

/// Writes one line.
#[doc(hidden)]
#[cfg(not(target_arch = "nvptx64"))]
pub fn __write_trace(text: core::fmt::Arguments<'_>) {
    crate::imp::trace(text);
}
