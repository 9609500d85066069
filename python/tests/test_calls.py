"""What happens around a call: signals, threads, forks, panics, progress, memory."""

from __future__ import annotations

import concurrent.futures
import gc
import os
import signal
import subprocess
import sys
import sysconfig
import textwrap
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import tribin
from tribin import _native


def test_ctrl_c_ends_a_call_within_200_ms(request: pytest.FixtureRequest) -> None:
    # That is the promise for a machine with a free core, which `--slow` supposes.
    most = 0.2 if request.config.getoption("--slow") else 5
    sent = []

    def interrupt() -> None:
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Timer(0.2, interrupt).start()
    with pytest.raises(KeyboardInterrupt) as raised:
        _native.work_for_a_test(None)
    assert time.monotonic() - sent[0] < most
    assert isinstance(raised.value, tribin.Cancelled) and not isinstance(raised.value, Exception)


def test_ctrl_c_ends_a_count() -> None:
    # Long enough for any machine: it is stopped.
    program = textwrap.dedent("""
        import numpy as np, os, signal, threading, time, tribin
        edges = np.random.default_rng(1).integers(0, 6_000, (6_000_000, 2), dtype=np.uint32)
        graph = tribin.Graph(edges, threads=1, device="cpu")
        sent = []
        def interrupt():
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)
        threading.Timer(0.1, interrupt).start()
        try:
            graph.truss()
        except KeyboardInterrupt:
            took = time.monotonic() - sent[0]
            assert graph.number_of_edges > 0
            print("stopped" if took < 10 else took)
    """)
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert (run.stdout, run.stderr) == ("stopped\n", "")


def test_ctrl_c_ends_the_reading_of_dictionaries() -> None:
    # As the package does once.
    _native.find_numpy()
    # As many neighbours as take seconds, in little memory.
    row = dict.fromkeys(range(2_000))
    graph = {vertex: row for vertex in range(6_000)}
    sent = []

    def interrupt() -> None:
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    def handler(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, handler)
    try:
        threading.Timer(0.05, interrupt).start()
        with pytest.raises(KeyboardInterrupt):
            while True:
                _native.integer_adjacency(graph, False)
        assert time.monotonic() - sent[0] < 1
    finally:
        signal.signal(signal.SIGINT, before)


def test_another_handler_s_exception_comes_through() -> None:
    class Hangup(Exception):
        pass

    def handler(*_: object) -> None:
        raise Hangup

    before = signal.signal(signal.SIGHUP, handler)
    try:
        threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGHUP)).start()
        with pytest.raises(Hangup):
            _native.work_for_a_test(None)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_other_threads_run_meanwhile() -> None:
    steps = 0
    running = True

    def count() -> None:
        nonlocal steps
        while running:
            steps += 1

    thread = threading.Thread(target=count)
    thread.start()

    def stop(phase: str, share: float | None) -> None:
        if share is not None and share > 0.1:
            raise StopIteration

    with pytest.raises(StopIteration):
        _native.work_for_a_test(stop)
    running = False
    thread.join()
    assert steps > 1000


def test_progress_is_told_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    told: list[tuple[str, float | None]] = []

    def progress(phase: str, share: float | None) -> None:
        told.append((phase, share))
        if len(told) == 3:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        _native.work_for_a_test(progress)
    assert len(told) == 3 and all(0 <= (share or 0) <= 1 for _, share in told)
    assert tribin.count([(0, 1), (1, 2), (2, 0)], progress=True) == 1


def test_a_panic_is_an_exception() -> None:
    with pytest.raises(tribin.Error, match="planted: this is a defect in tribin, please report it"):
        _native.panic_for_a_test()
    assert tribin.count([(0, 1), (1, 2), (2, 0)]) == 1


def test_a_python_without_the_lock_stays_without_it() -> None:
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        pytest.skip("this Python has the lock")
    assert not sys._is_gil_enabled()  # type: ignore[attr-defined,unused-ignore]


def test_threads_share_a_graph() -> None:
    original = nx.gnp_random_graph(400, 0.1, seed=3)
    graph = tribin.Graph(original)
    expected = (sum(nx.triangles(original).values()) // 3, graph.local(), graph.truss())

    def ask(_: int) -> bool:
        found = (graph.count(), graph.local(), graph.truss())
        listed = sum(len(chunk) for chunk in graph.triangles(chunk=100))
        return found == expected and listed == expected[0]

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(64)))


def run_forked(check: Callable[[], None]) -> None:
    """Run a check in a forked process, which has to end well."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            check()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    deadline = time.monotonic() + 60
    while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0):
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            pytest.fail("the child hangs")
        time.sleep(0.01)
    assert os.waitstatus_to_exitcode(ended[1]) == 0


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_makes_graphs_of_its_own(karate: tribin.Graph) -> None:
    assert karate.count() == 45

    def check() -> None:
        with pytest.raises(tribin.UsageError, match="forked"):
            karate.local()
        assert tribin.count([(0, 1), (1, 2), (2, 0)]) == 1

    run_forked(check)


def test_a_list_of_triangles_may_be_left_in_the_middle() -> None:
    graph = tribin.Graph(nx.complete_graph(120))
    before = threading.active_count()
    for _ in range(20):
        chunks = graph.triangles(chunk=10)
        assert len(next(chunks)) == 10
        chunks.close()
    assert threading.active_count() == before


def resident() -> int:
    gc.collect()
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
@pytest.mark.slow
def test_nothing_leaks() -> None:
    edges = np.random.default_rng(0).integers(0, 300, (2_000, 2))
    names = np.array([f"vertex {v}" for v in range(300)], dtype=object)[edges]
    table = tribin.support(names).to_polars()

    def call(turn: int) -> None:
        graph = tribin.Graph((edges, names.tolist(), table)[turn % 3])
        graph.count()
        graph.local().to_arrow()
        graph.truss()
        next(graph.triangles(chunk=50))
        with pytest.raises(tribin.InputError):
            tribin.Graph(np.array([[0, -1]]))

    for turn in range(1_000):
        call(turn)
    before = resident()
    for turn in range(10_000):
        call(turn)
    assert resident() - before < 20 << 20


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_triangles_are_refused_in_a_forked_process(karate: tribin.Graph) -> None:
    begun = karate.triangles(chunk=1)
    assert next(begun).shape == (1, 3)

    def check() -> None:
        for chunks in (karate.triangles(), begun):
            with pytest.raises(tribin.UsageError, match="forked"):
                next(chunks)

    run_forked(check)
    assert 1 + sum(map(len, begun)) == 45


def test_warnings_are_of_the_line_that_called_the_package(tmp_path: Path) -> None:
    path = tmp_path / "edges.metis"
    path.write_text("3 2\n2 3\n1 3\n\n")
    for call in (tribin.Graph, tribin.count, tribin.graph, tribin.census):
        with pytest.warns(UserWarning, match="listed at one of their ends only") as warned:
            call(path)
        assert [warning.filename for warning in warned] == [__file__]


def test_warnings_name_arguments(tmp_path: Path) -> None:
    path = tmp_path / "friends.csv"
    path.write_text("one,other\nann,bob\nbob,cat\ncat,ann\nann,dan\n")
    with pytest.warns(UserWarning, match="if it names the columns, say `header=True`"):
        assert tribin.count(path) == 1
