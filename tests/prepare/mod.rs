//! From entries to an oriented graph, and on to what is found in it.

mod gpu;
