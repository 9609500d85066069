//! Kernels that use other crates, for another GPU than the default one.

use std::fs;
use std::path::{Path, PathBuf};

use warpwise_ptx_builder::compile::compile;
use warpwise_ptx_builder::embed::embed;
use warpwise_ptx_builder::source::Sources;
use warpwise_ptx_builder::toolchain::{Search, Toolchain};
use warpwise_ptx_builder::{Dependency, Error, KernelPackage, Toolkit, check};

const KERNELS: &str = r#"
use warpwise_device::memory::InOut;
use warpwise_device::{kernel, thread};

const SHIFTS: &[u8; 2] = include_bytes!("../shifts.bin");

kernel!(
    /// Square roots and rotated words.
    #[requires(!numbers.is_empty())]
    pub unsafe fn roots(numbers: InOut<f32>, words: InOut<u32>) {
        let i = thread::index_1d();
        numbers.set(i, libm::fabsf(numbers.get(i)) + SHIFTS[0] as f32);
        words.set(i, doubles::doubled(rotation::rotated(words.get(i))));
    }

    /// Functions of `f64` that need no stack.
    #[requires(!numbers.is_empty())]
    pub unsafe fn wide(numbers: InOut<f64>) {
        let x = numbers.get(0);
        let logarithms = libm::log(x) + libm::log2(x) + libm::log10(x) + libm::lgamma(x);
        let angles = libm::asin(x) + libm::acos(x);
        numbers.set(0, logarithms + angles + libm::pow(x, 0.3) + libm::hypot(x, 2.0));
    }
);
"#;

const ROTATION: &str =
    "#![no_std]\npub fn rotated(word: u32) -> u32 {\n    word.rotate_left(places::PLACES)\n}\n";

const DOUBLES: &str = r#"
#![cfg_attr(target_arch = "nvptx64", no_std, feature(abi_ptx, asm_experimental_arch))]
use warpwise_device::{kernel, memory::InOut, thread};

pub fn doubled(word: u32) -> u32 {
    2 * word
}

#[cfg(feature = "kernel")]
kernel!(
    /// Words become twice as large.
    #[requires(|shape| words.len() >= shape.threads())]
    pub unsafe fn double(words: InOut<u32>) {
        let i = thread::index_1d();
        words.set(i, doubled(words.get(i)));
    }
);
"#;

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A package with kernels and a crate beside it that they use. The folder stays, since `core` is compiled in it.
fn package() -> (PathBuf, KernelPackage) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dependencies");
    write(&folder.join("own/src/kernels.rs"), KERNELS);
    write(&folder.join("own/shifts.bin"), "ab");
    let manifest = |name: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n")
    };
    let uses = manifest("rotation") + "[dependencies]\nplaces = { path = \"../places\" }\n";
    write(&folder.join("rotation/Cargo.toml"), &uses);
    write(&folder.join("rotation/src/lib.rs"), ROTATION);
    write(&folder.join("places/Cargo.toml"), &manifest("places"));
    write(&folder.join("places/src/lib.rs"), "#![no_std]\npub const PLACES: u32 = 3;\n");
    // Its own manifest is not read.
    write(&folder.join("doubles/src/lib.rs"), DOUBLES);
    let mut kernels = KernelPackage::new("kernels", "own", &folder.join("own"));
    kernels.toolkit = Some(Toolkit::below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..")));
    kernels.target.arch = "sm_90".into();
    kernels.target.ptx = "7.8".into();
    kernels.dependencies = vec![
        ("rotation".into(), Dependency::path("../rotation")),
        ("doubles".into(), Dependency::kernels("../doubles").features(&["kernel"])),
        ("libm".into(), Dependency::version("0.2")),
    ];
    (folder, kernels)
}

#[test]
fn kernels_use_crates_and_say_where_they_do_not_compile() {
    let (folder, kernels) = package();
    let toolchain = match Toolchain::find(&Search::from_env()) {
        Ok(toolchain) => toolchain,
        Err(reason) => {
            println!("skipped: {reason}");
            return;
        }
    };
    // The registry's index is not asked for versions that the lock file names.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    if root.is_file() {
        fs::copy(root, folder.join("own/Cargo.lock")).unwrap();
    }
    let sources = Sources::read(&kernels).unwrap();
    let compiled = compile(&kernels, &sources, &toolchain, &folder.join("out")).unwrap();
    assert_eq!(compiled.kernels().into_iter().collect::<Vec<_>>(), ["double", "roots", "wide"]);
    assert!(compiled.code.contains("\n.version 7.8\n.target sm_90\n"), "{}", compiled.code);
    assert!(compiled.code.contains("shf.l.wrap.b32"), "{}", compiled.code);
    assert_eq!(check::scan(&compiled.code), []);

    // An edit of the crate, or of a file that is read in, makes the PTX stale.
    let before = sources.hash();
    assert_eq!(compiled.source_hash, before);
    let read_in = folder.join("own/src/../shifts.bin");
    assert!(Sources::watched(&kernels).unwrap().contains(&read_in));
    write(&read_in, "ac");
    assert_ne!(Sources::read(&kernels).unwrap().hash(), before);
    write(&read_in, "ab");
    assert_eq!(Sources::read(&kernels).unwrap().hash(), before);
    // Or of a crate that this one uses.
    assert!(
        Sources::watched(&kernels).unwrap().contains(&folder.join("own/../rotation/../places"))
    );
    let places = folder.join("places/src/lib.rs");
    write(&places, "#![no_std]\npub const PLACES: u32 = 4;\n");
    assert_ne!(Sources::read(&kernels).unwrap().hash(), before);
    write(&places, "#![no_std]\npub const PLACES: u32 = 3;\n");
    assert_eq!(Sources::read(&kernels).unwrap().hash(), before);
    // Or of a crate of kernels, wherever it lies.
    let doubles = folder.join("doubles/src/lib.rs");
    write(&doubles, &DOUBLES.replace("2 * word", "word << 1"));
    assert_ne!(Sources::read(&kernels).unwrap().hash(), before);
    write(&doubles, DOUBLES);
    let mut absolute = kernels.clone();
    absolute.dependencies[1].1 = Dependency::kernels(folder.join("doubles")).features(&["kernel"]);
    assert_eq!(Sources::read(&absolute).unwrap().hash(), before);
    let rotated = "#![no_std]\npub fn rotated(word: u32) -> u32 { word }\n";
    write(&folder.join("rotation/src/lib.rs"), rotated);
    assert_ne!(Sources::read(&kernels).unwrap().hash(), before);

    // Kernels that no longer compile leave a build without PTX, which says why, unless the build needs it.
    write(&folder.join("own/src/kernels.rs"), &KERNELS.replace("fabsf", "no_such_function"));
    let out = folder.join("out");
    let without = embed(&kernels, &out, &Search::from_env(), false).unwrap();
    let why = without.ptx.unwrap_err();
    assert!(why.starts_with("the kernels do not compile for a GPU.\nerror[E0425]"), "{why}");
    let text = fs::read_to_string(without.path).unwrap();
    assert!(text.lines().all(|line| line.starts_with("//")), "{text}");
    let needed = embed(&kernels, &out, &Search::from_env(), true);
    assert!(matches!(needed, Err(Error::Compile { .. })), "{needed:?}");

    // What the target has not is an error that says which has it.
    let meets = "thread::index_1d();\n        warpwise_device::cluster::sync();";
    write(&folder.join("own/src/kernels.rs"), &KERNELS.replace("thread::index_1d();", meets));
    let without = embed(&kernels, &out, &Search::from_env(), false).unwrap();
    let why = without.ptx.unwrap_err();
    let advice = "need sm_90: say `.arch(\"sm_90\").ptx_version(\"8.0\")` in the build script";
    assert!(why.contains(advice), "{why}");
}
