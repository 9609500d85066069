//! What a kernel takes as a parameter.

use crate::imp;
use crate::memory::{Element, In, InOut};

#[cfg(not(target_arch = "nvptx64"))]
use warpwise_launch::{Arg, Device, Plain, View, ViewMut};

/// A type that a kernel can take as a parameter: [`In`], [`InOut`], a number, an array of numbers, `bool`, a structure that
/// [`element!`](crate::element) declares, or a group that [`parameters!`](crate::parameters) declares.
#[diagnostic::on_unimplemented(
    message = "a kernel takes no `{Self}`",
    label = "no parameter of a kernel",
    note = "a kernel takes `In<T>` and `InOut<T>` for memory, numbers, arrays of numbers, `bool`, structures of `element!`, and groups \
            of `parameters!`"
)]
pub trait Param: Copy {
    /// Whether it is a group of parameters. A group holds none.
    #[doc(hidden)]
    const IS_GROUP: bool = false;

    /// What kind of parameter it is, and the size of what it is or points to. It is the same on both sides.
    #[doc(hidden)]
    const LAYOUT: u64;

    /// What the PTX entry takes: a parameter for each field of a group, else one. The others are empty, and
    /// no parameters in PTX.
    #[cfg(target_arch = "nvptx64")]
    type Raw0;
    #[cfg(target_arch = "nvptx64")]
    #[doc(hidden)]
    type Raw1;
    #[cfg(target_arch = "nvptx64")]
    #[doc(hidden)]
    type Raw2;
    #[cfg(target_arch = "nvptx64")]
    #[doc(hidden)]
    type Raw3;
    #[cfg(target_arch = "nvptx64")]
    #[doc(hidden)]
    type Raw4;
    #[cfg(target_arch = "nvptx64")]
    #[doc(hidden)]
    type Raw5;
    #[cfg(target_arch = "nvptx64")]
    #[doc(hidden)]
    type Raw6;
    #[cfg(target_arch = "nvptx64")]
    #[doc(hidden)]
    type Raw7;

    /// The parameter from what the PTX entry was given.
    ///
    /// # Safety
    /// Only the entry that [`kernel!`](crate::kernel) makes calls this, with what the launch passed.
    #[cfg(target_arch = "nvptx64")]
    #[allow(clippy::too_many_arguments)]
    unsafe fn from_raw(
        raw0: Self::Raw0,
        raw1: Self::Raw1,
        raw2: Self::Raw2,
        raw3: Self::Raw3,
        raw4: Self::Raw4,
        raw5: Self::Raw5,
        raw6: Self::Raw6,
        raw7: Self::Raw7,
    ) -> Self;

    /// What the caller of the launch function passes.
    #[cfg(not(target_arch = "nvptx64"))]
    type Host<'a, D: Device>;

    /// Appends the argument, or those of a group's fields, with the type forgotten.
    #[cfg(not(target_arch = "nvptx64"))]
    fn erase<D: Device>(name: &'static str, host: Self::Host<'_, D>, args: &mut Vec<Arg>);

    /// The parameter as the emulated kernel body takes it.
    ///
    /// # Safety
    /// Only the body closure that [`kernel!`](crate::kernel) makes calls this, with arguments that
    /// [`erase`](Self::erase) of the same type made, while the launch's borrows last.
    #[cfg(not(target_arch = "nvptx64"))]
    unsafe fn take(args: &mut Args<'_>) -> Self;
}

/// The arguments of a launch, taken one after another.
#[cfg(not(target_arch = "nvptx64"))]
pub struct Args<'a> {
    args: &'a [Arg],
    next: usize,
}

#[cfg(not(target_arch = "nvptx64"))]
impl<'a> Args<'a> {
    /// From the first one on.
    pub fn new(args: &'a [Arg]) -> Args<'a> {
        Args { args, next: 0 }
    }

    /// The next one, with its number.
    ///
    /// # Panics
    /// If there is none.
    fn take(&mut self) -> (usize, &'a Arg) {
        let index = self.next;
        self.next += 1;
        (index, &self.args[index])
    }

    /// The value of the next one.
    fn take_plain<T: Element>(&mut self) -> T {
        match self.take().1 {
            Arg { value: warpwise_launch::ArgValue::Plain(plain), .. } => plain.to(),
            arg => unreachable!("{}: erased by another type", arg.name),
        }
    }
}

/// What the PTX entry takes for a parameter that is no group.
#[doc(hidden)]
#[macro_export]
macro_rules! __one_raw {
    ($raw:ty, |$value:ident| $parameter:expr) => {
        type Raw0 = $raw;
        type Raw1 = ();
        type Raw2 = ();
        type Raw3 = ();
        type Raw4 = ();
        type Raw5 = ();
        type Raw6 = ();
        type Raw7 = ();

        #[inline(always)]
        unsafe fn from_raw(
            $value: $raw,
            (): (),
            (): (),
            (): (),
            (): (),
            (): (),
            (): (),
            (): (),
        ) -> Self {
            $parameter
        }
    };
}

/// What the PTX entry takes for a group: a parameter for each field.
#[doc(hidden)]
#[macro_export]
macro_rules! __group_raw {
    ($name:ident $($field:ident: $type:ty,)*) => {
        $crate::__group_raw! {
            @slots $name []
            [[Raw0 raw0] [Raw1 raw1] [Raw2 raw2] [Raw3 raw3] [Raw4 raw4] [Raw5 raw5] [Raw6 raw6] [Raw7 raw7]]
            $($field: $type,)*
        }
    };
    (
        @slots $name:ident [$($done:tt)*] [[$raw:ident $value:ident] $($free:tt)*]
        $field:ident: $type:ty, $($rest:tt)*
    ) => {
        $crate::__group_raw! {
            @slots $name [$($done)* [$raw $value $field: $type]] [$($free)*] $($rest)*
        }
    };
    (@slots $name:ident [$($done:tt)*] [] $($rest:tt)+) => {
        ::core::compile_error!("a group has at most 8 fields: make two of it");
    };
    (
        @slots $name:ident [$([$raw:ident $value:ident $field:ident: $type:ty])*]
        [$([$unused:ident $nothing:ident])*]
    ) => {
        $(type $raw = <$type as $crate::Param>::Raw0;)*
        $(type $unused = ();)*

        #[inline(always)]
        unsafe fn from_raw(
            $($value: Self::$raw,)*
            $($nothing: Self::$unused,)*
        ) -> Self {
            let _ = [$($nothing),*];
            // SAFETY: the caller's promise, for each field.
            unsafe {
                $name {
                    $($field: <$type as $crate::Param>::from_raw($value, (), (), (), (), (), (), ())),*
                }
            }
        }
    };
}

/// What a parameter that is only read points to in a PTX entry: the start of an array of unknown length.
///
/// A reference to it makes the parameter `noalias readonly`, so that its loads become `ld.global.nc`, and it
/// claims no byte: the array may be empty. Elements are reached through the pointer that it was made of, whose
/// bounds are the kernel's contract.
#[cfg(target_arch = "nvptx64")]
#[repr(C)]
pub struct Start<T>([T; 0]);

/// The layout of a parameter: 0 is passed as it is, 1 is memory that is read, and 2 memory that is written.
#[doc(hidden)]
pub const fn __layout<T>(kind: u64) -> u64 {
    ((size_of::<T>() as u64) << 16) | ((align_of::<T>() as u64) << 4) | kind
}

impl<T: Element> Param for In<T> {
    const LAYOUT: u64 = __layout::<T>(1);

    #[cfg(target_arch = "nvptx64")]
    __one_raw!(&'static Start<T>, |raw| In {
        base: imp::Global::from_ptr(core::ptr::from_ref(raw).cast_mut().cast())
    });

    #[cfg(not(target_arch = "nvptx64"))]
    type Host<'a, D: Device> = View<'a, T, D>;

    #[cfg(not(target_arch = "nvptx64"))]
    fn erase<D: Device>(name: &'static str, host: View<'_, T, D>, args: &mut Vec<Arg>) {
        args.push(Arg::memory::<T>(name, host.device(), host.address(), host.len(), false));
    }

    #[cfg(not(target_arch = "nvptx64"))]
    unsafe fn take(args: &mut Args<'_>) -> Self {
        let (index, arg) = args.take();
        In { base: imp::Global::from_arg(index, arg) }
    }
}

impl<T: Element> Param for InOut<T> {
    const LAYOUT: u64 = __layout::<T>(2);

    #[cfg(target_arch = "nvptx64")]
    __one_raw!(*mut T, |raw| InOut { base: imp::Global::from_ptr(raw) });

    #[cfg(not(target_arch = "nvptx64"))]
    type Host<'a, D: Device> = ViewMut<'a, T, D>;

    #[cfg(not(target_arch = "nvptx64"))]
    fn erase<D: Device>(name: &'static str, host: ViewMut<'_, T, D>, args: &mut Vec<Arg>) {
        args.push(Arg::memory::<T>(name, host.device(), host.address(), host.len(), true));
    }

    #[cfg(not(target_arch = "nvptx64"))]
    unsafe fn take(args: &mut Args<'_>) -> Self {
        let (index, arg) = args.take();
        InOut { base: imp::Global::from_arg(index, arg) }
    }
}

impl Param for bool {
    const LAYOUT: u64 = __layout::<u8>(0);

    #[cfg(target_arch = "nvptx64")]
    __one_raw!(u8, |raw| raw != 0);

    #[cfg(not(target_arch = "nvptx64"))]
    type Host<'a, D: Device> = bool;

    #[cfg(not(target_arch = "nvptx64"))]
    fn erase<D: Device>(name: &'static str, host: bool, args: &mut Vec<Arg>) {
        args.push(Arg::plain(name, u8::from(host)));
    }

    #[cfg(not(target_arch = "nvptx64"))]
    unsafe fn take(args: &mut Args<'_>) -> Self {
        args.take_plain::<u8>() != 0
    }
}

/// Makes an element a parameter that is passed as it is.
#[doc(hidden)]
#[macro_export]
macro_rules! __plain_parameter {
    ($type:ty $(, $($generic:tt)+)?) => {
        impl $(<$($generic)+>)? $crate::Param for $type {
            const LAYOUT: u64 = $crate::__layout::<$type>(0);

            #[cfg(target_arch = "nvptx64")]
            $crate::__one_raw!($type, |raw| raw);

            #[cfg(not(target_arch = "nvptx64"))]
            type Host<'a, AnyDevice: $crate::launch::Device> = $type;

            #[cfg(not(target_arch = "nvptx64"))]
            fn erase<AnyDevice: $crate::launch::Device>(
                name: &'static str,
                host: $type,
                args: &mut ::std::vec::Vec<$crate::launch::Arg>,
            ) {
                args.push($crate::launch::Arg::plain(name, host));
            }

            #[cfg(not(target_arch = "nvptx64"))]
            unsafe fn take(args: &mut $crate::Args<'_>) -> Self {
                $crate::__take_plain(args)
            }
        }
    };
}

/// The value of the next argument.
#[doc(hidden)]
#[cfg(not(target_arch = "nvptx64"))]
pub fn __take_plain<T: Element>(args: &mut Args<'_>) -> T {
    args.take_plain()
}

macro_rules! numbers {
    ($($number:ty)*) => {
        $(__plain_parameter!($number);)*
    };
}

numbers!(u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f32 f64);
__plain_parameter!([T; N], T: Element, const N: usize);

/// The bytes of a parameter, of which there are no more than a kernel can be passed.
#[cfg(not(target_arch = "nvptx64"))]
const _: () = assert!(Plain::MOST_BYTES <= 4096);

/// Declares a structure of numbers that buffers hold and kernels take as a parameter.
///
/// It is `#[repr(C)]`, `Copy`, and on a host [`bytemuck::Pod`](crate::launch::bytemuck::Pod). Padding between its fields is
/// an error of the compiler: put the fields in descending order of size, or write the padding as a field. With
/// `#[repr(align(16))]` before it a GPU reads and writes each 16 bytes by one access, as CUDA's `float4`.
///
/// ```
/// use warpwise_device::launch::{Buffer, Shape};
/// use warpwise_device::memory::InOut;
/// use warpwise_device::{element, kernel, thread};
///
/// element! {
///     /// A point in the plane.
///     #[derive(Debug, PartialEq)]
///     pub struct Point {
///         pub x: f32,
///         pub y: f32,
///     }
/// }
///
/// kernel!(
///     /// Moves every point by `by`.
///     #[requires(|shape| shape.threads() <= points.len())]
///     pub unsafe fn shift(points: InOut<Point>, by: Point) {
///         let i = thread::index_1d();
///         let Point { x, y } = points.get(i);
///         points.set(i, Point { x: x + by.x, y: y + by.y });
///     }
/// );
///
/// # fn main() -> Result<(), warpwise_device::emulated::EmulatorError> {
/// # let device = warpwise_device::emulated::Emulator::new();
/// let mut points = Buffer::from_host(&device, &[Point { x: 0.5, y: 1.0 }; 3])?;
/// shift(&device, Shape::new(1, 3), points.view_mut(), Point { x: 1.0, y: -1.0 })?;
/// assert_eq!(points.to_vec(&device)?, [Point { x: 1.5, y: 0.0 }; 3]);
/// # Ok(())
/// # }
/// ```
///
/// ```compile_fail
/// warpwise_device::element! {
///     pub struct Padded {
///         pub byte: u8,
///         pub word: u32,
///     }
/// }
/// ```
#[macro_export]
macro_rules! element {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $($(#[$field_meta:meta])* $field_vis:vis $field:ident : $type:ty),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy)]
        #[repr(C)]
        $vis struct $name {
            $($(#[$field_meta])* $field_vis $field: $type),*
        }

        const _: () = {
            const fn is_element<T: $crate::memory::Element>() {}
            $(is_element::<$type>();)*
            assert!(
                ::core::mem::size_of::<$name>() == 0 $(+ ::core::mem::size_of::<$type>())*,
                concat!("`", stringify!($name), "` has padding between its fields or behind them")
            );
        };

        // SAFETY: the fields are elements, and nothing lies between them.
        #[cfg(target_arch = "nvptx64")]
        unsafe impl $crate::memory::Element for $name {}
        // SAFETY: zero is a value of every field.
        #[cfg(not(target_arch = "nvptx64"))]
        unsafe impl $crate::launch::bytemuck::Zeroable for $name {}
        // SAFETY: the fields are elements, and nothing lies between them.
        #[cfg(not(target_arch = "nvptx64"))]
        unsafe impl $crate::launch::bytemuck::Pod for $name {}

        $crate::__plain_parameter!($name);
    };
}

/// Which side sees a group of [`parameters!`](crate::parameters): the kernel's body, or the caller of the launch.
pub trait Side {
    /// What a parameter of type `P` is on this side.
    type Of<P: Param>;
}

/// The kernel's body.
#[derive(Clone, Copy)]
pub struct InKernel;

impl Side for InKernel {
    type Of<P: Param> = P;
}

/// The caller of the launch.
#[cfg(not(target_arch = "nvptx64"))]
pub struct OnHost<'a, D>(core::marker::PhantomData<&'a ()>, core::marker::PhantomData<D>);

#[cfg(not(target_arch = "nvptx64"))]
impl<'a, D: Device> Side for OnHost<'a, D> {
    type Of<P: Param> = P::Host<'a, D>;
}

/// Declares parameters that go together, such as the arrays of a graph: a kernel takes them as one.
///
/// In a kernel's body the fields are what they are declared as. The caller of the launch fills in the same structure with
/// views and numbers, and `requires` sees those. On a GPU each field is a parameter of its own, as if it had been
/// declared in the group's place. A group has at most 8 fields, and no field is a group.
///
/// ```
/// use warpwise_device::launch::{Buffer, Shape};
/// use warpwise_device::memory::{In, InOut};
/// use warpwise_device::{kernel, parameters, thread};
///
/// parameters! {
///     /// Numbers in rows: row `r` is `starts[r]..starts[r + 1]` of `numbers`.
///     pub struct Rows {
///         /// Where each row starts, and where the last one ends.
///         pub starts: In<u64>,
///         /// The numbers of all rows.
///         pub numbers: In<f32>,
///     }
/// }
///
/// kernel!(
///     #[requires(|shape| rows.starts.len() > sums.len(), sums.len() >= shape.threads())]
///     pub unsafe fn sum_rows(rows: Rows, sums: InOut<f32>) {
///         let row = thread::index_1d();
///         let (mut i, end) = (rows.starts.get(row), rows.starts.get(row + 1));
///         let mut sum = 0.0;
///         while i < end {
///             sum += rows.numbers.get(i);
///             i += 1;
///         }
///         sums.set(row, sum);
///     }
/// );
///
/// # fn main() -> Result<(), warpwise_device::emulated::EmulatorError> {
/// # let device = warpwise_device::emulated::Emulator::new();
/// let starts = Buffer::from_host(&device, &[0u64, 2, 3])?;
/// let numbers = Buffer::from_host(&device, &[1.0f32, 2.0, 4.0])?;
/// let mut sums = Buffer::zeroed(&device, 2)?;
/// let rows = Rows { starts: starts.view(), numbers: numbers.view() };
/// sum_rows(&device, Shape::new(1, 2), rows, sums.view_mut())?;
/// assert_eq!(sums.to_vec(&device)?, [3.0, 4.0]);
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! parameters {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $($(#[$field_meta:meta])* $field_vis:vis $field:ident : $type:ty),* $(,)?
        }
    ) => {
        $(#[$meta])*
        $vis struct $name<AnySide: $crate::Side = $crate::InKernel> {
            $($(#[$field_meta])* $field_vis $field: AnySide::Of<$type>),*
        }

        // The derive would ask for a clone of both sides.
        #[allow(clippy::expl_impl_clone_on_copy)]
        impl Clone for $name {
            #[inline(always)]
            fn clone(&self) -> Self {
                *self
            }
        }

        impl Copy for $name {}

        const _: () = {
            $(assert!(
                !<$type as $crate::Param>::IS_GROUP,
                concat!("`", stringify!($field), "` is a group: list its fields instead")
            );)*

            impl $crate::Param for $name {
                const IS_GROUP: bool = true;
                const LAYOUT: u64 = $crate::__kernel!(@takes [$($field: $type,)*]);

                #[cfg(target_arch = "nvptx64")]
                $crate::__group_raw!($name $($field: $type,)*);

                #[cfg(not(target_arch = "nvptx64"))]
                type Host<'a, AnyDevice: $crate::launch::Device> = $name<$crate::OnHost<'a, AnyDevice>>;

                #[cfg(not(target_arch = "nvptx64"))]
                fn erase<AnyDevice: $crate::launch::Device>(
                    _: &'static str,
                    host: Self::Host<'_, AnyDevice>,
                    args: &mut ::std::vec::Vec<$crate::launch::Arg>,
                ) {
                    $(<$type as $crate::Param>::erase::<AnyDevice>(stringify!($field), host.$field, args);)*
                }

                #[cfg(not(target_arch = "nvptx64"))]
                unsafe fn take(args: &mut $crate::Args<'_>) -> Self {
                    // SAFETY: the caller's promise, for each field, in the same order.
                    unsafe { $name { $($field: <$type as $crate::Param>::take(args)),* } }
                }
            }
        };
    };
}
