//! A launch and its arguments, with their types forgotten.

use std::any::type_name;
use std::fmt;

use crate::{Device, DeviceId, Element, Shape};

/// A launch with its types forgotten, as `kernel!` hands it to a device.
#[derive(Debug, Clone, Copy)]
pub struct Launch<'a> {
    /// The kernel's name: its entry in the PTX module.
    pub kernel: &'static str,
    /// What the kernel's parameters are, as one number: the variable `KERNEL__takes_NUMBER` stands beside the entry.
    pub takes: u64,
    /// How many threads.
    pub shape: Shape,
    /// The arguments, in the order of the parameters.
    pub args: &'a [Arg],
    /// The body of one thread, for the emulator.
    pub body: fn(&[Arg]),
}

impl Launch<'_> {
    /// Checks that all memory among the arguments is such as the device that is to run the kernel accepts.
    ///
    /// # Panics
    /// If a parameter is memory of another device.
    #[track_caller]
    pub fn assert_on<D: Device>(&self, device: &D) {
        for arg in self.args {
            if let ArgValue::Memory { device: owner, .. } = arg.value {
                assert!(
                    device.accepts(owner),
                    "kernel {} is launched on {}, and its parameter {} is memory of {owner}",
                    self.kernel,
                    device.id(),
                    arg.name
                );
            }
        }
    }
}

/// A kernel by the name of its entry, which `entry!` of `warpwise-device` gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry(pub &'static str);

/// One argument of a launch, or one field of a group of them.
#[derive(Debug, Clone, Copy)]
pub struct Arg {
    /// The parameter's name.
    pub name: &'static str,
    /// The parameter's value.
    pub value: ArgValue,
}

/// What decides whether a condition holds, for people: the lengths and numbers that it names, and the shape.
#[doc(hidden)]
pub fn named_by(condition: &str, args: &[Arg], shape: Shape) -> String {
    let named = args.iter().filter(|arg| condition.contains(arg.name));
    let listed = named.map(|Arg { name, value }| match value {
        ArgValue::Memory { len, .. } => format!("{name}.len() is {len}, "),
        ArgValue::Plain(plain) => {
            plain.number().map_or_else(String::new, |number| format!("{name} is {number}, "))
        }
    });
    listed.collect::<String>() + &shape.to_string()
}

/// The value of an [`Arg`].
#[derive(Debug, Clone, Copy)]
#[expect(clippy::large_enum_variant, reason = "a launch has a few, for as long as it is asked for")]
pub enum ArgValue {
    /// Device memory.
    Memory {
        /// The device whose memory it is.
        device: DeviceId,
        /// The address where the memory starts.
        address: u64,
        /// The number of elements.
        len: u64,
        /// Bytes of an element.
        element_bytes: u32,
        /// What the addresses of elements are multiples of.
        element_align: u32,
        /// Whether the kernel may write the memory.
        writable: bool,
    },
    /// A number or a plain structure.
    Plain(Plain),
}

impl ArgValue {
    /// Where the bytes are that a kernel is passed: an address, or the value itself. Any type that is a parameter may start there.
    pub fn as_ptr(&self) -> *const u8 {
        match self {
            ArgValue::Memory { address, .. } => std::ptr::from_ref(address).cast(),
            ArgValue::Plain(plain) => plain.bytes.as_ptr(),
        }
    }
}

/// The bytes of a number or a plain structure.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub struct Plain {
    bytes: [u8; Plain::MOST_BYTES],
    len: u16,
    /// The name of the type, as the compiler writes it.
    of: &'static str,
}

impl Plain {
    /// Bytes of the largest structure that is passed as a parameter; larger ones go through a
    /// [`Buffer`](crate::Buffer).
    pub const MOST_BYTES: usize = 256;

    /// The bytes of `value`.
    pub fn of<T: Element>(value: T) -> Plain {
        const {
            assert!(size_of::<T>() <= Plain::MOST_BYTES, "larger than a parameter may be");
            assert!(align_of::<T>() <= 16, "aligned to more than a parameter may be");
        }
        let mut bytes = [0; Plain::MOST_BYTES];
        bytes[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(&value));
        Plain { bytes, len: size_of::<T>() as u16, of: type_name::<T>() }
    }

    /// The number that these bytes are, for people; `None` of anything else.
    fn number(&self) -> Option<String> {
        Some(match self.of {
            "u8" => self.to::<u8>().to_string(),
            "u16" => self.to::<u16>().to_string(),
            "u32" => self.to::<u32>().to_string(),
            "u64" => self.to::<u64>().to_string(),
            "u128" => self.to::<u128>().to_string(),
            "i8" => self.to::<i8>().to_string(),
            "i16" => self.to::<i16>().to_string(),
            "i32" => self.to::<i32>().to_string(),
            "i64" => self.to::<i64>().to_string(),
            "i128" => self.to::<i128>().to_string(),
            "f32" => self.to::<f32>().to_string(),
            "f64" => self.to::<f64>().to_string(),
            _ => return None,
        })
    }

    /// The value that these bytes are.
    ///
    /// # Panics
    /// If they are those of a type of another size.
    pub fn to<T: Element>(&self) -> T {
        bytemuck::pod_read_unaligned(self.bytes())
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len.into()]
    }
}

impl fmt::Debug for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Plain").field(&self.bytes()).finish()
    }
}

impl Arg {
    /// A parameter with its name and value.
    pub fn new(name: &'static str, value: ArgValue) -> Arg {
        Arg { name, value }
    }

    /// A parameter in the memory of `device`: the `len` elements from `address` on.
    pub fn memory<T: Element>(
        name: &'static str,
        device: DeviceId,
        address: u64,
        len: u64,
        writable: bool,
    ) -> Arg {
        let (element_bytes, element_align) = (size_of::<T>() as u32, align_of::<T>() as u32);
        let value =
            ArgValue::Memory { device, address, len, element_bytes, element_align, writable };
        Arg::new(name, value)
    }

    /// A number or a plain structure.
    ///
    /// ```compile_fail
    /// use warpwise_launch::Arg;
    ///
    /// Arg::plain("too large", [0u64; 33]);
    /// ```
    pub fn plain<T: Element>(name: &'static str, value: T) -> Arg {
        Arg::new(name, ArgValue::Plain(Plain::of(value)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Arg, Plain, named_by};
    use crate::{DeviceId, Shape};

    #[test]
    fn numbers_are_passed_as_their_bytes() {
        assert_eq!(Plain::of(u32::MAX).bytes(), [0xFF; 4]);
        assert_eq!(Plain::of(-2i64).bytes(), (-2i64).to_ne_bytes());
        assert_eq!(Plain::of(-1.5f32).bytes(), (-1.5f32).to_ne_bytes());
        assert_eq!(Plain::of([1u16, 2, 3]).to::<[u16; 3]>(), [1, 2, 3]);
        assert_eq!(Plain::of(-1.5f64).to::<f64>(), -1.5);
        assert_eq!(Plain::of(7u8).bytes(), [7]);
    }

    #[test]
    fn numbers_are_named_by_their_values() {
        let args = [
            Arg::plain("whole", -5i32),
            Arg::plain("real", -1.5f32),
            Arg::plain("wide", u64::MAX),
            Arg::plain("pair", [1u32, 2]),
            Arg::plain("other", 7u8),
        ];
        let shape = Shape::new(1, 2);
        assert_eq!(
            named_by("whole < 0 && real < 0.0 && wide > 3 && pair[0] == 1", &args, shape),
            format!("whole is -5, real is -1.5, wide is 18446744073709551615, {shape}")
        );
    }

    #[test]
    fn parameters_start_where_any_type_may() {
        let args = [Arg::plain("a", 1u8), Arg::plain("b", [2u64, 3, 4]), Arg::plain("c", 5u32)];
        for (arg, first) in args.iter().zip([1, 2, 5]) {
            let at = arg.value.as_ptr();
            // SAFETY: the argument has a byte.
            assert_eq!((at.addr() % 16, unsafe { at.read() }), (0, first));
        }
        let memory = Arg::memory::<u16>("d", DeviceId::unique(), 0x1234, 7, false);
        let at = memory.value.as_ptr().cast::<u64>();
        // SAFETY: the argument has an address.
        assert_eq!((at.is_aligned(), unsafe { at.read() }), (true, 0x1234));
    }
}
