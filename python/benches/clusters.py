"""Spark with tribin and with joins, on executors in this machine.

    python clusters.py FOLDER [--graphs rmat16,er18] [--ways tribin,groups,joins]

FOLDER has a `NAME.parquet` for each graph, with the columns `source` and `target`. `--make` makes them there, with the command
`tribin`. Each way is timed once after the engine is warm, from the files to the count. Beside the time stand the
processor's seconds of the executors and their Python workers, which other work on the machine changes less, the bytes that
they wrote to shuffle, and the most resident memory that they had together.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

GRAPHS = {f"rmat{scale}": ["rmat", "--scale", str(scale), "--seed", "1"] for scale in range(10, 23)} | {
    f"er{scale}": ["erdos-renyi", "--vertices", str(2**scale), "--edges", str(16 * 2**scale), "--seed", "1"]
    for scale in range(10, 23)
}


def make(folder: Path, name: str) -> None:
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    program = Path(sys.executable).parent / "tribin"
    array = folder / f"{name}.npy"
    subprocess.run([program, "generate", *GRAPHS[name], "-o", array], check=True)
    edges = np.load(array).astype(np.int64)
    table = pa.table({"source": edges[:, 0], "target": edges[:, 1]})
    pq.write_table(table, folder / f"{name}.parquet", row_group_size=max(len(edges) // 8, 1))
    array.unlink()


def joins(df: Any) -> int:
    """Edges from the smaller to the larger end, joined to pairs at their common end, and those to edges."""
    from pyspark.sql import functions as F

    ends = F.least("source", "target").alias("a"), F.greatest("source", "target").alias("b")
    edges = df.where("source != target").select(*ends).distinct()
    second = edges.select(F.col("a").alias("b"), F.col("b").alias("c"))
    third = edges.select("a", F.col("b").alias("c"))
    return int(edges.join(second, "b").join(third, ["a", "c"]).count())


class Watch:
    """The executors and all processes below them: the most resident memory of all together, and the processor's time."""

    def __init__(self) -> None:
        self.most = 0
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def look(self) -> float:
        """Note the memory, and return the seconds of the processor so far, of processes that have ended, too."""
        parents, sizes, seconds, names = {}, {}, {}, {}
        tick = os.sysconf("SC_CLK_TCK")
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                stat = (entry / "stat").read_text().rpartition(")")[2].split()
                names[int(entry.name)] = (entry / "cmdline").read_text()
            except OSError:
                continue
            parents[int(entry.name)] = int(stat[1])
            sizes[int(entry.name)] = int(stat[21]) * os.sysconf("SC_PAGE_SIZE")
            seconds[int(entry.name)] = sum(map(int, stat[11:15])) / tick
        size, busy = 0, 0.0
        for process in sizes:
            above = process
            while above in parents and "CoarseGrainedExecutorBackend" not in names[above]:
                above = parents[above]
            if above in parents:
                size, busy = size + sizes[process], busy + seconds[process]
        self.most = max(self.most, size)
        return busy

    def _watch(self) -> None:
        while not self._end.wait(0.2):
            self.look()

    def __enter__(self) -> Watch:
        self._before = self.look()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()
        self.busy = self.look() - self._before


def shuffled(spark: Any) -> int:
    executors = spark.sparkContext._jsc.sc().statusStore().executorList(False)
    return sum(int(executors.apply(place).totalShuffleWrite()) for place in range(executors.size()))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--graphs", default="rmat16,er16")
    parser.add_argument("--ways", default="tribin,groups,joins")
    parser.add_argument("--make", action="store_true")
    parser.add_argument("--heap", type=int, default=2048)
    arguments = parser.parse_args()
    names = arguments.graphs.split(",")
    if arguments.make:
        arguments.folder.mkdir(exist_ok=True)
        for name in names:
            make(arguments.folder, name)
        return
    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    from pyspark.sql import SparkSession

    import tribin.spark

    builder = SparkSession.builder.master(f"local-cluster[2,1,{arguments.heap}]")
    # Executors write their logs below the current folder.
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.executor.memory": f"{arguments.heap}m",
        "spark.sql.shuffle.partitions": "8",
        "spark.sql.files.maxPartitionBytes": "16m",
    }.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    ways: dict[str, Callable[[Any], int]] = {
        "tribin": lambda df: tribin.spark.triangles(df, memory="4G"),
        "groups": lambda df: tribin.spark.triangles(df, colours=4),
        "joins": joins,
    }
    warm = spark.createDataFrame([(1, 2), (2, 3), (3, 1)], "source long, target long")
    print(f"{'graph':8} {'way':8} {'triangles':>14} {'seconds':>8} {'busy':>6} {'shuffled MiB':>13} {'memory MiB':>11}", flush=True)
    for name in names:
        for way in arguments.ways.split(","):
            assert ways[way](warm) == 1
            df = spark.read.parquet(str(arguments.folder / f"{name}.parquet"))
            before = shuffled(spark)
            with Watch() as watch:
                start = time.perf_counter()
                found = ways[way](df)
                took = time.perf_counter() - start
            moved = (shuffled(spark) - before) / 2**20
            print(f"{name:8} {way:8} {found:14,} {took:8.1f} {watch.busy:6.1f} {moved:13,.1f} {watch.most / 2**20:11,.0f}", flush=True)
            if way == "tribin":
                print("    " + str(tribin.spark.explain(df, memory="4G")).replace("\n", "\n    "), file=sys.stderr)
    spark.stop()


if __name__ == "__main__":
    main()
