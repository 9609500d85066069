"""The formats: how a good file is made, how it is damaged, and what another program reads in it."""

from .arrays import Bin, Npy, Npz, NpzEdges, Sg
from .base import Content, Reader
from .columns import Arrow, Parquet
from .texts import (
    Adjacency, Csv, Dimacs, EdgeList, Folder, MatrixMarket, Metis, Names, Plain, Semicolon, Tsv,
)

ALL: list[Reader] = [
    EdgeList(), Csv(), Tsv(), Semicolon(), Plain(), Names(), MatrixMarket(), Metis(), Dimacs(), Adjacency(), Bin(),
    Npy(), Npz(), NpzEdges(), Sg(), Folder(), Arrow(), Parquet(),
]
BY_NAME = {reader.name: reader for reader in ALL}

__all__ = ["ALL", "BY_NAME", "Content", "Reader"]
