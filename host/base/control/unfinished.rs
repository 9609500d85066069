//! Files that have a name before they are whole, and folders of scratch files: what is left of them when the
//! process is told to end.
//!
//! Errors and panics remove such a file as they go; a signal ends the process at once, so a thread waits for it and removes what is here. Whoever wants to
//! do more at a signal calls [`remove_all`] at the end of that, instead of [`remove_on_signals`].

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

static FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

static ON_SIGNALS: AtomicBool = AtomicBool::new(false);

fn files() -> MutexGuard<'static, Vec<PathBuf>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file or folder that is here until this is dropped.
#[derive(Debug)]
pub struct Unfinished(PathBuf);

impl Drop for Unfinished {
    fn drop(&mut self) {
        files().retain(|path| *path != self.0);
    }
}

/// Makes a file or folder that a signal removes from its first moment on.
pub fn registered<F: AsRef<Path>>(
    make: impl FnOnce() -> io::Result<F>,
) -> io::Result<(F, Unfinished)> {
    if ON_SIGNALS.load(Relaxed) {
        watch();
    }
    // Held while it is made: whoever removes files waits.
    let mut files = files();
    let file = make()?;
    let path = file.as_ref().to_owned();
    files.push(path.clone());
    Ok((file, Unfinished(path)))
}

/// Removes every unfinished file, and returns with the list locked: none is made after that. For the moment
/// before the process ends.
pub fn remove_all() -> impl Sized {
    let files = files();
    for path in files.iter() {
        // Nobody is left to hear of an error.
        if fs::remove_file(path).is_err() {
            let _ = remove_folder(path);
        }
    }
    files
}

/// Does what [`remove_all`] does, unless somebody makes or finishes a file for as long as a tenth of a second. For a process that ends
/// because it has no memory: this thread may hold the list itself, and waits no longer.
pub fn remove_all_if_free() {
    for _ in 0..100 {
        if let Ok(files) = FILES.try_lock() {
            for path in files.iter() {
                let _ = fs::remove_file(path);
            }
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// Removes a folder and all in it, also where other threads still make files there.
pub fn remove_folder(path: &Path) -> io::Result<()> {
    const TRIES: usize = 16;
    let mut removed = fs::remove_dir_all(path);
    for _ in 1..TRIES {
        match &removed {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {
                removed = fs::remove_dir_all(path);
            }
            _ => break,
        }
    }
    removed
}

/// Has unfinished files removed, from now on, before a signal such as SIGINT, SIGTERM or SIGXCPU ends the process. Signals that are
/// ignored or handled stay as they are. A command calls it; a library leaves signals to its program.
pub fn remove_on_signals() {
    ON_SIGNALS.store(true, Relaxed);
}

#[cfg(unix)]
fn watch() {
    use signal_hook::consts::signal::{
        SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU,
    };
    use signal_hook::iterator::Signals;

    // All that others send to end a process, or to tell it of a limit, and that end it by themselves.
    const ENDING: [i32; 9] =
        [SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU];

    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let taken = taken();
        let heard = ENDING.into_iter().filter(|signal| taken & (1 << (signal - 1)) == 0);
        // Without a handler the process ends as it would have, and a file may be left.
        let Ok(mut signals) = Signals::new(heard) else { return };
        let remove = move || {
            for signal in signals.forever() {
                let _locked = remove_all();
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        };
        let _ = std::thread::Builder::new().name("signals".into()).spawn(remove);
    });
}

#[cfg(not(unix))]
fn watch() {}

/// The signals that whoever started the process wants ignored, as `nohup` does, and those that have a handler: bit n - 1 for
/// signal n.
#[cfg(unix)]
fn taken() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = |name: &str| {
        let mask = status.lines().find_map(|line| line.strip_prefix(name));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    };
    mask("SigIgn:") | mask("SigCgt:")
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;

    use testkit::signals::one_test;

    use super::*;

    const FOLDER: &str = "TRIBIN_TEST_UNFINISHED";

    /// What the test below starts in a process of its own, and ends.
    #[test]
    fn a_process_with_an_unfinished_file() {
        let Some(folder) = std::env::var_os(FOLDER) else { return };
        remove_on_signals();
        let file = registered(|| tempfile::Builder::new().tempfile_in(&folder)).unwrap();
        println!("\nready");
        // Until it is killed.
        let _ = io::stdin().read_line(&mut String::new());
        drop(file);
    }

    #[test]
    fn a_signal_removes_unfinished_files() {
        let folder = tempfile::tempdir().unwrap();
        let test = "control::unfinished::tests::a_process_with_an_unfinished_file";
        let mut child = one_test(test).env(FOLDER, folder.path()).spawn().unwrap();
        // Open until the end: without it the child ends by itself.
        let _stdin = child.stdin.take();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap() == "ready"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let term = ["-TERM", &child.id().to_string()];
        assert!(Command::new("kill").args(term).status().unwrap().success());
        assert_eq!(child.wait().unwrap().signal(), Some(signal_hook::consts::SIGTERM));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_is_finished_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let make = || tempfile::Builder::new().tempfile_in(folder.path());
        let (file, unfinished) = registered(make).unwrap();
        assert!(files().contains(&unfinished.0));
        let path = unfinished.0.clone();
        drop(unfinished);
        assert!(!files().contains(&path) && path.exists());
        drop(file);
    }
}
