//! A launch and its arguments, with their types forgotten.

use crate::{Element, Shape};

/// A launch with its types forgotten, as `kernel!` hands it to a device.
pub struct Launch<'a> {
    /// The kernel's name: its entry in the PTX module.
    pub kernel: &'static str,
    /// How many threads.
    pub shape: Shape,
    /// The arguments, in the order of the parameters.
    pub args: &'a [Arg],
    /// The body of one thread, for the emulator.
    pub body: &'a (dyn Fn(&[Arg]) + Sync),
}

/// One argument of a launch.
#[derive(Debug, Clone, Copy)]
pub struct Arg {
    /// The parameter's name.
    pub name: &'static str,
    /// Its value.
    pub value: ArgValue,
}

/// The value of an [`Arg`].
#[derive(Debug, Clone, Copy)]
pub enum ArgValue {
    /// Device memory.
    Memory {
        /// Where it starts.
        address: u64,
        /// How many elements it has.
        len: u64,
        /// Bytes of an element.
        element_bytes: u32,
        /// Whether the kernel may write it.
        writable: bool,
    },
    /// A 32-bit number.
    U32(u32),
    /// A 64-bit number.
    U64(u64),
}

impl Arg {
    /// A parameter in device memory: the `len` elements from `address` on.
    pub fn memory<T: Element>(name: &'static str, address: u64, len: u64, writable: bool) -> Arg {
        let element_bytes = size_of::<T>() as u32;
        Arg { name, value: ArgValue::Memory { address, len, element_bytes, writable } }
    }
}
