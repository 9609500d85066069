use tribin_device::launch::{Buffer, Device};
use tribin_gpu::device_graph::DeviceGraph;
use tribin_gpu::prepare;
use tribin_gpu::prepare::rows::clean;

/// The oriented graph of raw edges, on a device.
pub fn oriented<D: Device<Error: std::fmt::Debug>>(
    device: &D,
    edges: &[[u32; 2]],
) -> DeviceGraph<D> {
    let bound = edges.iter().flatten().max().map_or(0, |&v| u64::from(v) + 1);
    let mut entries = Buffer::uninitialized(device, edges.len() as u64).unwrap();
    entries.upload_bytes(device, 0, bytemuck::cast_slice(edges)).unwrap();
    let keys = prepare::decide::orient(device, entries, bound).unwrap();
    clean(device, keys).unwrap()
}
