use anyhow::Result;
use warpwise_conformance::kernels::blocks::pass_on;
use warpwise_device::launch::{Buffer, LaunchGraph, Shape};
use warpwise_harness::{Case, TestDevice, ensure_holds};

use crate::KERNELS;

#[derive(Debug)]
struct PassOnAgain {
    launches: u32,
}

impl Case for PassOnAgain {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let mut message = Buffer::from_host(device, &[1, 2])?;
        let mut flag = Buffer::uninitialized(device, 2)?;
        let mut graph = LaunchGraph::of(device);
        let mut message = graph.writes(message.view_mut());
        let mut flag = graph.writes(flag.view_mut());
        // Nothing was captured.
        graph.launch()?;
        ensure_holds("message", &graph, &message, &[1, 2])?;
        graph.capture(|graph| {
            flag.fill_bytes(graph, 0)?;
            pass_on(graph, Shape::new(2, 32).together(), message.view_mut(), flag.view_mut())
        })?;
        ensure_holds("message", &graph, &message, &[1, 2])?;
        for _ in 0..self.launches {
            message.upload(&graph, 0, &[3, 4])?;
            graph.launch()?;
            ensure_holds("message", &graph, &message, &[42, 43])?;
        }
        // In the place of what was captured before.
        graph.capture(|graph| message.fill_bytes(graph, 1))?;
        graph.launch()?;
        graph.launch()?;
        ensure_holds("message", &graph, &message, &[0x0101_0101; 2])
    }
}

#[test]
fn what_is_captured_is_done_as_often_as_one_likes() {
    let kernel = KERNELS.kernel("pass_on");
    kernel.everywhere([0, 1, 5].map(|launches| PassOnAgain { launches }));
    kernel.on_gpu(|| vec![PassOnAgain { launches: 1000 }]);
}
