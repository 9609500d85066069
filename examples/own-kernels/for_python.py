"""SAXPY of arrays of PyTorch, CuPy and Numba, after `cargo rustc --release --lib --crate-type cdylib`."""

import ctypes
import importlib.util
import math
import pathlib

FOLDER = pathlib.Path(__file__).parent / "target/release"
LIBRARY = ctypes.CDLL(str(FOLDER / "libown_kernels.so"))
LIBRARY.own_kernels_saxpy.argtypes = [ctypes.c_float] + [ctypes.c_uint64] * 4


def numbers(array, written):
    """The address and the number of float32 of an array on the first GPU."""
    described = array.__cuda_array_interface__
    device = getattr(array, "device", None)
    if described["typestr"] != "<f4" or getattr(device, "index", getattr(device, "id", 0)) != 0:
        raise TypeError("saxpy takes arrays of float32 on the first GPU")
    address, is_read_only = described["data"]
    if described.get("strides") is not None or (written and is_read_only):
        raise ValueError("saxpy takes contiguous arrays, and writes the second one")
    return address, math.prod(described["shape"])


def saxpy(a, x, y, stream=0):
    """Adds a * x to y, in the order of a stream: `torch.cuda.current_stream().cuda_stream`, `cupy.cuda.get_current_stream().ptr`."""
    (x, n), (y, of_y) = numbers(x, False), numbers(y, True)
    if n != of_y:
        raise ValueError("saxpy takes arrays of one length")
    if LIBRARY.own_kernels_saxpy(a, x, y, n, stream or 1) != 0:
        raise RuntimeError("saxpy failed: standard error says why")


if __name__ == "__main__":
    if importlib.util.find_spec("torch"):
        import torch

        x, y = torch.arange(1000.0, device="cuda"), torch.ones(1000, device="cuda")
        saxpy(2.0, x, y, torch.cuda.current_stream().cuda_stream)
        assert torch.equal(y, 2 * x + 1)
        print("PyTorch: right")
    if importlib.util.find_spec("cupy"):
        import cupy

        with cupy.cuda.Stream() as stream:
            x, y = cupy.arange(1000, dtype="f4"), cupy.ones(1000, dtype="f4")
            saxpy(2.0, x, y, stream.ptr)
            assert (y == 2 * x + 1).all()
            print("CuPy: right")
