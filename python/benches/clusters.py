"""Spark and Ray with tribin, and Spark with joins, each in local mode: all in this machine.

    python clusters.py FOLDER [--graphs er100m,rmat100m] [--ways spark,spark-groups,ray,ray-groups,joins]

FOLDER has a `NAME.parquet` for each graph, with the columns `source` and `target`. Where it has none, the command `tribin`
makes it. Every count is of a process of its own, once, from the file to the number, after the engine has counted a triangle.
Beside the time stand the processor's seconds of all processes of the run, which other work on the machine changes less, the
bytes that went through the engine's shuffle (Spark's compressed; Ray's as its object store had them, on disk too), and the most
resident memory that the processes had together, with the shared memory of Ray's objects.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

GRAPHS = {f"rmat{scale}": ["rmat", "--scale", str(scale)] for scale in range(10, 23)}
GRAPHS |= {
    f"er{scale}": ["erdos-renyi", "--vertices", str(2**scale), "--edges", str(16 * 2**scale)] for scale in range(10, 23)
}
GRAPHS["rmat100m"] = ["rmat", "--scale", "23", "--edge-factor", "12"]
GRAPHS["er100m"] = ["erdos-renyi", "--vertices", str(2**23), "--edges", str(10**8)]


def make(path: Path) -> None:
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    program = Path(sys.executable).parent / "tribin"
    array = path.with_suffix(".npy")
    subprocess.run([program, "generate", *GRAPHS[path.stem], "-q", "-o", array], check=True)
    edges = np.load(array, mmap_mode="r")
    table = pa.table({"source": edges[:, 0].astype(np.int64), "target": edges[:, 1].astype(np.int64)})
    pq.write_table(table, path, row_group_size=max(len(edges) // 16, 1))
    array.unlink()


class Watch:
    """This process and all below it: the most resident memory of all together, and the processor's time."""

    def __init__(self) -> None:
        self.most = 0
        # By process and the time at which it began: those that have ended stay.
        self._seconds: dict[tuple[int, str], float] = {}
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def look(self) -> float:
        """Note the memory, and return the seconds of the processor so far, of processes that have ended, too."""
        parents, sizes, seconds, tick = {}, {}, {}, os.sysconf("SC_CLK_TCK")
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                stat = (entry / "stat").read_text().rpartition(")")[2].split()
                # Kibibytes of its own and of files. What is shared is counted below, once.
                kinds = dict(re.findall(r"Rss(Anon|File):\s+(\d+)", (entry / "status").read_text()))
            except OSError:
                continue
            process = int(entry.name)
            parents[process] = int(stat[1])
            sizes[process] = sum(map(int, kinds.values())) << 10
            seconds[process] = stat[19], sum(map(int, stat[11:13])) / tick
        shared = os.statvfs("/dev/shm")
        size = (shared.f_blocks - shared.f_bfree) * shared.f_frsize
        for process in sizes:
            above = process
            while above in parents and above != os.getpid():
                above = parents[above]
            if above in parents:
                began, busy = seconds[process]
                self._seconds[process, began] = busy
                size += sizes[process]
        self.most = max(self.most, size)
        return sum(self._seconds.values())

    def _watch(self) -> None:
        while not self._end.wait(0.5):
            self.look()

    def __enter__(self) -> Watch:
        self._before = self.look()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()
        self.busy = self.look() - self._before


def joins(df: Any) -> int:
    """Edges from the smaller to the larger end, joined to pairs at their common end, and those to edges."""
    from pyspark.sql import functions as F

    ends = F.least("source", "target").alias("a"), F.greatest("source", "target").alias("b")
    edges = df.where("source != target").select(*ends).distinct()
    second = edges.select(F.col("a").alias("b"), F.col("b").alias("c"))
    third = edges.select("a", F.col("b").alias("c"))
    return int(edges.join(second, "b").join(third, ["a", "c"]).count())


class Spark:
    def __init__(self, heap: int) -> None:
        os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
        from pyspark.sql import SparkSession

        import tribin.spark

        self.tribin = tribin.spark
        builder = SparkSession.builder.master("local[2]")
        for name, value in {
            "spark.ui.enabled": "false",
            "spark.driver.memory": f"{heap}m",
            "spark.sql.shuffle.partitions": "64",
            "spark.sql.files.maxPartitionBytes": "32m",
        }.items():
            builder = builder.config(name, value)
        self.session = builder.getOrCreate()
        self.session.sparkContext.setLogLevel("OFF")
        self.triangle = self.session.createDataFrame([(1, 2), (2, 3), (3, 1)], "source long, target long")

    def read(self, path: Path) -> Any:
        return self.session.read.parquet(str(path))

    def shuffled(self, plan: Any) -> int:
        executors = self.session.sparkContext._jsc.sc().statusStore().executorList(False)
        return sum(int(executors.apply(place).totalShuffleWrite()) for place in range(executors.size()))


class Ray:
    def __init__(self, heap: int) -> None:
        import pyarrow as pa
        import ray
        import ray.data

        import tribin.ray

        self.tribin = tribin.ray
        self.read_parquet = ray.data.read_parquet
        quiet: Any = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}
        ray.init(num_cpus=2, object_store_memory=heap << 20, **quiet)
        ray.data.DataContext.get_current().enable_progress_bars = False
        self.triangle = ray.data.from_arrow(pa.table({"source": [1, 2, 3], "target": [2, 3, 1]}))

    def read(self, path: Path) -> Any:
        return self.read_parquet(str(path))

    def shuffled(self, plan: Any) -> int:
        # A group of 32 bits, and two ids of 64.
        return int(plan.moved_rows) * 20


def measure(path: Path, way: str, heap: int) -> None:
    """Count once, and print a line of the table."""
    engine: Any = Ray(heap) if way.startswith("ray") else Spark(heap)
    memory = "5G" if way.endswith("groups") else "12G"

    def count(edges: Any) -> int:
        return joins(edges) if way == "joins" else engine.tribin.count(edges, memory=memory)

    assert count(engine.triangle) == 1
    with Watch() as watch:
        start = time.perf_counter()
        found = count(engine.read(path))
        took = time.perf_counter() - start
    plan = engine.tribin.explain(engine.read(path), memory=memory)
    shuffled = engine.shuffled(plan) / 2**20
    print(f"{path.stem:9} {way:13} {found:15,} {took:8.1f} {watch.busy:7.1f} {shuffled:13,.0f} {watch.most / 2**20:11,.0f}", flush=True)
    if way != "joins":
        print("    " + str(plan).replace("\n", "\n    "), file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--graphs", default="er100m,rmat100m")
    parser.add_argument("--ways", default="spark,spark-groups,ray,ray-groups,joins")
    parser.add_argument("--heap", type=int, default=4096, help="MiB of Java's heap, or of Ray's store of objects")
    parser.add_argument("--limit", type=int, default=300, help="seconds after which a run is ended")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.here:
        return measure(arguments.folder / f"{arguments.graphs}.parquet", arguments.ways, arguments.heap)
    arguments.folder.mkdir(exist_ok=True)
    print(f"{'graph':9} {'way':13} {'triangles':>15} {'seconds':>8} {'busy':>7} {'shuffled MiB':>13} {'memory MiB':>11}", flush=True)
    for name in arguments.graphs.split(","):
        path = arguments.folder / f"{name}.parquet"
        if not path.exists():
            make(path)
        for way in arguments.ways.split(","):
            program = [sys.executable, __file__, str(arguments.folder), "--here", "--graphs", name, "--ways", way]
            run = subprocess.Popen([*program, "--heap", str(arguments.heap)], start_new_session=True)
            try:
                run.wait(arguments.limit)
            except subprocess.TimeoutExpired:
                # Java removes its files then.
                os.killpg(run.pid, signal.SIGTERM)
                run.wait()
                print(f"{name:9} {way:13} ended after {arguments.limit} s", flush=True)


if __name__ == "__main__":
    main()
