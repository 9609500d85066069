"""Types and examples."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import tribin

HERE = Path(__file__).parent


def check(folder: Path, *arguments: str) -> None:
    found = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, cwd=folder)
    assert found.returncode == 0, found.stdout + found.stderr


def test_an_example_and_the_package_check_strictly(tmp_path: Path) -> None:
    check(tmp_path, "mypy", "--strict", str(HERE / "example.py"))
    # Spark and Ray are not installed beside these tests.
    lax = ["--disable-error-code", "import-untyped", "--disable-error-code", "import-not-found"]
    check(tmp_path, "mypy", "--strict", *lax, "-p", "tribin")


def test_the_stubs_are_what_is_there(tmp_path: Path) -> None:
    check(tmp_path, "mypy.stubtest", "tribin._native")


def test_examples_run() -> None:
    names = [name for name in dir(tribin) if not name.startswith("_")]
    # Each class says that it is of `tribin`, and its methods are of another module: `False` looks at all.
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    examples = [doc for name in names for doc in finder.find(getattr(tribin, name), name, module=False)]
    examples += finder.find(tribin, "tribin")
    page = (HERE.parent / "README.md").read_text()
    examples.append(doctest.DocTestParser().get_doctest(page, {}, "README.md", None, None))
    for example in examples:
        runner.run(example)
    assert runner.failures == 0 and runner.tries > 20


def test_every_public_name_is_there() -> None:
    for name in dir(tribin):
        getattr(tribin, name)
    assert {"Graph", "count", "doctor", "Cancelled"} <= set(dir(tribin))
    with pytest.raises(AttributeError):
        tribin.nothing  # type: ignore[attr-defined]
