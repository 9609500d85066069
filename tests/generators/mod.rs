//! Graphs made in memory: the same edges on every machine and for any number of threads.

use rayon::prelude::*;

/// SplitMix64's output for state `x`: a different 64-bit number for every `x`.
pub fn mix(x: u64) -> u64 {
    let mut z = x.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number below `n` from 64 random bits.
fn below(random: u64, n: u64) -> u64 {
    ((u128::from(random) * u128::from(n)) >> 64) as u64
}

/// `rmatS` and `erS` with S the scale, `ba` (200 k vertices, 10 M edges), `ws` (1 M, 25 M).
pub fn by_name(name: &str) -> Option<Vec<[u32; 2]>> {
    if let Some(scale) = name.strip_prefix("rmat") {
        let scale = scale.parse().ok()?;
        return Some(rmat(scale, 16, 1));
    }
    if let Some(scale) = name.strip_prefix("er") {
        let scale: u32 = scale.parse().ok()?;
        return Some(uniform(1 << scale, 64_000_000 >> 22u32.saturating_sub(scale), 1));
    }
    match name {
        "ba" => Some(barabasi_albert(200_000, 50, 1)),
        "ws" => Some(watts_strogatz(1_000_000, 25, 0.1, 1)),
        _ => None,
    }
}

/// Graph500's Kronecker graph: `factor << scale` entries over `1 << scale` vertices, initiator
/// (0.57, 0.19; 0.19, 0.05), ids permuted; self-loops and duplicates as they come.
pub fn rmat(scale: u32, factor: u64, seed: u64) -> Vec<[u32; 2]> {
    let mask = (1u64 << scale) - 1;
    // A bijection of `scale` bits: odd multipliers and right shifts are both invertible.
    let permute = |mut v: u64| {
        for multiplier in [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9u64] {
            v = v.wrapping_mul(multiplier | 1) & mask;
            v ^= v >> (scale / 2).max(1);
        }
        v as u32
    };
    let entries = factor << scale;
    (0..entries)
        .into_par_iter()
        .map(|i| {
            let (mut u, mut v) = (0u64, 0u64);
            for level in 0..scale {
                let random = mix(seed << 48 ^ (i * u64::from(scale) + u64::from(level)));
                let percent = below(random, 100);
                let (a, b) = match percent {
                    0..57 => (0, 0),
                    57..76 => (0, 1),
                    76..95 => (1, 0),
                    _ => (1, 1),
                };
                u = u << 1 | a;
                v = v << 1 | b;
            }
            [permute(u), permute(v)]
        })
        .collect()
}

/// `entries` pairs of vertices below `vertices`, each as likely as any other.
pub fn uniform(vertices: u64, entries: u64, seed: u64) -> Vec<[u32; 2]> {
    (0..entries)
        .into_par_iter()
        .map(|i| [2 * i, 2 * i + 1].map(|j| below(mix(seed << 48 ^ j), vertices) as u32))
        .collect()
}

/// Barabási and Albert's: every vertex joins `links` earlier ones, chosen by degree (Batagelj and
/// Brandes' method: the other end is an end of a random earlier entry).
pub fn barabasi_albert(vertices: u32, links: u32, seed: u64) -> Vec<[u32; 2]> {
    let mut ends: Vec<u32> = Vec::with_capacity(vertices as usize * links as usize * 2);
    for v in 0..vertices {
        for _ in 0..links {
            let i = ends.len() as u64;
            ends.push(v);
            let other = below(mix(seed << 48 ^ i), i + 1);
            ends.push(ends[other as usize]);
        }
    }
    ends.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()
}

/// Watts and Strogatz's: a ring of `vertices`, each joined to the next `reach`, every such edge
/// led elsewhere with probability `rewired`.
pub fn watts_strogatz(vertices: u32, reach: u32, rewired: f64, seed: u64) -> Vec<[u32; 2]> {
    let threshold = (rewired * 2f64.powi(64)) as u64;
    (0..u64::from(vertices) * u64::from(reach))
        .into_par_iter()
        .map(|i| {
            let (v, step) = (i / u64::from(reach), i % u64::from(reach) + 1);
            let other = if mix(seed << 48 ^ (2 * i)) < threshold {
                below(mix(seed << 48 ^ (2 * i + 1)), u64::from(vertices))
            } else {
                (v + step) % u64::from(vertices)
            };
            [v as u32, other as u32]
        })
        .collect()
}
