"""What all formats have in common."""

from __future__ import annotations

import os
import random
from abc import ABC, abstractmethod

import mutations
from figures import Figures

Edges = list[tuple[int, int]]
#: A file, or the files of a folder by their names.
Content = bytes | dict[str, bytes]


def some_edges(draw: random.Random, largest: int = 2**64 - 1) -> Edges:
    """A small graph with loops, duplicates and both directions; some have ids with wide gaps, up to the largest one."""
    bound = draw.choice((2, 4, 6, 9))
    edges = [(draw.randrange(bound), draw.randrange(bound)) for _ in range(draw.choice((1, 3, 8, 20)))]
    if largest > 2**20 and draw.random() < 0.15:
        far = draw.choice((100_000, 2**31 - 10, 2**32 - 10, 2**32, 2**53, 2**63 - 1, 2**64 - 9))
        far = min(far, largest - 8)
        edges = [(u + far if u > 1 else u, v + far if v > 1 else v) for u, v in edges]
    return edges


class Reader(ABC):
    """A format."""

    name: str
    extension: str
    #: Cases that damage the same good file, where it takes long to make.
    share = 1

    @abstractmethod
    def good(self, draw: random.Random) -> Content: ...

    @abstractmethod
    def read(self, content: Content) -> Figures:
        """What the oracle finds; any exception is its refusal.

        Raises
        ------
        NoOpinion
            If it knows too little of such a file.
        """

    def damaged(self, content: Content, draw: random.Random) -> Content:
        return mutations.text(content, draw)

    def place(self, path: str, content: Content) -> None:
        """Writes a case where tribin finds it."""
        write(path, content)


class Binary(Reader):
    def damaged(self, content: Content, draw: random.Random) -> Content:
        return mutations.binary(content, draw)


def write(path: str, content: Content) -> None:
    assert isinstance(content, bytes)
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    try:
        os.write(file, content)
    finally:
        os.close(file)
