"""Ends an executor of Spark's, a worker of Ray's, or a node of Ray's while a group is counted.

The folder `TRIBIN_TEST_CHAOS` has the orders. An order is a file; whoever takes it away carries it out, so that it is
carried out once.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

from tribin import _cluster

#: The group while which it happens, of four colours: one in the middle.
GROUP = 3


def taken(order: str) -> bool:
    try:
        (Path(os.environ["TRIBIN_TEST_CHAOS"]) / order).unlink()
    except FileNotFoundError:
        return False
    return True


def parent(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("PPid:")).split()[1])


def install() -> None:
    """Put the orders before every count of the group."""
    count = _cluster.count_group

    def count_group(task: Any, group: int, *rest: Any) -> Any:
        folder = Path(os.environ["TRIBIN_TEST_CHAOS"])
        if group == GROUP and taken("kill-executor"):
            # The worker's parent is the daemon of Python's workers, and the daemon's is the executor.
            executor = parent(os.getppid())
            assert b"CoarseGrainedExecutorBackend" in Path(f"/proc/{executor}/cmdline").read_bytes()
            (folder / "done").write_text(str(executor))
            os.kill(executor, signal.SIGKILL)
        elif group == GROUP and taken("kill-worker"):
            (folder / "done").write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        elif group == GROUP and taken("lose-node"):
            import ray

            (folder / "part").write_text(ray.get_runtime_context().get_node_id())
            (folder / "part").rename(folder / "node")
            while True:
                # The test ends the node, and with it this process.
                time.sleep(1)
        return count(task, group, *rest)

    _cluster.count_group = count_group
