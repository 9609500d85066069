//! Sizes in bytes, as people type them, and what they limit.

use tribin::{DeviceChoice, Options};

/// Sets the limits of host memory and of device memory that `--memory` and `--device-memory` give. The first limits both where
/// it stands alone, but host memory not with a GPU that was asked for: there it is device memory.
pub fn limit(options: &mut Options, memory: Option<u64>, device_memory: Option<u64>) {
    let may_be_cpu = matches!(options.device, DeviceChoice::Auto | DeviceChoice::Cpu);
    options.memory = memory.filter(|_| may_be_cpu || device_memory.is_some());
    options.device_memory = device_memory.or(memory);
}

/// `1000`, `512K`, `24G`, `1.5T`: binary multiples, with an optional `B` or `iB` after the letter.
pub fn parse(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is no size: use bytes or a number with K, M, G or T");
    let lower = text.trim().to_ascii_lowercase();
    let bare = lower.strip_suffix("ib").or(lower.strip_suffix('b')).unwrap_or(&lower);
    let (number, shift) = match bare.char_indices().last() {
        Some((at, 'k')) => (&bare[..at], 10),
        Some((at, 'm')) => (&bare[..at], 20),
        Some((at, 'g')) => (&bare[..at], 30),
        Some((at, 't')) => (&bare[..at], 40),
        _ => (bare, 0),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    // Nine digits after the point are exact enough, and fit.
    if fraction.is_empty() || fraction.len() > 9 || (shift == 0 && number.contains('.')) {
        return Err(wrong());
    }
    let digits = |text: &str| {
        if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse::<u64>().ok() } else { None }
    };
    let whole = digits(whole).ok_or_else(wrong)?;
    let parts = u128::from(digits(fraction).ok_or_else(wrong)?);
    let scale = 10u128.pow(fraction.len() as u32);
    let bytes = (u128::from(whole) << shift) + (parts << shift) / scale;
    u64::try_from(bytes).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::{DeviceChoice, Options, limit, parse};

    #[test]
    fn limits_of_both_memories() {
        let gpu = DeviceChoice::Gpu(None);
        for (device, memory, device_memory, expected) in [
            (DeviceChoice::Auto, None, None, (None, None)),
            (DeviceChoice::Auto, Some(7), None, (Some(7), Some(7))),
            (DeviceChoice::Cpu, Some(7), None, (Some(7), Some(7))),
            (DeviceChoice::Auto, Some(7), Some(3), (Some(7), Some(3))),
            (gpu, Some(7), None, (None, Some(7))),
            (gpu, Some(7), Some(3), (Some(7), Some(3))),
            (DeviceChoice::AllGpus, None, Some(3), (None, Some(3))),
        ] {
            let mut options = Options { device, ..Options::default() };
            limit(&mut options, memory, device_memory);
            let found = (options.memory, options.device_memory);
            assert_eq!(found, expected, "{device} {memory:?}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(parse("0"), Ok(0));
        assert_eq!(parse("1000"), Ok(1000));
        assert_eq!(parse("512k"), Ok(512 << 10));
        assert_eq!(parse("24G"), Ok(24 << 30));
        assert_eq!(parse("24GiB"), Ok(24 << 30));
        assert_eq!(parse("24GB"), Ok(24 << 30));
        assert_eq!(parse("1.5T"), Ok(3 << 39));
        assert_eq!(parse("12b"), Ok(12));
        assert_eq!(parse("18446744073709551615"), Ok(u64::MAX));
    }

    #[test]
    fn no_sizes() {
        for text in [
            "",
            "G",
            "-1",
            "+1",
            "1.5",
            "1.",
            ".5G",
            "1..5G",
            "1e9",
            "1 G",
            "ten",
            "1.0000000001G",
            "18446744073709551616",
            "16777216T",
            "½G",
        ] {
            assert_eq!(
                parse(text),
                Err(format!("`{text}` is no size: use bytes or a number with K, M, G or T"))
            );
        }
    }
}
