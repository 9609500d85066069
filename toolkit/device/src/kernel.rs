//! One declaration of a kernel, from which its PTX entry, its typed launch and its emulation come.

/// Declares kernels.
///
/// ```
/// use tribin_device::{kernel, memory::{In, InOut}, thread};
///
/// kernel!(
///     /// `y[i] = a * x[i] + y[i]` for every `i`.
///     #[requires(|shape| x.len() == y.len(), shape.threads() <= y.len())]
///     pub fn saxpy(a: f32, x: In<f32>, y: InOut<f32>) {
///         let i = thread::index_1d();
///         y.set(i, a * x.get(i) + y.get(i));
///     }
/// );
/// # fn main() {}
/// ```
///
/// On a host this is `fn saxpy<D: Device>(device: &D, shape: Shape, a: f32, x: View<f32, D>, y: ViewMut<f32, D>)
/// -> Result<(), D::Error>`. The kernels stand in parentheses because rustfmt formats them then; there may be several.
/// These attributes say more, in any order, and none is needed:
///
/// | attribute | meaning |
/// | --- | --- |
/// | `#[requires(condition, ...)]` | what the caller promises; a launch checks it and panics where it does not hold |
/// | <code>#[requires(\|shape\| condition, ...)]</code> | the same, with the [`Shape`](crate::launch::Shape) of the launch at hand |
/// | `#[launch_bounds(threads, blocks)]` | blocks have at most so many threads, and registers are kept few enough for `blocks` blocks on a multiprocessor |
/// | `#[instances(32, 64)]` | the values of the one constant parameter (`fn count<const W: u32>`); each is an entry of its own, `count_32` and `count_64`, launched as `count::<32, _>` |
///
/// # The unsafe boundary
///
/// `kernel!` is where a program promises what `unsafe` promises elsewhere. The launch function is safe to call, and the
/// accessors are safe to use in the body, yet on a GPU no access is checked. So whoever declares a kernel vouches that
/// its body keeps the [contract of a kernel](crate#the-contract-of-a-kernel) whenever the conditions of
/// `requires` hold: what the caller passes is bounded by `requires`, and what comes from memory is the
/// body's own responsibility. The emulator checks all of it, access by access. A launch checks `requires`, and that
/// memory is of the device: to break either is a defect of the caller, and what is launched past it would read or write
/// somebody else's memory.
///
/// # Braces
///
/// An older form has braces, a clause `requires { ... }` that may be empty, and one kernel. rustfmt leaves its body
/// alone:
///
/// ```
/// # use tribin_device::{kernel, memory::{In, InOut}, thread};
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
/// There `launch_bounds(threads, blocks)` may stand behind the clause.
#[macro_export]
macro_rules! kernel {
    (
        $(#[$meta:meta])*
        pub fn $name:ident ( $($arg:ident : $type:ty),* $(,)? )
        requires { $($condition:expr),* $(,)? }
        $(launch_bounds($threads:expr, $blocks:expr))?
        $body:block
    ) => {
        $crate::__kernel! {
            @declare [$([$meta])*] [[_shape] $([$condition])*] [$([$threads, $blocks])?]
            [pub] $name [$($arg: $type,)*] $body
        }
    };
    ($(
        $(#[$($attribute:tt)*])*
        $vis:vis fn $name:ident $(< const $constant:ident : $kind:ty >)?
        ( $($arg:ident : $type:ty),* $(,)? ) $body:block
    )+) => {
        $($crate::__kernel! {
            @attributes [] [[_shape]] [] [] [$([$($attribute)*])*]
            [$vis] $name [$($constant: $kind)?] [$($arg: $type,)*] $body
        })+
    };
    ($($other:tt)*) => {
        ::core::compile_error!(
            "a kernel is `fn name(parameter: Type, ...) { ... }`, without a result and with at most one constant \
             parameter"
        );
    };
}

/// The parts of [`kernel!`].
#[doc(hidden)]
#[macro_export]
macro_rules! __kernel {
    // Attributes, one by one: [others] [requires] [launch bounds] [instances] [those to come].
    (
        @attributes $meta:tt $requires:tt $bounds:tt $instances:tt
        [[requires(|$shape:ident| $($condition:expr),* $(,)?)] $($more:tt)*] $($item:tt)*
    ) => {
        $crate::__kernel! {
            @attributes $meta [[$shape] $([$condition])*] $bounds $instances [$($more)*] $($item)*
        }
    };
    (
        @attributes $meta:tt $requires:tt $bounds:tt $instances:tt
        [[requires($($condition:expr),* $(,)?)] $($more:tt)*] $($item:tt)*
    ) => {
        $crate::__kernel! {
            @attributes $meta [[_shape] $([$condition])*] $bounds $instances [$($more)*] $($item)*
        }
    };
    (
        @attributes $meta:tt $requires:tt $bounds:tt $instances:tt
        [[launch_bounds($threads:expr, $blocks:expr)] $($more:tt)*] $($item:tt)*
    ) => {
        $crate::__kernel! {
            @attributes $meta $requires [[$threads, $blocks]] $instances [$($more)*] $($item)*
        }
    };
    (
        @attributes $meta:tt $requires:tt $bounds:tt $instances:tt
        [[instances($($value:tt),+ $(,)?)] $($more:tt)*] $($item:tt)*
    ) => {
        $crate::__kernel! {
            @attributes $meta $requires $bounds [$([$value])+] [$($more)*] $($item)*
        }
    };
    (
        @attributes [$($meta:tt)*] $requires:tt $bounds:tt $instances:tt
        [[$one:meta] $($more:tt)*] $($item:tt)*
    ) => {
        $crate::__kernel! {
            @attributes [$($meta)* [$one]] $requires $bounds $instances [$($more)*] $($item)*
        }
    };
    (
        @attributes $meta:tt $requires:tt $bounds:tt [] []
        $vis:tt $name:ident [] $parameters:tt $body:block
    ) => {
        $crate::__kernel! { @declare $meta $requires $bounds $vis $name $parameters $body }
    };
    (
        @attributes $meta:tt $requires:tt $bounds:tt [$($instances:tt)+] []
        $vis:tt $name:ident [$($constant:tt)+] $parameters:tt $body:block
    ) => {
        $crate::__kernel! {
            @declare_instances $meta $requires $bounds [$($instances)+] $vis $name [$($constant)+]
            $parameters $body
        }
    };
    (@attributes $meta:tt $requires:tt $bounds:tt $instances:tt [] $vis:tt $name:ident $($rest:tt)*) => {
        ::core::compile_error!(concat!(
            "kernel ", stringify!($name), ": a constant parameter and `#[instances(...)]` belong together"
        ));
    };

    (
        @declare [$([$meta:meta])*] [$($requires:tt)*] [$([$threads:expr, $blocks:expr])?]
        [$vis:vis] $name:ident [$($arg:ident: $type:ty,)*] $body:block
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
        $crate::__kernel! {
            @ptx [$(#[$meta])* #[unsafe(no_mangle)]] $name [$body] [] [] $($arg: $type,)*
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
        $vis fn $name<D: $crate::launch::Device>(
            device: &D,
            shape: $crate::launch::Shape,
            $($arg: <$type as $crate::Param>::Host<'_, D>),*
        ) -> Result<(), D::Error> {
            #[allow(clippy::too_many_arguments)]
            fn body($($arg: $type),*) $body
            $crate::__kernel! { @requires $name shape $($requires)* }
            $crate::__kernel! {
                @launch device, shape, stringify!($name), body, D, [$($arg: $type,)*]
            }
        }
    };

    (
        @declare_instances [$([$meta:meta])*] [$($requires:tt)*] [$($bounds:tt)*] [$([$value:tt])+]
        [$vis:vis] $name:ident [$constant:ident: $kind:ty] [$($arg:ident: $type:ty,)*] $body:block
    ) => {
        $crate::__kernel! { @markers $name [$($bounds)*] $([$value])+ }

        #[cfg(target_arch = "nvptx64")]
        const _: () = {
            #[inline(always)]
            fn body<const $constant: $kind>($($arg: $type),*) $body
            $crate::__kernel! { @entries $name body [$($arg: $type,)*] $([$value])+ }
        };

        #[cfg(not(target_arch = "nvptx64"))]
        $(#[$meta])*
        ///
        /// # Errors
        /// What the device reports.
        ///
        /// # Panics
        /// If a condition that the kernel requires does not hold, or a buffer is of another device.
        #[allow(clippy::too_many_arguments)]
        $vis fn $name<const $constant: $kind, D: $crate::launch::Device>(
            device: &D,
            shape: $crate::launch::Shape,
            $($arg: <$type as $crate::Param>::Host<'_, D>),*
        ) -> Result<(), D::Error> {
            #[allow(clippy::too_many_arguments)]
            fn body<const $constant: $kind>($($arg: $type),*) $body
            let kernel = const {
                match $constant {
                    $($value => concat!(stringify!($name), "_", stringify!($value)),)+
                    _ => panic!(concat!(
                        "no instance of the kernel ", stringify!($name),
                        " has this value: add it to `#[instances(...)]`"
                    )),
                }
            };
            $crate::__kernel! { @requires $name shape $($requires)* }
            $crate::__kernel! {
                @launch device, shape, kernel, body::<$constant>, D, [$($arg: $type,)*]
            }
        }
    };

    // The PTX entries of a kernel with a constant parameter, and what the builder needs to know of them.
    (@markers $name:ident $bounds:tt $([$value:tt])+) => {
        $($crate::__kernel! { @marker $name $bounds $value })+
    };
    (@marker $name:ident [$([$threads:expr, $blocks:expr])?] $value:tt) => {
        #[cfg(target_arch = "nvptx64")]
        core::arch::global_asm!(concat!(
            "// kernel ", stringify!($name), "_", stringify!($value), " in ", module_path!()
        ));
        $(
            #[cfg(target_arch = "nvptx64")]
            core::arch::global_asm!(
                concat!("// launch-bounds ", stringify!($name), "_", stringify!($value), " {} {}"),
                const $threads, const $blocks
            );
        )?
    };
    (@entries $name:ident $body:ident $parameters:tt $([$value:tt])+) => {
        $($crate::__kernel! { @entry $name $body $parameters $value })+
    };
    (@entry $name:ident $body:ident [$($arg:ident: $type:ty,)*] $value:tt) => {
        const _: () = {
            $crate::__kernel! {
                @ptx [#[unsafe(export_name = concat!(stringify!($name), "_", stringify!($value)))]]
                entry [$body::<$value>($($arg),*)] [] [] $($arg: $type,)*
            }
        };
    };

    // A PTX entry, parameter by parameter: each step's `raw0` to `raw7` are names of their own.
    (
        @ptx $attributes:tt $name:ident $body:tt [$($raw:tt)*] [$($binding:tt)*]
        $arg:ident: $type:ty, $($rest:tt)*
    ) => {
        $crate::__kernel! {
            @ptx $attributes $name $body
            [$($raw)*
                raw0: <$type as $crate::Param>::Raw0, raw1: <$type as $crate::Param>::Raw1,
                raw2: <$type as $crate::Param>::Raw2, raw3: <$type as $crate::Param>::Raw3,
                raw4: <$type as $crate::Param>::Raw4, raw5: <$type as $crate::Param>::Raw5,
                raw6: <$type as $crate::Param>::Raw6, raw7: <$type as $crate::Param>::Raw7,
            ]
            [$($binding)*
                // SAFETY: the launch passed what the parameters' types say.
                let $arg = unsafe {
                    <$type as $crate::Param>::from_raw(raw0, raw1, raw2, raw3, raw4, raw5, raw6, raw7)
                };
            ]
            $($rest)*
        }
    };
    (@ptx [$($attribute:tt)*] $name:ident [$($body:tt)*] [$($raw:tt)*] [$($binding:tt)*]) => {
        $($attribute)*
        #[allow(improper_ctypes_definitions, clippy::too_many_arguments)]
        pub unsafe extern "ptx-kernel" fn $name($($raw)*) {
            $($binding)*
            $($body)*
        }
    };

    (@requires $name:ident $shape:ident [$seen:ident] $([$condition:expr])*) => {
        let $seen = $shape;
        let _ = $seen;
        $(
            assert!(
                $condition,
                concat!("kernel ", stringify!($name), " requires ", stringify!($condition))
            );
        )*
    };

    (
        @launch $device:ident, $shape:ident, $kernel:expr, $body:expr, $generic:ident,
        [$($arg:ident: $type:ty,)*]
    ) => {{
        let mut args = Vec::new();
        $(<$type as $crate::Param>::erase::<$generic>(stringify!($arg), $arg, &mut args);)*
        // SAFETY: the arguments were erased from the parameters, whose views borrow live buffers, and the body
        // takes them in the same order by the same types. The declaration vouches for the body, and the
        // conditions hold.
        unsafe {
            $crate::__launch($device, $shape, $kernel, &args, &|args| {
                let mut args = $crate::Args::new(args);
                let _ = &mut args;
                $(let $arg = <$type as $crate::Param>::take(&mut args);)*
                $body($($arg),*);
            })
        }
    }};
}

/// Launches a kernel whose arguments were erased.
///
/// # Safety
/// As [`Device::launch`](tribin_launch::Device::launch), but for the device of the memory, which is checked here.
#[doc(hidden)]
#[cfg(not(target_arch = "nvptx64"))]
pub unsafe fn __launch<D: tribin_launch::Device>(
    device: &D,
    shape: tribin_launch::Shape,
    kernel: &'static str,
    args: &[tribin_launch::Arg],
    body: &(dyn Fn(&[tribin_launch::Arg]) + Sync),
) -> Result<(), D::Error> {
    let launch = tribin_launch::Launch { kernel, shape, args, body };
    launch.assert_on(device.id());
    // SAFETY: the caller's promise, and all memory is of the device.
    unsafe { device.launch(launch) }
}
