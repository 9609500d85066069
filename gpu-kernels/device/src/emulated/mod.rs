//! The emulator: every kernel's body on the host.

pub mod intrinsics;
