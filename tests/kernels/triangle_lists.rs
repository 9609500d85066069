use anyhow::{Result, ensure};
use tribin_kernels::triangle_lists::{
    CHUNK, ENTRIES, ITEMS, LENGTHS, LIST_BLOCK, PLACE_BLOCK, list_triangles, place_lists,
};
use warpwise_device::launch::{Buffer, Shape};

use crate::contents::sizes_around;
use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};
use crate::rows::{Rows, graphs, oriented};

#[derive(Debug)]
struct Place(Vec<u32>, Shape);

impl Case for Place {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Place(support, shape) = self;
        let m = support.len() as u64;
        let there = Buffer::from_host(device, support)?;
        let mut ends = Buffer::<u64, D>::uninitialized(device, m)?;
        let mut lens = Buffer::uninitialized(device, m)?;
        let mut lengths = Buffer::<u64, D>::zeroed(device, LENGTHS)?;
        let (ends_there, lens_there) = (ends.view_mut(), lens.view_mut());
        place_lists(device, *shape, there.view(), ends_there, lens_there, lengths.view_mut(), m)?;
        ensure_holds("lens", device, &lens, support)?;
        let lengths = lengths.to_vec(device)?;
        let entries: u64 = support.iter().map(|&count| u64::from(count)).sum();
        let items: u64 = support.iter().map(|&count| u64::from(count.div_ceil(CHUNK))).sum();
        ensure!(lengths[ENTRIES as usize] == entries, "{lengths:?}, expected {entries} entries");
        ensure!(lengths[ITEMS as usize] == items, "{lengths:?}, expected {items} items");
        let ends = ends.to_vec(device)?;
        let mut lists: Vec<[u64; 2]> =
            ends.iter().zip(support).map(|(&end, &len)| [end - u64::from(len), end]).collect();
        lists.sort_unstable();
        let mut free = 0;
        for [start, end] in lists {
            ensure!(start == free, "a list from {start} on, after {free}");
            free = end;
        }
        Ok(())
    }
}

#[test]
fn place_lists_gives_every_edge_its_own_places() {
    let kernel = Kernel::named("place_lists");
    for n in sizes_around(&[PLACE_BLOCK as usize]) {
        let mut rng = fastrand::Rng::with_seed(n as u64);
        for shape in striding_shapes(n as u64, PLACE_BLOCK) {
            let few = (0..n).map(|_| rng.u32(..200) >> rng.u32(..8)).collect();
            // Together more than 32 bits hold.
            let many = (0..n).map(|_| rng.u32(..) >> rng.u32(..3)).collect();
            kernel.everywhere([Place(few, shape), Place(many, shape), Place(vec![0; n], shape)]);
        }
    }
}

#[derive(Debug)]
struct List(Rows, Shape);

impl Case for List {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let List(graph, shape) = self;
        let m = graph.heads.len() as u64;
        let mut lists = vec![Vec::new(); m as usize];
        for [a, b, c] in graph.triangles() {
            for [edge, one, other] in [[a, b, c], [b, a, c], [c, a, b]] {
                lists[edge as usize]
                    .push(u64::from(one.max(other)) << 32 | u64::from(one.min(other)));
            }
        }
        let lens: Vec<u32> = lists.iter().map(|list| list.len() as u32).collect();
        // In the other order, with a gap before each.
        let mut ends = vec![0u64; m as usize];
        let mut free = 0;
        for (end, &len) in ends.iter_mut().zip(&lens).rev() {
            free += 1 + u64::from(len);
            *end = free;
        }
        let (tails, heads, rows) = graph.on(device)?;
        let ends_there = Buffer::from_host(device, &ends)?;
        let lens_there = Buffer::from_host(device, &lens)?;
        let mut taken = Buffer::zeroed(device, m)?;
        let mut entries = Buffer::from_host(device, &vec![u64::MAX; free as usize])?;
        list_triangles(
            device,
            *shape,
            oriented(&tails, &heads, &rows),
            ends_there.view(),
            lens_there.view(),
            taken.view_mut(),
            entries.view_mut(),
            m,
        )?;
        let entries = entries.to_vec(device)?;
        for (edge, mut expected) in lists.into_iter().enumerate() {
            let end = ends[edge] as usize;
            let start = end - expected.len();
            let mut found = entries[start..end].to_vec();
            found.sort_unstable();
            expected.sort_unstable();
            ensure!(found == expected, "edge {edge} has {found:x?}, expected {expected:x?}");
            ensure!(entries[start - 1] == u64::MAX, "before the list of edge {edge}");
        }
        Ok(())
    }
}

#[test]
fn list_triangles_fills_every_list() {
    let kernel = Kernel::named("list_triangles");
    for graph in graphs() {
        for shape in [Shape::new(1, 32), Shape::new(1, LIST_BLOCK), Shape::new(5, LIST_BLOCK)] {
            kernel.everywhere([List(graph.clone(), shape)]);
        }
    }
}
