"""Damages files, and compares what tribin reads in them with what another program does.

Usage: python tests/attack/attack.py --tribin target/debug/tribin [--cases 2000] [--seed 1] [--readers csv,npy] [--jobs 8] [--keep FOLDER]

A case fails if tribin dies of a signal, panics, hangs or says anything but one line, or if both read the file and find other
graphs. That one of the two refuses what the other reads is no failure. What a case is follows from seed, reader and number
alone, whatever the number of jobs.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from pathlib import Path

import readers
from figures import Figures, NoOpinion

#: Cases that a process of tribin reads.
BATCH = 500
#: Seconds that it may take on a busy machine.
PATIENCE = 120
#: Bytes of address space of tribin: files of a few hundred bytes need little.
ROOM = 4 << 30
COUNT = ("count", "--json", "--quiet", "--device", "cpu", "--threads", "1", "--memory", "4G", "--decompressed-limit", "1G")
#: What a case may come to.
OUTCOMES = ("read alike", "refused by both", "read by tribin alone", "read by the oracle alone", "no opinion of the oracle", "FAILED")

#: A batch: the command, reader, seed, first case, and the case after the last.
Batch = tuple[Path, str, int, int, int]
#: A case that failed: its number, what is wrong, and the file.
Failure = tuple[int, str, readers.Content]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tribin", type=Path, required=True)
    parser.add_argument("--cases", type=int, default=2_000, help="cases for each reader")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--readers", default=",".join(readers.BY_NAME))
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="processes")
    parser.add_argument("--keep", type=Path, help="where files that fail are left")
    options = parser.parse_args()
    names = options.readers.split(",")
    tribin, end = options.tribin.resolve(), options.cases
    batches = [(tribin, name, options.seed, first, min(first + BATCH, end)) for name in names for first in range(0, end, BATCH)]
    results = {name: Counter[str]() for name in names}
    with ProcessPoolExecutor(options.jobs, initializer=confine) as pool:
        for batch, (outcomes, failures) in zip(batches, pool.map(run, batches)):
            reader = readers.BY_NAME[batch[1]]
            results[reader.name] += outcomes
            for case, what, content in failures:
                print(f"FAILED {reader.name}, case {case} (seed {options.seed}): {what[:400]}: {str(content)[:300]}", flush=True)
                if options.keep:
                    options.keep.mkdir(parents=True, exist_ok=True)
                    reader.place(f"{options.keep}/{reader.name}-{case}.{reader.extension}", content)
    print(f"| reader | {' | '.join(OUTCOMES)} |")
    print("| --- |" + " ---: |" * len(OUTCOMES))
    for name, outcomes in results.items():
        print(f"| {name} | {' | '.join(f'{outcomes[outcome]:,}' for outcome in OUTCOMES)} |")
    failed = sum(outcomes["FAILED"] for outcomes in results.values())
    print(f"{failed} failures" if failed else "no failure")
    return min(failed, 1)


def confine() -> None:
    """A header that announces a huge array is an error of the oracle, too."""
    resource.setrlimit(resource.RLIMIT_AS, (2 * ROOM, 2 * ROOM))


def run(batch: Batch) -> tuple[Counter[str], list[Failure]]:
    """Makes and damages the files of a batch, and judges what is read in them."""
    tribin, name, seed, first, end = batch
    reader = readers.BY_NAME[name]
    outcomes, failures = Counter[str](), list[Failure]()
    # In memory where there is such a place: thousands of files a second are written.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="tribin-attack-", dir=memory) as folder:
        contents = {case: content_of(reader, seed, case) for case in range(first, end)}
        paths = {case: f"{folder}/{case:07}.{reader.extension}" for case in contents}
        for case, path in paths.items():
            reader.place(path, contents[case])
        answers, odd = answers_of(tribin, list(paths.values()))
        for (case, path), expected in zip(paths.items(), verdicts(reader, list(contents.values()))):
            if odd:
                # One of them did that.
                answers, what = answers_of(tribin, [path])
            outcome = f"FAILED: {what}" if odd and what else judge(answers[path], expected)
            outcomes[outcome.partition(":")[0]] += 1
            if outcome.startswith("FAILED"):
                failures.append((case, outcome, contents[case]))
        if odd and not failures:
            failures.append((first, f"FAILED: among others, and none of them alone: {odd}", b""))
            outcomes["FAILED"] += 1
    return outcomes, failures


def content_of(reader: readers.Reader, seed: int, case: int) -> readers.Content:
    """The file of a case, from seed, reader and case alone. Several cases may damage one good file."""
    draw = random.Random(f"{seed} {reader.name} {case}")
    return reader.damaged(good(reader.name, seed, case // reader.share), draw)


@lru_cache(maxsize=1)
def good(reader: str, seed: int, number: int) -> readers.Content:
    return readers.BY_NAME[reader].good(random.Random(f"{seed} {reader} good {number}"))


def answers_of(tribin: Path, paths: list[str]) -> tuple[dict[str, Figures | None], str]:
    """The figures of each file, or none where its only line is an error; and what is odd about the whole run."""
    process = subprocess.Popen(
        [tribin, *COUNT, *paths], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        errors="replace", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM)),
    )
    try:
        stdout, stderr = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        return {}, f"it hangs for {PATIENCE} s"
    answers: list[tuple[str, Figures | None]] = []
    for line in stdout.splitlines():
        report = json.loads(line)
        answers.append((report["file"], (report["vertices"], report["edges"], report["triangles"])))
    odd = [line for line in stderr.split("\n") if line and not line.startswith(("error: ", "warning:", "note:", " WARN "))]
    start = len("error: ")
    errors = [line[start : start + len(paths[0])] for line in stderr.split("\n") if line.startswith("error: ")]
    answers += [(path, None) for path in errors]
    if process.returncode not in (0, 1) or odd or sorted(path for path, _ in answers) != paths:
        return {}, f"exit code {process.returncode}: {stderr[-600:]!r}"
    return dict(answers), ""


def verdicts(reader: readers.Reader, contents: list[readers.Content]) -> list[Figures | str | None]:
    """What the oracle finds in each file, in a child process: damaged files kill libraries of other languages."""
    found: list[Figures | str | None] = []
    while len(found) < len(contents):
        hear, say = os.pipe()
        child = os.fork()
        if child == 0:
            with os.fdopen(say, "w") as said:
                for content in contents[len(found) :]:
                    print(repr(verdict(reader, content)), file=said, flush=True)
            os._exit(0)
        os.close(say)
        with os.fdopen(hear) as heard:
            found += [ast.literal_eval(line) for line in heard]
        os.waitpid(child, 0)
        if len(found) < len(contents):
            found.append("the reader died")
    return found


def verdict(reader: readers.Reader, content: readers.Content) -> Figures | str | None:
    """What the oracle finds, or its refusal; `None` where it knows too little of such a file."""
    try:
        return reader.read(content)
    except NoOpinion:
        return None
    except BaseException as error:  # noqa: BLE001 (libraries raise whatever they like)
        return repr(error)[:200]


def judge(answer: Figures | None, expected: Figures | str | None) -> str:
    """What a case came to."""
    if expected is None:
        return "no opinion of the oracle"
    if isinstance(expected, str):
        return "read by tribin alone" if answer else "refused by both"
    if answer is None:
        return "read by the oracle alone"
    return "read alike" if answer == expected else f"FAILED: tribin {answer}, the oracle {expected}"


if __name__ == "__main__":
    sys.exit(main())
