use testkit::devices::prepared;
use tribin::Graph;
use tribin_gpu::device_graph::DeviceGraph;
use tribin_gpu::plan::Task;
use warpwise_device::launch::Device;

/// The oriented graph of raw edges, on a device. Entries that are sorted do not stay as they are.
pub fn oriented<D: Device<Error: std::fmt::Debug>>(
    device: &D,
    edges: &[[u32; 2]],
) -> DeviceGraph<D> {
    let graph = Graph::from_edges(edges.iter().copied());
    prepared(device, &graph, Task::AtVertices).unwrap().graph
}
