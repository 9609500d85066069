"""The command ``tribin``, and what of it Python calls."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from tribin._errors import Error, UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

def main() -> None:
    """Run the command with the arguments of the process, and end the process as the command does."""
    # The command handles signals by itself. What whoever started the process ignores stays ignored.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Python ignores it, and the binary does not.
    if hasattr(signal, "SIGXFSZ"):
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)

    from tribin import _native

    _native.run_command(["tribin", *sys.argv[1:]])


def _word(value: Any) -> str:
    """A value as a word of a command line."""
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return os.fsdecode(value) if isinstance(value, os.PathLike) else str(value)


def _run(*arguments: Any, **options: Any) -> None:
    """Run the command in a process of its own, with options such as ``edge_factor=8`` for ``--edge-factor 8``."""
    line = list(map(_word, arguments))
    if isinstance(options.get("header"), bool):
        options["header"] = "yes" if options["header"] else "no"
    for name, value in options.items():
        if value is not None and value is not False:
            line.append(f"--{name.replace('_', '-')}" if len(name) > 1 else f"-{name}")
            line += [] if value is True else [_word(value)]
    done = subprocess.run([sys.executable, "-m", "tribin", *line], stderr=subprocess.PIPE, text=True)
    if done.returncode:
        told = done.stderr.strip().removeprefix("error: ")
        raise (UsageError if done.returncode == 2 else Error)(told.split("\n\nUsage:")[0])


def generate(
    model: str, *values: Any, output: str | os.PathLike[str] | None = None, seed: int = 1, **options: Any
) -> NDArray[Any] | None:
    """Make a graph of a model, the same on every machine: ``tribin generate``.

    Parameters
    ----------
    model : str
        Such as ``rmat``, ``erdos-renyi`` or ``complete``: ``tribin generate --help`` lists them.
    *values, **options
        What ``tribin generate MODEL --help`` lists, such as ``scale=18`` or ``edge_factor=8``.
    output : path, optional
        The file to write, its format and compression told by its extensions.
    seed : int
        Another seed is another graph of the same kind.

    Returns
    -------
    numpy.ndarray or None
        The entries, an array of shape (m, 2), where no file is written.

    Examples
    --------
    >>> import tribin
    >>> tribin.count(tribin.generate("complete", vertices=5))
    10
    """
    options |= {"seed": seed, "quiet": True}
    model = str(model).replace("_", "-")
    if output is not None:
        _run("generate", model, *values, output=output, **options)
        return None
    import tempfile

    import numpy as np

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "graph.npy")
        _run("generate", model, *values, output=path, **options)
        edges: NDArray[Any] = np.load(path)
        return edges


def convert(source: Any, target: str | os.PathLike[str], **options: Any) -> None:
    """Write a graph in a format that the extensions of the new file tell: ``tribin convert``.

    Parameters
    ----------
    source
        The file to read, a `Graph`, or edges in memory. Of the last two the edges of the simple graph are written, each once.
    target : path
        The file to write.
    **options
        What ``tribin convert --help`` lists, such as ``simple=True``, ``to_format="metis"`` or ``ids="ids.txt"``.

    Examples
    --------
    >>> import pathlib, tempfile, tribin
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     edges, matrix = pathlib.Path(folder) / "edges.txt", pathlib.Path(folder) / "graph.mtx"
    ...     _ = edges.write_text("0 1\\n1 2\\n2 0\\n")
    ...     tribin.convert(edges, matrix)
    ...     tribin.convert(tribin.generate("complete", vertices=5), edges)
    ...     tribin.count(matrix), tribin.count(edges)
    (1, 10)
    """
    if isinstance(source, (str, bytes, os.PathLike)):
        _run("convert", os.fsdecode(source), target, quiet=True, **options)
        return
    import csv
    import tempfile

    import numpy as np

    from tribin._graph import Graph

    edges = Graph(source).k_truss(2)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "edges.npy")
        if edges.source.dtype.kind in "iu":
            np.save(path, np.column_stack((edges.source, edges.target)))
        else:
            path = os.path.join(folder, "edges.csv")
            # Names may be blank at an end, or look like headers and comments.
            options |= {"from_ids": "names", "header": "yes", "delimiter": ","}
            with open(path, "w", newline="") as file:
                csv.writer(file, quoting=csv.QUOTE_ALL).writerows((("source", "target"), *edges.rows()))
        _run("convert", path, target, quiet=True, **options)


if __name__ == "__main__":
    main()
