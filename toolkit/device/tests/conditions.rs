//! The arithmetic of conditions, which is checked whatever the profile: Rust's own operators would panic with words of their own here, and
//! wrap in a release.

use std::panic::{self, AssertUnwindSafe};

use warpwise_device::emulated::Emulator;
use warpwise_device::launch::{Buffer, Shape};
use warpwise_device::memory::InOut;
use warpwise_device::{kernel, thread};

/// Kernels of one condition each, and a function that launches all: the conditions that are refused, each with whether it overflows.
macro_rules! conditions {
    ($($name:ident: |$a:ident, $b:ident, $c:ident| $condition:expr;)*) => {
        $(kernel!(
            #[requires($condition)]
            pub unsafe fn $name($a: u64, $b: u32, $c: i32) {
                let _ = ($a, $b, $c);
            }
        );)*

        fn refused(a: u64, b: u32, c: i32) -> Vec<(&'static str, bool)> {
            let emulator = Emulator::new();
            let launches = [$((stringify!($name), &|| $name(&emulator, Shape::new(1, 1), a, b, c))),*]
                as [(_, &dyn Fn() -> _); _];
            let mut refused = Vec::new();
            for (name, launch) in launches {
                if let Err(payload) = panic::catch_unwind(AssertUnwindSafe(|| launch().unwrap())) {
                    let text = payload.downcast_ref::<String>().expect("a message");
                    assert!(text.starts_with(&format!("kernel {name} requires ")), "{text}");
                    refused.push((name, text.contains(", which overflows: ")));
                }
            }
            refused
        }
    };
}

fn half(number: u64) -> u64 {
    number / 2
}

conditions! {
    product: |a, b, c| a * 2 >= 6;
    in_a_call: |a, b, c| half(a * 2) == a;
    after_or: |a, b, c| b == 0 || a >= u64::from(b) * (1 << 62);
    left_to_right: |a, b, c| a - 1 - 2 + 3 == a && 100 / 10 * 2 % 7 == 6 && 64 >> 1 << 1 == 64;
    tighter_first: |a, b, c| 1 + b * 2 << 1 == 2 + b * 4;
    signs: |a, b, c| -c * -1 == c && -(c - 1) <= 1 - c;
    of_types: |a, b, c| size_of::<[u8; 3]>() * 2 == 6 && <u8>::MAX as u32 * 2 == 510;
    in_a_range: |a, b, c| (1..=u32::MAX - (1 << 31) + 1).contains(&(b + 1));
    in_closures: |a, b, c| [b, 1].iter().all(|x| *x * 1 + 1 > 0) && [b].map(|x: u32| -> u32 { x + 1 })[0] > 0;
    in_blocks: |a, b, c| if b * 2 > 7 { a + 1 > 0 } else { let d = a + 2; d != 1 * 1 };
    in_macros: |a, b, c| matches!(b, 0..=4) == (b + 0 < 5) && (b > 4) != (b * 1 < 5);
    shifts: |a, b, c| a << b != 1;
    signed_shifts: |a, b, c| c << 3 >= c * 4 || c < 0;
    reals: |a, b, c| f64::from(b) * 0.5 + 1.0 - 0.25 > 0.0 && 1.5f32 * 2.0 - c as f32 + c as f32 == 3.0;
}

#[test]
fn arithmetic_of_conditions_tells_overflow_in_every_profile() {
    let found = |a, b, c| {
        let refused = refused(a, b, c).into_iter();
        refused.map(|(name, overflows)| if overflows { format!("{name}!") } else { name.into() })
    };
    let list = |a, b, c| found(a, b, c).collect::<Vec<String>>().join(" ");
    // What overflows has a mark of exclamation.
    assert_eq!(list(3, 1, 5), "after_or");
    assert_eq!(
        list(1 << 63, 1 << 31, -5),
        "product! in_a_call! after_or! tighter_first! in_a_range in_blocks! shifts!"
    );
    assert_eq!(list(u64::MAX, 0, 0), "product! in_a_call! in_blocks!");
    assert_eq!(list(1, 64, 2), "product after_or! left_to_right! shifts!");
    assert_eq!(
        list(2, u32::MAX, 7),
        "product after_or! left_to_right! tighter_first! in_a_range! in_closures! in_blocks! shifts!"
    );
}

kernel!(
    /// Sets the elements of `rows` rows.
    #[requires(out.len() >= rows * columns)]
    pub unsafe fn fills(out: InOut<u32>, rows: u64, columns: u64) {
        let i = thread::index_1d();
        if i < rows * columns {
            out.set(i, 1);
        }
    }
);

#[test]
fn a_condition_that_overflows_is_named_with_its_values() {
    let emulator = Emulator::new();
    let mut out = Buffer::<u32, _>::zeroed(&emulator, 4).unwrap();
    let mut launch = || fills(&emulator, Shape::new(1, 4), out.view_mut(), 1 << 63, 2).unwrap();
    let payload = panic::catch_unwind(AssertUnwindSafe(&mut launch)).unwrap_err();
    let shape = "1 x 1 x 1 blocks of 4 x 1 x 1 threads, 0 bytes of shared memory";
    assert_eq!(
        payload.downcast_ref::<String>().unwrap(),
        &format!(
            "kernel fills requires out.len() >= rows * columns, which overflows: out.len() is 4, \
             rows is 9223372036854775808, columns is 2, {shape}"
        )
    );
}
