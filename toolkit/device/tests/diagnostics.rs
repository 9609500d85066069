//! What the compiler says of a kernel that is wrong: one error, on the line of the kernel, and nothing else.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;
use std::{env, fs};

/// The library that this test was built with, and the folder of what it depends on; `None` where the test lies elsewhere, as on a
/// machine that only runs it.
fn library() -> Option<(PathBuf, PathBuf)> {
    let test = env::current_exe().expect("the test has a path");
    let folder = test.parent().expect("it lies in a folder").to_owned();
    let is_library = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with("libwarpwise_device-") && name.ends_with(".rlib")
    };
    let built = |path: &PathBuf| {
        let time = fs::metadata(path).and_then(|of| of.modified());
        time.unwrap_or(SystemTime::UNIX_EPOCH)
    };
    let files = fs::read_dir(&folder).expect("the folder can be read");
    let files = files.map(|file| file.expect("a file").path()).filter(|path| is_library(path));
    Some((files.max_by_key(built)?, folder))
}

/// The lines of the errors and warnings in a crate with `kernels`, each with its text. Without the library the test is skipped.
fn diagnostics(name: &str, kernels: &str) -> Option<Vec<(usize, String)>> {
    let Some((library, folder)) = library() else {
        println!("skipped: the library that the samples are compiled with is not beside its tests");
        return None;
    };
    let source = env::temp_dir().join(format!("tribin_{name}_{}.rs", std::process::id()));
    // Attributes of the crate stand before all else.
    let (crate_wide, kernels) = match kernels.trim_start().strip_prefix("#![forbid(unsafe_code)]") {
        Some(rest) => ("#![forbid(unsafe_code)]", format!("\n{rest}")),
        None => ("", kernels.to_owned()),
    };
    let head =
        "#[allow(unused_imports)] use warpwise_device::{kernel, memory::{In, InOut}, thread};\n";
    fs::write(&source, format!("{crate_wide}{head}{kernels}")).expect("the sample can be written");
    let output = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args(["--edition=2024", "--crate-type=lib", "--emit=metadata", "--error-format=short"])
        .arg("--out-dir")
        .arg(env::temp_dir())
        .arg("-L")
        .arg(format!("dependency={}", folder.display()))
        .arg("--extern")
        .arg(format!("warpwise_device={}", library.display()))
        .arg(&source)
        .output()
        .expect("rustc runs");
    fs::remove_file(&source).expect("the sample was written");
    let prefix = format!("{}:", source.display());
    let text = String::from_utf8_lossy(&output.stderr);
    let of_line = |line: &str| {
        let (at, text) = line.strip_prefix(&prefix)?.split_once(": ")?;
        Some((at.split(':').next()?.parse().ok()?, text.to_owned()))
    };
    // The rest are the lines that count errors.
    Some(text.lines().filter_map(of_line).collect())
}

#[track_caller]
fn assert_one(name: &str, kernels: &str, start: &str) {
    let line = 2 + kernels.lines().position(|line| line.contains("// here")).expect("a mark");
    let Some(found) = diagnostics(name, kernels) else { return };
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].0, line, "{found:#?}");
    assert!(found[0].1.starts_with(start), "{found:#?}");
}

#[test]
fn a_right_kernel_has_no_warning() {
    let kernels = "
        kernel!(
            #[requires(|shape| out.len() >= shape.threads())]
            pub unsafe fn right(x: In<f32>, out: InOut<f32>, by: f32) {
                let i = thread::index_1d();
                out.set(i, x.get(i) * by);
            }

            #[instances(1, 2)]
            #[requires()]
            pub unsafe fn constant<const N: u32>(out: InOut<u32>) {
                out.set(0, N);
            }

            #[instances(u8, f64)]
            #[requires(from.len() > 0)]
            pub unsafe fn typed<T: warpwise_device::memory::Element>(from: In<T>, to: InOut<T>) {
                to.set(0, from.get(0));
            }
        );
        // Names that the macros use for their own.
        pub type Result<T> = core::result::Result<T, D>;
        pub fn ok() -> Result<()> { Ok(()) }
        pub struct Vec;
        pub enum Option { Some, None }
        #[allow(unused_imports)]
        use Option::*;
        pub type D = f32;
        warpwise_device::element! { pub struct S { pub device: D } }
        warpwise_device::parameters! { pub struct Group { pub args: In<S>, pub name: D } }
        kernel!(
            #[requires(body.args.len() > 0, shape > 0, device.device + body.name < 3.0)]
            pub unsafe fn names(body: Group, shape: u32, device: S, args: D, launch: InOut<D>) {
                launch.set(shape.into(), args + device.device + body.name);
            }

            #[requires()]
            #[instances(1, 2)]
            pub unsafe fn of_d<const D: u32>(body: InOut<u32>) { body.set(0, D); }
        );
    ";
    let Some(found) = diagnostics("right", kernels) else { return };
    assert_eq!(found, []);
}

#[test]
fn a_wrong_type_in_a_body_is_one_error() {
    let kernels = "
        kernel!(
            #[requires(out.len() > 0)]
            pub unsafe fn adds(x: In<f32>, out: InOut<f32>) {
                let i = thread::index_1d();
                out.set(i, x.get(i) + 1u32); // here
            }
        );
    ";
    assert_one("body", kernels, "error[E0277]: cannot add `u32` to `f32`");
    let older = "
        kernel!(
            #[requires(out.len() > 0)]
            pub unsafe fn adds(x: In<f32>, out: InOut<f32>) {
                let i = thread::index_1d();
                out.set(i, x.gets(i)); // here
            }
        );
    ";
    assert_one("older", older, "error[E0599]: no method named `gets` found");
}

#[test]
fn a_wrong_condition_is_one_error() {
    let kernels = "
        kernel!(
            #[requires(|shape| out.len() >= shape.block)] // here
            pub unsafe fn sets(out: InOut<f32>) {
                out.set(0, 0.0);
            }
        );
    ";
    assert_one("condition", kernels, "error[E0308]: mismatched types");
}

#[test]
fn an_unknown_type_is_one_error() {
    let kernels = "
        kernel!(
            #[requires()]
            pub unsafe fn sets(
                out: InOut<f33>, // here
            ) {
                out.set(0, 0.0);
            }
        );
    ";
    assert_one("unknown", kernels, "error[E0425]: cannot find type `f33`");
}

#[test]
fn a_type_that_is_no_parameter_is_named_with_those_that_are() {
    for (wrong, start) in [
        ("usize", "a kernel takes no `usize`"),
        ("&[f32]", "a kernel takes no `&[f32]`"),
        ("Vec<f32>", "a kernel takes no `Vec<f32>`"),
        ("InOut<bool>", "device memory holds no `bool`"),
    ] {
        let kernels =
            format!("kernel!(#[requires()] pub unsafe fn takes(of: {wrong}) {{ let _ = of; }});");
        let Some(found) = diagnostics("parameter", &kernels) else { return };
        let start = format!("error[E0277]: {start}");
        assert!(found.iter().any(|(_, text)| text.starts_with(&start)), "{found:#?}");
    }
}

#[test]
fn a_type_that_is_no_instance_is_one_error() {
    let kernels = "
        kernel!(
            #[requires()]
            #[instances(u8, f64)]
            pub unsafe fn typed<T: warpwise_device::memory::Element>(to: InOut<T>, by: u8) {
                let _ = (to, by);
            }
        );
        pub fn entry() -> warpwise_device::launch::Entry {
            warpwise_device::entry!(typed, u32) // here
        }
    ";
    assert_one("instance", kernels, "error[E0277]: no instance of this kernel has the type `u32`");
}

#[test]
fn a_result_is_one_error_that_says_what_a_kernel_is() {
    let kernels = "
        kernel!( // here
            #[requires()]
            pub unsafe fn sets(out: InOut<f32>) -> u32 {
                1
            }
        );
    ";
    assert_one("result", kernels, "error: a kernel is `unsafe fn name(parameter: Type, ...)");
}

#[test]
fn a_kernel_is_unsafe_work_that_lints_see() {
    let kernels = "
        #![forbid(unsafe_code)]
        kernel!(
            #[requires()]
            pub unsafe fn sets(out: InOut<f32>) { // here
                out.set(0, 1.0);
            }
        );
    ";
    assert_one("forbidden", kernels, "error: declaration of an `unsafe` function");
    let kernels = "
        kernel!( // here
            #[requires()]
            pub fn sets(out: InOut<f32>) {
                out.set(0, 1.0);
            }
        );
    ";
    assert_one("safe", kernels, "error: a kernel is `unsafe fn name(parameter: Type, ...)");
}

#[test]
fn a_kernel_says_what_it_requires() {
    let kernels = "
        kernel!( // here
            pub unsafe fn sets(out: InOut<f32>) {
                out.set(0, 1.0);
            }
        );
    ";
    assert_one(
        "silent",
        kernels,
        "error: kernel sets: say what the caller promises with `#[requires(...)]`",
    );
}
