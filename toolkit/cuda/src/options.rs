//! What can be chosen of a GPU.

use std::num::NonZeroUsize;
use std::thread;

/// Most threads that are worth copying to one GPU, and that do where nobody says how many. More take longer: on an H100's
/// host of 32 threads 2.1 GB took 53 ms with 32 threads, and 33 with 16.
pub const MOST_COPY_THREADS: usize = 16;

/// The options of a GPU. The default suits one GPU and a process that does little else meanwhile.
///
/// ```
/// # use std::num::NonZeroUsize;
/// use warpwise_cuda::Options;
///
/// let options = Options::default().copy_threads(NonZeroUsize::new(4).unwrap());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Options {
    copy_threads: Option<NonZeroUsize>,
    pub(crate) separate_buffers: bool,
}

impl Options {
    /// How many threads copy uploads of 4 MiB and more into page-locked memory, the calling one among
    /// them: by default one for each core that the process may use, at most 16. They start with the
    /// first such upload and sleep between uploads.
    pub fn copy_threads(self, threads: NonZeroUsize) -> Options {
        Options { copy_threads: Some(threads), ..self }
    }

    /// Takes each buffer from the driver by itself, and not as a part of a larger one. So compute-sanitizer finds what goes past the
    /// end of a buffer. Taking buffers of many sizes then takes milliseconds a GB.
    pub fn separate_buffers(self) -> Options {
        Options { separate_buffers: true, ..self }
    }

    pub(crate) fn chosen_copy_threads(&self) -> NonZeroUsize {
        let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let most = NonZeroUsize::new(MOST_COPY_THREADS).expect("it is not zero");
        self.copy_threads.unwrap_or_else(|| cores().min(most))
    }
}
