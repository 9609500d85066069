//! Entries are evened out, so that every device has as many.

use warpwise_device::launch::Buffer;

use super::Member;
use crate::device::team::{Failed, share};
use crate::exchange::{PeerCopies, Pieces};
use crate::plan::team::with_slack;

/// Whether entries may stay where they are, since no device has many more than the mean: `entries[i]` are on device i of
/// all processes.
pub fn shares_are_even(entries: &[u64]) -> bool {
    let mean = entries.iter().sum::<u64>().div_ceil(entries.len() as u64);
    entries.iter().all(|&own| own <= with_slack(mean))
}

/// The places where device `own` cuts its entries, so that the first piece goes to the first device, and so on, and all have as
/// many afterwards.
fn cuts(entries: &[u64], own: usize) -> Vec<u64> {
    let (devices, all) = (entries.len(), entries.iter().sum());
    let start: u64 = entries[..own].iter().sum();
    let within = |cut: u64| cut.clamp(start, start + entries[own]) - start;
    (0..=devices).map(|device| within(share(device, devices, all).start)).collect()
}

/// The entries of all devices, evenly spread: they stay where they are if that is nearly so.
pub(super) fn even_out<D: Member>(
    exchange: &PeerCopies<D>,
    packed: Vec<Buffer<u64, D>>,
) -> Result<Vec<Buffer<u64, D>>, Failed<D::Error>> {
    let entries: Vec<u64> = packed.iter().map(Buffer::len).collect();
    if shares_are_even(&entries) {
        return Ok(packed);
    }
    let cut = |(number, words)| Pieces { words, cuts: cuts(&entries, number) };
    let pieces = packed.into_iter().enumerate().map(cut);
    let pieces: Vec<_> = pieces.collect();
    // There are as many parts as devices.
    exchange.all_to_all(&pieces, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearly_even_shares_stay() {
        for (entries, even) in [
            (&[0u64, 0][..], true),
            (&[7], true),
            (&[16, 17], true),
            (&[160, 172], true),
            (&[160, 200], false),
            (&[0, 0, 9], false),
        ] {
            assert_eq!(shares_are_even(entries), even, "{entries:?}");
        }
    }

    #[test]
    fn cuts_give_every_device_as_many() {
        for entries in [vec![0u64, 0, 9], vec![10, 0, 1, 5], vec![3], vec![1, 1, 100, 0, 7]] {
            let all: u64 = entries.iter().sum();
            let (devices, mut got) = (entries.len(), vec![0; entries.len()]);
            for (own, &has) in entries.iter().enumerate() {
                let cuts = cuts(&entries, own);
                assert_eq!((cuts[0], cuts[devices]), (0, has));
                for device in 0..devices {
                    got[device] += cuts[device + 1] - cuts[device];
                }
            }
            let expected =
                |device: u64| all * (device + 1) / devices as u64 - all * device / devices as u64;
            assert_eq!(got, (0..devices as u64).map(expected).collect::<Vec<_>>(), "{entries:?}");
        }
    }
}
