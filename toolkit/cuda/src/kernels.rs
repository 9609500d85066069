//! Kernels as they are shipped.

use std::borrow::Cow;

use crate::{ComputeCapability, Error, Result};

/// Makes machine code of its packed bytes; `None` where they are damaged.
type Unpack = fn(&[u8]) -> Option<Vec<u8>>;

/// Kernels as they are shipped: PTX, which the driver compiles for any chip when they are first loaded, and machine code
/// for some chips, which it loads as it is. Compiling takes from milliseconds to seconds; the driver keeps what it
/// compiled in a cache of its own.
///
/// ```no_run
/// # const PTX: &str = "";
/// # const CUBINS: &[([u32; 2], &[u8])] = &[];
/// use warpwise_cuda::{Gpu, Kernels};
///
/// let gpu = Gpu::open(0, Kernels::from(PTX).with_machine_code(CUBINS))?;
/// # Ok::<(), warpwise_cuda::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Kernels<'a> {
    pub(crate) ptx: &'a str,
    machine_code: &'a [([u32; 2], &'a [u8])],
    unpack: Option<Unpack>,
}

impl<'a> From<&'a str> for Kernels<'a> {
    /// PTX alone.
    fn from(ptx: &'a str) -> Kernels<'a> {
        Kernels { ptx, machine_code: &[], unpack: None }
    }
}

impl<'a> From<&'a String> for Kernels<'a> {
    /// PTX alone.
    fn from(ptx: &'a String) -> Kernels<'a> {
        Kernels::from(ptx.as_str())
    }
}

impl<'a> Kernels<'a> {
    /// These kernels with machine code: cubins, and the compute capability that each was made for, `[9, 0]` for `sm_90`. A chip runs
    /// that of its own generation, made for itself or for an earlier member. The cubins are made of the PTX.
    pub fn with_machine_code(self, cubins: &'a [([u32; 2], &'a [u8])]) -> Kernels<'a> {
        Kernels { machine_code: cubins, ..self }
    }

    /// These kernels, of which the machine code is packed. The bytes for the GPU at hand are unpacked when it is opened.
    pub fn unpacked_by(self, unpack: fn(&[u8]) -> Option<Vec<u8>>) -> Kernels<'a> {
        Kernels { unpack: Some(unpack), ..self }
    }

    /// Fails with the reason where there is text in the place of PTX.
    pub(crate) fn check_ptx(&self) -> Result<()> {
        let Some(why) = self.ptx.strip_prefix("// no PTX: ") else { return Ok(()) };
        Err(Error::NoPtx { why: why.lines().next().unwrap_or_default().trim().to_owned() })
    }

    /// The machine code for a GPU: that of the latest chip of its generation that is no later than it is.
    pub(crate) fn machine_code(&self, chip: ComputeCapability) -> Option<Cow<'a, [u8]>> {
        let runs = |&[major, minor]: &[u32; 2]| major == chip.major && minor <= chip.minor;
        let fitting = self.machine_code.iter().filter(|(chip, _)| runs(chip));
        let (_, code) = fitting.max_by_key(|(chip, _)| *chip)?;
        match self.unpack {
            None => Some(Cow::Borrowed(code)),
            Some(unpack) => unpack(code).map(Cow::Owned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Kernels;
    use crate::ComputeCapability;

    #[test]
    fn machine_code_is_of_the_same_generation_and_no_later_chip() {
        let cubins: &[([u32; 2], &[u8])] =
            &[([8, 0], b"80"), ([9, 0], b"90"), ([10, 0], b"100"), ([8, 6], b"86")];
        let kernels = Kernels::from("ptx").with_machine_code(cubins);
        for ([major, minor], code) in [
            ([7, 5], None),
            ([8, 0], Some("80")),
            ([8, 5], Some("80")),
            ([8, 6], Some("86")),
            ([8, 9], Some("86")),
            ([9, 0], Some("90")),
            ([10, 3], Some("100")),
            ([11, 0], None),
            ([12, 0], None),
        ] {
            let chip = ComputeCapability { major, minor };
            assert_eq!(kernels.machine_code(chip).as_deref(), code.map(str::as_bytes), "{chip}");
            assert_eq!(Kernels::from("ptx").machine_code(chip), None);
        }
    }

    #[test]
    fn machine_code_is_unpacked_where_it_is_packed() {
        let chip = ComputeCapability { major: 9, minor: 0 };
        let of = |packed| {
            let cubins = [([9, 0], packed)];
            let unpack = |packed: &[u8]| packed.strip_prefix(b"packed ").map(<[u8]>::to_vec);
            let kernels = Kernels::from("ptx").with_machine_code(&cubins).unpacked_by(unpack);
            kernels.machine_code(chip).map(|code| code.into_owned())
        };
        assert_eq!(of(b"packed 90"), Some(b"90".to_vec()));
        assert_eq!(of(b"damaged"), None);
    }
}
