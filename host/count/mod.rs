//! Count: choose an engine and a device, and run them.
