//! `tribin local`.

use tribin::report::table::{Column, Values};

use super::failure::Failure;
use super::tables::{TableArgs, Work};

pub fn run(args: &TableArgs) -> Result<(), Failure> {
    let work = Work::begin(&args.graph, &args.device)?;
    let local = work.graph.local()?;
    let joined: Vec<u32> =
        (0..local.vertex_bound() as u32).filter(|&vertex| local.degree(vertex) > 0).collect();
    let columns = [
        Column::of_ids("vertex", work.graph.ids()),
        Column::Whole("degree"),
        Column::Whole("triangles"),
        Column::Double("clustering"),
    ];
    work.write_rows(&columns, joined.len(), |rows| {
        let vertices = &joined[rows];
        let whole = |value: &dyn Fn(u32) -> u64| {
            Values::Whole(vertices.iter().map(|&vertex| value(vertex)).collect())
        };
        vec![
            Values::of_ids(work.graph.ids(), vertices.iter().copied()),
            whole(&|vertex| local.degree(vertex).into()),
            whole(&|vertex| local.triangles(vertex)),
            Values::Double(vertices.iter().map(|&vertex| local.clustering(vertex)).collect()),
        ]
    })
}
