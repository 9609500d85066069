"""Types and examples."""

from __future__ import annotations

import doctest
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import tribin

HERE = Path(__file__).parent


def test_an_example_and_the_package_check_strictly(tmp_path: Path) -> None:
    package = Path(tribin.__path__[0])
    arguments = ["--strict", "--cache-dir", str(tmp_path), str(HERE / "example.py"), str(package)]
    found = subprocess.run([sys.executable, "-m", "mypy", *arguments], capture_output=True, text=True, cwd=tmp_path)
    assert found.returncode == 0, found.stdout + found.stderr


def test_the_stubs_are_what_is_there(tmp_path: Path) -> None:
    found = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "tribin._native"], capture_output=True, text=True, cwd=tmp_path
    )
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize("module", ["tribin", "tribin._graph", "tribin._results", "tribin._shortcuts"])
def test_examples_run(module: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(module))
    assert failed == 0 and (tried > 0 or module == "tribin._results")


def test_every_public_name_is_there() -> None:
    for name in dir(tribin):
        getattr(tribin, name)
    assert {"Graph", "count", "doctor", "Cancelled"} <= set(dir(tribin))
    with pytest.raises(AttributeError):
        tribin.nothing  # type: ignore[attr-defined]
