from collections.abc import Callable, Sequence
from typing import Any, Protocol, final

import numpy as np
from numpy.typing import NDArray
from typing_extensions import CapsuleType

__all__ = [
    "Chunks",
    "Core",
    "Routes",
    "__version__",
    "at_vertices",
    "choose_columns",
    "colours_of_edges",
    "columns",
    "count_by_labels",
    "count_group",
    "dlpack_view",
    "doctor",
    "export_stream",
    "figures",
    "find_numpy",
    "gpu_of",
    "integer_adjacency",
    "list_of_results",
    "page",
    "on_edges",
    "panic_for_a_test",
    "plan_groups",
    "run_command",
    "similar",
    "similarities",
    "work_for_a_test",
]

__version__: str

class _Resources(Protocol):
    @property
    def device(self) -> str: ...
    @property
    def engine(self) -> str: ...
    @property
    def threads(self) -> int | None: ...
    @property
    def memory(self) -> int | None: ...
    @property
    def device_memory(self) -> int | None: ...
    @property
    def scratch(self) -> str | None: ...

class _DeviceColumns(Protocol):
    @property
    def gpu(self) -> int: ...
    @property
    def ids(self) -> str: ...
    @property
    def source(self) -> tuple[int, int]: ...
    @property
    def target(self) -> tuple[int, int]: ...
    @property
    def rows(self) -> int: ...
    @property
    def stream(self) -> int | None: ...
    @property
    def vertices(self) -> int | None: ...

class _Arcs(Protocol):
    @property
    def directed(self) -> bool: ...
    @property
    def weight(self) -> str | None: ...
    @property
    def weights(self) -> NDArray[np.float64] | None: ...
    @property
    def duplicates(self) -> str: ...

_Progress = Callable[[str, float | None], object] | None

def choose_columns(
    header: Sequence[str], asked: tuple[str, str] | None, weight: str | None = None
) -> tuple[tuple[int, int], str, int | None]: ...
def dlpack_view(
    capsule: CapsuleType,
) -> tuple[tuple[int, int], int, tuple[int, int, int], list[int], list[int] | None]: ...
def doctor() -> str: ...
def export_stream(names: Sequence[str], columns: Sequence[Any]) -> CapsuleType: ...
def find_numpy() -> None: ...
def gpu_of(address: int) -> int | None: ...
def integer_adjacency(
    neighbours: dict[Any, Any], both: bool
) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.uint32]] | None: ...
def panic_for_a_test() -> None: ...
def run_command(arguments: Sequence[str]) -> None: ...
def work_for_a_test(progress: _Progress) -> None: ...
def figures(
    core: Core,
    what: str,
    progress: _Progress,
    *,
    k: int = 3,
    zero: str = "error",
    error: float = 0.01,
    confidence: float = 0.95,
    seed: int = 1,
    sample: bool = False,
) -> str: ...
def columns(
    core: Core, what: str, k: int, all: bool, progress: _Progress
) -> list[NDArray[Any]]: ...
def at_vertices(
    core: Core, names: list[str], all: bool, zero: str, progress: _Progress
) -> list[NDArray[Any]]: ...
def on_edges(
    core: Core, names: list[str], zero: str, progress: _Progress
) -> list[NDArray[Any]]: ...
def count_by_labels(
    core: Core,
    vertices: NDArray[np.uint64],
    labels: NDArray[np.uint32],
    unlabelled: int,
    progress: _Progress,
) -> list[NDArray[np.int64]]: ...
def page(
    core: Core, path: str, title: str, labels: list[str] | None, progress: _Progress
) -> None: ...
def similar(
    core: Core, by: str, top: int | None, least: float, without_edges: bool, of: int | None, progress: _Progress
) -> list[NDArray[Any]]: ...
def similarities(
    core: Core, by: str, source: NDArray[np.uint64], target: NDArray[np.uint64], progress: _Progress
) -> NDArray[np.float64]: ...
def list_of_results() -> list[list[str]]: ...
@final
class Core:
    @staticmethod
    def from_columns(
        resources: _Resources,
        arcs: _Arcs,
        source: NDArray[Any],
        target: NDArray[Any],
        vertices: int | None,
        progress: _Progress,
    ) -> Core: ...
    @staticmethod
    def from_device(
        resources: _Resources, shares: Sequence[_DeviceColumns], progress: _Progress
    ) -> Core: ...
    def copied(self) -> str | None: ...
    @staticmethod
    def from_arrow(
        resources: _Resources,
        arcs: _Arcs,
        capsule: CapsuleType,
        asked: tuple[str, str] | None,
        vertices: int | None,
        nothing: list[int],
        progress: _Progress,
    ) -> Core: ...
    @staticmethod
    def from_file(
        resources: _Resources,
        arcs: _Arcs,
        paths: list[str],
        asked: tuple[str, str] | None,
        progress: _Progress,
        format: str | None,
        ids: str,
        header: bool | None,
        delimiter: str | None,
        skip: int,
        missing: str,
        bipartite: bool,
        decompressed_limit: int | None,
    ) -> Core: ...
    def names(self) -> list[str] | None: ...
    def warnings(self) -> list[str]: ...
    def told(self, of_file: bool) -> str | None: ...
    def summary(self) -> dict[str, Any]: ...
    def triangles(self, rows: int) -> Chunks: ...
    def cliques(self, k: int, rows: int) -> Chunks: ...
    def id_table(self) -> NDArray[Any] | None: ...

def colours_of_edges(capsule: CapsuleType, seed: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]: ...
def plan_groups(
    pairs: NDArray[np.uint64], most: int, sets: int | None
) -> tuple[list[list[int]], list[int], int]: ...
def count_group(
    resources: _Resources, capsule: CapsuleType, group: Sequence[int], seed: int, output: str
) -> list[Any]: ...

@final
class Routes:
    def __new__(cls, groups: Sequence[Sequence[int]]) -> Routes: ...
    def of(
        self, one: NDArray[np.uint8], other: NDArray[np.uint8]
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]: ...

@final
class Chunks:
    def next(self) -> NDArray[np.int64] | None: ...
