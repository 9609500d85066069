"""What the tests share."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import networkx as nx
import numpy as np
import pytest

import tribin

KARATE = nx.karate_club_graph()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests that take long, too")


def pytest_configure() -> None:
    # Whoever starts the tests in the background may have them ignore it, and what they start inherits that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--slow"):
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="it is slow: run with --slow"))


def random_graphs(count: int) -> Iterator[nx.Graph]:
    """Graphs of up to 40 nodes, from empty to complete, some with nodes that have no edge."""
    random = np.random.default_rng(20261122)
    for seed in range(count):
        nodes, density = int(random.integers(0, 40)), float(random.random()) ** 2
        yield nx.gnp_random_graph(nodes, density, seed=seed)


@pytest.fixture
def karate() -> tribin.Graph:
    return tribin.Graph(KARATE)
