//! Signals of the processes that tests start.

use std::io;
use std::mem::MaybeUninit;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::ptr;

/// The signals that end a program, which a shell's background job, `nohup` or a service may ignore.
const ENDING: [libc::c_int; 11] = [
    libc::SIGALRM,
    libc::SIGHUP,
    libc::SIGINT,
    libc::SIGPIPE,
    libc::SIGQUIT,
    libc::SIGTERM,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGVTALRM,
    libc::SIGXCPU,
    libc::SIGXFSZ,
];

/// Lets the command start with the default action for the signals that end a program, and with no
/// signal blocked. Otherwise it would inherit both from whatever started the tests.
pub fn reset(command: &mut Command) -> &mut Command {
    let reset = || {
        for signal in ENDING {
            // SAFETY: the default action runs no code of this process.
            if unsafe { libc::signal(signal, libc::SIG_DFL) } == libc::SIG_ERR {
                return Err(io::Error::last_os_error());
            }
        }
        let mut none = MaybeUninit::uninit();
        // SAFETY: `sigemptyset` makes the set that `sigprocmask` reads; the old one is not asked for.
        let result = unsafe {
            libc::sigemptyset(none.as_mut_ptr());
            libc::sigprocmask(libc::SIG_SETMASK, none.as_ptr(), ptr::null_mut())
        };
        if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    };
    // SAFETY: the closure allocates nothing, takes no lock and calls only functions that POSIX allows
    // between fork and exec.
    unsafe { command.pre_exec(reset) }
}

/// A process of this program that runs one of its tests alone, which writes `ready` and waits for a line. Signals that the tests were
/// told to ignore, it does not ignore.
pub fn one_test(name: &str) -> Command {
    let program = std::env::current_exe().expect("a test knows its program");
    let mut command = Command::new(program);
    command.args(["--exact", "--nocapture", name]).stdin(Stdio::piped()).stdout(Stdio::piped());
    reset(&mut command);
    command
}

/// Sends a signal to a child that was not waited for yet.
pub fn send(child: &Child, signal: libc::c_int) {
    let id = libc::pid_t::try_from(child.id()).expect("a process id fits");
    // SAFETY: the id is the child's as long as nobody waited for it.
    let result = unsafe { libc::kill(id, signal) };
    assert_eq!(result, 0, "{}", io::Error::last_os_error());
}
