//! One declaration of a kernel, from which its PTX entry, its typed launch and its emulation come.

/// Declares kernels.
///
/// ```
/// use warpwise_device::{kernel, memory::{In, InOut}, thread};
///
/// kernel!(
///     /// `y[i] = a * x[i] + y[i]` for every `i`.
///     #[requires(|shape| x.len() == y.len(), shape.threads() <= y.len())]
///     pub unsafe fn saxpy(a: f32, x: In<f32>, y: InOut<f32>) {
///         let i = thread::index_1d();
///         y.set(i, a * x.get(i) + y.get(i));
///     }
/// );
/// # fn main() {}
/// ```
///
/// On a host this is `fn saxpy<D: Device>(device: &D, shape: Shape, a: f32, x: View<f32, D>, y: ViewMut<f32, D>)
/// -> Result<(), D::Error>`, which is safe to call. The kernels stand in parentheses because rustfmt formats them then; there may
/// be several. These attributes stand before them in any order, and `requires` has to be there:
///
/// | attribute | meaning |
/// | --- | --- |
/// | `#[requires(condition, ...)]` | what the caller promises; a launch checks it and panics where it does not hold; `#[requires()]` says that any arguments do; it may stand several times |
/// | <code>#[requires(\|shape\| condition, ...)]</code> | the same, with the [`Shape`](crate::launch::Shape) of the launch at hand |
/// | `#[launch_bounds(threads, blocks)]` | blocks have at most so many threads, and registers are kept few enough for `blocks` blocks on a multiprocessor |
/// | `#[instances(32, 64)]` | the values of the one constant parameter (`fn count<const W: u32>`); each is an entry of its own, `count_32` and `count_64`, launched as `count::<32, _>` |
/// | `#[instances(u32, f64)]` | the types of the one generic parameter (`fn copy<T: Element>`), which has one bound; each is an entry of its own, `copy_u32` and `copy_f64`, launched as `copy::<u32, _>` or by its arguments' types |
///
/// ```
/// use warpwise_device::memory::{Element, In, InOut};
/// use warpwise_device::{kernel, thread};
///
/// kernel!(
///     /// Copies `n` numbers.
///     #[requires(|shape| shape.is_1d(), from.len() >= n, to.len() >= n)]
///     #[instances(u32, f64)]
///     pub unsafe fn copy<T: Element>(from: In<T>, to: InOut<T>, n: u64) {
///         for i in thread::of_grid(n) {
///             to.set(i, from.get(i));
///         }
///     }
/// );
/// # fn main() {}
/// ```
///
/// A bound of one's own, such as `trait Number: Element + Param + Add<Output = Self> {}`, says what the body does with `T`.
///
/// # The unsafe boundary
///
/// The accessors are safe to use in the body, yet on a GPU no access is checked. So `kernel!` is where a program promises what
/// `unsafe` promises elsewhere, and the word stands in the declaration, where lints such as `unsafe_code` see it. Whoever writes it vouches
/// that the body keeps the [contract of a kernel](crate#the-contract-of-a-kernel) whenever the conditions of
/// `requires` hold: what the caller passes is bounded by `requires`, and what comes from memory is the
/// body's own responsibility. The emulator checks all of it, access by access. A launch checks `requires`, and that
/// memory is of the device: to break either is a defect of the caller, and what is launched past it would read or write
/// somebody else's memory.
///
/// The conditions are Rust of the host. A sum, difference, product or shift among them that does not fit its type breaks the condition, in
/// every profile. Functions that a condition calls are compiled as the rest of their crate is: their own arithmetic may wrap.
///
/// ```compile_fail
/// #![forbid(unsafe_code)]
/// # use warpwise_device::{kernel, memory::InOut};
/// kernel!(
///     #[requires(!out.is_empty())]
///     pub unsafe fn sets(out: InOut<u32>) {
///         out.set(0, 1);
///     }
/// );
/// # fn main() {}
/// ```
///
/// # What binds a launch to its kernel
///
/// A PTX entry is found by its name. Beside it stands a variable, such as `saxpy__takes_1234`, whose number is a hash of the names, types and
/// sizes of the parameters. A launch looks for both. So PTX of another crate or of other sources, with an entry of that name that takes
/// something else, is an error.
#[macro_export]
macro_rules! kernel {
    () => {};
    (@ $($other:tt)*) => {
        ::core::compile_error!(
            "a kernel is `unsafe fn name(parameter: Type, ...) { ... }`, without a result, without `mut` and patterns among the \
             parameters, and with at most one constant or type as a generic parameter, whose values `#[instances(...)]` says; `unsafe` \
             because on a GPU nothing checks what its body accesses"
        );
    };
    ($($item:tt)+) => {
        $crate::__kernel! { @attributes [] [] [] [] $($item)+ }
    };
}

/// A kernel's [`Entry`](crate::launch::Entry), by which a device says how many of its blocks fit: of a kernel with instances
/// that of one, `entry!(count, 32)`.
///
/// ```
/// use warpwise_device::launch::Device;
/// use warpwise_device::{entry, kernel, memory::InOut, thread};
///
/// kernel!(
///     #[requires(|shape| out.len() >= shape.threads())]
///     pub unsafe fn number(out: InOut<u64>) {
///         out.set(thread::index_1d(), thread::index_1d());
///     }
/// );
///
/// # fn main() -> Result<(), warpwise_device::emulated::EmulatorError> {
/// # let device = warpwise_device::emulated::Emulator::new();
/// let block = device.suggested_block(entry!(number), |_| 0)?;
/// let fitting = device.max_active_blocks_per_multiprocessor(entry!(number), block.into(), 0)?;
/// let grid = fitting * device.multiprocessors();
/// # assert_eq!((block, grid), (1024, 2));
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! entry {
    ($name:ident) => {{
        // There is such a kernel.
        #[allow(dead_code)]
        fn launch<AnyDevice: $crate::launch::Device>() {
            let _ = $name::<AnyDevice>;
        }
        $crate::launch::Entry(stringify!($name))
    }};
    ($name:ident, $value:tt) => {{
        #[allow(dead_code)]
        fn launch<AnyDevice: $crate::launch::Device>() {
            let _ = $name::<$value, AnyDevice>;
        }
        $crate::launch::Entry(concat!(stringify!($name), "_", stringify!($value)))
    }};
}

/// The parts of [`kernel!`].
#[doc(hidden)]
#[macro_export]
macro_rules! __kernel {
    // Attributes, one by one: [others] [requires] [launch bounds] [instances], then what is to come. `unsafe` and the body stay the
    // caller's own tokens, which lints see.
    (
        @attributes $meta:tt [$($requires:tt)*] $bounds:tt $instances:tt
        #[requires(|$shape:ident| $($condition:expr),* $(,)?)] $($item:tt)*
    ) => {
        $crate::__kernel! {
            @attributes $meta [$($requires)* [$shape $([$condition])*]] $bounds $instances $($item)*
        }
    };
    (
        @attributes $meta:tt [$($requires:tt)*] $bounds:tt $instances:tt
        #[requires($($condition:expr),* $(,)?)] $($item:tt)*
    ) => {
        $crate::__kernel! {
            @attributes $meta [$($requires)* [_shape $([$condition])*]] $bounds $instances $($item)*
        }
    };
    (
        @attributes $meta:tt $requires:tt $bounds:tt $instances:tt
        #[launch_bounds($threads:expr, $blocks:expr)] $($item:tt)*
    ) => {
        $crate::__kernel! { @attributes $meta $requires [[$threads, $blocks]] $instances $($item)* }
    };
    (@attributes $meta:tt $requires:tt $bounds:tt $instances:tt #[launch_bounds($($other:tt)*)] $($item:tt)*) => {
        ::core::compile_error!(
            "`#[launch_bounds(threads, blocks)]` takes two numbers: the most threads of a block, and the blocks of a multiprocessor for \
             which there are registers"
        );
    };
    (
        @attributes $meta:tt $requires:tt $bounds:tt $instances:tt
        #[instances($($value:tt),+ $(,)?)] $($item:tt)*
    ) => {
        $crate::__kernel! { @attributes $meta $requires $bounds [$([$value])+] $($item)* }
    };
    (
        @attributes [$($meta:tt)*] $requires:tt $bounds:tt $instances:tt
        #[$one:meta] $($item:tt)*
    ) => {
        $crate::__kernel! { @attributes [$($meta)* [$one]] $requires $bounds $instances $($item)* }
    };
    (
        @attributes $meta:tt $requires:tt $bounds:tt $instances:tt
        pub($($scope:tt)+) $($item:tt)*
    ) => {
        $crate::__kernel! { @item $meta $requires $bounds $instances [pub($($scope)+)] $($item)* }
    };
    (@attributes $meta:tt $requires:tt $bounds:tt $instances:tt pub $($item:tt)*) => {
        $crate::__kernel! { @item $meta $requires $bounds $instances [pub] $($item)* }
    };
    (@attributes $meta:tt $requires:tt $bounds:tt $instances:tt $($item:tt)*) => {
        $crate::__kernel! { @item $meta $requires $bounds $instances [] $($item)* }
    };
    (@item $meta:tt [] $bounds:tt $instances:tt $vis:tt $unsafe:tt fn $name:ident $($rest:tt)*) => {
        ::core::compile_error!(concat!(
            "kernel ", stringify!($name), ": say what the caller promises with `#[requires(...)]`, or that any arguments do \
             with `#[requires()]`"
        ));
    };
    (
        @item $meta:tt $requires:tt $bounds:tt $instances:tt $vis:tt
        $unsafe:tt fn $name:ident ($($parameters:tt)*) -> $($rest:tt)*
    ) => {
        $crate::kernel! { @ }
    };
    (
        @item $meta:tt $requires:tt $bounds:tt [] $vis:tt
        $unsafe:tt fn $name:ident ($($arg:ident: $type:ty),* $(,)?) $body:tt $($more:tt)*
    ) => {
        $crate::__kernel! {
            @declare $meta $requires $bounds $vis $unsafe $name [$($arg: $type,)*] $body
        }
        $crate::kernel! { $($more)* }
    };
    (
        @item $meta:tt $requires:tt $bounds:tt [$([$value:tt])+] $vis:tt
        $unsafe:tt fn $name:ident<const $constant:ident: $kind:ty>
        ($($arg:ident: $type:ty),* $(,)?) $body:tt $($more:tt)*
    ) => {
        $crate::__kernel! {
            @declare_instances $meta $requires $bounds $vis $unsafe $name [const $constant: $kind] [{ $constant }]
            [const {
                match $constant {
                    $($value => concat!(stringify!($name), "_", stringify!($value)),)+
                    _ => panic!(concat!(
                        "no instance of the kernel ", stringify!($name),
                        " has this value: add it to `#[instances(...)]`"
                    )),
                }
            }]
            [] [$([$value])+] [$($arg: $type,)*] $body
        }
        $crate::kernel! { $($more)* }
    };
    (
        @item $meta:tt $requires:tt $bounds:tt [$([$value:tt])+] [$($vis:tt)*]
        $unsafe:tt fn $name:ident<$generic:ident: $bound:path>
        ($($arg:ident: $type:ty),* $(,)?) $body:tt $($more:tt)*
    ) => {
        // The types that are instances. A trait and a function may have one name.
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code)]
        #[diagnostic::on_unimplemented(
            message = "no instance of this kernel has the type `{Self}`: add it to `#[instances(...)]`"
        )]
        $($vis)* trait $name: $bound {
            const ENTRY: &str;
        }
        $(
            impl $name for $value {
                const ENTRY: &str = concat!(stringify!($name), "_", stringify!($value));
            }
        )+
        $crate::__kernel! {
            @declare_instances $meta $requires $bounds [$($vis)*] $unsafe $name [$generic: $name] [$generic]
            [<$generic as $name>::ENTRY]
            [$generic] [$([$value])+] [$($arg: $type,)*] $body
        }
        $crate::kernel! { $($more)* }
    };
    (@item $($other:tt)*) => {
        $crate::kernel! { @ }
    };

    (
        @declare [$([$meta:meta])*] $requires:tt $bounds:tt $vis:tt $unsafe:tt $name:ident
        [$($arg:ident: $type:ty,)*] $body:tt
    ) => {
        $crate::__kernel! { @is_unsafe $unsafe }
        $crate::__kernel! { @marker [stringify!($name)] $bounds [$($arg: $type,)*] [] () }

        #[cfg(target_arch = "nvptx64")]
        $crate::__kernel! {
            @ptx [$(#[$meta])* #[unsafe(no_mangle)]] $name [$body] [] [] $($arg: $type,)*
        }

        $crate::__kernel! {
            @host [$([$meta])*] $requires $bounds $vis $unsafe $name [] [] [stringify!($name)] [$($arg: $type,)*]
            $body
        }
    };

    // Instances of a kernel: how its generic parameter is declared, what stands for it, the name of its entry, and its name where it is
    // a type.
    (
        @declare_instances $meta:tt $requires:tt $bounds:tt $vis:tt $unsafe:tt $name:ident
        [$($generic:tt)*] $argument:tt $entry:tt $alias:tt [$([$value:tt])+] [$($arg:ident: $type:ty,)*] $body:tt
    ) => {
        $crate::__kernel! { @is_unsafe $unsafe }
        $crate::__kernel! { @markers $name $bounds [$($arg: $type,)*] $alias $([$value])+ }

        #[cfg(target_arch = "nvptx64")]
        const _: () = {
            #[inline(always)]
            fn body<$($generic)*>($($arg: $type),*) $body
            $crate::__kernel! { @entries $name body [$($arg: $type,)*] $alias $([$value])+ }
        };

        $crate::__kernel! {
            @host $meta $requires $bounds $vis $unsafe $name [$($generic)*,] $argument $entry [$($arg: $type,)*] $body
        }
    };

    // The function that launches a kernel, whose entry has the name `$entry`. Names that the caller may have for types of its own, such
    // as `D`, `Vec` and `Result`, are not used.
    (
        @host [$([$meta:meta])*] [$($requires:tt)*] [$([$threads:expr, $blocks:expr])?] [$vis:vis] $unsafe:tt $name:ident
        [$($generic:tt)*] [$($argument:tt)*] [$entry:expr] [$($arg:ident: $type:ty,)*] $body:tt
    ) => {
        #[cfg(not(target_arch = "nvptx64"))]
        $(#[$meta])*
        ///
        /// # Errors
        /// What the device reports.
        ///
        /// # Panics
        /// If a condition that the kernel requires does not hold, or a buffer is of another device.
        #[track_caller]
        #[allow(clippy::too_many_arguments)]
        $vis fn $name<$($generic)* AnyDevice: $crate::launch::Device>(
            device: &AnyDevice,
            shape: $crate::launch::Shape,
            $($arg: <$type as $crate::Param>::Host<'_, AnyDevice>),*
        ) -> ::core::result::Result<(), AnyDevice::Error> {
            #[allow(clippy::too_many_arguments)]
            $unsafe fn __body<$($generic)*>($($arg: $type),*) $body
            let broken = $crate::__kernel! { @requires shape $($requires)* };
            $(
                let broken = match shape.block.count() > ($threads) as u64 {
                    true => ::core::option::Option::Some((
                        concat!("shape.block.count() <= ", stringify!($threads)), false
                    )),
                    false => broken,
                };
            )?
            let mut args = ::std::vec::Vec::new();
            $(<$type as $crate::Param>::erase::<AnyDevice>(stringify!($arg), $arg, &mut args);)*
            let takes = const { $crate::__kernel!(@takes [$($arg: $type,)*]) };
            let launch = ($entry, takes, shape, broken);
            // SAFETY: the arguments were erased from the parameters, whose views borrow live buffers, and the body
            // takes them in the same order by the same types. The declaration vouches for the body, and the
            // conditions hold.
            unsafe {
                $crate::__launch(device, launch, &args, |args| {
                    let mut args = $crate::Args::new(args);
                    let _ = &mut args;
                    $(let $arg = <$type as $crate::Param>::take(&mut args);)*
                    __body::<$($argument)*>($($arg),*);
                })
            }
        }
    };

    // What the builder needs to know of PTX entries: those of a kernel with instances, and one.
    (@markers $name:ident $bounds:tt $parameters:tt $alias:tt $([$value:tt])+) => {
        $($crate::__kernel! {
            @marker [concat!(stringify!($name), "_", stringify!($value))] $bounds $parameters $alias $value
        })+
    };
    (@marker [$entry:expr] [$([$threads:expr, $blocks:expr])?] $parameters:tt [$($alias:ident)?] $value:tt) => {
        #[cfg(target_arch = "nvptx64")]
        core::arch::global_asm!(
            concat!(".visible .global .align 1 .b8 ", $entry, "__takes_{};"),
            const {
                $(
                    #[allow(dead_code)]
                    type $alias = $value;
                )?
                $crate::__kernel!(@takes $parameters)
            }
        );
        $(
            // rustc has no attribute for it: the builder turns the comment into PTX directives.
            #[cfg(target_arch = "nvptx64")]
            core::arch::global_asm!(
                concat!("// launch-bounds ", $entry, " {} {}"),
                const $threads, const $blocks
            );
        )?
    };
    (@entries $name:ident $body:ident $parameters:tt $alias:tt $([$value:tt])+) => {
        $($crate::__kernel! { @entry $name $body $parameters $alias $value })+
    };
    (@entry $name:ident $body:ident [$($arg:ident: $type:ty,)*] [$($alias:ident)?] $value:tt) => {
        const _: () = {
            $(
                #[allow(dead_code)]
                type $alias = $value;
            )?
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

    (@is_unsafe unsafe) => {};
    (@is_unsafe $other:tt) => {
        ::core::compile_error!("a kernel is `unsafe fn`: on a GPU nothing checks what its body accesses");
    };

    // What the parameters are, as one number.
    (@takes [$($arg:ident: $type:ty,)*]) => {
        $crate::__takes(
            concat!($(stringify!($arg), ":", stringify!($type), ","),*),
            &[$(<$type as $crate::Param>::LAYOUT),*],
        )
    };

    // The first condition that does not hold.
    (@requires $shape:ident $([$seen:ident $([$condition:expr])*])*) => {
        'conditions: {
            let overflow = ::core::cell::Cell::new(false);
            let _ = &overflow;
            $(
                let $seen = $shape;
                let _ = $seen;
                $(
                    let holds = $crate::__checked!([$crate::condition] [&overflow] $condition);
                    if !holds || overflow.get() {
                        break 'conditions ::core::option::Option::Some((stringify!($condition), overflow.get()));
                    }
                )*
            )*
            ::core::option::Option::None
        }
    };
}

/// The condition that does not hold, and whether that is because its numbers overflow.
#[cfg(not(target_arch = "nvptx64"))]
type Broken<'a> = Option<(&'a str, bool)>;

/// Launches a kernel whose arguments were erased.
///
/// # Safety
/// As [`Device::launch`](warpwise_launch::Device::launch), but for the device of the memory, which is checked here.
///
/// # Panics
/// With the condition that is broken, if one is, and the values of the parameters.
#[doc(hidden)]
#[track_caller]
#[cfg(not(target_arch = "nvptx64"))]
pub unsafe fn __launch<D: warpwise_launch::Device>(
    device: &D,
    (kernel, takes, shape, broken): (&'static str, u64, warpwise_launch::Shape, Broken<'_>),
    args: &[warpwise_launch::Arg],
    body: fn(&[warpwise_launch::Arg]),
) -> Result<(), D::Error> {
    if let Some((condition, overflows)) = broken {
        let values = warpwise_launch::named_by(condition, args, shape);
        let overflows = if overflows { ", which overflows" } else { "" };
        panic!("kernel {kernel} requires {condition}{overflows}: {values}");
    }
    let launch = warpwise_launch::Launch { kernel, takes, shape, args, body };
    launch.assert_on(device);
    // SAFETY: the caller's promise, and all memory is of the device.
    unsafe { device.launch(launch) }
}

/// A hash of the names and types of parameters, as they are written but for white space, and of their layouts.
#[doc(hidden)]
pub const fn __takes(text: &str, layouts: &[u64]) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325; // FNV-1a
    let mut at = 0;
    while at < text.len() {
        let byte = text.as_bytes()[at];
        if !byte.is_ascii_whitespace() {
            hash = mixed(hash, byte as u64);
        }
        at += 1;
    }
    at = 0;
    while at < layouts.len() {
        hash = mixed(hash, layouts[at]);
        at += 1;
    }
    hash
}

const fn mixed(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x0000_0100_0000_01B3)
}

#[cfg(test)]
mod tests {
    use super::__takes;

    #[test]
    fn parameters_are_told_apart_and_white_space_counts_for_nothing() {
        let wanted = __takes("x:In<u32>,n:u64,", &[1, 2]);
        assert_eq!(wanted, __takes("x: In < u32 > ,n:u64,", &[1, 2]));
        for (text, layouts) in [
            ("x:In<i32>,n:u64,", [1, 2]),
            ("x:InOut<u32>,n:u64,", [1, 2]),
            ("n:u64,x:In<u32>,", [1, 2]),
            ("x:In<u32>,n:u64,", [1, 3]),
            ("x:In<u32>,n:u64,", [2, 1]),
        ] {
            assert_ne!(wanted, __takes(text, &layouts), "{text} {layouts:?}");
        }
    }
}
