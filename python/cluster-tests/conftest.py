"""What the tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def orders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the orders of `chaos`, which engines' processes inherit."""
    folder = tmp_path_factory.mktemp("chaos")
    os.environ["TRIBIN_TEST_CHAOS"] = str(folder)
    return folder
