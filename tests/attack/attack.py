"""Damages files of every format, and compares what tribin reads in them with what another program does.

Usage: python tests/attack/attack.py --tribin target/release/tribin [--cases 2000] [--seed 1] [--readers csv,npy] [--keep FOLDER]

A case fails if tribin dies of a signal, panics, hangs, says anything but one line, or finds another graph than the oracle
does. That one of the two accepts what the other refuses is a difference: `differences.tsv` lists those that are meant, with the
reason, and any other fails, too.
"""

from __future__ import annotations

import argparse
import collections
import json
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import readers
from figures import Figures, NoOpinion, Refused

#: Files that one process counts.
BATCH = 40
#: Seconds that a batch may take on a busy machine.
PATIENCE = 120
#: Bytes of address space of a process: files of a few hundred bytes need little.
ROOM = 4 << 30


@dataclass
class Answer:
    """What tribin says of a file: its figures, or the only line of its error."""

    figures: Figures | None
    error: str


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tribin", type=Path, required=True)
    parser.add_argument("--cases", type=int, default=2_000, help="cases for each reader")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--readers", default=",".join(reader.name for reader in readers.ALL))
    parser.add_argument("--keep", type=Path, help="where files that fail are left")
    options = parser.parse_args()
    known = differences()
    wanted = options.readers.split(",")
    failed = 0
    for reader in readers.ALL:
        if reader.name in wanted:
            failed += attack(reader, options, known)
    print(f"{failed} failures" if failed else "no failure")
    return min(failed, 1)


def differences() -> list[tuple[str, str, re.Pattern[str]]]:
    """The reader, who accepts, and the refusal's text of each difference that is meant."""
    path = Path(__file__).with_name("differences.tsv")
    rows = [line.split("\t") for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return [(reader, accepts, re.compile(refusal)) for reader, accepts, refusal, _ in rows[1:]]


def attack(reader: readers.Reader, options: argparse.Namespace, known: list[tuple[str, str, re.Pattern[str]]]) -> int:
    start = time.monotonic()
    # A seed of its own for each case: any can be made again alone.
    tally: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="tribin-attack-") as folder:
        for first in range(0, options.cases, BATCH):
            batch = range(first, min(first + BATCH, options.cases))
            contents = []
            for case in batch:
                draw = random.Random(f"{options.seed} {reader.name} {case}")
                contents.append(reader.damaged(reader.good(draw), draw))
            paths = [Path(folder) / f"{case}.{reader.extension}" for case in batch]
            for path, content in zip(paths, contents):
                path.write_bytes(content)
            for path, content, answer in zip(paths, contents, answers(options.tribin, paths)):
                outcome = judge(reader, content, answer, known)
                tally[outcome.partition(":")[0]] += 1
                if ":" in outcome:
                    print(f"{reader.name} {path.stem} (seed {options.seed}): {outcome}")
                    if options.keep:
                        options.keep.mkdir(parents=True, exist_ok=True)
                        (options.keep / f"{reader.name}-{path.name}").write_bytes(content)
                path.unlink()
    told = ", ".join(f"{count} {what}" for what, count in sorted(tally.items()))
    print(f"{reader.name}: {options.cases} cases in {time.monotonic() - start:.0f} s: {told}", flush=True)
    return sum(count for what, count in tally.items() if what.startswith("FAILED"))


def answers(tribin: Path, paths: list[Path]) -> list[Answer]:
    """What tribin says of each file."""

    def confined() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    command = [str(tribin), "count", "--json", "--quiet", "--device", "cpu", "--threads", "2", *map(str, paths)]
    try:
        run = subprocess.run(command, capture_output=True, timeout=PATIENCE, preexec_fn=confined)
    except subprocess.TimeoutExpired:
        if len(paths) == 1:
            return [Answer(None, "HANG")]
        return [answer for path in paths for answer in answers(tribin, [path])]
    found = {}
    for line in run.stdout.decode().splitlines():
        report = json.loads(line)
        found[report["file"]] = report["vertices"], report["edges"], report["triangles"]
    said: dict[str, list[str]] = {str(path): [] for path in paths}
    stray = []
    for line in run.stderr.decode(errors="replace").splitlines():
        owner = [path for path in said if line.startswith(f"error: {path}")]
        warning = line.startswith(("warning:", "note:"))
        (said[owner[0]] if owner else stray if not warning else []).append(line)
    whole = run.returncode in (0, 1) and not stray and all(
        (path in found) + len(lines) == 1 for path, lines in said.items()
    )
    if not whole and len(paths) > 1:
        # One of them did that.
        return [answer for path in paths for answer in answers(tribin, [path])]
    if not whole:
        return [Answer(None, f"EXIT {run.returncode}, {len(found)} reports, stderr {run.stderr[-600:]!r}")]
    return [Answer(found.get(path), "".join(lines)) for path, lines in said.items()]


def judge(
    reader: readers.Reader, content: bytes, answer: Answer, known: list[tuple[str, str, re.Pattern[str]]]
) -> str:
    """One word, or a failure and what it is."""
    if answer.error.startswith(("EXIT", "HANG")):
        return f"FAILED: {answer.error}"
    try:
        expected = reader.verdict(content)
    except NoOpinion:
        return "read by tribin, without an oracle" if answer.figures else "refused by tribin, without an oracle"
    if isinstance(expected, Refused):
        if answer.figures is None:
            return "refused by both"
        accepts, refusal = "tribin", expected.why
    elif answer.figures is None:
        accepts, refusal = "oracle", answer.error.partition(f".{reader.extension}")[2]
    elif answer.figures == expected:
        return "read alike"
    else:
        return f"FAILED: {answer.figures} vertices, edges and triangles, the oracle finds {expected}: {content[:300]!r}"
    for name, who, pattern in known:
        if name in ("*", reader.name) and who == accepts and pattern.search(refusal):
            return f"accepted by {accepts} alone"
    return f"FAILED (accepted by {accepts} alone): {refusal}: {content[:300]!r}"


if __name__ == "__main__":
    sys.exit(main())
