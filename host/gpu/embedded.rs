//! What the build script chose of the kernels.

/// The kernels, as PTX text.
pub const PTX: &str = include_str!(env!("KERNELS_PTX"));

/// The kernels as machine code, a cubin for each generation of chips with the compute capability of its first; nothing
/// where the kernels were edited since it was made. The driver compiles the PTX for all other chips.
pub static CUBINS: &[([u32; 2], &[u8])] = include!(env!("KERNELS_CUBINS"));
