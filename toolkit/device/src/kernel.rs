//! One declaration of a kernel, from which its PTX entry, its typed launch and its emulation come.

use crate::imp;
use crate::memory::{Element, In, InOut};

#[cfg(not(target_arch = "nvptx64"))]
use tribin_launch::{Arg, ArgValue, Device, View, ViewMut};

/// A type that a kernel can take as a parameter.
pub trait Param: Copy {
    /// What the PTX entry takes.
    #[cfg(target_arch = "nvptx64")]
    type Raw;

    /// The parameter from what the PTX entry was given.
    ///
    /// # Safety
    /// Only the entry that [`kernel!`](crate::kernel) makes calls this, with what the launch passed.
    #[cfg(target_arch = "nvptx64")]
    unsafe fn from_raw(raw: Self::Raw) -> Self;

    /// What the caller of the launch function passes.
    #[cfg(not(target_arch = "nvptx64"))]
    type Host<'a, D: Device>;

    /// The argument with its type forgotten, for the launch.
    #[cfg(not(target_arch = "nvptx64"))]
    fn erase<D: Device>(name: &'static str, host: Self::Host<'_, D>) -> Arg;

    /// The parameter as the emulated kernel body takes it.
    ///
    /// # Safety
    /// Only the body closure that [`kernel!`](crate::kernel) makes calls this, with an argument that
    /// [`erase`](Self::erase) of the same type made, while the launch's borrows last.
    #[cfg(not(target_arch = "nvptx64"))]
    unsafe fn from_arg(index: usize, arg: &Arg) -> Self;
}

impl<T: Element> Param for In<T> {
    // A reference makes the parameter `noalias readonly`: its loads become `ld.global.nc`.
    #[cfg(target_arch = "nvptx64")]
    type Raw = &'static T;

    #[cfg(target_arch = "nvptx64")]
    #[inline(always)]
    unsafe fn from_raw(raw: &'static T) -> Self {
        In { base: imp::Global::from_ptr(core::ptr::from_ref(raw).cast_mut()) }
    }

    #[cfg(not(target_arch = "nvptx64"))]
    type Host<'a, D: Device> = View<'a, T, D>;

    #[cfg(not(target_arch = "nvptx64"))]
    fn erase<D: Device>(name: &'static str, host: View<'_, T, D>) -> Arg {
        Arg::memory::<T>(name, host.device(), host.address(), host.len(), false)
    }

    #[cfg(not(target_arch = "nvptx64"))]
    unsafe fn from_arg(index: usize, arg: &Arg) -> Self {
        In { base: imp::Global::from_arg(index, arg) }
    }
}

impl<T: Element> Param for InOut<T> {
    #[cfg(target_arch = "nvptx64")]
    type Raw = *mut T;

    #[cfg(target_arch = "nvptx64")]
    #[inline(always)]
    unsafe fn from_raw(raw: *mut T) -> Self {
        InOut { base: imp::Global::from_ptr(raw) }
    }

    #[cfg(not(target_arch = "nvptx64"))]
    type Host<'a, D: Device> = ViewMut<'a, T, D>;

    #[cfg(not(target_arch = "nvptx64"))]
    fn erase<D: Device>(name: &'static str, host: ViewMut<'_, T, D>) -> Arg {
        Arg::memory::<T>(name, host.device(), host.address(), host.len(), true)
    }

    #[cfg(not(target_arch = "nvptx64"))]
    unsafe fn from_arg(index: usize, arg: &Arg) -> Self {
        InOut { base: imp::Global::from_arg(index, arg) }
    }
}

macro_rules! scalar {
    ($type:ty, $variant:ident) => {
        impl Param for $type {
            #[cfg(target_arch = "nvptx64")]
            type Raw = $type;

            #[cfg(target_arch = "nvptx64")]
            #[inline(always)]
            unsafe fn from_raw(raw: $type) -> Self {
                raw
            }

            #[cfg(not(target_arch = "nvptx64"))]
            type Host<'a, D: Device> = $type;

            #[cfg(not(target_arch = "nvptx64"))]
            fn erase<D: Device>(name: &'static str, host: $type) -> Arg {
                Arg { name, value: ArgValue::$variant(host) }
            }

            #[cfg(not(target_arch = "nvptx64"))]
            unsafe fn from_arg(_index: usize, arg: &Arg) -> Self {
                match arg.value {
                    ArgValue::$variant(value) => value,
                    _ => unreachable!("{}: erased by another type", arg.name),
                }
            }
        }
    };
}

scalar!(u32, U32);
scalar!(u64, U64);
scalar!(i32, I32);
scalar!(i64, I64);
scalar!(f32, F32);
scalar!(f64, F64);

/// Declares a kernel.
///
/// ```
/// use tribin_device::{kernel, memory::{In, InOut}, thread};
///
/// kernel! {
///     /// `sum[i] = a[i] + b[i]` for every `i < n`.
///     pub fn add(a: In<u32>, b: In<u32>, sum: InOut<u32>, n: u64)
///     requires { a.len() >= n, b.len() >= n, sum.len() >= n }
///     {
///         let i = thread::index_1d();
///         if i < n {
///             sum.set(i, a.get(i).wrapping_add(b.get(i)));
///         }
///     }
/// }
/// # fn main() {}
/// ```
///
/// On a host this is `fn add<D: Device>(device: &D, shape: Shape, a: View<u32, D>, b: View<u32, D>,
/// sum: ViewMut<u32, D>, n: u64) -> Result<(), D::Error>`. It panics where the caller breaks a
/// condition of `requires` or passes memory of another device: that is a defect of the caller, and what
/// is launched past it would read or write somebody else's memory. After `requires` may stand `launch_bounds(threads, blocks)`: blocks
/// have at most so many threads, and registers are kept few enough for `blocks` blocks on a
/// multiprocessor. The body is an `unsafe fn`'s: indices that `requires` cannot
/// bound (those that come from memory) are its own responsibility, and the emulator checks them.
#[macro_export]
macro_rules! kernel {
    (
        $(#[$meta:meta])*
        pub fn $name:ident ( $($arg:ident : $type:ty),* $(,)? )
        requires { $($condition:expr),* $(,)? }
        $(launch_bounds($threads:expr, $blocks:expr))?
        $body:block
    ) => {
        // The builder sorts kernels by the modules that declare them.
        #[cfg(target_arch = "nvptx64")]
        core::arch::global_asm!(concat!(
            "// kernel ", stringify!($name), " in ", module_path!()
        ));

        $(
            // rustc has no attribute for it: the builder turns the comment into PTX directives.
            #[cfg(target_arch = "nvptx64")]
            core::arch::global_asm!(
                concat!("// launch-bounds ", stringify!($name), " {} {}"),
                const $threads, const $blocks
            );
        )?

        #[cfg(target_arch = "nvptx64")]
        $(#[$meta])*
        #[unsafe(no_mangle)]
        #[allow(unsafe_op_in_unsafe_fn)]
        pub unsafe extern "ptx-kernel" fn $name($($arg: <$type as $crate::Param>::Raw),*) {
            $(let $arg = <$type as $crate::Param>::from_raw($arg);)*
            $body
        }

        #[cfg(not(target_arch = "nvptx64"))]
        $(#[$meta])*
        ///
        /// # Errors
        /// What the device reports.
        ///
        /// # Panics
        /// If a condition that the kernel requires does not hold, or a buffer is of another device.
        #[allow(clippy::too_many_arguments)]
        pub fn $name<D: $crate::launch::Device>(
            device: &D,
            shape: $crate::launch::Shape,
            $($arg: <$type as $crate::Param>::Host<'_, D>),*
        ) -> Result<(), D::Error> {
            #[allow(clippy::too_many_arguments, clippy::missing_safety_doc, unsafe_op_in_unsafe_fn)]
            unsafe fn body($($arg: $type),*) {
                $body
            }
            $(
                assert!(
                    $condition,
                    concat!("kernel ", stringify!($name), " requires ", stringify!($condition))
                );
            )*
            let args = [$(<$type as $crate::Param>::erase::<D>(stringify!($arg), $arg)),*];
            let launch = $crate::launch::Launch {
                kernel: stringify!($name),
                shape,
                args: &args,
                body: &|args| {
                    let mut args = args.iter().enumerate();
                    // SAFETY: the arguments were erased above, in this order, by these types.
                    unsafe {
                        $(
                            let (index, arg) = args.next().expect("one argument a parameter");
                            let $arg = <$type as $crate::Param>::from_arg(index, arg);
                        )*
                        body($($arg),*);
                    }
                },
            };
            launch.assert_on(device.id());
            // SAFETY: the arguments were erased from the parameters, whose views borrow live
            // buffers; these are of the device, and the conditions hold.
            unsafe { device.launch(launch) }
        }
    };
}
