//! Sequences of launches that the driver starts as a whole.

use std::sync::Arc;

use cudarc::driver::{DriverError, result, sys};
use warpwise_launch::{Launch, LaunchStep};

use crate::context::CudaContext;
use crate::gpu::start;
use crate::stream::Stream;

/// A CUDA graph that is ready to be launched.
pub struct ReadyGraph {
    graph: sys::CUgraphExec,
    /// Keeps the kernels loaded.
    context: Arc<CudaContext>,
}

// SAFETY: the driver's handles may be used from any thread, from one at a time.
unsafe impl Send for ReadyGraph {}

impl ReadyGraph {
    /// The graph of some steps, which are done one after the other. `functions` are those of the launches among them, in order.
    ///
    /// # Safety
    /// The context is current. The steps are as a launch of the graph wants them.
    pub(crate) unsafe fn new(
        context: &Arc<CudaContext>,
        steps: &[LaunchStep],
        functions: Vec<sys::CUfunction>,
    ) -> Result<ReadyGraph, DriverError> {
        // Nobody else knows the stream: what other threads ask for is no part of the graph, and is not refused.
        let stream = Stream::create()?;
        let mut functions = functions.into_iter();
        let relaxed = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED;
        // SAFETY: the stream lives, and what is captured is done when the graph is launched, for which the caller vouches.
        let (asked, captured) = unsafe {
            result::stream::begin_capture(stream.handle(), relaxed)?;
            let asked = steps.iter().try_for_each(|step| match step {
                LaunchStep::Launch(launch, args) => {
                    let function = functions.next().expect("each launch has its function");
                    start(function, &Launch { args, ..*launch }, &stream)
                }
                &LaunchStep::Fill { address, byte, bytes } => {
                    result::memset_d8_async(address, byte, bytes as usize, stream.handle())
                }
            });
            (asked, result::stream::end_capture(stream.handle()))
        };
        let captured = match captured {
            Ok(captured) => captured,
            Err(error) => return Err(asked.err().unwrap_or(error)),
        };
        let none = sys::CUgraphInstantiate_flags(0);
        // SAFETY: the graph was just captured, and is destroyed once. What is made of it does not need it.
        let graph = unsafe {
            let graph = asked.and_then(|()| result::graph::instantiate(captured, none));
            let _ = result::graph::destroy(captured);
            graph?
        };
        Ok(ReadyGraph { graph, context: context.clone() })
    }

    /// Asks a stream to do all steps.
    ///
    /// # Safety
    /// The stream is of the context, which is current, and the steps are as for [`new`](Self::new).
    pub(crate) unsafe fn launch(&self, stream: &Stream) -> Result<(), DriverError> {
        // SAFETY: both live, and the caller's promise.
        unsafe { result::graph::launch(self.graph, stream.handle()) }
    }
}

impl Drop for ReadyGraph {
    fn drop(&mut self) {
        if self.context.make_current().is_ok() {
            // SAFETY: made by `new`, destroyed once. A launch that is under way goes on.
            let _ = unsafe { result::graph::exec_destroy(self.graph) };
        }
    }
}
