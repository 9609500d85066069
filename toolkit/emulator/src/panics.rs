//! What a panicking kernel body said, without the default message on stderr.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, Location};
use std::sync::Once;

use crate::engine;

thread_local! {
    static LAST: Cell<Option<&'static Location<'static>>> = const { Cell::new(None) };
}

static HOOK: Once = Once::new();

/// Makes the process's panic hook leave the panics of kernel bodies to the emulator.
pub(crate) fn install() {
    HOOK.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if engine::in_kernel() {
                // SAFETY: the compiler makes every location as a constant of the program, which the
                // signature of `location` says in the latest versions only.
                let forever = |at: &Location<'_>| unsafe {
                    &*std::ptr::from_ref(at).cast::<Location<'static>>()
                };
                LAST.set(info.location().map(forever));
            } else {
                previous(info);
            }
        }));
    });
}

/// Where the last kernel body of this OS thread panicked.
pub(crate) fn take_location() -> Option<&'static Location<'static>> {
    LAST.take()
}

/// What a payload says.
pub(crate) fn message(payload: &(dyn Any + Send)) -> String {
    match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "a payload that is no text".to_owned(),
    }
}
