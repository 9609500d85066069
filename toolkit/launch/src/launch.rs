//! A launch and its arguments, with their types forgotten.

use crate::{DeviceId, Element, Shape};

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

impl Launch<'_> {
    /// Checks that all memory among the arguments is of the device that is to run the kernel.
    ///
    /// # Panics
    /// If a parameter is memory of another device.
    pub fn assert_on(&self, device: DeviceId) {
        for arg in self.args {
            if let ArgValue::Memory { device: owner, .. } = arg.value {
                assert!(
                    owner == device,
                    "kernel {} is launched on {device}, and its parameter {} is memory of {owner}",
                    self.kernel,
                    arg.name
                );
            }
        }
    }
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
        /// The device that it is of.
        device: DeviceId,
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
    /// A parameter in the memory of `device`: the `len` elements from `address` on.
    pub fn memory<T: Element>(
        name: &'static str,
        device: DeviceId,
        address: u64,
        len: u64,
        writable: bool,
    ) -> Arg {
        let element_bytes = size_of::<T>() as u32;
        Arg { name, value: ArgValue::Memory { device, address, len, element_bytes, writable } }
    }
}
