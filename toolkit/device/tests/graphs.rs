//! A graph takes launches and fills alone, and has nothing where its capture failed.

use std::panic::{AssertUnwindSafe, catch_unwind};

use warpwise_device::emulated::{Emulator, EmulatorError};
use warpwise_device::launch::{Buffer, Device, LaunchGraph, Metered, Shape};
use warpwise_device::memory::InOut;
use warpwise_device::{kernel, thread};

kernel!(
    /// Adds one to each value.
    #[requires(|shape| values.len() == shape.threads())]
    pub unsafe fn add_one(values: InOut<u32>) {
        let i = thread::index_1d();
        values.set(i, values.get(i) + 1);
    }
);

type Result<T = (), E = EmulatorError> = std::result::Result<T, E>;
type OfEmulator<'g> = LaunchGraph<'g, Emulator>;
type Ask = for<'g> fn(&OfEmulator<'g>, &mut Buffer<u32, OfEmulator<'g>>) -> Result;

/// What a capture that asks for something panics with.
fn refusal(ask: Ask) -> String {
    let emulator = Emulator::new();
    let mut values = Buffer::from_host(&emulator, &[1u32, 2]).unwrap();
    let mut graph = LaunchGraph::of(&emulator);
    let mut values = graph.writes(values.view_mut());
    let capture = AssertUnwindSafe(|| graph.capture(|graph| ask(graph, &mut values)));
    let panic = catch_unwind(capture).expect_err("it is refused");
    panic
        .downcast_ref::<String>()
        .cloned()
        .unwrap_or_else(|| panic.downcast_ref::<&str>().expect("a panic has a text").to_string())
}

#[test]
fn what_a_graph_does_not_take_is_refused() {
    let while_capturing = " while a graph captures launches: do it before or after";
    let cases: [(&str, Ask); 5] = [
        ("an upload", |graph, values| values.upload(graph, 0, &[3])),
        ("a download", |graph, values| values.to_vec(graph).map(drop)),
        ("a wait", |graph, _| graph.synchronize()),
        ("an event", |graph, _| graph.record().map(drop)),
        ("the launch of a graph", |graph, _| graph.launch()),
    ];
    for (what, ask) in cases {
        assert_eq!(refusal(ask), format!("{what}{while_capturing}"));
    }
    let allocation = refusal(|graph, _| Buffer::<u32, _>::zeroed(graph, 1).map(drop));
    assert!(allocation.starts_with("a graph allocates no memory"), "{allocation}");
    let shape = refusal(|graph, values| add_one(graph, Shape::new(1, 3), values.view_mut()));
    assert!(shape.starts_with("kernel add_one requires values.len()"), "{shape}");
}

#[test]
fn a_capture_that_fails_leaves_nothing_to_launch() -> Result {
    let metered = Metered::new(Emulator::new());
    let mut values = Buffer::from_host(&metered, &[1u32, 2])?;
    let mut graph = LaunchGraph::of(&metered);
    let mut values = graph.writes(values.view_mut());
    graph.capture(|graph| {
        add_one(graph, Shape::new(1, 2), values.view_mut())?;
        add_one(graph, Shape::new(2, 1), values.view_mut())
    })?;
    assert_eq!(metered.launches(), 0);
    graph.launch()?;
    graph.launch()?;
    assert_eq!((values.to_vec(&graph)?, metered.launches()), (vec![5, 6], 4));
    // At other times a graph is the device.
    add_one(&graph, Shape::new(1, 2), values.view_mut())?;
    let failed = graph.capture(|graph| {
        add_one(graph, Shape::new(1, 2), values.view_mut())?;
        Err(EmulatorError::OutOfMemory { bytes: 1 })
    });
    assert!(matches!(failed, Err(EmulatorError::OutOfMemory { bytes: 1 })), "{failed:?}");
    graph.launch()?;
    assert_eq!((values.to_vec(&graph)?, metered.launches()), (vec![6, 7], 5));
    Ok(())
}
