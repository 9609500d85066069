//! Bad input: one line that names the file, exit code 1, nothing on stdout.

use std::fs;
use std::io::Write;

use testkit::{places, skip};

use super::{KARATE, gzip, only_line, refused, run, text, tribin, write};

/// Runs `tribin count` on a bad path and gives the message after `error: PATH:`.
fn message(path: &str) -> String {
    let line = refused(1, ["count", path]);
    let prefix = format!("error: {path}:");
    line.strip_prefix(&prefix).unwrap_or_else(|| panic!("no `{prefix}` in {line:?}")).to_owned()
}

#[test]
fn bad_content_is_named_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let many = "1 2\n".repeat(1000);
    let cases: [(&str, Vec<u8>, &str); 4] = [
        ("letters.txt", b"1 2\n3 x\n".to_vec(), "2: "),
        ("letters.csv.gz", gzip(format!("{many}1,b\n").as_bytes()), "1001: "),
        ("odd.bin", vec![0; 12], ""),
        ("empty.txt", Vec::new(), " "),
    ];
    for (name, content, place) in cases {
        let path = write(folder.path(), name, content);
        let message = message(&path);
        assert!(message.starts_with(place), "{name}: {message}");
    }
}

/// Eight KiB became six GiB.
#[cfg(target_os = "linux")]
#[test]
fn a_bomb_ends_in_one_line() {
    use std::io::Read;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bomb.graph.zst");
    let lines = std::io::repeat(b'\n').take(1 << 30);
    let head = &b"1073741824 0\n"[..];
    zstd::stream::copy_encode(head.chain(lines), fs::File::create(&path).unwrap(), 1).unwrap();
    let path = path.to_str().unwrap();
    assert_eq!(
        refused(1, ["count", "--decompressed-limit", "64M", path]),
        format!(
            "error: {path}: the zstd data decompress to more than 67108864 bytes: if the file can be \
             trusted and the memory suffices, allow more with `--decompressed-limit`"
        )
    );
    // What is free is known where nothing is said, here to the limit of the address space.
    let limited = |kibibytes: u32, option: &str| {
        let count = "count --device cpu --threads 1";
        let command = format!("ulimit -v {kibibytes}; exec \"$0\" {count} {option} \"$1\"");
        let mut sh = std::process::Command::new("sh");
        sh.args(["-c", &command])
            .arg(places::command(env!("CARGO_BIN_EXE_tribin")))
            .arg(path)
            .output()
            .unwrap()
    };
    let output = limited(1 << 19, "");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(only_line(&output.stderr).contains(": the zstd data decompress to more than "));
    // The limit that was asked for is more than there is.
    let output = limited(1 << 19, "--decompressed-limit 8G");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(only_line(&output.stderr).contains("decompressed bytes there is no memory for "));
}

/// Memory that nobody has ends in one line, whoever asked for it.
#[cfg(target_os = "linux")]
#[test]
fn memory_that_is_not_there_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("complete.npz").display().to_string();
    let line = refused(1, ["generate", "complete", "--vertices", "4294967294", "-o", &path]);
    let needed = format!("error: {path}: no memory for {} bytes more: ", u64::MAX);
    assert!(line.starts_with(&needed), "{line}");
    assert!(!std::path::Path::new(&path).exists());
}

/// The names of the classes are text.
#[test]
fn no_census_is_a_numpy_array() {
    let karate = places::root().join(crate::KARATE).display().to_string();
    for more in [["-o", "census.npy"], ["--to-format", "npy"]] {
        let line = refused(2, ["census", &karate].into_iter().chain(more));
        assert!(
            line.ends_with(
                "which NumPy arrays do not hold: write .csv, .tsv, .parquet or .feather"
            ),
            "{line}"
        );
    }
}

/// Data whose header the gzip program does not write were read as raw pairs.
#[cfg(unix)]
#[test]
fn compressed_pairs_from_standard_input() {
    let triangle: Vec<u8> = [0u32, 1, 1, 2, 2, 0].iter().flat_map(|id| id.to_le_bytes()).collect();
    let mut encoder =
        flate2::GzBuilder::new().filename("n").write(Vec::new(), flate2::Compression::default());
    encoder.write_all(&triangle).unwrap();
    let mut bytes = encoder.finish().unwrap();
    bytes[8] = 1;
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "input", bytes);
    let output = tribin()
        .args(["count", "--quiet", "--format", "bin", "-"])
        .stdin(fs::File::open(&path).unwrap())
        .output()
        .unwrap();
    assert!(text(&output.stdout).contains("triangles     1\n"), "{}", text(&output.stderr));
}

/// NumPy's integers have 64 bits, unless that is said.
#[test]
fn ids_of_64_bits_that_are_called_raw_pairs_are_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bin");
    let path = path.to_str().unwrap();
    let wide = |ids: u64| (0..ids).flat_map(|id| (id % 1000).to_le_bytes()).collect::<Vec<u8>>();
    let mut other = wide(400_000);
    *other.last_mut().unwrap() = 1;
    for (bytes, is_told) in
        [(wide(6), true), (wide(400_000), true), (other, false), (wide(3), false), (wide(1), false)]
    {
        fs::write(path, bytes).unwrap();
        for args in [&["count", "--quiet", path][..], &["convert", "--quiet", path, "-"]] {
            let output = run(args.iter().copied());
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
            let expected =
                format!("{path}: every second 32-bit id is 0, so the ids may have 64 bits: ");
            match is_told {
                true => assert!(only_line(&output.stderr).contains(&expected)),
                false => assert_eq!(text(&output.stderr), ""),
            }
        }
    }
}

#[test]
fn what_cannot_be_opened_is_named() {
    let folder = tempfile::tempdir().unwrap();
    assert!(message(folder.path().to_str().unwrap()).contains("the folder holds no graph"));
    assert!(message("missing.txt").contains("no such file"));
}

#[cfg(unix)]
#[test]
fn permission_denied_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "secret.txt", "1 2\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::File::open(&path).is_ok() {
        skip::whole("this user may read every file");
        return;
    }
    assert!(message(&path).to_lowercase().contains("permission denied"));
}

#[cfg(unix)]
#[test]
fn a_file_name_with_a_line_end_still_makes_one_line() {
    let output = run(["count", "no\nsuch.txt"]);
    assert!(only_line(&output.stderr).starts_with("error: no\\nsuch.txt: "));
}

/// Escape sequences in names coloured the terminal, and could do more.
#[cfg(unix)]
#[test]
fn a_file_name_with_an_escape_sequence_does_not_reach_the_terminal() {
    let output = run(["count", "no\x1b]0;such\x07.txt"]);
    assert!(only_line(&output.stderr).starts_with(r"error: no\u{1b}]0;such\u{7}.txt: "));
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "g\x1b[31m.txt", "1 2\n");
    for command in ["count", "stats"] {
        let output = run([command, "--verbose", &path]);
        assert!(output.status.success());
        for shown in [&output.stdout, &output.stderr] {
            assert!(!shown.contains(&0x1b), "{}", text(shown));
        }
        assert!(text(&output.stdout).contains(r"g\u{1b}[31m.txt"), "{}", text(&output.stdout));
    }
}

#[test]
fn the_other_files_are_counted_all_the_same() {
    let output = run(["count", "--json", "--quiet", "missing.txt", KARATE, "missing.mtx"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout).lines().count(), 1);
    assert!(text(&output.stdout).contains("\"triangles\":45,"));
    let stderr: Vec<_> = text(&output.stderr).lines().collect();
    assert_eq!(stderr.len(), 2, "{stderr:?}");
    assert!(stderr[0].starts_with("error: missing.txt: "));
    assert!(stderr[1].starts_with("error: missing.mtx: "));
}
