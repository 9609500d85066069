//! Structures in memory and as parameters, groups of parameters, and parameters that are constants or types.

use core::ops::Add;

use warpwise_device::memory::{Element, In, InOut};
use warpwise_device::{Param, element, kernel, parameters, shared, thread};

/// What can be added up.
pub trait Number: Element + Param + Add<Output = Self> {}

impl Number for u8 {}
impl Number for u64 {}
impl Number for f32 {}

element! {
    /// A particle: 16 bytes that are aligned to 4.
    #[derive(Debug, PartialEq)]
    pub struct Particle {
        /// The place.
        pub position: [f32; 3],
        /// The mass.
        pub mass: f32,
    }
}

element! {
    /// Four numbers that are read and written by one access of 16 bytes.
    #[derive(Debug, PartialEq)]
    #[repr(align(16))]
    pub struct Quad {
        /// The numbers.
        pub numbers: [f32; 4],
    }
}

element! {
    /// A colour: 3 bytes.
    #[derive(Debug, PartialEq)]
    pub struct Colour {
        /// How red it is.
        pub red: u8,
        /// How green it is.
        pub green: u8,
        /// How blue it is.
        pub blue: u8,
    }
}

element! {
    /// A key and what belongs to it: 24 bytes that are aligned to 8.
    #[derive(Debug, PartialEq)]
    pub struct Record {
        /// The key.
        pub key: u64,
        /// Its value.
        pub value: f64,
        /// How often it was met.
        pub count: u32,
        /// Its marks.
        pub flags: u16,
        /// Of which kind it is.
        pub kind: i16,
    }
}

parameters! {
    /// Rows of numbers, what they are scaled by, and where their sums go.
    pub struct Rows {
        /// Where each row starts, and where the last one ends.
        pub starts: In<u32>,
        /// The numbers of all rows.
        pub numbers: In<i64>,
        /// What sums are divided by.
        pub divisor: i8,
        /// The sum of each row.
        pub sums: InOut<i64>,
    }
}

kernel!(
    /// Moves every particle by `by`, and adds its mass.
    #[requires(|shape| shape.threads() <= particles.len())]
    pub unsafe fn shift(particles: InOut<Particle>, by: Particle) {
        let i = thread::index_1d();
        let Particle { position: [x, y, z], mass } = particles.get(i);
        let [dx, dy, dz] = by.position;
        particles.set(i, Particle { position: [x + dx, y + dy, z + dz], mass: mass + by.mass });
    }

    /// Multiplies every number by those of `by`, by way of shared memory.
    #[requires(|shape| shape.threads() <= from.len(), shape.threads() <= to.len(), shape.shared_bytes >= shape.block.x * 16)]
    pub unsafe fn scale(from: In<Quad>, to: InOut<Quad>, by: Quad) {
        let (i, thread) = (thread::index_1d(), thread::thread_idx_x());
        let shared = shared::array::<Quad>(0, thread::block_dim_x());
        shared.set(thread, from.get(i));
        let ([a, b, c, d], [e, f, g, h]) = (shared.get(thread).numbers, by.numbers);
        to.set(i, Quad { numbers: [a * e, b * f, c * g, d * h] });
    }

    /// Turns every colour around.
    #[requires(|shape| shape.threads() <= from.len(), shape.threads() <= to.len())]
    pub unsafe fn turn(from: In<Colour>, to: InOut<Colour>, darker: Colour) {
        let i = thread::index_1d();
        let Colour { red, green, blue } = from.get(i);
        to.set(
            i,
            Colour {
                red: green.wrapping_sub(darker.red),
                green: blue.wrapping_sub(darker.green),
                blue: red.wrapping_sub(darker.blue),
            },
        );
    }

    /// Adds a record to every record.
    #[requires(|shape| shape.threads() <= records.len())]
    pub unsafe fn add_records(records: InOut<Record>, other: Record) {
        let i = thread::index_1d();
        let Record { key, value, count, flags, kind } = records.get(i);
        records.set(
            i,
            Record {
                key: key.wrapping_add(other.key),
                value: value + other.value,
                count: count ^ other.count,
                flags: flags | other.flags,
                kind: kind.wrapping_sub(other.kind),
            },
        );
    }

    /// Adds an array to every array, and changes the bits of a wide number.
    #[requires(|shape| shape.threads() <= rows.len(), shape.threads() <= wide.len())]
    pub unsafe fn add_arrays(rows: InOut<[u32; 3]>, by: [u32; 3], wide: InOut<u128>, bits: u128) {
        let i = thread::index_1d();
        let ([a, b, c], [d, e, f]) = (rows.get(i), by);
        rows.set(i, [a.wrapping_add(d), b.wrapping_add(e), c.wrapping_add(f)]);
        wide.set(i, wide.get(i) ^ bits);
    }

    /// Sums of rows, by a group of parameters between two others.
    #[requires(|shape| shape.threads() < rows.starts.len(), shape.threads() <= rows.sums.len())]
    pub unsafe fn sum_rows(first: i64, rows: Rows, last: InOut<u32>) {
        let row = thread::index_1d();
        let (mut i, end) = (rows.starts.get(row), rows.starts.get(row + 1));
        let mut sum = first;
        while i < end {
            sum += rows.numbers.get(i.into());
            i += 1;
        }
        rows.sums.set(row, sum.wrapping_div(i64::from(rows.divisor | 1)));
        last.set(row, end);
    }

    /// Sums of groups of `W` numbers, in registers.
    #[requires(|shape| shape.threads() * u64::from(W) <= values.len(), shape.threads() <= sums.len())]
    #[launch_bounds(128, 2)]
    #[instances(1, 4, 16)]
    pub unsafe fn sum_groups<const W: u32>(values: In<u32>, sums: InOut<u32>) {
        let i = thread::index_1d();
        let mut sum = 0u32;
        let mut k = 0;
        while k < W {
            sum = sum.wrapping_add(values.get(i * u64::from(W) + u64::from(k)));
            k += 1;
        }
        sums.set(i, sum);
    }

    /// Adds `by` to each value, of several types.
    #[requires(|shape| shape.threads() <= values.len())]
    #[launch_bounds(64, 4)]
    #[instances(u8, u64, f32)]
    pub unsafe fn add_to_each<T: Number>(values: InOut<T>, by: T) {
        let i = thread::index_1d();
        values.set(i, values.get(i) + by);
    }
);
