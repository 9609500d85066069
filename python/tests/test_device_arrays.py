"""Edges in the memory of a GPU are read there, from every library that can name its memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tribin
from tribin import _device, _inputs, _native


class Interface:
    """An array that says that it is in the memory of a GPU."""

    def __init__(self, shape: tuple[int, ...], typestr: str = "<i4", **more: Any) -> None:
        self.__cuda_array_interface__ = {"shape": shape, "typestr": typestr, "data": (0, True), "version": 3, **more}


class Elsewhere:
    """A tensor on a device of another maker."""

    __module__ = "torch"

    def __dlpack_device__(self) -> tuple[int, int]:
        return 10, 0

    def __dlpack__(self, **_: Any) -> Any:
        raise AssertionError("nobody asks")


@pytest.mark.parametrize(
    ("shape", "strides", "by_columns", "source", "target", "rows"),
    [
        ((5, 2), None, False, (0, 2), (4, 2), 5),
        ((2, 5), None, False, (0, 1), (20, 1), 5),
        ((2, 2), None, False, (0, 2), (4, 2), 2),
        ((2, 2), None, True, (0, 1), (8, 1), 2),
        ((5, 2), (4, 20), False, (0, 1), (20, 1), 5),
        ((5, 2), (24, 8), False, (0, 6), (8, 6), 5),
        ((1, 2), (0, 4), False, (0, 1), (4, 1), 1),
        ((0, 2), None, False, (0, 2), (4, 2), 0),
    ],
)
def test_columns_are_found_where_they_lie(
    shape: tuple[int, int],
    strides: tuple[int, int] | None,
    by_columns: bool,
    source: tuple[int, int],
    target: tuple[int, int],
    rows: int,
) -> None:
    found = _device.columns(Interface(shape, strides=strides), by_columns)
    assert (found.source, found.target, found.rows, found.ids) == (source, target, rows, "int32")


@pytest.mark.parametrize("dtype", ["int32", "uint32", "int64", "uint64"])
def test_a_capsule_says_what_numpy_says(dtype: str) -> None:
    array = np.arange(24, dtype=dtype).reshape(6, 4)[1::2, 1:3]
    (kind, _), address, (code, bits, lanes), shape, steps = _native.dlpack_view(array.__dlpack__())
    assert (kind, address, lanes) == (1, array.__array_interface__["data"][0], 1)
    assert (("int", "uint")[code] + str(bits), shape, steps) == (dtype, [3, 2], [8, 1])


BAD: list[tuple[Any, str]] = [
    (Interface((4, 3)), r"edges: the shape is \(4, 3\): it must be \(m, 2\) or \(2, m\)"),
    (Interface((4, 2), "<f4"), "there, vertex ids are integers of 32 or 64 bits"),
    (Interface((4, 2), "<i2"), "there, vertex ids are integers of 32 or 64 bits"),
    (Interface((4, 2), strides=(-8, 4)), "reversed or repeats one row: make it contiguous first"),
    (Interface((4, 2), strides=(9, 4)), "not aligned: make the array contiguous first"),
    (Interface((4, 2), mask=object()), "missing values: every edge has two ends"),
    ((Interface((4,)), Interface((3,))), "the columns have 4 and 3 rows: they must have as many"),
    ((Interface((4,)), Interface((4,), "<i8")), "both must be of one type and on one GPU"),
    ((Interface((4, 1)), Interface((4,))), "the column `source` has 2 dimensions: it must have one"),
]


@pytest.mark.parametrize(("edges", "reason"), BAD)
def test_what_is_no_edges_is_refused(edges: Any, reason: str) -> None:
    with pytest.raises(tribin.InputError, match=reason):
        tribin.Graph(edges)


def test_other_devices_are_refused() -> None:
    with pytest.raises(tribin.UsageError, match="device of kind 10 of DLPack"):
        tribin.Graph(Elsewhere())
    with pytest.raises(tribin.UsageError, match="one column is in the memory of a GPU and the other is not"):
        tribin.Graph((Interface((4,)), [1, 2, 3, 4]))
    with pytest.raises(tribin.UsageError, match=r"copy them with `.get\(\)`"):
        tribin.Graph(Interface((4, 2)), device="cpu")


def test_a_list_of_arrays_is_one_graph() -> None:
    pairs, columns = Interface((4, 2)), (Interface((3,)), Interface((3,)))
    found = _inputs.read([pairs, columns], None, None)
    assert isinstance(found, _device.DeviceShares)
    assert ([share.rows for share in found.shares], found.gpus) == ([4, 3], [0])
    assert (found.told, found.vertices) == ("2 shares in the memory of gpu:0", None)
    found = _inputs.read((pairs,), None, 9)
    assert isinstance(found, _device.DeviceShares)
    assert ([share.vertices for share in found.shares], found.vertices) == ([9], 9)
    with pytest.raises(tribin.UsageError, match=r"item 1 \(from 0\) of the list is not in the memory of a GPU"):
        tribin.Graph([pairs, np.zeros((2, 2), dtype="int32")])
    with pytest.raises(tribin.InputError, match=r"the shape is \(4, 3\)"):
        tribin.Graph([pairs, Interface((4, 3))])


def _cupy(edges: Any) -> Any:
    return pytest.importorskip("cupy").asarray(edges)


def _torch(edges: Any) -> Any:
    return pytest.importorskip("torch").as_tensor(np.ascontiguousarray(edges)).cuda()


def _jax(edges: Any) -> Any:
    jax = pytest.importorskip("jax")
    return jax.device_put(edges, jax.devices("gpu")[0])


def _numba(edges: Any) -> Any:
    return pytest.importorskip("numba.cuda").to_device(np.ascontiguousarray(edges))


@pytest.mark.skipif(not tribin.doctor()["gpus"], reason="there is no GPU")
@pytest.mark.parametrize("library", [_cupy, _torch, _jax, _numba])
@pytest.mark.parametrize("dtype", ["int32", "int64", "uint32"])
def test_arrays_stay_on_their_gpu(library: Callable[[Any], Any], dtype: str) -> None:
    random = np.random.default_rng(20261122)
    edges = random.integers(0, 3_000, size=(100_000, 2)).astype(dtype)
    if library is _jax and dtype == "int64":
        pytest.skip("JAX makes 32 bits of it")
    if library is _torch and dtype == "uint32":
        pytest.skip("PyTorch has few operations on it")
    expected = tribin.Graph(edges, device="cpu")
    array, columns = library(edges), library(edges.T)
    for found in (
        tribin.Graph(array),
        tribin.Graph((library(edges[:, 0]), library(edges[:, 1]))),
        tribin.Graph(columns),
    ):
        explained = found.explain()
        assert (explained.copies, explained.device) == ([], "gpu:0")
        assert found.count() == expected.count()
        assert found.local().triangles.tolist() == expected.local().triangles.tolist()
    far = library((edges.astype("int64") * 1_000_003 if dtype == "int64" else edges * 600_000).astype(dtype))
    assert tribin.Graph(far).count() == expected.count()
    assert "numbered anew on the host" in tribin.Graph(far).explain().copies[0]


@pytest.mark.skipif(not tribin.doctor()["gpus"], reason="there is no GPU")
def test_arrays_on_several_gpus_are_one_graph() -> None:
    cupy = pytest.importorskip("cupy")
    random = np.random.default_rng(20261124)
    edges = random.integers(0, 3_000, size=(100_000, 2)).astype("int32")
    expected = tribin.Graph(edges, device="cpu")
    gpus = len(tribin.doctor()["gpus"])
    shares = []
    for number, rows in enumerate(np.split(edges, [10_000, 30_000, 70_000])):
        with cupy.cuda.Device(number % gpus):
            shares.append(cupy.asarray(rows))
    found = tribin.Graph(shares)
    explained = found.explain()
    assert (explained.copies, explained.device) == ([], "gpu:" + ",".join(map(str, range(min(gpus, 4)))))
    assert found.count() == expected.count()
    assert found.local().triangles.tolist() == expected.local().triangles.tolist()


@pytest.mark.skipif(not tribin.doctor()["gpus"], reason="there is no GPU")
def test_work_under_way_is_waited_for() -> None:
    cupy = pytest.importorskip("cupy")
    stream = cupy.cuda.Stream(non_blocking=True)
    for _ in range(20):
        with stream:
            edges = cupy.zeros((4_000_000, 2), dtype=cupy.uint32)
            # Slow, and the triangle is there only at the end.
            for _ in range(20):
                edges += 1
            edges[:] = 0
            edges[0] = cupy.asarray([0, 1])
            edges[1] = cupy.asarray([1, 2])
            edges[2] = cupy.asarray([2, 0])
            assert tribin.Graph(edges).count() == 1


@pytest.mark.skipif(not tribin.doctor()["gpus"], reason="there is no GPU")
def test_negative_ids_on_a_gpu_are_named() -> None:
    cupy = pytest.importorskip("cupy")
    with pytest.raises(tribin.InputError, match="edge 1: vertex -7 is negative"):
        tribin.Graph(cupy.asarray([[0, 1], [2, -7]]))
