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

# What follows imports NumPy, which the command `tribin` does not need: it is imported when it is first used.
_HOMES = {
    "Graph": "_graph",
    "Explanation": "_graph",
    "Stats": "_graph",
    "Clustering": "_results",
    "CoreNumbers": "_results",
    "Edges": "_results",
    "WeightedLocal": "_results",
    "Reciprocities": "_results",
    "DirectedLocal": "_results",
    "Local": "_results",
    "Result": "_results",
    "Results": "_results",
    "results": "_results",
    "SquareClustering": "_results",
    "Support": "_results",
    "Table": "_results",
    "Trussness": "_results",
    "at_vertices": "_shortcuts",
    "on_edges": "_shortcuts",
    "average_clustering": "_shortcuts",
    "cliques": "_shortcuts",
    "cliques_at_vertices": "_shortcuts",
    "cliques_on_edges": "_shortcuts",
    "clustering": "_shortcuts",
    "core_numbers": "_shortcuts",
    "weighted_local": "_shortcuts",
    "reciprocities": "_shortcuts",
    "reciprocity": "_shortcuts",
    "directed_local": "_shortcuts",
    "census": "_shortcuts",
    "count": "_shortcuts",
    "count_by_labels": "_shortcuts",
    "doctor": "_shortcuts",
    "estimate": "_shortcuts",
    "graph": "_shortcuts",
    "k_truss": "_shortcuts",
    "list_cliques": "_shortcuts",
    "local": "_shortcuts",
    "motifs": "_shortcuts",
    "signed_triangles": "_shortcuts",
    "report": "_shortcuts",
    "similar": "_shortcuts",
    "similarities": "_shortcuts",
    "square_clustering": "_shortcuts",
    "stats": "_shortcuts",
    "support": "_shortcuts",
    "transitivity": "_shortcuts",
    "triangles": "_shortcuts",
    "truss": "_shortcuts",
    "Cancelled": "_errors",
    "DeviceError": "_errors",
    "Error": "_errors",
    "FileError": "_errors",
    "InputError": "_errors",
    "UsageError": "_errors",
    "__version__": "_native",
}

if typing.TYPE_CHECKING:
    from tribin._errors import (
        Cancelled as Cancelled,
        DeviceError as DeviceError,
        Error as Error,
        FileError as FileError,
        InputError as InputError,
        UsageError as UsageError,
    )
    from tribin._graph import Explanation as Explanation, Graph as Graph, Stats as Stats
    from tribin._native import __version__ as __version__
    from tribin._results import (
        Clustering as Clustering,
        CoreNumbers as CoreNumbers,
        Edges as Edges,
        WeightedLocal as WeightedLocal,
        Reciprocities as Reciprocities,
        DirectedLocal as DirectedLocal,
        Local as Local,
        Result as Result,
        Results as Results,
        results as results,
        SquareClustering as SquareClustering,
        Support as Support,
        Table as Table,
        Trussness as Trussness,
    )
    from tribin._shortcuts import (
        at_vertices as at_vertices,
        on_edges as on_edges,
        average_clustering as average_clustering,
        cliques as cliques,
        cliques_at_vertices as cliques_at_vertices,
        cliques_on_edges as cliques_on_edges,
        clustering as clustering,
        core_numbers as core_numbers,
        weighted_local as weighted_local,
        reciprocities as reciprocities,
        reciprocity as reciprocity,
        directed_local as directed_local,
        census as census,
        count as count,
        count_by_labels as count_by_labels,
        doctor as doctor,
        estimate as estimate,
        graph as graph,
        k_truss as k_truss,
        list_cliques as list_cliques,
        local as local,
        motifs as motifs,
        signed_triangles as signed_triangles,
        report as report,
        similar as similar,
        similarities as similarities,
        square_clustering as square_clustering,
        stats as stats,
        support as support,
        transitivity as transitivity,
        triangles as triangles,
        truss as truss,
    )


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
