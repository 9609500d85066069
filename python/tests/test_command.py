"""The wheel has the command."""

from __future__ import annotations

import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import tribin

COMMAND = str(Path(sysconfig.get_path("scripts")) / "tribin")


def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, timeout=120, **options)  # type: ignore[call-overload,no-any-return]


def edges(folder: Path) -> Path:
    path = folder / "triangle.txt"
    path.write_text("0 1\n1 2\n2 0\n")
    return path


def test_it_counts(tmp_path: Path) -> None:
    found = run("count", "--json", str(edges(tmp_path)))
    assert (found.returncode, found.stderr) == (0, "")
    assert json.loads(found.stdout)["triangles"] == 1
    version, features, left_out = run("--version").stdout.splitlines()
    assert version == f"tribin {tribin.__version__}"
    assert features == "features: archives, arrow, bench, cli, cluster, formats, gpu, manual, models, output, parquet, serde"
    # fsspec and pyarrow open files on servers: docs/python.md.
    assert left_out == "left out: remote"
    again = subprocess.run(
        [sys.executable, "-m", "tribin", "count", "-"], input="0 1\n1 2\n2 0\n", capture_output=True, text=True
    )
    assert again.returncode == 0 and "triangles     1\n" in again.stdout


def test_exit_codes(tmp_path: Path) -> None:
    failed = run("count", str(tmp_path / "none.txt"))
    assert failed.returncode == 1 and failed.stdout == "" and failed.stderr.startswith("error: ")
    wrong = run("count")
    assert wrong.returncode == 2 and "Usage: tribin count" in wrong.stderr
    assert run("bogus").returncode == 2


def test_a_reader_that_leaves_is_no_failure(tmp_path: Path) -> None:
    table = tmp_path / "many.txt"
    table.write_text("".join(f"0 {v}\n" for v in range(1, 200_000)))
    tribin_, head = [COMMAND, "support", "-q", str(table)], [shutil.which("head") or "head", "-n", "3"]
    first = subprocess.Popen(tribin_, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    second = subprocess.run(head, stdin=first.stdout, capture_output=True, timeout=120)
    assert first.stdout is not None and first.stderr is not None
    first.stdout.close()
    assert len(second.stdout.splitlines()) == 3
    assert (first.wait(120), first.stderr.read()) == (0, b"")
    first.stderr.close()


def test_standard_output_that_is_full() -> None:
    with open("/dev/full", "w") as full:
        found = subprocess.run([COMMAND, "doctor"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
    assert found.returncode == 1 and "standard output" in found.stderr


def test_ctrl_c_ends_it_as_a_signal_does(tmp_path: Path) -> None:
    pipe = tmp_path / "edges.txt"
    os.mkfifo(pipe)
    process = subprocess.Popen([COMMAND, "count", str(pipe)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    # It waits for a writer; once it reads, it is past its start.
    with open(pipe, "w") as writer:
        writer.write("0 1\n")
        writer.flush()
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == -signal.SIGINT
    assert process.communicate() == (b"", b"")


def test_colours_on_a_terminal(tmp_path: Path) -> None:
    terminal, of_process = pty.openpty()
    environment = {**os.environ, "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    found = subprocess.run([COMMAND, "count", "/none"], stderr=of_process, env=environment, timeout=120)
    os.close(of_process)
    assert found.returncode == 1
    assert os.read(terminal, 4096).count(b"\x1b[1m\x1b[31merror:") == 1
    os.close(terminal)


def test_numpy_is_not_needed_for_it() -> None:
    program = "import sys, tribin._command, tribin._native; print('numpy' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert found.stdout == "False\n"
