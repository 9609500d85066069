use anyhow::Result;
use proptest::prelude::*;
use tribin_kernels::ranks::{
    BLOCK, assign_ranks, class_keys, degree_class, gather_degrees, id_keys, vertices_of_ranks,
};
use warpwise_device::launch::{Buffer, Shape};

use crate::contents::{Content, UNTOUCHED, sizes_around};
use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};

/// The least degree of every class, ascending: 0 to 15, then eight to a power of two.
fn least_degrees() -> Vec<u64> {
    let eighths = (1..=28).flat_map(|power| (8..16u64).map(move |eighths| eighths << power));
    (0..16).chain(eighths).collect()
}

/// The class of a degree, by search.
fn class_of(degree: u32) -> u64 {
    255 - (least_degrees().partition_point(|&least| least <= u64::from(degree)) as u64 - 1)
}

#[test]
fn degree_classes_are_the_intervals_they_should_be() {
    let least = least_degrees();
    let around = least.iter().flat_map(|&least| [least.saturating_sub(1), least, least + 1]);
    let degrees: Vec<u32> =
        (0..70_000).chain(around).chain([u64::from(u32::MAX)]).map(|d| d as u32).collect();
    for &degree in &degrees {
        let class = degree_class(degree);
        assert_eq!(u64::from(class), class_of(degree), "degree {degree}");
        assert_eq!(class == 255, degree == 0, "degree {degree}");
        assert!(degree >= 16 || class == 255 - degree, "degree {degree}");
    }
    let mut ascending = degrees;
    ascending.sort_unstable();
    assert!(ascending.is_sorted_by(|&a, &b| degree_class(a) >= degree_class(b)));
}

#[derive(Debug)]
struct ClassKeys {
    degrees: Content<u32>,
    /// How many of the degrees the kernel is to take.
    n: usize,
    shape: Shape,
}

impl Case for ClassKeys {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        const UNTOUCHED: u64 = 0xabab_abab_abab_abab;
        let mut expected = vec![UNTOUCHED; self.degrees.len()];
        let degrees = Buffer::from_host(device, &self.degrees)?;
        let mut keys = Buffer::from_host(device, &expected)?;
        for (v, &degree) in self.degrees[..self.n].iter().enumerate() {
            expected[v] = class_of(degree) * (1 << 32) + v as u64;
        }
        class_keys(device, self.shape, degrees.view(), keys.view_mut(), self.n as u64)?;
        ensure_holds("keys", device, &keys, &expected)
    }
}

#[derive(Debug)]
struct IdKeys(usize, Shape);

impl Case for IdKeys {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        const UNTOUCHED: u64 = 0xabab_abab_abab_abab;
        let &IdKeys(n, shape) = self;
        let expected: Vec<u64> = (0..n as u64).chain([UNTOUCHED; 2]).collect();
        let mut keys = Buffer::from_host(device, &vec![UNTOUCHED; n + 2])?;
        id_keys(device, shape, keys.view_mut(), n as u64)?;
        ensure_holds("keys", device, &keys, &expected)
    }
}

#[test]
fn id_keys_are_the_vertices() {
    let kernel = Kernel::named("id_keys");
    kernel.everywhere(sizes_and_shapes().map(|(n, shape)| IdKeys(n, shape)));
    kernel.on_gpu(|| striding_shapes(1_000_003, BLOCK).map(|s| IdKeys(1_000_003, s)).into());
}

#[derive(Debug)]
struct AssignRanks {
    degrees: Content<u32>,
    /// How many of the vertices have ranks.
    n: usize,
    seed: u64,
    shape: Shape,
}

impl Case for AssignRanks {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let mut order: Vec<u32> = (0..self.n as u32).collect();
        fastrand::Rng::with_seed(self.seed).shuffle(&mut order);
        let vertices = self.degrees.len();
        let mut expected_rank = vec![UNTOUCHED; vertices];
        let mut expected_degrees = vec![UNTOUCHED; vertices];
        let mut rank = Buffer::from_host(device, &expected_rank)?;
        let mut degree_of_rank = Buffer::from_host(device, &expected_degrees)?;
        for (r, &v) in order.iter().enumerate() {
            expected_rank[v as usize] = r as u32;
            expected_degrees[r] = self.degrees[v as usize];
        }
        // Any order of the vertices, with any classes above them: the kernel takes the ids alone.
        let key = |&v: &u32| u64::from(v) | (u64::from(v) * 37 % 256) << 32;
        let keys: Vec<u64> = order.iter().map(key).collect();
        let keys = Buffer::from_host(device, &keys)?;
        let degrees = Buffer::from_host(device, &self.degrees)?;
        // In two windows of vertices.
        let n = self.n as u64;
        for (from, below) in [(0, n / 3), (n / 3, n)] {
            assign_ranks(device, self.shape, keys.view(), rank.view_mut(), n, from, below)?;
        }
        let to = degree_of_rank.view_mut();
        gather_degrees(device, self.shape, keys.view(), degrees.view(), to, n)?;
        ensure_holds("rank", device, &rank, &expected_rank)?;
        ensure_holds("degree_of_rank", device, &degree_of_rank, &expected_degrees)
    }
}

#[derive(Debug)]
struct VerticesOfRanks(usize, Shape);

impl Case for VerticesOfRanks {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let &VerticesOfRanks(n, shape) = self;
        let mut rng = fastrand::Rng::with_seed(n as u64);
        let keys: Vec<u64> = (0..n).map(|_| rng.u64(..)).collect();
        let mut expected: Vec<u32> = keys.iter().map(|key| (key & 0xffff_ffff) as u32).collect();
        expected.push(UNTOUCHED);
        let keys = Buffer::from_host(device, &keys)?;
        let mut vertices = Buffer::from_host(device, &vec![UNTOUCHED; n + 1])?;
        vertices_of_ranks(device, shape, keys.view(), vertices.view_mut(), n as u64)?;
        ensure_holds("vertices", device, &vertices, &expected)
    }
}

#[test]
fn vertices_of_ranks_are_the_low_halves() {
    Kernel::named("vertices_of_ranks")
        .everywhere(sizes_and_shapes().map(|(n, shape)| VerticesOfRanks(n, shape)));
}

/// Degrees of all magnitudes.
fn degrees(n: usize, seed: u64) -> Content<u32> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let degrees = (0..n).map(|_| rng.u32(..) >> rng.u32(..32)).collect();
    Content::new(format!("degrees({seed:#x})"), degrees)
}

fn sizes_and_shapes() -> impl Iterator<Item = (usize, Shape)> {
    let sizes = sizes_around(&[BLOCK as usize, 4 * BLOCK as usize]).into_iter();
    sizes.flat_map(|n| striding_shapes(n as u64, BLOCK).map(|shape| (n, shape)))
}

fn any_shape() -> impl Strategy<Value = Shape> {
    (1u32..6, 1u32..400).prop_map(|(grid, block)| Shape::new(grid, block))
}

#[test]
fn class_keys_hold_class_and_vertex() {
    let kernel = Kernel::named("class_keys");
    for (n, shape) in sizes_and_shapes() {
        kernel.everywhere([0, 2].map(|spare| ClassKeys {
            degrees: degrees(n + spare, n as u64),
            n,
            shape,
        }));
    }
    let every_class = least_degrees().into_iter().map(|degree| degree as u32).collect::<Vec<_>>();
    let n = every_class.len();
    let degrees_of_classes = Content::new("every class", every_class);
    kernel.everywhere([ClassKeys { degrees: degrees_of_classes, n, shape: Shape::new(2, 64) }]);
    let drawn = (0usize..900, 0usize..3, any::<u64>(), any_shape());
    kernel.drawn(
        32,
        drawn.prop_map(|(n, spare, seed, shape)| ClassKeys {
            degrees: degrees(n + spare, seed),
            n,
            shape,
        }),
    );
    kernel.on_gpu(|| {
        let shapes = striding_shapes(1_000_003, BLOCK);
        shapes.map(|shape| ClassKeys { degrees: degrees(1_000_005, 1), n: 1_000_003, shape }).into()
    });
}

#[test]
fn assign_ranks_inverts_the_order() {
    let kernel = Kernel::named("assign_ranks");
    let case =
        |n, spare, seed, shape| AssignRanks { degrees: degrees(n + spare, seed), n, seed, shape };
    for (n, shape) in sizes_and_shapes() {
        kernel.everywhere([0, 2].map(|spare| case(n, spare, n as u64, shape)));
    }
    let drawn = (0usize..900, 0usize..3, any::<u64>(), any_shape());
    kernel.drawn(32, drawn.prop_map(|(n, spare, seed, shape)| case(n, spare, seed, shape)));
    kernel.on_gpu(|| {
        let shapes = striding_shapes(1_000_003, BLOCK);
        shapes.map(|shape| case(1_000_003, 3, 1, shape)).into()
    });
}
