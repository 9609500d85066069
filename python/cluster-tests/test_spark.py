"""Spark: a cluster of two executors, each a process of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import graphs
import pyspark
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import tribin
import tribin.spark

HERE = Path(__file__).parent
EDGES = graphs.hard()
TRUTH = graphs.truth(EDGES)


@pytest.fixture(scope="module")
def spark(orders: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    folder = tmp_path_factory.mktemp("spark")
    # The cluster writes its logs below the folder of Spark, and a copy of the folder belongs to this run.
    home = folder / "home"
    home.mkdir()
    for entry in Path(pyspark.__file__).parent.iterdir():
        (home / entry.name).symlink_to(entry)
    os.environ |= {
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": str(HERE),
    }
    script = folder / "gpus.sh"
    script.write_text('#!/bin/sh\necho \'{"name": "gpu", "addresses": ["0"]}\'\n')
    script.chmod(0o755)
    conf = {
        "spark.ui.enabled": "false",
        "spark.local.dir": str(folder),
        "spark.default.parallelism": "2",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.python.daemon.module": "chaos_daemon",
        "spark.executorEnv.PYTHONPATH": str(HERE),
        # Executors that say that they have a GPU, as those of a cluster do.
        "spark.worker.resource.gpu.amount": "1",
        "spark.worker.resource.gpu.discoveryScript": str(script),
        "spark.executor.resource.gpu.amount": "1",
    }
    builder = SparkSession.builder.master("local-cluster[2,1,1024]")
    for name, value in conf.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def edges(spark: SparkSession) -> DataFrame:
    """The hard graph in five partitions, some of them without a row."""
    df = spark.createDataFrame(EDGES, "target long, source long").repartition(3, (F.col("source") % 3 == 0))
    return df.union(df.limit(0)).cache()


def vertices(df: DataFrame) -> dict[Any, int]:
    rows = df.collect()
    assert len({row["vertex"] for row in rows}) == len(rows)
    return {row["vertex"]: row["triangles"] for row in rows}


def supports(df: DataFrame) -> dict[tuple[Any, Any], int]:
    rows = df.collect()
    assert len({(row["source"], row["target"]) for row in rows}) == len(rows)
    return {(row["source"], row["target"]): row["support"] for row in rows}


def test_the_count_is_the_same_with_one_group_and_with_many(edges: DataFrame) -> None:
    assert tribin.spark.count(edges, device="cpu") == TRUTH.count > 500
    assert tribin.spark.count(edges, device="cpu", colours=3, seed=5) == TRUTH.count
    assert tribin.count(graphs.table(EDGES)) == TRUTH.count


def test_every_vertex_and_every_edge_have_their_triangles(edges: DataFrame) -> None:
    found = tribin.spark.local(edges, device="cpu", colours=3)
    assert found.schema.simpleString() == "struct<vertex:bigint,triangles:bigint>"
    assert vertices(found) == TRUTH.local
    assert supports(tribin.spark.support(edges, device="cpu", colours=2)) == TRUTH.support


def test_names(spark: SparkSession) -> None:
    names = graphs.named(EDGES)
    truth = graphs.truth(names)
    df = spark.createDataFrame(names, "a string, b string")
    assert supports(tribin.spark.support(df, source="a", target="b", device="cpu", colours=3)) == truth.support
    assert vertices(tribin.spark.local(df, source="b", target="a", device="cpu")) == truth.local


def test_an_executor_that_is_killed_is_replaced(edges: DataFrame, orders: Path) -> None:
    (orders / "kill-executor").touch()
    assert tribin.spark.count(edges, device="cpu", colours=4) == TRUTH.count
    assert (orders / "done").exists(), "no executor was killed"
    (orders / "done").unlink()


def test_what_is_no_graph_is_told(spark: SparkSession) -> None:
    df = spark.createDataFrame([(1, 2), (None, 3)], "source long, target int")
    with pytest.raises(tribin.InputError, match="column `source` has a null: every edge has two ends"):
        tribin.spark.count(df)
    with pytest.raises(tribin.InputError, match="column `target` has -3: vertex ids are not negative"):
        tribin.spark.explain(spark.createDataFrame([(1, -3)], "source long, target int"))
    with pytest.raises(tribin.InputError, match="column `source` holds double: vertex ids are integers or texts"):
        tribin.spark.explain(spark.createDataFrame([(1.0, 2)], "source double, target int"))
    with pytest.raises(tribin.InputError, match="one holds texts and the other integers"):
        tribin.spark.explain(spark.createDataFrame([("1", 2)], "source string, target int"))
    with pytest.raises(tribin.UsageError, match="`colours` is 257: it must be from 1 to 256"):
        tribin.spark.explain(df.where("source is not null"), colours=257)


def test_no_rows(spark: SparkSession) -> None:
    none = spark.createDataFrame([], "source long, target long")
    assert tribin.spark.count(none, device="cpu") == 0
    assert vertices(tribin.spark.local(none, device="cpu", colours=2)) == {}


def test_the_plan_says_why(edges: DataFrame) -> None:
    plan = tribin.spark.explain(edges)
    assert (plan.colours, plan.groups, plan.fits, plan.moved_rows) == (1, 1, True, plan.rows)
    assert plan.rows == sum(u != v for u, v in EDGES)
    assert "the whole graph fits one task: one group, counted by one task" in str(plan)
    assert "as much as the heap, spark.executor.memory=1g, of one task" in str(plan)
    small = tribin.spark.explain(edges, memory="80K")
    assert small.colours > 2 and small.heaviest_bytes <= 80 << 10 and small.fits


def test_a_task_gets_the_gpu_that_spark_gives_it(edges: DataFrame) -> None:
    # There is none here, or one: the task asks for the one that the executor has, and tribin says what is with it.
    try:
        assert tribin.spark.count(edges, colours=1) == TRUTH.count
    except Exception as error:
        assert "DeviceError" in str(error), error


def ran_locally(folder: Path, ask: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a program that asks for something of edges in an environment that is not activated."""
    program = folder / "program.py"
    program.write_text(
        "import tribin.spark\n"
        "from pyspark.sql import SparkSession\n"
        "spark = SparkSession.builder.master('local[2]').config('spark.ui.enabled', 'false').getOrCreate()\n"
        "edges = spark.range(1, 200).selectExpr('id % 20 as source', 'id % 13 + 3 as target')\n"
        f"print('triangles', {ask})\n"
    )
    inherited = {name: value for name, value in os.environ.items() if name not in ("PYSPARK_PYTHON", "SPARK_HOME")}
    command = [sys.executable, str(program)]
    return subprocess.run(command, capture_output=True, text=True, env=inherited | variables, timeout=300)


def test_local_mode_runs_the_python_of_the_program(tmp_path: Path) -> None:
    ran = ran_locally(tmp_path, "tribin.spark.count(edges, device='cpu')")
    assert "triangles 592" in ran.stdout, ran.stderr


def test_a_python_without_tribin_is_named(tmp_path: Path) -> None:
    other = tmp_path / "other"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(other)], check=True)
    python = str(other / "bin/python")
    ran = ran_locally(tmp_path, "tribin.spark.local(edges, device='cpu')", PYSPARK_PYTHON=python)
    told = f"UsageError: Spark's tasks run `{python}`, which has no module `"
    assert ran.returncode == 1 and told in ran.stderr and "set PYSPARK_PYTHON" in ran.stderr, ran.stderr
