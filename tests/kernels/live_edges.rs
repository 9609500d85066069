use anyhow::{Result, ensure};
use tribin_kernels::live_edges::{
    BLOCK, KEEP_SHARED_BYTES, KEEP_TILE, fill_words, keep_edges, lay_out_rows_of_both, put_values,
    row_keys, row_parts,
};
use warpwise_device::launch::{Buffer, Shape};

use crate::contents::sizes_around;
use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};
use crate::rows::{Both, Rows, graphs};

#[derive(Debug)]
struct Keep {
    support: Vec<u32>,
    level: u32,
    whole: bool,
}

impl Case for Keep {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let m = self.support.len() as u64;
        let tails: Vec<u32> = (0..m as u32).map(|i| i / 3 + 1).collect();
        let heads: Vec<u32> = (0..m as u32).map(|i| i.wrapping_mul(7)).collect();
        let places: Vec<u32> = (0..m as u32).map(|i| 5 * i + 2).collect();
        let stays: Vec<usize> =
            (0..m as usize).filter(|&i| self.support[i] >= self.level).collect();
        let of = |from: &[u32]| -> Vec<u32> { stays.iter().map(|&i| from[i]).collect() };
        let expected_places =
            if self.whole { stays.iter().map(|&i| i as u32).collect() } else { of(&places) };
        let tails_there = Buffer::from_host(device, &tails)?;
        let heads_there = Buffer::from_host(device, &heads)?;
        let support_there = Buffer::from_host(device, &self.support)?;
        let places_there = Buffer::from_host(device, if self.whole { &[] } else { &places[..] })?;
        let left = stays.len() as u64;
        let mut kept_tails = Buffer::uninitialized(device, left)?;
        let mut kept_heads = Buffer::uninitialized(device, left)?;
        let mut kept_support = Buffer::uninitialized(device, left)?;
        let mut kept_places = Buffer::uninitialized(device, left)?;
        let mut kept = Buffer::<u64, D>::uninitialized(device, 1)?;
        let tiles = m.div_ceil(u64::from(KEEP_TILE));
        let mut words = Buffer::zeroed(device, tiles)?;
        let mut ticket = Buffer::zeroed(device, 1)?;
        keep_edges(
            device,
            Shape::new(tiles as u32, BLOCK).shared(KEEP_SHARED_BYTES),
            tails_there.view(),
            heads_there.view(),
            support_there.view(),
            places_there.view(),
            kept_tails.view_mut(),
            kept_heads.view_mut(),
            kept_support.view_mut(),
            kept_places.view_mut(),
            kept.view_mut(),
            words.view_mut(),
            ticket.view_mut(),
            m,
            self.level,
            u32::from(self.whole),
        )?;
        ensure_holds("kept", device, &kept, &[left])?;
        ensure_holds("kept_tails", device, &kept_tails, &of(&tails))?;
        ensure_holds("kept_heads", device, &kept_heads, &of(&heads))?;
        ensure_holds("kept_support", device, &kept_support, &of(&self.support))?;
        ensure_holds("kept_places", device, &kept_places, &expected_places)
    }
}

#[test]
fn keep_edges_keeps_those_on_enough_triangles() {
    let kernel = Kernel::named("keep_edges");
    for m in sizes_around(&[BLOCK as usize, KEEP_TILE as usize]) {
        if m == 0 {
            continue;
        }
        let mut rng = fastrand::Rng::with_seed(m as u64);
        let support: Vec<u32> = (0..m).map(|_| rng.u32(..9)).collect();
        for (level, whole) in [(0, true), (4, false), (8, true), (9, false)] {
            kernel.everywhere([Keep { support: support.clone(), level, whole }]);
        }
    }
}

#[derive(Debug)]
struct Keys(Rows, Shape);

impl Case for Keys {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Keys(graph, shape) = self;
        let m = graph.tails.len() as u64;
        let (tails, heads, _) = graph.on(device)?;
        let mut keys = Buffer::<u64, D>::uninitialized(device, 2 * m)?;
        row_keys(device, *shape, tails.view(), heads.view(), keys.view_mut(), m)?;
        let ends = graph.tails.iter().zip(0u64..).chain(graph.heads.iter().zip(0u64..));
        let mut expected: Vec<u64> =
            ends.map(|(&row, place)| u64::from(row) << 32 | place).collect();
        ensure_holds("keys", device, &keys, &expected)?;

        expected.sort_by_key(|key| key >> 32);
        let keys = Buffer::from_host(device, &expected)?;
        let mut neighbours = Buffer::<u32, D>::uninitialized(device, 2 * m)?;
        let mut edge_at = Buffer::<u32, D>::uninitialized(device, 2 * m)?;
        let mut rows = Buffer::<u64, D>::zeroed(device, graph.rows.len() as u64)?;
        lay_out_rows_of_both(
            device,
            *shape,
            keys.view(),
            tails.view(),
            heads.view(),
            neighbours.view_mut(),
            edge_at.view_mut(),
            rows.view_mut().cast(),
            m,
        )?;
        let both = Both::of(graph);
        ensure_holds("rows", device, &rows, &both.rows)?;
        ensure_holds("neighbours", device, &neighbours, &both.neighbours)?;
        ensure_holds("edge_at", device, &edge_at, &both.edge_at)?;

        for chunk in [1, 3, u32::MAX] {
            let expected: Vec<u32> =
                (0..m).map(|edge| both.shorter(graph, edge).div_ceil(chunk)).collect();
            let mut parts = Buffer::<u32, D>::uninitialized(device, m)?;
            let mut total = Buffer::<u64, D>::zeroed(device, 1)?;
            row_parts(
                device,
                *shape,
                tails.view(),
                heads.view(),
                rows.view(),
                parts.view_mut(),
                total.view_mut(),
                m,
                chunk,
            )?;
            ensure_holds("parts", device, &parts, &expected)?;
            let sum: u64 = expected.iter().map(|&parts| u64::from(parts)).sum();
            let total = total.to_vec(device)?;
            ensure!(total == [sum], "{total:?} parts, expected {sum}");
        }
        Ok(())
    }
}

#[test]
fn rows_of_both_directions_come_from_keys() {
    let kernel = Kernel::named("row_keys, lay_out_rows_of_both and row_parts");
    for graph in graphs() {
        let m = graph.tails.len() as u64;
        kernel.everywhere(striding_shapes(m, BLOCK).map(|shape| Keys(graph.clone(), shape)));
    }
}

#[derive(Debug)]
struct Words(u32, Shape);

impl Case for Words {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Words(n, shape) = *self;
        let values: Vec<u32> = (0..n).map(|i| i.wrapping_mul(77)).collect();
        // Every second place, from the last on.
        let places: Vec<u32> = (0..n).rev().map(|i| 2 * i).collect();
        let mut expected = vec![9; 2 * n as usize];
        for (&place, &value) in places.iter().zip(&values) {
            expected[place as usize] = value;
        }
        let values = Buffer::from_host(device, &values)?;
        let places = Buffer::from_host(device, &places)?;
        let mut to = Buffer::uninitialized(device, 2 * u64::from(n))?;
        fill_words(device, shape, to.view_mut(), 9, 2 * u64::from(n))?;
        ensure_holds("filled", device, &to, &vec![9; 2 * n as usize])?;
        put_values(device, shape, values.view(), places.view(), to.view_mut(), n.into())?;
        ensure_holds("to", device, &to, &expected)
    }
}

#[test]
fn words_are_filled_and_values_put_in_their_places() {
    let kernel = Kernel::named("fill_words and put_values");
    for n in sizes_around(&[BLOCK as usize]) {
        let shapes = striding_shapes(n as u64, BLOCK);
        kernel.everywhere(shapes.map(|shape| Words(n as u32, shape)));
    }
}
