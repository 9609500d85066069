"""One batch of cases: files are made and damaged, tribin counts them, and the oracle's verdicts are compared."""

from __future__ import annotations

import json
import os
import random
import re
import resource
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

from figures import Figures, Refused
from oracle import Oracle, Verdict
from readers import BY_NAME, Content, Reader

#: Seconds that tribin may take for a batch on a busy machine.
PATIENCE = 120
#: Bytes of address space of tribin: files of a few hundred bytes need little.
ROOM = 4 << 30
#: Failures of one batch whose files are handed on.
KEPT = 20
COUNT = (
    "count", "--json", "--quiet", "--device", "cpu", "--threads", "1", "--memory", "4G", "--decompressed-limit", "1G"
)
#: Where memory that is freed stays with the process.
KEEPING = {"MALLOC_MMAP_THRESHOLD_": "33554432", "MALLOC_TRIM_THRESHOLD_": "2000000000"}

#: What a case may come to, in the order of reports.
OUTCOMES = (
    "read alike", "refused by both", "accepted by tribin alone", "accepted by the oracle alone",
    "read by tribin, without an oracle", "refused by tribin, without an oracle",
    "ended badly", "another graph", "accepted by one alone, and not listed", "could not be made",
)
FAILURES = OUTCOMES[-4:]


@dataclass
class Answer:
    """What tribin says of a file: its figures, or the only line of its error."""

    figures: Figures | None
    error: str
    #: How the process ended, where it did not end well.
    end: str = ""


@dataclass
class Failure:
    case: int
    outcome: str
    what: str
    content: Content


@dataclass
class Result:
    reader: str
    cases: int
    outcomes: Counter[str] = field(default_factory=Counter)
    #: How often each listed difference was seen, by its line.
    seen: Counter[int] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)


@dataclass
class Difference:
    """A line of differences.tsv: who accepts, and what the other says."""

    line: int
    reader: str
    accepts: str
    refusal: re.Pattern[str]


@cache
def differences(reader: str) -> list[Difference]:
    path = Path(__file__).with_name("differences.tsv")
    found = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line and not line.startswith("#"):
            readers, accepts, refusal, _ = line.split("\t")
            like = {"*", reader, *BY_NAME[reader].like}
            if accepts != "accepts" and like & set(readers.split(" ")):
                found.append(Difference(number, readers, accepts, re.compile(refusal)))
    return found


def content_of(reader: Reader, seed: int, case: int) -> Content:
    """The file of a case, from seed, reader and case alone. Several cases may damage one good file."""
    draw = random.Random(f"{seed} {reader.name} {case}")
    return reader.damaged(good(reader.name, seed, case // reader.share), draw)


@lru_cache(maxsize=1)
def good(reader: str, seed: int, number: int) -> Content:
    return BY_NAME[reader].good(random.Random(f"{seed} {reader} good {number}"))


class Attacker:
    """Runs batches, one after the other, in a folder of its own."""

    def __init__(self, tribin: Path) -> None:
        # In memory where there is such a place: thousands of files a second are written.
        memory = Path("/dev/shm")
        place = memory if os.access(memory, os.W_OK) else None
        self.tribin = tribin
        self.folder = Path(tempfile.mkdtemp(prefix="tribin-attack-", dir=place))
        self.oracle = Oracle()
        self.placed, self.keeps_memory = "", False

    def close(self) -> None:
        self.oracle.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, reader: Reader, seed: int, cases: range) -> Result:
        result = Result(reader.name, len(cases))
        made = []
        for case in cases:
            try:
                made.append((case, content_of(reader, seed, case)))
            except Exception as error:  # noqa: BLE001 (a defect of the attack must not end it)
                result.outcomes["could not be made"] += 1
                result.failures.append(Failure(case, "could not be made", repr(error), b""))
        contents = [content for _, content in made]
        if reader.name != self.placed:
            # Files of the same reader are written over.
            shutil.rmtree(self.folder)
            self.folder.mkdir()
            self.placed, self.keeps_memory = reader.name, reader.keeps_memory
        paths = [f"{self.folder}/{place:05}.{reader.extension}" for place in range(len(contents))]
        for path, content in zip(paths, contents):
            reader.place(path, content)
        answers = self.answers(paths)
        verdicts = self.oracle.verdicts(reader, contents)
        for (case, content), answer, verdict in zip(made, answers, verdicts):
            outcome, what = judge(reader, answer, verdict, result.seen)
            result.outcomes[outcome] += 1
            if outcome in FAILURES and len(result.failures) < KEPT:
                result.failures.append(Failure(case, outcome, what, content))
        return result

    def answers(self, paths: Sequence[str]) -> list[Answer]:
        """What tribin says of each file."""
        found: list[Answer] = []
        while len(found) < len(paths):
            found += self.some_answers(paths[len(found) :])
        return found

    def some_answers(self, paths: Sequence[str]) -> list[Answer]:
        """What one process says of the first files, at least of one. A file that it died of is the last."""
        end, stdout, stderr = self.count(paths)
        places = {path: place for place, path in enumerate(paths)}
        answers: list[Answer | None] = [None] * len(paths)
        odd = end not in ("exit 0", "exit 1")
        for line in stdout.split(b"\n")[:-1]:
            report = json.loads(line)
            place = places[report["file"]]
            odd |= answers[place] is not None
            answers[place] = Answer((report["vertices"], report["edges"], report["triangles"]), "")
        start = f"error: {self.folder}/"
        for line in stderr.decode(errors="replace").split("\n"):
            if line.startswith(start) and line[len(start) : len(start) + 5].isdigit():
                place = int(line[len(start) : len(start) + 5]) - int(Path(paths[0]).name[:5])
                odd |= answers[place] is not None
                answers[place] = Answer(None, line)
            elif line and not line.startswith(("warning:", "note:", " WARN ")):
                odd = True
        silent = next((place for place, answer in enumerate(answers) if answer is None), None)
        odd |= silent is not None
        if not odd:
            return [answer for answer in answers if answer]
        told = f"{end}: {stderr[-600:].decode(errors='replace')!r}"
        if len(paths) == 1:
            return [Answer(None, "", told)]
        if end.startswith(("exit 0", "exit 1")) or silent is None:
            # One of them did that.
            middle = len(paths) // 2
            return self.answers(paths[:middle]) + self.answers(paths[middle:])
        # Files are counted in order: it died of the first that it says nothing of.
        again = self.some_answers(paths[silent : silent + 1])[0]
        culprit = again if again.end else Answer(None, "", f"among others, not alone: {told}")
        return [answer for answer in answers[:silent] if answer] + [culprit]

    def count(self, paths: Sequence[str]) -> tuple[str, bytes, bytes]:
        """How the process ended, and what it wrote."""
        # Limits that are given are not asked of the system, which takes longer than to read a small file.
        command = [str(self.tribin), *COUNT, *paths]
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=confined,
            env=os.environ | KEEPING if self.keeps_memory else None,
        )
        try:
            stdout, stderr = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            stdout, stderr = process.communicate()
            return f"it hangs for {PATIENCE} s", stdout, stderr
        code = process.returncode
        return f"signal {-code}" if code < 0 else f"exit {code}", stdout, stderr


def confined() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def judge(reader: Reader, answer: Answer, expected: Verdict, seen: Counter[int]) -> tuple[str, str]:
    """What a case came to, and what is to say of a failure."""
    if answer.end:
        return "ended badly", answer.end
    if expected is None:
        return ("read" if answer.figures else "refused") + " by tribin, without an oracle", ""
    if isinstance(expected, Refused):
        if answer.figures is None:
            return "refused by both", ""
        accepts, refusal = "tribin", expected.why
    elif answer.figures is None:
        accepts, refusal = "oracle", answer.error.partition(f".{reader.extension}")[2]
    elif answer.figures == expected:
        return "read alike", ""
    else:
        return "another graph", f"tribin {answer.figures}, the oracle {expected}"
    for known in differences(reader.name):
        if known.accepts == accepts and known.refusal.search(refusal):
            seen[known.line] += 1
            return f"accepted by {'tribin' if accepts == 'tribin' else 'the oracle'} alone", ""
    return FAILURES[2], f"{accepts} accepts, the other says: {refusal}"
