//! What the build script chose of the kernels.

use std::io::Read;

use flate2::bufread::GzDecoder;
use warpwise_cuda::Kernels;

/// The kernels, as PTX text. A constant would be in the program once for each crate that names it.
pub static PTX: &str = include_str!(env!("KERNELS_PTX"));

/// The kernels as machine code, a cubin for each generation of chips with the compute capability of its first, packed with gzip;
/// nothing where the kernels were edited since it was made. The driver compiles the PTX for all other chips.
pub static CUBINS: &[([u32; 2], &[u8])] = include!(env!("KERNELS_CUBINS"));

/// The kernels that are built in. Unpacking the machine code for a GPU takes some 3 ms, of the 0.2 s and more that opening one takes.
pub fn kernels() -> Kernels<'static> {
    Kernels::from(PTX).with_machine_code(CUBINS).unpacked_by(unpacked)
}

fn unpacked(packed: &[u8]) -> Option<Vec<u8>> {
    let mut code = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut code).ok().map(|_| code)
}

#[cfg(test)]
mod tests {
    use super::{CUBINS, unpacked};

    #[test]
    fn machine_code_is_unpacked() {
        for (chip, packed) in CUBINS {
            let code = unpacked(packed).unwrap();
            assert!(code.starts_with(b"\x7fELF"), "{chip:?}");
        }
    }
}
