"""Exact triangle counting for large graphs, on NVIDIA GPUs and on all CPU cores.

A `Graph` takes edges from whatever holds them: NumPy arrays, Arrow tables (Polars, pandas, pyarrow, DuckDB), SciPy
matrices, NetworkX, igraph and rustworkx graphs, PyTorch tensors, lists, and files. It is prepared once, and asked
as often as one likes.

>>> import tribin
>>> graph = tribin.Graph([("Ann", "Bo"), ("Bo", "Cy"), ("Cy", "Ann"), ("Cy", "Di")])
>>> graph.count()
1
>>> graph.local().triangles.tolist()
[1, 1, 1, 0]
"""

from __future__ import annotations

import importlib
import typing

# The modules import NumPy, which the command `tribin` does not need: each is imported when a name of its is first used.
_NAMES = {
    "_command": "convert generate",
    "_errors": "Cancelled DeviceError Error FileError InputError UsageError",
    "_graph": "Explanation Graph Options Stats",
    "_native": "__version__",
    "_results": """
        Clustering CoreNumbers DirectedLocal Edges Local Reciprocities Result Results SquareClustering Support Table
        Trussness WeightedLocal results
    """,
    "_shortcuts": """
        at_vertices average_clustering census cliques cliques_at_vertices cliques_on_edges clustering core_numbers
        count count_by_labels directed_local directed_transitivity doctor estimate graph k_core k_truss list_cliques
        local motifs on_edges reciprocities reciprocity report signed_triangles similar similarities
        square_clustering stats support transitivity triangles truss weighted_local
    """,
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}

if typing.TYPE_CHECKING:
    from tribin._command import *
    from tribin._errors import *
    from tribin._graph import *
    from tribin._native import __version__ as __version__
    from tribin._results import *
    from tribin._shortcuts import *

__all__ = [name for name in _HOMES if name != "__version__"]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'tribin' has no attribute {name!r}")
    value: object = getattr(importlib.import_module(f"tribin.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*_HOMES, *(name for name in globals() if name.startswith("__"))})
