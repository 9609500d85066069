//! A message for a kernel that needs more stack than an emulated thread has, where the process would end without a word.

#[cfg(unix)]
mod handler {
    use std::cell::UnsafeCell;
    use std::mem::MaybeUninit;
    use std::ptr;
    use std::sync::Once;

    use crate::engine;
    use crate::stacks::STACK_BYTES;

    // The message below names the size.
    const _: () = assert!(STACK_BYTES == 65_536);

    /// What the process did with the signal before.
    struct Previous(UnsafeCell<MaybeUninit<libc::sigaction>>);

    // SAFETY: it is written once, before the handler is there that reads it.
    unsafe impl Sync for Previous {}

    static PREVIOUS: Previous = Previous(UnsafeCell::new(MaybeUninit::uninit()));
    static HANDLER: Once = Once::new();

    /// Handles accesses to the page below the stack of an emulated thread.
    pub(crate) fn install() {
        HANDLER.call_once(|| {
            let handle: extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void) = handle;
            // SAFETY: a set of signals and a handler are all that an action needs; the previous one is written in whole,
            // or the handler is not installed.
            unsafe {
                let mut action: libc::sigaction = std::mem::zeroed();
                action.sa_sigaction = handle as usize;
                // Rust gives each of its threads another stack for handlers.
                action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
                libc::sigemptyset(&mut action.sa_mask);
                libc::sigaction(libc::SIGSEGV, &action, (*PREVIOUS.0.get()).as_mut_ptr());
            }
        });
    }

    /// Only calls that a handler of signals may make: nothing is allocated.
    extern "C" fn handle(signal: i32, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: the system hands over what it knows of the signal.
        let address = unsafe { (*info).si_addr() } as usize;
        let Some((kernel, lowest)) = engine::running_kernel() else { return go_on(signal) };
        if !(lowest..lowest + STACK_BYTES).contains(&address) {
            return go_on(signal);
        }
        say("emulator: kernel ");
        say(kernel);
        say(
            ": a thread needs more than 65536 bytes of stack: make local arrays smaller, and recursion shallower\n",
        );
        // SAFETY: ends the process.
        unsafe { libc::abort() }
    }

    /// Lets whoever handled the signal before have it: the access is made again.
    fn go_on(signal: i32) {
        // SAFETY: the previous action was written before this handler was there.
        unsafe { libc::sigaction(signal, (*PREVIOUS.0.get()).as_ptr(), ptr::null_mut()) };
    }

    fn say(text: &str) {
        // SAFETY: the bytes are the text's.
        unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
    }
}

#[cfg(unix)]
pub(crate) use handler::install;

/// Other systems say it themselves.
#[cfg(not(unix))]
pub(crate) fn install() {}
