"""Types and examples."""

from __future__ import annotations

import doctest
import inspect
import os
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


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ('count("graph.txt", devise="cpu")', 'Unexpected keyword argument "devise" for "count"'),
        ('local("graph.txt", threads="two")', 'Argument "threads" to "local" has incompatible type "str"'),
        ('truss("graph.txt", missing="drop")', 'Argument "missing" to "truss" has incompatible type'),
    ],
)
def test_wrong_options_of_shortcuts_are_errors_of_types(tmp_path: Path, call: str, error: str) -> None:
    program = tmp_path / "wrong.py"
    program.write_text(f"import tribin\n\ntribin.{call}\n")
    found = subprocess.run([sys.executable, "-m", "mypy", str(program)], capture_output=True, text=True, cwd=tmp_path)
    assert found.returncode == 1 and error in found.stdout and "Found 1 error" in found.stdout, found.stdout


def test_all_types_are_known_to_pyright(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "site-packages" not in tribin.__file__:
        pytest.skip("pyright looks at what is installed only")
    # It takes the first Python of the path.
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    check(tmp_path, "basedpyright", "--verifytypes", "tribin", "--ignoreexternal")


def test_options_are_those_of_a_graph() -> None:
    keywords = inspect.signature(tribin.Graph).parameters.keys() - {"edges"}
    assert tribin.Options.__annotations__.keys() == keywords
    for name in dir(tribin):
        shortcut = getattr(tribin, name)
        if inspect.isfunction(shortcut) and "options" in inspect.signature(shortcut).parameters:
            of_command = name in ("convert", "generate")
            assert of_command or hasattr(tribin.Graph, name) or name == "graph", name


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
