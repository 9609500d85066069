use anyhow::Result;
use tribin_kernels::vertex_results::{BLOCK, by_vertex, vertex_triangles};
use warpwise_device::launch::{Buffer, Shape};

use crate::contents::sizes_around;
use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};
use crate::rows::{Rows, graphs};

#[derive(Debug)]
struct VertexTriangles(Rows, Shape);

impl Case for VertexTriangles {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let VertexTriangles(graph, shape) = self;
        // Any numbers: sums of them pass 32 bits.
        let support: Vec<u32> =
            (0..graph.heads.len() as u32).map(|i| if i % 4 == 0 { 0 } else { !i }).collect();
        let mut expected: Vec<u64> = (0..graph.rows.len() as u64).collect();
        let mut twice = Buffer::from_host(device, &expected)?;
        for (i, &count) in support.iter().enumerate() {
            expected[graph.tails[i] as usize] += u64::from(count);
            expected[graph.heads[i] as usize] += u64::from(count);
        }
        let (tails, heads, _) = graph.on(device)?;
        let support = Buffer::from_host(device, &support)?;
        let (tails, heads, m) = (tails.view(), heads.view(), support.len());
        vertex_triangles(device, *shape, tails, heads, support.view(), twice.view_mut(), m)?;
        ensure_holds("twice", device, &twice, &expected)
    }
}

#[test]
fn vertex_triangles_adds_support_to_both_ends() {
    let kernel = Kernel::named("vertex_triangles");
    for graph in graphs() {
        for shape in striding_shapes(graph.tails.len() as u64, BLOCK) {
            kernel.everywhere([VertexTriangles(graph.clone(), shape)]);
        }
    }
}

/// A random order of `n` vertices.
fn order(n: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n as u32).collect();
    fastrand::Rng::with_seed(n as u64).shuffle(&mut order);
    order
}

#[derive(Debug)]
struct Task(usize, Shape);

impl Case for Task {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let &Task(n, shape) = self;
        let vertex_of_rank = order(n);
        let twice: Vec<u64> = (0..n as u64).map(|r| r << 33 | r << 1).collect();
        let degree_of_rank: Vec<u32> = (0..n as u32).map(|r| !r).collect();
        let (mut triangles, mut degrees) = (vec![0; n], vec![0; n]);
        for (rank, &v) in vertex_of_rank.iter().enumerate() {
            triangles[v as usize] = twice[rank] >> 1;
            degrees[v as usize] = degree_of_rank[rank];
        }
        let vertices = Buffer::from_host(device, &vertex_of_rank)?;
        let twice = Buffer::from_host(device, &twice)?;
        let degree_of_rank = Buffer::from_host(device, &degree_of_rank)?;
        let mut triangles_there = Buffer::uninitialized(device, n as u64)?;
        let mut degrees_there = Buffer::uninitialized(device, n as u64)?;
        by_vertex(
            device,
            shape,
            vertices.view(),
            twice.view(),
            degree_of_rank.view(),
            triangles_there.view_mut(),
            degrees_there.view_mut(),
            n as u64,
        )?;
        ensure_holds("triangles", device, &triangles_there, &triangles)?;
        ensure_holds("degrees", device, &degrees_there, &degrees)
    }
}

#[test]
fn results_come_in_the_order_of_the_vertices() {
    let kernel = Kernel::named("by_vertex");
    for n in sizes_around(&[BLOCK as usize]) {
        kernel.everywhere(striding_shapes(n as u64, BLOCK).map(|shape| Task(n, shape)));
    }
}
