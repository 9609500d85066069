use anyhow::{Result, ensure};
use warpwise_conformance::kernels::structures::{
    self as kernels, Colour, Particle, Quad, Record, Rows, add_to_each,
};
use warpwise_device::entry;
use warpwise_device::launch::{Buffer, Shape};
use warpwise_harness::{Case, TestDevice, ensure_holds};

use crate::{KERNELS, noise};

#[derive(Debug)]
struct Shift(f32);

impl Case for Shift {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let particle = |bits: u64| {
            let byte = |i: u32| f32::from((bits >> (8 * i)) as u8);
            Particle { position: [byte(0), byte(1), byte(2)], mass: byte(3) }
        };
        let particles: Vec<Particle> = noise(64).map(particle).collect();
        let by = Particle { position: [self.0, 2.0 * self.0, -self.0], mass: 0.5 };
        let mut buffer = Buffer::from_host(device, &particles)?;
        kernels::shift(device, Shape::new(2, 32), buffer.view_mut(), by)?;
        let moved = particles.iter().map(|particle| {
            let [x, y, z] = particle.position;
            let position = [x + self.0, y + 2.0 * self.0, z - self.0];
            Particle { position, mass: particle.mass + 0.5 }
        });
        ensure_holds("particles", device, &buffer, &moved.collect::<Vec<_>>())
    }
}

#[derive(Debug)]
struct Scale(f32);

impl Case for Scale {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let quad =
            |bits: u64| Quad { numbers: [0, 16, 32, 48].map(|i| f32::from((bits >> i) as u16)) };
        let quads: Vec<Quad> = noise(66).map(quad).collect();
        let from = Buffer::from_host(device, &quads)?;
        let mut to = Buffer::uninitialized(device, 66)?;
        let by = [self.0, 0.5, -self.0, 2.0];
        let shape = Shape::new(2, 33).shared(33 * 16);
        kernels::scale(device, shape, from.view(), to.view_mut(), Quad { numbers: by })?;
        let scaled = quads.iter().map(|quad| {
            let [a, b, c, d] = quad.numbers;
            Quad { numbers: [a * by[0], b * by[1], c * by[2], d * by[3]] }
        });
        ensure_holds("to", device, &to, &scaled.collect::<Vec<_>>())
    }
}

#[test]
fn structures_of_16_bytes_are_one_access() {
    KERNELS.kernel("scale").everywhere([0.0, 3.0].map(Scale));
    let ptx = warpwise_conformance::PTX;
    let kernel =
        ptx.split_once(".entry scale(").map(|(_, rest)| rest.split(".entry").next().unwrap());
    // A build without a device toolchain has no PTX.
    if let Some(kernel) = kernel {
        for access in ["ld.global.nc.v", "st.global.v", "ld.shared.v", "st.shared.v"] {
            assert!(kernel.contains(access), "{access}: {kernel}");
        }
    }
}

#[derive(Debug)]
struct Turn(u8);

impl Case for Turn {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let colour = |bits: u64| {
            let [red, green, blue, ..] = bits.to_le_bytes();
            Colour { red, green, blue }
        };
        let colours: Vec<Colour> = noise(99).map(colour).collect();
        let from = Buffer::from_host(device, &colours)?;
        let mut to = Buffer::uninitialized(device, 99)?;
        let darker = Colour { red: self.0, green: 0, blue: self.0 / 2 };
        kernels::turn(device, Shape::new(3, 33), from.view(), to.view_mut(), darker)?;
        let turned = colours.iter().map(|&Colour { red, green, blue }| Colour {
            red: green.wrapping_sub(self.0),
            green: blue,
            blue: red.wrapping_sub(self.0 / 2),
        });
        ensure_holds("to", device, &to, &turned.collect::<Vec<_>>())
    }
}

#[derive(Debug)]
struct AddRecords(i16);

impl Case for AddRecords {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let record = |bits: u64| Record {
            key: bits,
            value: (bits >> 40) as f64,
            count: bits as u32,
            flags: (bits >> 20) as u16,
            kind: bits as i16,
        };
        let records: Vec<Record> = noise(64).map(record).collect();
        let mut buffer = Buffer::from_host(device, &records)?;
        let other = Record { key: 1 << 63, value: 0.25, count: 9, flags: 5, kind: self.0 };
        kernels::add_records(device, Shape::new(2, 32), buffer.view_mut(), other)?;
        let sums = records.iter().map(|record| Record {
            key: record.key.wrapping_add(1 << 63),
            value: record.value + 0.25,
            count: record.count ^ 9,
            flags: record.flags | 5,
            kind: record.kind.wrapping_sub(self.0),
        });
        ensure_holds("records", device, &buffer, &sums.collect::<Vec<_>>())
    }
}

#[derive(Debug)]
struct AddArrays([u32; 3]);

impl Case for AddArrays {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let rows: Vec<[u32; 3]> =
            noise(64).map(|bits| [0, 20, 40].map(|at| (bits >> at) as u32)).collect();
        let wide: Vec<u128> = noise(64).map(|bits| u128::from(bits) << 50).collect();
        let bits = u128::MAX / u128::from(self.0[1]);
        let mut on_device = (Buffer::from_host(device, &rows)?, Buffer::from_host(device, &wide)?);
        let (shape, to) = (Shape::new(2, 32), on_device.1.view_mut());
        kernels::add_arrays(device, shape, on_device.0.view_mut(), self.0, to, bits)?;
        let sum = |row: &[u32; 3]| std::array::from_fn(|i| row[i].wrapping_add(self.0[i]));
        ensure_holds(
            "rows",
            device,
            &on_device.0,
            &rows.iter().map(sum).collect::<Vec<[u32; 3]>>(),
        )?;
        let wide: Vec<u128> = wide.iter().map(|wide| wide ^ bits).collect();
        ensure_holds("wide", device, &on_device.1, &wide)
    }
}

#[test]
fn arrays_and_wide_numbers_are_passed() {
    KERNELS.kernel("add_arrays").everywhere([[1, 7, 0], [u32::MAX, 3, 9]].map(AddArrays));
}

#[test]
fn structures_are_read_written_and_passed() {
    KERNELS.kernel("shift").everywhere([0.0, 1.5].map(Shift));
    KERNELS.kernel("turn").everywhere([0, 201].map(Turn));
    KERNELS.kernel("add_records").everywhere([-7, i16::MAX].map(AddRecords));
}

#[derive(Debug)]
struct SumRows {
    divisor: i8,
}

impl Case for SumRows {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let starts: Vec<u32> = (0..33).map(|row| row * (row + 1) / 2).collect();
        let numbers: Vec<i64> = noise(528).map(|bits| bits as i64 >> 20).collect();
        let starts_on = Buffer::from_host(device, &starts)?;
        let numbers_on = Buffer::from_host(device, &numbers)?;
        let mut sums = Buffer::uninitialized(device, 32)?;
        let mut last = Buffer::uninitialized(device, 32)?;
        let rows = Rows {
            starts: starts_on.view(),
            numbers: numbers_on.view(),
            divisor: self.divisor,
            sums: sums.view_mut(),
        };
        kernels::sum_rows(device, Shape::new(1, 32), 1000, rows, last.view_mut())?;
        let sum = |ends: &[u32]| {
            let row = &numbers[ends[0] as usize..ends[1] as usize];
            (1000 + row.iter().sum::<i64>()) / i64::from(self.divisor | 1)
        };
        ensure_holds("sums", device, &sums, &starts.windows(2).map(sum).collect::<Vec<_>>())?;
        ensure_holds("last", device, &last, &starts[1..])
    }
}

#[test]
fn a_group_of_parameters_stands_between_others() {
    KERNELS.kernel("sum_rows").everywhere([1, -7, 127].map(|divisor| SumRows { divisor }));
}

#[derive(Debug)]
struct SumGroups {
    width: u32,
}

impl Case for SumGroups {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let values: Vec<u32> = noise(1024).map(|bits| bits as u32).collect();
        let buffer = Buffer::from_host(device, &values)?;
        let mut sums = Buffer::uninitialized(device, 64)?;
        let (shape, view, out) = (Shape::new(2, 32), buffer.view(), sums.view_mut());
        match self.width {
            1 => kernels::sum_groups::<1, _>(device, shape, view, out)?,
            4 => kernels::sum_groups::<4, _>(device, shape, view, out)?,
            _ => kernels::sum_groups::<16, _>(device, shape, view, out)?,
        }
        let groups = values.chunks(self.width as usize).take(64);
        let expected: Vec<u32> = groups
            .map(|group| group.iter().fold(0, |sum: u32, value| sum.wrapping_add(*value)))
            .collect();
        ensure_holds("sums", device, &sums, &expected)
    }
}

#[test]
fn a_constant_parameter_has_an_entry_for_each_value() {
    KERNELS.kernel("sum_groups").everywhere([1, 4, 16].map(|width| SumGroups { width }));
}

#[derive(Debug)]
struct AddToEach;

impl Case for AddToEach {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let shape = Shape::new(2, 32);
        let mut bytes = Buffer::from_host(device, &[7u8; 64])?;
        add_to_each(device, shape, bytes.view_mut(), 200)?;
        ensure_holds("bytes", device, &bytes, &[207; 64])?;
        let mut words = Buffer::from_host(device, &[7u64; 64])?;
        add_to_each::<u64, _>(device, shape, words.view_mut(), 1 << 40)?;
        ensure_holds("words", device, &words, &[(1 << 40) + 7; 64])?;
        let mut numbers = Buffer::from_host(device, &[7f32; 64])?;
        add_to_each(device, shape, numbers.view_mut(), 0.5)?;
        ensure_holds("numbers", device, &numbers, &[7.5; 64])?;
        let entry = entry!(add_to_each, f32);
        ensure!(device.max_active_blocks_per_multiprocessor(entry, 64.into(), 0)? > 0, "{entry:?}");
        Ok(())
    }
}

#[test]
fn a_type_parameter_has_an_entry_for_each_type() {
    KERNELS.kernel("add_to_each").everywhere([AddToEach]);
}
