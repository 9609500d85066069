//! The committed PTX, and what a build does about edited kernels.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Command;

use tempfile::TempDir;
use testkit::places;
use tribin_ptx_builder::Error;
use tribin_ptx_builder::embed::{committed, embed};
use tribin_ptx_builder::ptx::Ptx;
use tribin_ptx_builder::source::{SourceFile, Sources};
use tribin_ptx_builder::toolchain::{Search, Toolchain};

/// The sources below a folder that is laid out as the repository is.
fn sources_in(root: &Path) -> Sources {
    Sources { kernels: root.join("gpu-kernels"), toolkit: root.join("toolkit") }
}

fn sources() -> Sources {
    sources_in(&places::root())
}

/// A copy of the sources and of the PTX that a test may edit.
fn copy() -> (TempDir, Sources) {
    let folder = tempfile::tempdir().unwrap();
    let root = places::root();
    let files = sources().files().unwrap().into_iter().map(|file| file.path);
    let host_only = HOST_ONLY.map(|file| root.join(file));
    for file in files.chain(host_only).chain([committed(&sources().kernels)]) {
        let target = folder.path().join(file.strip_prefix(&root).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(file, target).unwrap();
    }
    let copied = sources_in(folder.path());
    (folder, copied)
}

/// Files of the toolkit that no GPU runs.
const HOST_ONLY: [&str; 2] = ["toolkit/launch/src/buffer.rs", "toolkit/emulator/src/lib.rs"];

fn append(file: &Path, text: &str) {
    fs::write(file, fs::read_to_string(file).unwrap() + text).unwrap();
}

/// A machine without any rustc.
fn nowhere() -> Search {
    Search { named: None, active: "/nowhere/active/rustc".into(), debian: "/nowhere/rustc".into() }
}

/// The first arguments of a macro's calls in a file: where a macro declares a kernel of several types, its
/// names.
fn names_given_to(macro_name: &str, text: &str) -> Vec<String> {
    let call = format!("{macro_name}!(");
    let names = text.lines().filter_map(|line| line.strip_prefix(&call)?.split(',').next());
    names.map(|name| name.trim().to_owned()).collect()
}

/// The names that the sources declare with `kernel!`.
fn declared(sources: &Sources) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for SourceFile { name: file, path } in sources.files().unwrap() {
        if !file.starts_with("kernels/") {
            continue;
        }
        let text = fs::read_to_string(path).unwrap();
        let mut code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let mut last_macro = "";
        while let Some(line) = code.next() {
            if let Some(name) = line.strip_prefix("macro_rules! ") {
                last_macro = name.trim_end_matches(" {");
            }
            if line.trim_start().starts_with("kernel! {") {
                let name = code
                    .find_map(|line| line.trim_start().strip_prefix("pub fn "))
                    .and_then(|rest| rest.split('(').next())
                    .unwrap_or_else(|| panic!("{file}: kernel! without a function"));
                let declares = match name.trim() {
                    "$name" => names_given_to(last_macro, &text),
                    name => vec![name.to_owned()],
                };
                assert!(!declares.is_empty(), "{file}: {last_macro}! is never called");
                for name in declares {
                    assert!(names.insert(name.clone()), "{name} is declared twice");
                }
            }
        }
    }
    names
}

#[test]
fn the_committed_ptx_is_of_these_sources() {
    let ptx = Ptx::read(&committed(&sources().kernels)).unwrap();
    assert_eq!(ptx.source_hash, sources().hash().unwrap(), "run cargo xtask ptx");
}

#[test]
fn every_declared_kernel_is_an_entry_and_no_other() {
    let ptx = Ptx::read(&committed(&sources().kernels)).unwrap();
    let entries: BTreeSet<String> = ptx.kernels().into_iter().map(str::to_owned).collect();
    let declared = declared(&sources());
    assert!(declared.contains("radix_scatter"), "{declared:?}");
    assert_eq!(declared, entries);
}

#[test]
fn the_committed_ptx_has_no_defect_and_names_no_path() {
    let ptx = Ptx::read(&committed(&sources().kernels)).unwrap();
    assert_eq!(ptx.defects(), [""; 0]);
    assert!(ptx.code.contains("\n.version 7.1\n.target sm_80\n"));
    assert_eq!(ptx.code.lines().find(|line| line.contains(".rs")), None);
}

#[test]
fn unedited_sources_need_no_toolchain() {
    let (folder, copied) = copy();
    let out = folder.path().join("out");
    let embedded = embed(&copied, &out, &nowhere()).unwrap();
    assert_eq!(embedded.path, committed(&copied.kernels));
    assert!(!out.exists());
}

/// A published package of the kernels: the toolkit is not beside it, and the PTX cannot be compared.
#[test]
fn a_package_without_all_sources_embeds_its_ptx() {
    let (folder, kernels) = copy();
    fs::remove_dir_all(&kernels.toolkit).unwrap();
    append(&kernels.kernels.join("src/lib.rs"), "// edited\n");
    let embedded = embed(&kernels, folder.path(), &nowhere()).unwrap();
    assert_eq!(embedded.path, committed(&kernels.kernels));
    assert_eq!(kernels.watched(), [embedded.path]);
    fs::remove_file(committed(&kernels.kernels)).unwrap();
    assert!(embed(&kernels, folder.path(), &nowhere()).is_err());
}

#[test]
fn edited_sources_without_a_toolchain_stop_with_the_install_commands() {
    let (folder, copied) = copy();
    append(&copied.kernels.join("src/lib.rs"), "// edited\n");
    let error = embed(&copied, folder.path(), &nowhere()).unwrap_err();
    assert!(matches!(error, Error::EditedWithoutToolchain { .. }), "{error:?}");
    let missing = "No such file or directory (os error 2)";
    assert_eq!(
        error.to_string(),
        format!(
            "the kernel sources differ from those of {}, and they cannot be compiled here.\n\
             No rustc that can compile GPU kernels was found:\n  \
               the active rustc: /nowhere/active/rustc cannot be run: {missing}\n  \
               Debian's /nowhere/rustc: /nowhere/rustc cannot be run: {missing}\n\
             Install one (rustc 1.96 or newer):\n  \
               with rustup:  rustup update stable && rustup component add rust-src\n  \
               on Debian:    apt-get install -y --no-install-recommends rustc-web cargo-web rust-web-src\n\
             or name one that you have: TRIBIN_DEVICE_RUSTC=/path/to/rustc\n\
             Or take back the edits under {} and {}: no device toolchain is needed then.",
            committed(&copied.kernels).display(),
            copied.kernels.display(),
            copied.toolkit.display()
        )
    );
}

#[test]
fn a_missing_or_broken_ptx_counts_as_stale() {
    for text in [None, Some(""), Some("// tribin kernels\n// source-hash: 0\n")] {
        let (folder, copied) = copy();
        let ptx = committed(&copied.kernels);
        fs::remove_file(&ptx).unwrap();
        if let Some(text) = text {
            fs::write(&ptx, text).unwrap();
        }
        let error = embed(&copied, folder.path(), &nowhere()).unwrap_err();
        assert!(matches!(error, Error::EditedWithoutToolchain { .. }), "{error:?}");
    }
}

#[test]
fn the_hash_is_of_device_code_only() {
    let (folder, copied) = copy();
    let before = copied.hash().unwrap();
    assert_eq!(before, sources().hash().unwrap(), "the same wherever it lies");

    for file in HOST_ONLY {
        append(&folder.path().join(file), "// edited\n");
    }
    fs::write(copied.kernels.join("src/notes.md"), "not code").unwrap();
    assert_eq!(copied.hash().unwrap(), before);

    let lib = copied.kernels.join("src/lib.rs");
    let text = fs::read_to_string(&lib).unwrap();
    fs::write(&lib, text.replace('\n', "\r\n")).unwrap();
    assert_eq!(copied.hash().unwrap(), before, "line endings do not count");

    for file in [
        "gpu-kernels/src/lib.rs",
        "toolkit/device/src/warp.rs",
        "toolkit/device/src/ptx.rs",
        "toolkit/launch/src/element.rs",
    ] {
        let before = copied.hash().unwrap();
        append(&folder.path().join(file), "// edited\n");
        assert_ne!(copied.hash().unwrap(), before, "{file}");
    }
    let before = copied.hash().unwrap();
    fs::write(copied.kernels.join("src/added.rs"), "").unwrap();
    assert_ne!(copied.hash().unwrap(), before, "a new file");
}

/// A folder with a `rustc` that answers what a test says, and a `cargo` beside it.
#[cfg(unix)]
fn fake_rustc(folder: &Path, release: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let rustc = folder.join("bin/rustc");
    fs::create_dir_all(rustc.parent().unwrap()).unwrap();
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" = -vV ]; then\n\
         printf 'rustc {release} (fake)\\nrelease: {release}\\nLLVM version: 22.1.0\\n'\n\
         else echo '{}'; fi\n",
        folder.display()
    );
    // A process that another test starts at this moment briefly holds what this one writes, and a file
    // that is held for writing cannot be run: another program writes it.
    let text = folder.join("rustc.txt");
    fs::write(&text, script).unwrap();
    fs::set_permissions(&text, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(Command::new("cp").args([&text, &rustc]).status().unwrap().success());
    fs::write(folder.join("bin/cargo"), "").unwrap();
    rustc
}

#[cfg(unix)]
#[test]
fn the_search_takes_the_first_place_that_fits_and_says_why_not_the_others() {
    use tribin_ptx_builder::toolchain::Core;

    let folder = tempfile::tempdir().unwrap();
    let old = fake_rustc(&folder.path().join("old"), "1.95.0");
    let bare = fake_rustc(&folder.path().join("bare"), "1.96.0");
    let full = fake_rustc(&folder.path().join("full"), "1.97.1-nightly");
    let rustlib = folder.path().join("full/lib/rustlib");
    let library = rustlib.join("src/rust/library");
    fs::create_dir_all(library.join("core")).unwrap();
    fs::write(library.join("core/Cargo.toml"), "").unwrap();

    let search = Search { named: None, active: old.clone(), debian: full.clone() };
    let found = Toolchain::find(&search).unwrap();
    assert_eq!((&found.rustc, &found.core), (&full, &Core::Source(library)));
    assert_eq!(found.version, "rustc 1.97.1-nightly (fake), LLVM 22.1.0");

    // The prebuilt core goes before the source.
    fs::create_dir_all(rustlib.join("nvptx64-nvidia-cuda/lib")).unwrap();
    assert_eq!(Toolchain::find(&search).unwrap().core, Core::Prebuilt);

    // A named rustc that does not fit is an error, whatever else there is.
    let named = Search { named: Some(bare.clone()), ..search };
    let rejected = Toolchain::find(&named).unwrap_err().rejected;
    assert_eq!(rejected.len(), 1);
    assert_eq!(rejected[0].place, format!("TRIBIN_DEVICE_RUSTC={}", bare.display()));

    let search = Search { named: None, active: old, debian: bare };
    let reasons = Toolchain::find(&search).unwrap_err().rejected;
    assert_eq!(
        reasons.iter().map(|rejected| rejected.reason.as_str()).collect::<Vec<_>>(),
        [
            "rustc 1.95.0 is too old: barriers need 1.96 or newer".to_owned(),
            format!(
                "rustc 1.96.0 has neither `core` for nvptx64-nvidia-cuda nor rust-src under {}",
                folder.path().join("bare/lib/rustlib").display()
            ),
        ]
    );
}

#[test]
fn a_header_is_read_as_it_was_written() {
    let ptx = Ptx {
        source_hash: "ab".repeat(32),
        rustc: "rustc 1.96.0 (x), LLVM 22.1.8".to_owned(),
        flags: "-Ca -Cb".to_owned(),
        code: ".version 7.1\n.visible .entry add(\n)\n.visible .entry sub(\n)\n".to_owned(),
    };
    let text = ptx.to_string();
    assert_eq!(text.lines().nth(1), Some(format!("// source-hash: {}", "ab".repeat(32)).as_str()));
    assert_eq!(Ptx::parse(&text).unwrap(), ptx);
    assert_eq!(Ptx::parse(&text.replace('\n', "\r\n")).unwrap(), ptx);
    assert_eq!(ptx.kernels().into_iter().collect::<Vec<_>>(), ["add", "sub"]);
    assert_eq!(
        Ptx::parse("// tribin kernels\n.version 7.1\n").unwrap_err(),
        "expected a line that starts with `// source-hash:`, not \".version 7.1\""
    );
}

#[test]
fn defects_name_the_kernel() {
    let code = "\
.func helper(\n)\n{\n\ttrap;\n}
.visible .entry clean(\n)\n{\n\tadd.s32 %r1, %r2, %r3; // no trap;\n}
.visible .entry frame(\n)\n{\n\t.local .align 8 .b8 __local_depot1[192];\n}
.visible .entry traps(\n)\n{\n\t@%p1 trap;\n\tcall.uni _ZN4core9panicking5panic, ();\n}\n";
    let ptx = Ptx {
        source_hash: String::new(),
        rustc: String::new(),
        flags: String::new(),
        code: code.to_owned(),
    };
    assert_eq!(
        ptx.defects(),
        [
            "a function: contains a trap (a panic of Rust ends there)",
            "frame: has a stack frame: .local .align 8 .b8 __local_depot1[192];",
            "traps: contains a call of a panic: call.uni _ZN4core9panicking5panic, ();",
            "traps: contains a trap (a panic of Rust ends there)",
        ]
    );
}
