//! A rustc that can compile kernels.

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The device target.
pub const TARGET: &str = "nvptx64-nvidia-cuda";

/// The variable that names a rustc for the kernels.
pub const VARIABLE: &str = "WARPWISE_DEVICE_RUSTC";

/// The oldest rustc that is taken. Since this one every function on a GPU target is convergent:
/// before, LLVM may move a barrier into a branch.
const OLDEST: [u32; 2] = [1, 96];

const DEBIAN_RUSTC: &str = "/usr/bin/rustc";

/// The Debian packages of a device toolchain.
pub const DEBIAN_PACKAGES: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];

/// What a build says that has no PTX.
pub(crate) const EMULATOR_ONLY: &str =
    "Until then the kernels run in the emulator, and not on a GPU.";

/// The source of `core` for the device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CoreSource {
    /// The toolchain has `core` compiled.
    Prebuilt,
    /// Compiled with the kernels, from the standard library's source in this folder.
    Source(PathBuf),
}

/// A rustc that can compile kernels, and its cargo.
#[derive(Debug, Clone)]
pub struct Toolchain {
    /// The place where the toolchain was found, in words.
    pub place: String,
    /// The compiler.
    pub rustc: PathBuf,
    /// The cargo that belongs to the compiler.
    pub cargo: PathBuf,
    /// The sysroot, below which its libraries and sources lie.
    pub sysroot: PathBuf,
    /// The compiler's version, and its LLVM's, in one line.
    pub version: String,
    /// Where `core` comes from.
    pub core: CoreSource,
}

/// The places where a toolchain is looked for, in this order.
#[derive(Debug, Clone)]
pub struct Search {
    /// The rustc that the user names: nothing else is looked at then.
    pub named: Option<PathBuf>,
    /// The rustc that compiles the host's code.
    pub active: PathBuf,
    /// Debian's rustc, which stands beside the active one.
    pub debian: PathBuf,
}

impl Search {
    /// What the environment says: `WARPWISE_DEVICE_RUSTC`, then `RUSTC` (cargo sets it for build
    /// scripts) or the `rustc` of the path, then Debian's.
    pub fn from_env() -> Self {
        Search {
            named: env::var_os(VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from),
            active: env::var_os("RUSTC").map_or_else(|| "rustc".into(), PathBuf::from),
            debian: DEBIAN_RUSTC.into(),
        }
    }
}

/// A place that has no usable toolchain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedToolchain {
    /// The place of the toolchain, in words.
    pub place: String,
    /// The reason why the toolchain was not taken.
    pub reason: String,
}

/// No rustc here can compile kernels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoToolchain {
    /// Every place that was looked at, in order.
    pub rejected: Vec<RejectedToolchain>,
}

impl std::error::Error for NoToolchain {}

impl fmt::Display for NoToolchain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "No rustc that can compile GPU kernels was found:")?;
        for RejectedToolchain { place, reason } in &self.rejected {
            writeln!(f, "  {place}: {reason}")?;
        }
        writeln!(f, "Install one (rustc {}.{} or newer):", OLDEST[0], OLDEST[1])?;
        writeln!(f, "  with rustup:  rustup update stable && rustup component add rust-src")?;
        writeln!(
            f,
            "                (where RUSTUP_TOOLCHAIN and rust-toolchain.toml name no older one)"
        )?;
        writeln!(f, "  on Debian:    {}", debian_install())?;
        writeln!(
            f,
            "                (from Debian's security updates, which apt's sources must name)"
        )?;
        write!(f, "or name one that you have: {VARIABLE}=/path/to/rustc")
    }
}

/// The command that installs Debian's device toolchain.
pub fn debian_install() -> String {
    let packages = DEBIAN_PACKAGES.join(" ");
    format!("apt-get update && apt-get install -y --no-install-recommends {packages}")
}

impl Toolchain {
    /// The first usable toolchain: the named one; else the active rustc, with its prebuilt `core`
    /// or with rust-src; else Debian's.
    ///
    /// # Errors
    /// If there is none: every place looked at, and why it was not taken.
    pub fn find(search: &Search) -> Result<Toolchain, NoToolchain> {
        let places = match &search.named {
            Some(named) => vec![(format!("{VARIABLE}={}", named.display()), named)],
            None => vec![
                ("the active rustc".to_owned(), &search.active),
                (format!("Debian's {}", search.debian.display()), &search.debian),
            ],
        };
        let mut rejected = Vec::new();
        for (place, rustc) in places {
            match probe(&place, rustc) {
                Ok(toolchain) => return Ok(toolchain),
                Err(reason) => rejected.push(RejectedToolchain { place, reason }),
            }
        }
        Err(NoToolchain { rejected })
    }
}

impl Toolchain {
    /// Whether the kernels can be compiled without a registry.
    pub(crate) fn core_is_at_hand(&self) -> bool {
        match &self.core {
            CoreSource::Prebuilt => true,
            CoreSource::Source(library) => library.join("vendor").is_dir(),
        }
    }
}

impl fmt::Display for Toolchain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let core = match &self.core {
            CoreSource::Prebuilt => "prebuilt core".to_owned(),
            CoreSource::Source(library) => format!("core from {}", library.display()),
        };
        write!(f, "{} ({}; {}; {core})", self.place, self.rustc.display(), self.version)
    }
}

fn probe(place: &str, rustc: &Path) -> Result<Toolchain, String> {
    let verbose = ask(rustc, &["-vV"])?;
    let field = |name: &str| {
        verbose
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
            .ok_or_else(|| format!("`rustc -vV` has no line `{name}`"))
    };
    let release = field("release")?;
    if version(release).ok_or_else(|| format!("its version is {release:?}"))? < OLDEST {
        let [major, minor] = OLDEST;
        return Err(format!("rustc {release} is too old: barriers need {major}.{minor} or newer"));
    }
    let first = verbose.lines().next().unwrap_or_default().trim();
    let version = format!("{first}, LLVM {}", field("LLVM version")?);

    let sysroot = PathBuf::from(ask(rustc, &["--print", "sysroot"])?.trim());
    let rustlib = sysroot.join("lib/rustlib");
    let library = rustlib.join("src/rust/library");
    let core = if rustlib.join(TARGET).join("lib").is_dir() {
        CoreSource::Prebuilt
    } else if library.join("core/Cargo.toml").is_file() {
        CoreSource::Source(library)
    } else {
        return Err(format!(
            "rustc {release} has neither `core` for {TARGET} nor rust-src under {}",
            rustlib.display()
        ));
    };

    // Behind rustup's proxies there are many toolchains: the sysroot has the one that answered.
    let own = sysroot.join("bin").join(name("rustc"));
    let rustc = if rustc.is_absolute() || !own.is_file() { rustc.to_owned() } else { own };
    let beside = rustc.with_file_name(name("cargo"));
    let cargo = [beside.clone(), sysroot.join("bin").join(name("cargo"))]
        .into_iter()
        .find(|cargo| cargo.is_file())
        .ok_or_else(|| format!("there is no cargo at {}", beside.display()))?;
    Ok(Toolchain { place: place.to_owned(), rustc, cargo, sysroot, version, core })
}

fn name(program: &str) -> String {
    format!("{program}{}", env::consts::EXE_SUFFIX)
}

fn ask(rustc: &Path, args: &[&str]) -> Result<String, String> {
    let output = Command::new(rustc)
        .args(args)
        // Looking must not change anything: rustup would install what rust-toolchain.toml names.
        .env("RUSTUP_AUTO_INSTALL", "0")
        .output()
        .map_err(|error| format!("{} cannot be run: {error}", rustc.display()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("`{} {}` failed: {}", rustc.display(), args.join(" "), said.trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn version(release: &str) -> Option<[u32; 2]> {
    let mut parts = release.split('.');
    Some([parts.next()?.parse().ok()?, parts.next()?.parse().ok()?])
}
