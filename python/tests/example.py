"""A program that mypy checks strictly."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

import tribin

graph = tribin.Graph(np.array([[0, 1], [1, 2], [2, 0]]), device="cpu", threads=1)
count: int = graph.count()
local: tribin.Local = graph.local()
degrees: NDArray[np.int64] = local.degree
clustering: NDArray[np.float64] = graph.clustering().clustering
mean: float = graph.average_clustering() + graph.transitivity() + graph.stats().mean_degree
supports: NDArray[np.int64] = graph.support().support
trussness: tribin.Trussness = graph.truss()
edges: tribin.Edges = graph.k_truss(3)
cores: NDArray[np.int64] = graph.core_numbers().core_number
chunks: Iterator[NDArray[np.int64]] = graph.triangles(chunk=10)
most: tribin.Local = graph.local().top(10)
row: tuple[object, ...] = local[0]
options: tribin.Options = {"device": "cpu", "memory": "2G", "scratch": "."}
kept: tribin.Edges = tribin.k_truss("graph.txt", "max", **options)
version: str = tribin.__version__
try:
    total: int = tribin.count("graph.txt")
except tribin.FileError as error:
    print(error, error.filename, graph.explain().copies)
