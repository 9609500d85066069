//! Lines of text by CUDA's `vprintf`.

use core::mem::MaybeUninit;

use crate::thread;
use crate::trace::c_format::{CFormat, MOST_VALUES, TracedKind, c_format};

unsafe extern "C" {
    /// Prints a format of C, whose arguments stand at multiples of their sizes.
    fn vprintf(format: *const u8, arguments: *const u64) -> i32;
}

/// The text of a line, and the names of its values, which are empty for those without.
pub trait TracedLine {
    const TEXT: &'static str;
    const NAMES: &'static [&'static str];
}

/// A value that [`trace!`](crate::trace) prints on a GPU.
#[diagnostic::on_unimplemented(
    message = "`trace!` cannot print `{Self}` on a GPU",
    note = "it prints numbers of up to 64 bits and `bool`"
)]
pub trait Traced: Copy {
    const KIND: TracedKind;

    /// What `vprintf` gets.
    fn word(self) -> u64;
}

macro_rules! traced {
    ($($kind:ident: $($type:ty),*; $value:ident => $word:expr;)*) => {
        $($(
            impl Traced for $type {
                const KIND: TracedKind = TracedKind::$kind;

                #[inline(always)]
                fn word(self) -> u64 {
                    let $value = self;
                    $word
                }
            }
        )*)*
    };
}

traced! {
    Unsigned: u8, u16, u32, u64, usize; value => value as u64;
    Signed: i8, i16, i32, i64, isize; value => value as i64 as u64;
    Single: f32; value => f64::from(value).to_bits();
    Double: f64; value => value.to_bits();
    Bool: bool; value => if value { c"true" } else { c"false" }.as_ptr() as u64;
}

impl<T: Traced> Traced for &T {
    const KIND: TracedKind = T::KIND;

    #[inline(always)]
    fn word(self) -> u64 {
        T::word(*self)
    }
}

/// The values of a line: `()`, or the values before the last and the last.
pub trait TracedValues: Copy {
    const LEN: usize;
    const KINDS: [TracedKind; MOST_VALUES];

    fn word(self, i: usize) -> u64;
}

impl TracedValues for () {
    const LEN: usize = 0;
    const KINDS: [TracedKind; MOST_VALUES] = [TracedKind::Unsigned; MOST_VALUES];

    #[inline(always)]
    fn word(self, _: usize) -> u64 {
        0
    }
}

impl<L: TracedValues, T: Traced> TracedValues for (L, T) {
    const LEN: usize = L::LEN + 1;
    const KINDS: [TracedKind; MOST_VALUES] = {
        let mut kinds = L::KINDS;
        assert!(L::LEN < MOST_VALUES, "trace! on a GPU prints at most 14 values");
        kinds[L::LEN] = T::KIND;
        kinds
    };

    #[inline(always)]
    fn word(self, i: usize) -> u64 {
        if i == L::LEN { self.1.word() } else { self.0.word(i) }
    }
}

/// A line and the types of its values.
struct Printed<L, const CAPACITY: usize, V>(L, V);

impl<L: TracedLine, const CAPACITY: usize, V: TracedValues> Printed<L, CAPACITY, V> {
    const FORMAT: CFormat<CAPACITY> = c_format(L::TEXT, L::NAMES, &V::KINDS);
    const TEXT: &'static [u8; CAPACITY] = &{ Self::FORMAT.text };
    const ORDER: [usize; MOST_VALUES] = Self::FORMAT.order;
}

/// Prints a line with these values.
#[inline(always)]
pub fn print_line<L: TracedLine, const CAPACITY: usize, V: TracedValues>(values: V) {
    let mut words = [const { MaybeUninit::uninit() }; MOST_VALUES + 2];
    let block = thread::block_idx_z() * thread::grid_dim_y() + thread::block_idx_y();
    let block = block * thread::grid_dim_x() + thread::block_idx_x();
    words[0].write(u64::from(block));
    words[1].write(u64::from(thread::index_in_block()));
    for i in 0..MOST_VALUES {
        if i < const { Printed::<L, CAPACITY, V>::FORMAT.conversions } {
            words[i + 2].write(values.word(Printed::<L, CAPACITY, V>::ORDER[i]));
        }
    }
    // SAFETY: the format ends with a zero, and reads as many words as were written.
    unsafe { vprintf(Printed::<L, CAPACITY, V>::TEXT.as_ptr(), words.as_ptr().cast()) };
}
