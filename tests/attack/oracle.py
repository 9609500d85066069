"""Another program's verdicts on files, given by a process of its own: damaged files kill libraries of other languages."""

from __future__ import annotations

import contextlib
import os
import pickle
import resource
import signal
import struct
from collections.abc import Sequence

from figures import Figures, NoOpinion, Refused
from readers import Content, Reader

#: Seconds of processor time that a batch may take before its process is killed.
PATIENCE = 20
#: Bytes of address space: an allocation beyond that fails, as on a machine with less memory.
ROOM = 8 << 30
#: Batches that one process looks at: what a library leaks goes with it.
LIFE = 40

Verdict = Figures | Refused | None


class Oracle:
    """Reads batches of files in a child, and goes on with another child where one dies."""

    def __init__(self) -> None:
        self.child = 0
        self.life = 0

    def verdicts(self, reader: Reader, contents: Sequence[Content]) -> list[Verdict]:
        """What the oracle finds in each file; `None` where it knows too little of such a file."""
        found: list[Verdict] = []
        while len(found) < len(contents):
            if not self.child:
                self.start()
            self.life -= 1
            rest = contents[len(found) :]
            heard = self.send(pickle.dumps((reader.name, rest)))
            for place in range(len(rest)):
                if heard and (said := self.receive()) is not None:
                    found.append(understood(said))
                    continue
                # It died of this file, or of what another left behind.
                fresh = place == 0 and self.life == LIFE - 1
                self.end()
                if fresh:
                    found.append(Refused("the reader died"))
                break
        if self.life <= 0:
            self.end()
        return found

    def start(self) -> None:
        to_read, to_ask = os.pipe()
        to_hear, to_say = os.pipe()
        self.child = os.fork()
        if self.child == 0:
            try:
                os.close(to_ask)
                os.close(to_hear)
                serve(to_read, to_say)
            finally:
                os._exit(0)
        os.close(to_read)
        os.close(to_say)
        self.asking, self.hearing = os.fdopen(to_ask, "wb"), os.fdopen(to_hear, "rb")
        self.life = LIFE

    def send(self, message: bytes) -> bool:
        """Whether somebody was there to hear it: a child may die between two batches, of what it holds."""
        try:
            self.asking.write(struct.pack("<Q", len(message)))
            self.asking.write(message)
            self.asking.flush()
        except BrokenPipeError:
            return False
        return True

    def receive(self) -> str | None:
        size = self.hearing.read(2)
        if len(size) < 2:
            return None
        (length,) = struct.unpack("<H", size)
        message = self.hearing.read(length)
        return message.decode(errors="replace") if len(message) == length else None

    def end(self) -> None:
        if self.child:
            with contextlib.suppress(BrokenPipeError):
                self.asking.close()
            self.hearing.close()
            os.waitpid(self.child, 0)
            self.child = 0


def serve(asked: int, said: int) -> None:
    """Answers until nobody asks."""
    from readers import BY_NAME

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    with os.fdopen(asked, "rb") as questions, os.fdopen(said, "wb") as answers:
        while len(size := questions.read(8)) == 8:
            used = resource.getrusage(resource.RUSAGE_SELF)
            limit = int(used.ru_utime + used.ru_stime) + PATIENCE
            resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
            name, contents = pickle.loads(questions.read(struct.unpack("<Q", size)[0]))
            reader = BY_NAME[name]
            for content in contents:
                answer = verdict(reader, content).encode(errors="replace")[:2_000]
                answers.write(struct.pack("<H", len(answer)) + answer)
                # The next file may be the last.
                answers.flush()


def verdict(reader: Reader, content: Content) -> str:
    try:
        return repr(reader.read(content))
    except NoOpinion:
        return "NoOpinion"
    except BaseException as error:  # noqa: BLE001 (libraries raise whatever they like)
        return f"{type(error).__name__}: {error}"


def understood(said: str) -> Verdict:
    if said == "NoOpinion":
        return None
    if said.startswith("("):
        vertices, edges, triangles = (int(number) for number in said[1:-1].split(","))
        return vertices, edges, triangles
    return Refused(said[:200])
