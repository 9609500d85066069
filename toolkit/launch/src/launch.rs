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
    /// A signed 32-bit number.
    I32(i32),
    /// A signed 64-bit number.
    I64(i64),
    /// A 32-bit floating-point number.
    F32(f32),
    /// A 64-bit floating-point number.
    F64(f64),
}

impl ArgValue {
    /// The bits of the parameter as a kernel is passed it, those of a 32-bit number in the lower half:
    /// its bytes come first in memory, as on every GPU.
    pub fn to_bits(self) -> u64 {
        match self {
            ArgValue::Memory { address, .. } => address,
            ArgValue::U32(value) => u64::from(value),
            ArgValue::U64(value) => value,
            ArgValue::I32(value) => u64::from(value.cast_unsigned()),
            ArgValue::I64(value) => value.cast_unsigned(),
            ArgValue::F32(value) => u64::from(value.to_bits()),
            ArgValue::F64(value) => value.to_bits(),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::ArgValue;

    #[test]
    fn scalars_are_passed_as_their_bits_and_shorter_ones_in_the_lower_half() {
        assert_eq!(ArgValue::U32(u32::MAX).to_bits(), 0xFFFF_FFFF);
        assert_eq!(ArgValue::U64(u64::MAX).to_bits(), u64::MAX);
        assert_eq!(ArgValue::I32(-2).to_bits(), 0xFFFF_FFFE);
        assert_eq!(ArgValue::I64(-2).to_bits(), u64::MAX - 1);
        assert_eq!(ArgValue::F32(-1.5).to_bits(), 0xBFC0_0000);
        assert_eq!(ArgValue::F64(-1.5).to_bits(), 0xBFF8_0000_0000_0000);
    }
}
