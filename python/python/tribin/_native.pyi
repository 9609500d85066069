from collections.abc import Callable, Sequence
from typing import Any, Protocol, final

import numpy as np
from numpy.typing import NDArray
from typing_extensions import CapsuleType

__all__ = [
    "Core",
    "TriangleChunks",
    "__version__",
    "census",
    "choose_columns",
    "directed_local",
    "directed_transitivity",
    "doctor",
    "export_stream",
    "integer_adjacency",
    "panic_for_a_test",
    "reciprocities",
    "reciprocity",
    "run_command",
    "strengths",
    "triad_names",
    "weighted_clustering",
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
    header: Sequence[str], asked: tuple[str, str] | None
) -> tuple[tuple[int, int], str]: ...
def doctor() -> str: ...
def export_stream(names: Sequence[str], columns: Sequence[Any]) -> CapsuleType: ...
def integer_adjacency(
    neighbours: dict[Any, Any], both: bool
) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.uint32]] | None: ...
def panic_for_a_test() -> None: ...
def run_command(arguments: Sequence[str]) -> None: ...
def triad_names() -> list[str]: ...
def work_for_a_test(progress: _Progress) -> None: ...
def census(core: Core, progress: _Progress = None) -> list[int]: ...
def directed_local(core: Core, all: bool, progress: _Progress = None) -> _Columns: ...
def directed_transitivity(core: Core, progress: _Progress = None) -> float: ...
def reciprocities(core: Core, all: bool, progress: _Progress = None) -> _Columns: ...
def reciprocity(core: Core, progress: _Progress = None) -> float | None: ...
def strengths(core: Core, all: bool, progress: _Progress = None) -> _Columns: ...
def weighted_clustering(
    core: Core, all: bool, weighting: str, progress: _Progress = None
) -> _Columns: ...
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
    def from_arrow(
        resources: _Resources,
        arcs: _Arcs,
        capsule: CapsuleType,
        asked: tuple[str, str] | None = None,
        progress: _Progress = None,
    ) -> Core: ...
    @staticmethod
    def from_file(
        resources: _Resources,
        arcs: _Arcs,
        path: str,
        format: str | None = None,
        asked: tuple[str, str] | None = None,
        ids: str = "auto",
        header: bool | None = None,
        delimiter: str | None = None,
        skip: int = 0,
        progress: _Progress = None,
    ) -> Core: ...
    def names(self) -> list[str] | None: ...
    def told(self) -> str | None: ...
    def summary(self) -> dict[str, Any]: ...
    def count(self, progress: _Progress = None) -> int: ...
    def stats(self, progress: _Progress = None) -> str: ...
    def local(
        self, all: bool, progress: _Progress = None
    ) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]: ...
    def average_clustering(self, progress: _Progress = None) -> float: ...
    def support(
        self, progress: _Progress = None
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.int64]]: ...
    def trussness(
        self, progress: _Progress = None
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.int64]]: ...
    def k_truss(
        self, k: int, progress: _Progress = None
    ) -> tuple[NDArray[Any], NDArray[Any]]: ...
    def core_numbers(
        self, all: bool, progress: _Progress = None
    ) -> tuple[NDArray[Any], NDArray[np.int64]]: ...
    def triangles(self, rows: int) -> TriangleChunks: ...
    def id_table(self) -> NDArray[Any] | None: ...

@final
class TriangleChunks:
    def next(self) -> NDArray[np.int64] | None: ...
