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
    "census",
    "choose_columns",
    "cliques",
    "cliques_at_vertices",
    "cliques_on_edges",
    "colours_of_edges",
    "count_by_labels",
    "count_group",
    "directed_transitivity",
    "dlpack_view",
    "doctor",
    "estimate",
    "export_stream",
    "find_numpy",
    "gpu_of",
    "integer_adjacency",
    "list_of_results",
    "motifs",
    "page",
    "on_edges",
    "panic_for_a_test",
    "plan_groups",
    "reciprocities",
    "reciprocity",
    "run_command",
    "signed_triangles",
    "similar",
    "similarities",
    "triad_names",
    "work_for_a_test",
]

__version__: str

class _Resources(Protocol):
    @property
    def device(self) -> str: ...
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

_Columns = tuple[NDArray[Any], list[NDArray[np.int64]], list[NDArray[np.float64]]]

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
def triad_names() -> list[str]: ...
def work_for_a_test(progress: _Progress) -> None: ...
def census(core: Core, progress: _Progress = None) -> list[int]: ...
def directed_transitivity(core: Core, progress: _Progress = None) -> float: ...
def reciprocities(core: Core, all: bool, progress: _Progress = None) -> _Columns: ...
def reciprocity(core: Core, progress: _Progress = None) -> float | None: ...
def at_vertices(
    core: Core, names: list[str], all: bool, zero: str, progress: _Progress = None
) -> tuple[NDArray[Any], list[NDArray[Any]]]: ...
def on_edges(
    core: Core, names: list[str], zero: str, progress: _Progress = None
) -> tuple[NDArray[Any], NDArray[Any], list[NDArray[Any]]]: ...
def cliques(core: Core, k: int, progress: _Progress = None) -> int: ...
def cliques_at_vertices(
    core: Core, k: int, all: bool, progress: _Progress = None
) -> tuple[NDArray[Any], NDArray[np.int64]]: ...
def cliques_on_edges(
    core: Core, k: int, progress: _Progress = None
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.int64]]: ...
def count_by_labels(
    core: Core,
    vertices: NDArray[np.uint64],
    labels: NDArray[np.uint32],
    unlabelled: int,
    progress: _Progress = None,
) -> tuple[NDArray[np.uint32], NDArray[np.int64]]: ...
def estimate(
    core: Core, error: float, confidence: float, seed: int, sample: bool, progress: _Progress = None
) -> str: ...
def motifs(core: Core, progress: _Progress = None) -> list[tuple[str, int, int]]: ...
def page(
    core: Core, path: str, title: str, labels: list[str] | None = None, progress: _Progress = None
) -> None: ...
def signed_triangles(core: Core, zero: str, progress: _Progress = None) -> str: ...
def similar(
    core: Core, by: str, top: int | None, least: float, without_edges: bool, progress: _Progress = None
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.float64]]: ...
def similarities(
    core: Core, by: str, source: NDArray[np.uint64], target: NDArray[np.uint64], progress: _Progress = None
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
        vertices: int | None = None,
        progress: _Progress = None,
    ) -> Core: ...
    @staticmethod
    def from_device(
        resources: _Resources, shares: Sequence[_DeviceColumns], progress: _Progress = None
    ) -> Core: ...
    def copied(self) -> str | None: ...
    @staticmethod
    def from_arrow(
        resources: _Resources,
        arcs: _Arcs,
        capsule: CapsuleType,
        asked: tuple[str, str] | None = None,
        vertices: int | None = None,
        nothing: list[int] | None = None,
        progress: _Progress = None,
    ) -> Core: ...
    @staticmethod
    def from_file(
        resources: _Resources,
        arcs: _Arcs,
        paths: list[str],
        format: str | None = None,
        asked: tuple[str, str] | None = None,
        ids: str = "auto",
        header: bool | None = None,
        delimiter: str | None = None,
        skip: int = 0,
        missing: str = "error",
        bipartite: bool = False,
        progress: _Progress = None,
    ) -> Core: ...
    def names(self) -> list[str] | None: ...
    def told(self) -> str | None: ...
    def summary(self) -> dict[str, Any]: ...
    def count(self, progress: _Progress = None) -> int: ...
    def stats(self, progress: _Progress = None) -> str: ...
    def average_clustering(self, progress: _Progress = None) -> float: ...
    def trussness(
        self, progress: _Progress = None
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.int64]]: ...
    def k_truss(
        self, k: int, progress: _Progress = None
    ) -> tuple[NDArray[Any], NDArray[Any]]: ...
    def triangles(self, rows: int) -> Chunks: ...
    def cliques(self, k: int, rows: int) -> Chunks: ...
    def id_table(self) -> NDArray[Any] | None: ...

def colours_of_edges(capsule: CapsuleType, seed: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]: ...
def plan_groups(
    pairs: NDArray[np.uint64], most: int, sets: int | None = None
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
