//! What is said where NCCL is missing, or is something else. No GPU is needed.

use std::fs;
use std::path::Path;
use std::process::Command;

use tribin_cuda::Error;
use tribin_cuda::nccl::Nccl;

fn refusal(file: &Path) -> String {
    // SAFETY: the tests of this file use the environment through `std::env` alone.
    unsafe { std::env::set_var("NCCL_NVLS_ENABLE", "0") };
    match Nccl::load(Some(file)) {
        Err(error @ Error::NoNccl { .. }) => error.to_string(),
        Err(other) => panic!("{other}"),
        Ok(nccl) => panic!("loaded {}", nccl.file().display()),
    }
}

/// The compiler, which a machine that runs packed tests may lack.
fn rustc() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// A library with these functions, each of which takes the address of an integer.
fn library(folder: &Path, name: &str, source: &str) -> std::path::PathBuf {
    let (source_file, file) =
        (folder.join(format!("{name}.rs")), folder.join(format!("{name}.so")));
    fs::write(&source_file, source).unwrap();
    let mut compile = rustc();
    compile.args(["--edition", "2024", "--crate-type", "cdylib", "-C", "panic=abort", "-o"]);
    let status = compile.arg(&file).arg(&source_file).status().unwrap();
    assert!(status.success());
    file
}

/// A library that says that it has this version, and has no other function.
fn of_version(folder: &Path, code: u32) -> std::path::PathBuf {
    let source = format!(
        "#[unsafe(no_mangle)] pub unsafe extern \"C\" fn ncclGetVersion(to: *mut i32) -> i32 {{\
         unsafe {{ *to = {code} }}; 0 }}"
    );
    library(folder, &format!("version{code}"), &source)
}

#[test]
fn what_is_not_nccl_is_named_with_its_reason() {
    if rustc().arg("--version").output().is_err() {
        println!("skipped: no rustc, which makes libraries that are not NCCL");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nccl");
    fs::create_dir_all(&folder).unwrap();
    let refused = |file: &Path, why: &str| {
        let text = refusal(file);
        let begin = format!("NCCL cannot be used. Tried: {} (", file.display());
        assert!(text.starts_with(&begin) && text.contains(why), "{text}");
        assert!(!text.contains('\n'), "{text}");
    };
    refused(&folder.join("missing.so"), "not found");
    let no_library = folder.join("text.so");
    fs::write(&no_library, "this is no library\n").unwrap();
    refused(&no_library, "");
    let empty = library(&folder, "empty", "#[unsafe(no_mangle)] pub extern \"C\" fn other() {}");
    refused(&empty, "it has no function ncclGetVersion");
    refused(&of_version(&folder, 21_304), "version 2.13.4, and 2.14 or later is needed");
    refused(&of_version(&folder, 2_804), "version 2.8.4, and 2.14 or later is needed");
    refused(&of_version(&folder, 22_705), "it has no function ncclGetUniqueId");
    // Whatever was loaded, multicast is off.
    assert_eq!(std::env::var("NCCL_NVLS_ENABLE").as_deref(), Ok("0"));
}
