use std::env;
use std::process::Command;

use anyhow::Result;
use warpwise_conformance::kernels::traces::tells;
use warpwise_device::emulated::{Config, Emulator};
use warpwise_device::launch::{Buffer, Shape};
use warpwise_harness::{Case, TestDevice, ensure_holds, skip};

use crate::KERNELS;

#[derive(Debug)]
struct Tells;

impl Case for Tells {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let mut numbers = Buffer::from_host(device, &[-7, 0, 7, i32::MAX - 1])?;
        let shape = Shape::new(2, 2);
        tells(device, shape, numbers.view_mut(), 1, -1.5, 1e10, 0xfedc_ba98_7654_3210)?;
        device.synchronize()?;
        ensure_holds("numbers", device, &numbers, &[-6, 1, 8, i32::MAX])
    }
}

/// What the threads say, in some order.
const LINES: [&str; 6] = [
    "block 0 thread 0: -7 + 1 =     -6, 100% of {}: false|",
    "block 0 thread 0: -001.500 10000000000.0 fedcba9876543210 0     | -1.50",
    "block 0 thread 1: 0 + 1 =      1, 100% of {}: true |",
    "block 1 thread 0: 7 + 1 =      8, 100% of {}: true |",
    "block 1 thread 0: -001.500 10000000000.0 fedcba9876543210 2     | -1.50",
    "block 1 thread 1: 2147483646 + 1 = 2147483647, 100% of {}: true |",
];

#[test]
fn threads_tell_what_they_do() {
    KERNELS.kernel("tells").everywhere([Tells]);
}

#[test]
fn the_emulator_keeps_the_lines() {
    let emulator = Emulator::with(Config { print_trace: false, ..Config::default() });
    Tells.check(&emulator).unwrap();
    let mut lines = emulator.take_trace();
    lines.sort_by_key(|line| LINES.iter().position(|expected| line.ends_with(expected)));
    assert_eq!(lines, LINES.map(|line| format!("kernel tells, {line}")));
}

#[test]
fn a_gpu_prints_the_lines() {
    let Some(Ok(_)) = KERNELS.gpu() else {
        skip::whole("no GPU");
        return;
    };
    // The driver writes past what captures the output of tests.
    let mut test = Command::new(env::current_exe().unwrap());
    test.args(["--exact", "traces::threads_tell_what_they_do", "--nocapture"]);
    let output = test.env("WARPWISE_TEST_DEVICES", "gpu").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines: Vec<&str> =
        text.lines().filter_map(|line| Some(&line[line.find("block ")?..])).collect();
    lines.sort_by_key(|line| LINES.iter().position(|expected| line == expected));
    assert_eq!(lines, LINES, "{text}");
}
