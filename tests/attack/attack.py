"""Damages files of every format, and compares what tribin reads in them with what another program does.

Usage: python tests/attack/attack.py --tribin target/debug/tribin [--cases 2000] [--seed 1] [--readers csv,npy] [--jobs 8]
       [--seconds 600] [--json FILE] [--keep FOLDER]

A case fails if tribin dies of a signal, panics, hangs, says anything but one line, or finds another graph than the oracle
does. That one of the two accepts what the other refuses is a difference: `differences.tsv` lists those that are meant, with the
reason, and any other fails, too. What a case is follows from seed, reader and number alone, whatever the number of jobs.
"""

from __future__ import annotations

import argparse
import base64
import importlib.metadata
import json
import multiprocessing
import multiprocessing.util
import os
import platform
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path

import readers
from batch import FAILURES, OUTCOMES, Attacker, Failure, Result

#: Cases of a batch: a process of tribin reads them all.
BATCH = 500
#: Seconds between two lines that say how far it is.
PROGRESS = 30
#: Files that are kept of failures that are alike.
ALIKE = 3


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tribin", type=Path, required=True)
    parser.add_argument("--cases", type=int, default=2_000, help="cases for each reader")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--readers", default=",".join(reader.name for reader in readers.ALL))
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="processes")
    parser.add_argument("--seconds", type=float, help="a limit: each reader gets its share, and says how far it came")
    parser.add_argument("--json", type=Path, help="where the outcome is written")
    parser.add_argument("--keep", type=Path, help="where files that fail are left")
    options = parser.parse_args()
    wanted = [readers.BY_NAME[name] for name in options.readers.split(",")]
    campaign = Campaign(wanted, options)
    campaign.run()
    campaign.tell()
    if options.json:
        options.json.write_text(json.dumps(campaign.record(), indent=1) + "\n")
    failed = sum(campaign.total(outcome) for outcome in FAILURES)
    print(f"{failed} failures" if failed else "no failure")
    return min(failed, 1)


class Campaign:
    """All batches of all readers, and what came of them."""

    def __init__(self, wanted: list[readers.Reader], options: argparse.Namespace) -> None:
        self.options = options
        self.begun = time.monotonic()
        self.wanted = {reader.name: reader for reader in wanted}
        self.results = {reader.name: Result(reader.name, 0) for reader in wanted}
        self.waiting: Counter[str] = Counter()
        self.complete: set[str] = set()
        self.started: dict[str, float] = {}
        self.seconds: dict[str, float] = {}
        #: Failures by reader, outcome and what is said, less its numbers and names.
        self.alike: dict[tuple[str, str, str], list[Failure]] = {}
        self.counts: Counter[tuple[str, str, str]] = Counter()
        self.told = self.begun

    def run(self) -> None:
        batches = self.batches()
        context = multiprocessing.get_context("fork")
        with ProcessPoolExecutor(self.options.jobs, context, initializer=begin, initargs=(self.options.tribin.resolve(),)) as pool:
            running: set[Future[Result]] = set()
            more = True
            while more or running:
                # A few ahead, so that nobody waits, and few enough to end in time.
                while more and len(running) < self.options.jobs + 2:
                    batch = next(batches, None)
                    if more := batch is not None:
                        self.waiting[batch[0]] += 1
                        running.add(pool.submit(work, *batch))
                done, running = wait(running, timeout=PROGRESS, return_when=FIRST_COMPLETED)
                for future in done:
                    self.add(future.result())
                if time.monotonic() - self.told > PROGRESS:
                    self.told = time.monotonic()
                    cases = sum(result.cases for result in self.results.values())
                    names = ", ".join(f"{name} {self.results[name].cases}" for name, left in self.waiting.items() if left)
                    print(f"{self.told - self.begun:.0f} s: {cases} cases, now {names}", file=sys.stderr, flush=True)

    def batches(self) -> Iterator[tuple[str, int, int, int]]:
        """Reader, seed, first case and the case after the last of each batch."""
        first, end = self.options.first, self.options.first + self.options.cases
        for place, name in enumerate(self.wanted):
            self.started[name] = now = time.monotonic()
            limit = None
            if self.options.seconds:
                limit = now + (self.begun + self.options.seconds - now) / (len(self.wanted) - place)
            for start in range(first, end, BATCH):
                if limit and time.monotonic() > limit:
                    break
                yield name, self.options.seed, start, min(start + BATCH, end)
            self.complete.add(name)
            self.finish(name)

    def add(self, result: Result) -> None:
        name = result.reader
        whole = self.results[name]
        whole.cases += result.cases
        whole.outcomes += result.outcomes
        whole.seen += result.seen
        for failure in result.failures:
            key = name, failure.outcome, signature(failure.what)
            self.counts[key] += 1
            alike = self.alike.setdefault(key, [])
            alike.append(failure)
            alike.sort(key=lambda failure: failure.case)
            del alike[ALIKE:]
        self.waiting[name] -= 1
        self.finish(name)

    def finish(self, name: str) -> None:
        """Says what came of a reader, if all of it came."""
        if name not in self.complete or self.waiting[name] or name in self.seconds:
            return
        self.seconds[name] = time.monotonic() - self.started[name]
        result = self.results[name]
        shares = ", ".join(
            f"{100 * result.outcomes[outcome] / max(result.cases, 1):.0f}% {outcome}" if outcome not in FAILURES
            else f"{result.outcomes[outcome]} {outcome}"
            for outcome in OUTCOMES if result.outcomes[outcome]
        )
        print(f"{name}: {result.cases} cases in {self.seconds[name]:.0f} s: {shares}", flush=True)

    def total(self, outcome: str) -> int:
        return sum(result.outcomes[outcome] for result in self.results.values())

    def tell(self) -> None:
        """Prints the table of readers, and failures that are alike in one line each."""
        for (name, outcome, what), failures in sorted(self.alike.items()):
            cases = ", ".join(str(failure.case) for failure in failures)
            print(f"FAILED {name}: {outcome}, {self.counts[name, outcome, what]} times, cases {cases} "
                  f"(seed {self.options.seed}): {failures[0].what[:400]}: {str(failures[0].content)[:300]}")
            for failure in failures:
                if self.options.keep:
                    self.options.keep.mkdir(parents=True, exist_ok=True)
                    reader = self.wanted[name]
                    reader.place(f"{self.options.keep}/{name}-{failure.case}.{reader.extension}", failure.content)
        print("| reader | cases | read alike | refused by both | listed differences | no opinion of the oracle | failures |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
        for result in self.results.values():
            of = result.outcomes
            groups = (of[OUTCOMES[0]], of[OUTCOMES[1]], of[OUTCOMES[2]] + of[OUTCOMES[3]], of[OUTCOMES[4]] + of[OUTCOMES[5]])
            figures = (result.cases, *groups, sum(of[failure] for failure in FAILURES))
            print(f"| {result.reader} | {' | '.join(f'{figure:,}' for figure in figures)} |")

    def record(self) -> dict[str, object]:
        """All of it, for programs."""
        options = self.options
        versions = {name: version(name) for name in ("numpy", "scipy", "networkx", "pyarrow")}
        return {
            "seed": options.seed, "first": options.first, "cases": options.cases, "jobs": options.jobs,
            "seconds": round(time.monotonic() - self.begun, 1), "python": platform.python_version(), "versions": versions,
            "machine": f"{platform.system()} {platform.release()}, {platform.machine()}",
            "readers": {
                name: {
                    "cases": result.cases, "seconds": round(self.seconds.get(name, 0), 1), "outcomes": dict(result.outcomes),
                    "listed": {str(line): count for line, count in sorted(result.seen.items())},
                }
                for name, result in self.results.items()
            },
            "failures": [
                {
                    "reader": name, "outcome": outcome, "times": self.counts[name, outcome, what],
                    "examples": [
                        {"case": failure.case, "what": failure.what, "content": encoded(failure.content)}
                        for failure in failures
                    ],
                }
                for (name, outcome, what), failures in sorted(self.alike.items())
            ],
        }


def version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "none"


def encoded(content: readers.Content) -> object:
    if isinstance(content, dict):
        return {name: encoded(part) for name, part in content.items()}
    return base64.b64encode(content[:4_096]).decode()


def signature(what: str) -> str:
    """What failures that are alike have in common."""
    return re.sub(r"(?i)0x[0-9a-f]+|[0-9]+|'[^']*'|`[^`]*`|\"[^\"]*\"", "…", what)[:120]


# What runs in the processes of the pool.

attacker: Attacker | None = None


def begin(tribin: Path) -> None:
    global attacker
    attacker = Attacker(tribin)
    multiprocessing.util.Finalize(attacker, Attacker.close, args=(attacker,), exitpriority=10)


def work(name: str, seed: int, start: int, end: int) -> Result:
    assert attacker is not None
    return attacker.run(readers.BY_NAME[name], seed, range(start, end))


if __name__ == "__main__":
    sys.exit(main())
