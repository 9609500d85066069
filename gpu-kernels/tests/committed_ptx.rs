//! The committed PTX, and what a build does about edited kernels.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Command;

use tempfile::TempDir;
use warpwise_ptx_builder::embed::embed;
use warpwise_ptx_builder::ptx::Ptx;
use warpwise_ptx_builder::source::{SourceFile, Sources};
use warpwise_ptx_builder::toolchain::{Search, Toolchain};
use warpwise_ptx_builder::{Dependency, Error, KernelPackage, Toolkit, check, committed};

/// The repository's root: `$TRIBIN_ROOT`, or where this was built.
fn root() -> PathBuf {
    let built = || Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned();
    std::env::var_os("TRIBIN_ROOT").map_or_else(built, PathBuf::from)
}

/// The kernels below a folder that is laid out as the repository is.
fn kernels_in(root: &Path) -> KernelPackage {
    let mut kernels = KernelPackage::new("kernels", "tribin-kernels", &root.join("gpu-kernels"));
    kernels.root = "src/lib.rs".into();
    kernels.toolkit = Some(Toolkit::below(&root.join("toolkit")));
    let primitives =
        Dependency::kernels("../toolkit/primitives").features(&["prefix_sums", "radix_sort"]);
    kernels.dependencies = vec![("warpwise-primitives".to_owned(), primitives)];
    kernels
}

fn kernels() -> KernelPackage {
    kernels_in(&root())
}

fn sources() -> Sources {
    Sources::read(&kernels()).unwrap()
}

fn ptx() -> Ptx {
    committed::read(&kernels()).unwrap()
}

/// A copy of the sources and of the PTX that a test may edit.
fn copy() -> (TempDir, KernelPackage) {
    let folder = tempfile::tempdir().unwrap();
    let root = root();
    let files: Vec<PathBuf> = sources().files().iter().map(|file| file.path.clone()).collect();
    let host_only = HOST_ONLY.map(|file| root.join(file));
    for file in files.into_iter().chain(host_only).chain([kernels().committed_file()]) {
        let target = folder.path().join(file.strip_prefix(&root).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(file, target).unwrap();
    }
    let copied = kernels_in(folder.path());
    (folder, copied)
}

/// Files of the toolkit that no GPU runs.
const HOST_ONLY: [&str; 2] = ["toolkit/launch/src/buffer.rs", "toolkit/emulator/src/lib.rs"];

/// A change of code.
const EDIT: &str = "const EDITED: u32 = 1;\n";

fn append(file: &Path, text: &str) {
    fs::write(file, fs::read_to_string(file).unwrap() + text).unwrap();
}

/// A machine without any rustc.
fn nowhere() -> Search {
    Search { named: None, active: "/nowhere/active/rustc".into(), debian: "/nowhere/rustc".into() }
}

/// The first arguments of a macro's calls in a file, past their comments: where a macro declares kernels, their
/// names.
fn names_given_to(macro_name: &str, text: &str) -> Vec<String> {
    let call = format!("\n{macro_name}!(");
    let first = |call: &str| {
        let code = call.lines().map(str::trim_start).filter(|line| !line.starts_with("//"));
        code.collect::<String>().split(',').next().unwrap_or_default().trim().to_owned()
    };
    text.split(&call).skip(1).map(first).collect()
}

/// What declares kernels of this PTX.
const DECLARING: [&str; 3] =
    ["kernels/", "warpwise-primitives/src/prefix_sums.rs", "warpwise-primitives/src/radix_sort/"];

/// The names that the sources declare with `kernel!`.
fn declared() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for SourceFile { name: file, text, .. } in sources().files() {
        if !DECLARING.iter().any(|of| file.starts_with(of)) {
            continue;
        }
        let mut code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let mut last_macro = "";
        while let Some(line) = code.next() {
            if let Some(name) = line.strip_prefix("macro_rules! ") {
                last_macro = name.trim_end_matches(" {");
            }
            if ["kernel! {", "kernel!("].iter().any(|form| line.trim_start().starts_with(form)) {
                let mut instances = Vec::new();
                let name = code.find_map(|line| {
                    let line = line.trim_start();
                    if let Some(given) = line.strip_prefix("#[instances(") {
                        let given = given.trim_end_matches(")]").split(',');
                        instances = given.map(|value| value.trim().to_owned()).collect();
                    }
                    line.strip_prefix("pub unsafe fn ")
                });
                let name = name.unwrap_or_else(|| panic!("{file}: kernel! without a function"));
                let name = name.split(['(', '<']).next().unwrap_or_default().trim();
                let declares = match name {
                    "$name" => names_given_to(last_macro, text),
                    name if instances.is_empty() => vec![name.to_owned()],
                    name => instances.iter().map(|value| format!("{name}_{value}")).collect(),
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
    assert_eq!(committed::fresh(&kernels(), &sources()).err(), None, "run cargo xtask ptx");
}

#[test]
fn every_declared_kernel_is_an_entry_and_no_other() {
    let ptx = ptx();
    let entries: BTreeSet<String> = ptx.kernels().into_iter().map(str::to_owned).collect();
    let declared = declared();
    assert!(declared.contains("radix_scatter_9"), "{declared:?}");
    assert_eq!(declared, entries);
}

#[test]
fn the_committed_ptx_has_no_defect_and_names_no_path() {
    let ptx = ptx();
    assert_eq!(check::scan(&ptx.code), []);
    assert!(ptx.code.contains("\n.version 7.1\n.target sm_80\n"));
    assert_eq!(ptx.code.lines().find(|line| line.contains(".rs")), None);
}

#[test]
fn unedited_sources_need_no_toolchain() {
    let (folder, copied) = copy();
    let out = folder.path().join("out");
    let embedded = embed(&copied, &out, &nowhere(), true).unwrap();
    assert_eq!(embedded.path, out.join("kernels.ptx"));
    assert_eq!(embedded.ptx.unwrap(), ptx());
    assert_eq!(Ptx::read(&embedded.path).unwrap(), ptx());
}

/// A published package of the kernels: its PTX is taken whatever the device library beside it is.
#[test]
fn a_published_package_embeds_its_ptx() {
    let (folder, mut kernels) = copy();
    append(&kernels.folder.join("src/lib.rs"), EDIT);
    assert!(embed(&kernels, folder.path(), &nowhere(), true).is_err());
    fs::write(kernels.folder.join("Cargo.toml.orig"), "").unwrap();
    kernels.toolkit = None;
    let embedded = embed(&kernels, folder.path(), &nowhere(), true).unwrap();
    assert_eq!(embedded.ptx.unwrap(), ptx());
    fs::remove_dir_all(kernels.committed_folder()).unwrap();
    assert!(embed(&kernels, folder.path(), &nowhere(), true).is_err());
}

#[test]
fn edited_sources_without_a_toolchain_stop_with_the_install_commands() {
    let (folder, copied) = copy();
    append(&copied.folder.join("src/degrees/mod.rs"), EDIT);
    let error = embed(&copied, folder.path(), &nowhere(), true).unwrap_err();
    assert!(matches!(error, Error::StaleWithoutToolchain { .. }), "{error:?}");
    let missing = "No such file or directory (os error 2)";
    let file = copied.committed_file();
    let help = format!(
        "No rustc that can compile GPU kernels was found:\n  \
           the active rustc: /nowhere/active/rustc cannot be run: {missing}\n  \
           Debian's /nowhere/rustc: /nowhere/rustc cannot be run: {missing}\n\
         Install one (rustc 1.96 or newer):\n  \
           with rustup:  rustup update stable && rustup component add rust-src\n                \
           (where RUSTUP_TOOLCHAIN and rust-toolchain.toml name no older one)\n  \
           on Debian:    apt-get update && apt-get install -y --no-install-recommends rustc-web cargo-web rust-web-src\n                \
           (from Debian's security updates, which apt's sources must name)\n\
         or name one that you have: WARPWISE_DEVICE_RUSTC=/path/to/rustc\n"
    );
    assert_eq!(
        error.to_string(),
        format!(
            "{} is of other sources, and the kernels cannot be compiled here.\n{help}\
             Or take back the edits of the kernels: with the PTX in {} fresh, no device toolchain is \
             needed.",
            file.display(),
            copied.committed_folder().display()
        )
    );
    // Where the emulator is enough, the build goes on, and the reason is embedded.
    let embedded = embed(&copied, folder.path(), &nowhere(), false).unwrap();
    let why =
        format!("{} is of other sources, and no rustc here can compile kernels", file.display());
    let emulated = "Until then the kernels run in the emulator, and not on a GPU.";
    assert_eq!(embedded.ptx.unwrap_err(), format!("{why}.\n{help}{emulated}"));
    let text = fs::read_to_string(embedded.path).unwrap();
    assert!(text.starts_with(&format!("// no PTX: {why}\n// No rustc")), "{text}");
    assert!(text.lines().all(|line| line.starts_with("//")), "{text}");
}

#[test]
fn a_missing_or_broken_ptx_counts_as_stale() {
    for (text, why) in [
        (None, "there is no PTX in "),
        (Some(""), "kernels.ptx: expected a line that starts with `// kernels of`"),
    ] {
        let (folder, copied) = copy();
        let file = copied.committed_file();
        match text {
            Some(text) => fs::write(&file, text).unwrap(),
            None => fs::remove_file(&file).unwrap(),
        }
        let error = embed(&copied, folder.path(), &nowhere(), true).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
        let why_not_fresh = committed::difference(&copied, &ptx()).unwrap();
        assert!(why_not_fresh.contains(why), "{why_not_fresh}");
    }
}

#[test]
fn a_write_leaves_the_new_ptx_alone_in_its_folder() {
    let (_folder, copied) = copy();
    let of_a_module = copied.committed_folder().join("degrees.ptx");
    fs::write(&of_a_module, "").unwrap();
    let fresh = Ptx { code: ".visible .entry other()\n{\n}\n".into(), ..ptx() };
    let stale = |why: &str| Some(format!("{} is stale: {why}", copied.committed_file().display()));
    assert_eq!(committed::difference(&copied, &fresh), stale("it has other kernels"));
    committed::write(&copied, &fresh).unwrap();
    assert_eq!(committed::difference(&copied, &fresh), None);
    assert!(!of_a_module.exists());
    let edited = Ptx { source_hash: "of an edit".into(), ..fresh.clone() };
    assert_eq!(committed::difference(&copied, &edited), stale("it was made of other sources"));
    let other_bytes = Ptx { code: fresh.code.clone() + "\n", ..fresh };
    let why = stale("the same compiler makes other bytes");
    assert_eq!(committed::difference(&copied, &other_bytes), why);
    let by_another = Ptx { rustc: "rustc 1.97.0".into(), ..other_bytes };
    assert_eq!(committed::difference(&copied, &by_another), None);
}

#[test]
fn edits_of_what_a_gpu_runs_change_the_hash_and_no_others() {
    let (folder, copied) = copy();
    let hash = || Sources::read(&copied).unwrap().hash();
    let before = hash();
    assert_eq!(before, sources().hash(), "the same wherever it lies");

    for file in HOST_ONLY {
        append(&folder.path().join(file), EDIT);
    }
    fs::write(copied.folder.join("src/notes.md"), "not code").unwrap();
    let on_gpus = [
        "gpu-kernels/src/lib.rs",
        "gpu-kernels/src/degrees/mod.rs",
        "gpu-kernels/src/primitives/runs.rs",
        "toolkit/primitives/src/scan.rs",
        "toolkit/device/src/warp.rs",
        "toolkit/device/src/kernel.rs",
        "toolkit/launch/src/element.rs",
    ];
    for file in on_gpus {
        append(&folder.path().join(file), "// A comment.\n    /// Documentation.\n");
    }
    assert_eq!(hash(), before);

    let lib = copied.folder.join("src/degrees/mod.rs");
    let text = fs::read_to_string(&lib).unwrap();
    fs::write(&lib, text.replace('\n', "\r\n")).unwrap();
    assert_eq!(hash(), before, "line endings do not count");

    for file in on_gpus {
        let before = hash();
        append(&folder.path().join(file), EDIT);
        assert_ne!(hash(), before, "{file}");
    }
    let mut for_others = copied.clone();
    for_others.target.arch = "sm_90".into();
    assert_ne!(Sources::read(&for_others).unwrap().hash(), hash(), "another flag");
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
    use warpwise_ptx_builder::toolchain::CoreSource;

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
    assert_eq!((&found.rustc, &found.core), (&full, &CoreSource::Source(library)));
    assert_eq!(found.version, "rustc 1.97.1-nightly (fake), LLVM 22.1.0");

    // The prebuilt core goes before the source.
    fs::create_dir_all(rustlib.join("nvptx64-nvidia-cuda/lib")).unwrap();
    assert_eq!(Toolchain::find(&search).unwrap().core, CoreSource::Prebuilt);

    // A named rustc that does not fit is an error, whatever else there is.
    let named = Search { named: Some(bare.clone()), ..search };
    let rejected = Toolchain::find(&named).unwrap_err().rejected;
    assert_eq!(rejected.len(), 1);
    assert_eq!(rejected[0].place, format!("WARPWISE_DEVICE_RUSTC={}", bare.display()));

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
