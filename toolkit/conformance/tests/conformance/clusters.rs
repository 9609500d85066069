use anyhow::{Result, ensure};
use warpwise_conformance::hopper::clusters as kernels;
use warpwise_device::launch::{Buffer, Shape};
use warpwise_harness::{Case, TestDevice, ensure_holds};

use crate::{HOPPER, noise};

/// Grids of clusters.
fn shapes() -> [Shape; 6] {
    [(1, 32, 1), (4, 40, 1), (2, 64, 2), (12, 33, 4), (24, 96, 8), (8, 256, 8)]
        .map(|(grid, block, cluster)| Shape::new(grid, block).cluster(cluster))
}

#[derive(Debug)]
struct Reverse(Shape);

impl Case for Reverse {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Shape { block, cluster, .. } = self.0;
        let n = self.0.threads();
        let values: Vec<f32> = noise(n as usize).map(|bits| bits as u32 as f32).collect();
        let on_device = Buffer::from_host(device, &values)?;
        let mut out = Buffer::uninitialized(device, n)?;
        let mut ranks = Buffer::uninitialized(device, 2 * n)?;
        let shape = self.0.shared(4 * block.x);
        let (to, numbers) = (out.view_mut(), ranks.view_mut());
        kernels::reverse_clusters(device, shape, on_device.view(), to, numbers)?;
        let clusters = values.chunks((block.x * cluster) as usize);
        let expected: Vec<f32> = clusters.flat_map(|part| part.iter().rev().copied()).collect();
        ensure_holds("out", device, &out, &expected)?;
        let ranks_of = |i: u64| [i as u32 / block.x % cluster, cluster];
        ensure_holds("ranks", device, &ranks, &(0..n).flat_map(ranks_of).collect::<Vec<_>>())
    }
}

#[test]
fn blocks_of_a_cluster_read_each_others_memory() {
    HOPPER.kernel("reverse_clusters").everywhere(shapes().map(Reverse));
}

#[derive(Debug)]
struct GoRound {
    shape: Shape,
    rounds: u32,
}

impl Case for GoRound {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Shape { block, cluster, .. } = self.shape;
        let values: Vec<u64> = noise(self.shape.threads() as usize).collect();
        let mut on_device = Buffer::from_host(device, &values)?;
        let shape = self.shape.shared(2 * 8 * block.x);
        kernels::go_round_clusters(device, shape, on_device.view_mut(), self.rounds)?;
        let mut expected = values;
        for part in expected.chunks_mut((block.x * cluster) as usize) {
            part.rotate_right((self.rounds % cluster * block.x) as usize);
        }
        ensure_holds("values", device, &on_device, &expected)
    }
}

#[test]
fn blocks_of_a_cluster_write_each_others_memory() {
    let cases = shapes().into_iter().zip([0, 3, 2, 5, 11, 7]);
    let cases = cases.map(|(shape, rounds)| GoRound { shape, rounds });
    HOPPER.kernel("go_round_clusters").everywhere(cases);
}

#[derive(Debug)]
struct Update(Shape);

impl Case for Update {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Shape { grid, block, cluster, .. } = self.0;
        let (n, clusters) = (self.0.threads() as usize, (grid.x / cluster) as usize);
        // No value twice, so that it is seen who came when.
        let values: Vec<u32> = (0..n).map(|i| (i as u32).wrapping_mul(0x9E37_79B1)).collect();
        let on_device = Buffer::from_host(device, &values)?;
        let mut counts = Buffer::<u32, D>::zeroed(device, 4 * u64::from(grid.x))?;
        let mut in_turn = Buffer::<u32, D>::zeroed(device, n as u64 + 2 * u64::from(grid.x))?;
        let shape = self.0.shared(24);
        let (to, turns) = (counts.view_mut(), in_turn.view_mut());
        kernels::update_in_clusters(device, shape, on_device.view(), to, turns)?;
        let (counts, in_turn) = (counts.to_vec(device)?, in_turn.to_vec(device)?);
        let of_cluster = (block.x * cluster) as usize;
        for (c, part) in values.chunks(of_cluster).enumerate() {
            let sum: u32 = part.iter().map(|value| value % 1024).sum();
            let all = [of_cluster as u32, *part.iter().min().unwrap(), *part.iter().max().unwrap()];
            let found = &counts[4 * c..4 * c + 4];
            ensure!(found == [all[0], all[1], all[2], sum], "cluster {c} has {found:?}");
            let [last, first] = [in_turn[n + 2 * c], in_turn[n + 2 * c + 1]];
            // Each found another one, the first nothing and nobody the last.
            let mut turns = in_turn[c * of_cluster..(c + 1) * of_cluster].to_vec();
            turns.push(last);
            turns.sort_unstable();
            let mut expected = part.to_vec();
            expected.push(u32::MAX);
            expected.sort_unstable();
            ensure!(turns == expected, "cluster {c} found {turns:?}");
            ensure!(part.contains(&first), "cluster {c} began with {first}");
        }
        ensure!(counts[4 * clusters..].iter().all(|&count| count == 0), "more than {clusters}");
        Ok(())
    }
}

#[test]
fn blocks_of_a_cluster_update_one_blocks_memory() {
    HOPPER.kernel("update_in_clusters").everywhere(shapes().map(Update));
}
