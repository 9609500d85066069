"""SAXPY of tensors of PyTorch, after `cargo rustc --release --lib --crate-type cdylib`."""

import ctypes
import pathlib

import torch

FOLDER = pathlib.Path(__file__).parent / "target/release"
LIBRARY = ctypes.CDLL(str(FOLDER / "libown_kernels.so"))
LIBRARY.own_kernels_saxpy.argtypes = [ctypes.c_float] + [ctypes.c_uint64] * 4


def saxpy(a, x, y):
    """Adds a * x to y, in the order of PyTorch's current stream."""
    for tensor in (x, y):
        if tensor.dtype != torch.float32 or tensor.device != torch.device("cuda:0"):
            raise TypeError("saxpy takes tensors of float32 on cuda:0")
        if not tensor.is_contiguous() or tensor.numel() != x.numel():
            raise ValueError("saxpy takes contiguous tensors of one length")
    stream = torch.cuda.current_stream().cuda_stream or 1
    if LIBRARY.own_kernels_saxpy(a, x.data_ptr(), y.data_ptr(), x.numel(), stream) != 0:
        raise RuntimeError("saxpy failed: standard error says why")


if __name__ == "__main__":
    x, y = torch.arange(1000.0, device="cuda"), torch.ones(1000, device="cuda")
    saxpy(2.0, x, y)
    assert torch.equal(y, 2 * x + 1)
