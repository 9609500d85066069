//! Where NCCL may be.

use std::collections::HashSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// What the loader is asked for.
const NAME: &str = "libnccl.so.2";

/// Where the wheels nvidia-nccl-cu12 and nvidia-nccl-cu13 put it, from a folder of packages on.
const IN_PACKAGES: &str = "nvidia/nccl/lib/libnccl.so.2";

/// What tells where NCCL may be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The file that the caller names: it and no other.
    pub named: Option<PathBuf>,
    /// The virtual environment that is active.
    pub virtual_environment: Option<PathBuf>,
    /// The folders that programs are looked for in.
    pub path: Vec<PathBuf>,
    /// The user's own folder.
    pub home: Option<PathBuf>,
}

impl Surroundings {
    /// The surroundings of this process.
    pub fn of_process(named: Option<PathBuf>) -> Surroundings {
        let folder = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let path = env::var_os("PATH").map(|path| env::split_paths(&path).collect());
        Surroundings {
            named,
            virtual_environment: folder("VIRTUAL_ENV"),
            path: path.unwrap_or_default(),
            home: folder("HOME"),
        }
    }

    /// The files to try, in order, of those that this machine has. See [`candidates`].
    pub fn files(&self) -> Vec<PathBuf> {
        let inside = |folder: &Path| {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            let mut names: Vec<_> =
                entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
            names.sort_unstable();
            names
        };
        candidates(self, |path| path.exists(), inside)
    }
}

/// The files to try, in order: the one that is named and no other; or the one that the system's loader finds, that of
/// the active virtual environment, those of the Pythons on the path, and that of the user's own packages. `exists`
/// says whether a file is there, and `inside` names what a folder has.
pub fn candidates(
    surroundings: &Surroundings,
    exists: impl Fn(&Path) -> bool,
    inside: impl Fn(&Path) -> Vec<String>,
) -> Vec<PathBuf> {
    if let Some(named) = &surroundings.named {
        return vec![named.clone()];
    }
    let of_python = surroundings
        .path
        .iter()
        .filter(|folder| ["python3", "python"].iter().any(|program| exists(&folder.join(program))));
    let prefixes = surroundings
        .virtual_environment
        .iter()
        .cloned()
        .chain(of_python.filter_map(|folder| folder.parent().map(Path::to_owned)))
        .chain(surroundings.home.iter().map(|home| home.join(".local")));
    let mut files = vec![PathBuf::from(NAME)];
    let mut seen = HashSet::new();
    for prefix in prefixes.filter(|prefix| seen.insert(prefix.clone())) {
        let lib = prefix.join("lib");
        // Debian keeps its own packages in `python3`, and others in `python3.12`.
        let pythons = inside(&lib).into_iter().filter(|name| name.starts_with("python3"));
        let packages = pythons.flat_map(|python| {
            ["site-packages", "dist-packages"].map(|packages| lib.join(&python).join(packages))
        });
        files.extend(
            packages.map(|packages| packages.join(IN_PACKAGES)).filter(|file| exists(file)),
        );
    }
    files
}

#[cfg(test)]
mod tests {
    use super::{Surroundings, candidates};
    use std::path::{Path, PathBuf};

    const FILES: [&str; 9] = [
        "/venv/bin/python3",
        "/venv/lib/python3.12/site-packages/nvidia/nccl/lib/libnccl.so.2",
        "/usr/bin/python3",
        "/usr/lib/python3/dist-packages/nvidia/nccl/lib/libnccl.so.2",
        "/usr/lib/python3.11/site-packages/numpy/core.so",
        "/opt/conda/bin/python",
        "/opt/conda/lib/python3.10/site-packages/nvidia/nccl/lib/libnccl.so.2",
        "/opt/conda/lib/python3.13/site-packages/nvidia/nccl/lib/libnccl.so.2",
        "/home/me/.local/lib/python3.9/site-packages/nvidia/nccl/lib/libnccl.so.2",
    ];

    fn found(surroundings: &Surroundings) -> Vec<String> {
        let exists = |path: &Path| FILES.iter().any(|file| Path::new(file) == path);
        let inside = |folder: &Path| {
            let below = FILES.iter().filter_map(|file| Path::new(file).strip_prefix(folder).ok());
            let mut names: Vec<String> = below
                .filter_map(|rest| Some(rest.iter().next()?.to_string_lossy().into_owned()))
                .collect();
            names.dedup();
            names
        };
        let files = candidates(surroundings, exists, inside);
        files.into_iter().map(|file| file.display().to_string()).collect()
    }

    #[test]
    fn files_are_tried_in_order() {
        let folders = |all: &[&str]| all.iter().map(PathBuf::from).collect::<Vec<_>>();
        let venv = "/venv/lib/python3.12/site-packages/nvidia/nccl/lib/libnccl.so.2";
        let conda = [10, 13].map(|minor| {
            format!("/opt/conda/lib/python3.{minor}/site-packages/nvidia/nccl/lib/libnccl.so.2")
        });
        let [ten, thirteen] = &conda;
        let debian = "/usr/lib/python3/dist-packages/nvidia/nccl/lib/libnccl.so.2";
        let own = "/home/me/.local/lib/python3.9/site-packages/nvidia/nccl/lib/libnccl.so.2";
        let loader = "libnccl.so.2";
        let nothing = Surroundings::default();
        let in_venv = Surroundings { virtual_environment: Some("/venv".into()), ..nothing.clone() };
        let cases: [(Surroundings, &[&str]); 8] = [
            (nothing.clone(), &[loader]),
            (in_venv.clone(), &[loader, venv]),
            // What is named is the only one, whether it is there or not.
            (
                Surroundings { named: Some("/my/nccl.so".into()), ..in_venv.clone() },
                &["/my/nccl.so"],
            ),
            // The environment before other Pythons, and each once.
            (
                Surroundings { path: folders(&["/usr/bin", "/venv/bin"]), ..in_venv.clone() },
                &[loader, venv, debian],
            ),
            (
                Surroundings { path: folders(&["/opt/conda/bin", "/usr/bin"]), ..nothing.clone() },
                &[loader, ten, thirteen, debian],
            ),
            // No Python there.
            (Surroundings { path: folders(&["/usr/local/bin"]), ..nothing.clone() }, &[loader]),
            (Surroundings { home: Some("/home/me".into()), ..nothing.clone() }, &[loader, own]),
            (Surroundings { path: folders(&["", "/", "bin"]), ..nothing }, &[loader]),
        ];
        for (surroundings, expected) in cases {
            assert_eq!(found(&surroundings), expected, "{surroundings:?}");
        }
    }
}
