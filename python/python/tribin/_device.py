"""Arrays in the memory of a GPU: where their columns lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tribin import _native
from tribin._errors import InputError, UsageError

#: The numbers of devices in DLPack: memory of CUDA, and memory of CUDA that the host reads too.
_CUDA = (2, 13)
#: The numbers of devices in DLPack whose memory the CPU can read: the CPU, and pinned memory of CUDA and ROCm.
_HOST_MEMORY = (1, 3, 11)
#: The legacy default stream of CUDA: what is asked for there waits for all other work that was.
_DEFAULT_STREAM = 1


@dataclass
class DeviceColumns:
    """Two columns of integers in the memory of a GPU."""

    gpu: int
    #: The type of the ids, as NumPy calls it.
    ids: str
    #: The address of the first id, and the number of ids to the next one.
    source: tuple[int, int]
    target: tuple[int, int]
    rows: int
    #: The stream on which the ids are written, as CUDA numbers it.
    stream: int | None
    told: str
    #: What keeps the memory.
    owners: Sequence[Any]
    vertices: int | None = None
    #: There are none.
    weights: None = None


@dataclass
class DeviceShares:
    """Edges in the memory of one GPU or more: one graph of all shares."""

    shares: list[DeviceColumns]
    told: str
    #: There are none.
    weights: None = None

    @classmethod
    def of(cls, shares: list[DeviceColumns]) -> DeviceShares:
        """Take shares for one graph."""
        found = cls(shares, shares[0].told)
        if len(shares) > 1:
            gpus = ", ".join(f"gpu:{gpu}" for gpu in found.gpus)
            found.told = f"{len(shares)} shares in the memory of {gpus}"
        return found

    @property
    def gpus(self) -> list[int]:
        """The GPUs that have edges, ascending."""
        return sorted({share.gpu for share in self.shares})

    @property
    def vertices(self) -> int | None:
        """How many vertices there are, if a share says so."""
        return max((share.vertices for share in self.shares if share.vertices is not None), default=None)

    @vertices.setter
    def vertices(self, vertices: int) -> None:
        for share in self.shares:
            share.vertices = vertices


@dataclass
class _View:
    """An array."""

    gpu: int
    address: int
    kind: str
    shape: tuple[int, ...]
    #: Elements from one to the next along each dimension.
    steps: tuple[int, ...]
    stream: int | None
    owner: Any


def is_on_device(array: Any) -> bool:
    """Whether an array is in the memory of a GPU."""
    if hasattr(array, "__dlpack_device__"):
        return int(array.__dlpack_device__()[0]) not in _HOST_MEMORY
    return hasattr(array, "__cuda_array_interface__")


def is_share(edges: Any) -> bool:
    """Whether this is edges on a GPU, which may be some of a graph's: a table, an array of pairs, or a tuple of columns."""
    if isinstance(edges, tuple):
        return len(edges) == 2 and all(is_on_device(column) and _dimensions(column) == 1 for column in edges)
    if getattr(edges, "edge_index", None) is not None:
        return is_on_device(edges.edge_index)
    is_cudf = any(cls.__module__.partition(".")[0] == "cudf" for cls in type(edges).__mro__)
    return (is_cudf and hasattr(edges, "columns")) or (is_on_device(edges) and _dimensions(edges) == 2)


def is_like_share(edges: Any) -> bool:
    """Whether this is an array of two dimensions or a tuple of arrays, wherever they are, or a share."""
    columns = isinstance(edges, tuple) and any(_dimensions(column) == 1 for column in edges)
    return columns or _dimensions(edges) == 2 or is_share(edges)


def _dimensions(array: Any) -> int | None:
    shape = getattr(array, "shape", None)
    if shape is None:
        shape = getattr(array, "__cuda_array_interface__", {}).get("shape")
    return None if shape is None else len(shape)


def columns(edges: Any, by_columns: bool) -> DeviceColumns:
    """Find the columns of an array of shape (m, 2) or (2, m)."""
    view = _view(edges)
    told = f"an array of {view.kind} of shape {view.shape} in the memory of gpu:{view.gpu}".replace(",)", ")")
    if len(view.shape) != 2 or 2 not in view.shape:
        raise InputError(f"edges: the shape is {view.shape}: it must be (m, 2) or (2, m)")
    # As for arrays of NumPy.
    rows, ends = (1, 0) if view.shape[0] == 2 and (by_columns or view.shape[1] != 2) else (0, 1)
    if view.shape == (2, 2):
        told += f", taken as {'columns' if by_columns else 'rows'}"
    step, size = view.steps[rows], int(view.kind[-2:]) // 8
    first = view.address
    second = first + view.steps[ends] * size
    return _checked(view, view, (first, step), (second, step), view.shape[rows], told)


def pair(source: Any, target: Any, told: str) -> DeviceColumns:
    """Take two arrays for the two columns."""
    views = _view(source), _view(target)
    for view, what in zip(views, ("source", "target")):
        if len(view.shape) != 1:
            raise InputError(f"edges: the column `{what}` has {len(view.shape)} dimensions: it must have one")
    one, other = views
    if one.shape != other.shape:
        raise InputError(
            f"edges: the columns have {one.shape[0]} and {other.shape[0]} rows: they must have as many"
        )
    if (one.gpu, one.kind) != (other.gpu, other.kind):
        raise InputError(
            f"edges: the column `source` holds {one.kind} on gpu:{one.gpu}, and `target` {other.kind} on "
            f"gpu:{other.gpu}: both must be of one type and on one GPU"
        )
    told = f"{told}, {one.kind} in the memory of gpu:{one.gpu}"
    return _checked(one, other, (one.address, one.steps[0]), (other.address, other.steps[0]), one.shape[0], told)


def _checked(
    one: _View, other: _View, source: tuple[int, int], target: tuple[int, int], rows: int, told: str
) -> DeviceColumns:
    if rows > 1 and min(source[1], target[1]) < 1:
        raise InputError("edges: the array on the GPU is reversed or repeats one row: make it contiguous first")
    source, target = ((address, max(step, 1)) for address, step in (source, target))
    # Work on one stream is done in order; on two, the default one waits for both.
    stream = one.stream if one.stream == other.stream else _DEFAULT_STREAM
    return DeviceColumns(one.gpu, one.kind, source, target, rows, stream, told, (one.owner, other.owner))


def _view(array: Any) -> _View:
    if hasattr(array, "__dlpack__") and hasattr(array, "__dlpack_device__"):
        return _of_dlpack(array)
    if hasattr(array, "__cuda_array_interface__"):
        return _of_interface(array)
    raise UsageError("one column is in the memory of a GPU and the other is not: copy one of them")


def _of_dlpack(array: Any) -> _View:
    kind, number = (int(value) for value in array.__dlpack_device__())
    if kind not in _CUDA:
        raise UsageError(
            f"the {_library(array)} array is on a device of kind {kind} of DLPack, and tribin reads the memory of hosts "
            "and of NVIDIA GPUs: copy it to the host"
        )
    try:
        capsule = array.__dlpack__(stream=_DEFAULT_STREAM, max_version=(1, 0))
    except TypeError:
        # Before version 1 of the protocol.
        capsule = array.__dlpack__(stream=_DEFAULT_STREAM)
    (_, number), address, (code, bits, lanes), shape, steps = _native.dlpack_view(capsule)
    names = {0: "int", 1: "uint"}
    if lanes != 1 or code not in names or bits not in (32, 64):
        raise _no_ids(array, f"type {code} of DLPack with {bits} bits")
    apart = _contiguous(shape) if steps is None else tuple(steps)
    return _View(number, address, f"{names[code]}{bits}", tuple(shape), apart, _DEFAULT_STREAM, (array, capsule))


def _of_interface(array: Any) -> _View:
    interface = array.__cuda_array_interface__
    if interface.get("mask") is not None:
        raise InputError("edges: the array on the GPU has missing values: every edge has two ends")
    shape, (address, _) = tuple(interface["shape"]), interface["data"]
    order, code, size = interface["typestr"][0], interface["typestr"][1], int(interface["typestr"][2:])
    if order not in "<|=" or code not in "iu" or size not in (4, 8):
        raise _no_ids(array, interface["typestr"])
    strides = interface.get("strides")
    if strides is None:
        steps = _contiguous(shape)
    elif any(stride % size for stride in strides):
        raise InputError("edges: the ids on the GPU are not aligned: make the array contiguous first")
    else:
        steps = tuple(stride // size for stride in strides)
    gpu = _native.gpu_of(address) if address else 0
    if gpu is None:
        raise UsageError(f"the {_library(array)} array says that it is in the memory of a GPU, and the driver does not")
    kind = f"{'int' if code == 'i' else 'uint'}{8 * size}"
    return _View(gpu, address, kind, shape, steps, interface.get("stream"), array)


def _contiguous(shape: Sequence[int]) -> tuple[int, ...]:
    steps, step = [], 1
    for length in reversed(shape):
        steps.append(step)
        step *= length
    return tuple(reversed(steps))


def _library(array: Any) -> str:
    return type(array).__module__.partition(".")[0]


def _no_ids(array: Any, held: str) -> InputError:
    return InputError(
        f"edges: the {_library(array)} array on the GPU holds {getattr(array, 'dtype', held)}: there, vertex ids are "
        "integers of 32 or 64 bits"
    )
