"""What goes wrong around the command: each fault gives the result or one message, and leaves nothing behind.

Usage: python tests/attack/faults.py --tribin target/release/tribin --failing libfailing.so [--kills 60] [--seed 1]

`libfailing.so` is failing.rs, compiled. A fault fails the test if the command ends by a signal that it was not sent, with another
exit code than 0, 1 or 2, with more than one line of error, with a result under its final name that is not whole, or with
a file that nobody asked for.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

KARATE = Path(__file__).parents[1] / "data/karate.mtx"
#: Seconds after which a command hangs.
PATIENCE = 120
#: Functions of libc, and how many of their calls are let fail one by one at most. Where `unlink` fails nobody can take a file away.
CALLS = {
    "write": 40, "writev": 10, "pwrite64": 40, "read": 60, "pread64": 40, "mmap": 200, "mmap64": 200, "fsync": 10,
    "fdatasync": 10, "ftruncate64": 10, "rename": 10, "open64": 60, "realloc": 200,
    "posix_memalign": 200, "pthread_create": 20, "malloc": 3_000,
}


class Faults:
    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.tribin, self.failing, self.folder = str(options.tribin.resolve()), str(options.failing.resolve()), folder
        self.draw = random.Random(options.seed)
        self.failures = 0
        self.cases = 0

    def run(self, *arguments: str, environment: dict[str, str] | None = None, **more: object) -> subprocess.CompletedProcess[bytes]:
        self.cases += 1
        quiet = {name: value for name, value in os.environ.items() if not name.startswith("RUST_")}
        more.setdefault("stdout", subprocess.PIPE)
        more.setdefault("stderr", subprocess.PIPE)
        return subprocess.run(  # type: ignore[call-overload, no-any-return]
            [self.tribin, *arguments], env=quiet | (environment or {}), timeout=PATIENCE, cwd=self.folder, **more
        )

    def check(self, what: str, run: subprocess.CompletedProcess[bytes], whole: Callable[[], bool] = lambda: True) -> bool:
        """Whether the fault was taken as it should be."""
        said = run.stderr or b""
        # A graph that address space does not hold is counted out of core, with a warning.
        errors = [line for line in said.splitlines() if not line.startswith((b"warning:", b"note:", b" WARN "))]
        wrong = None
        if run.returncode not in (0, 1, 2):
            wrong = f"exit code {run.returncode}"
        elif run.stderr is not None and run.returncode != 0 and len(errors) > 1:
            wrong = f"{len(errors)} lines"
        elif run.stderr is not None and run.returncode == 0 and errors:
            wrong = "an error and exit code 0"
        elif not whole():
            wrong = "the result is not whole"
        elif left := self.left():
            wrong = f"{left} was left"
        if wrong is not None:
            self.failures += 1
            print(f"{what}: FAILED: {wrong}: {said[:300]!r}", flush=True)
        return wrong is None

    def left(self) -> list[str]:
        """Files that have the name of an unfinished one. They are taken away, so that each is told once."""
        left = [path for path in self.folder.iterdir() if path.name.startswith((".tribin", ".tmp"))]
        for path in left:
            path.unlink()
        return [path.name for path in left]

    def commands(self) -> Iterator[tuple[str, list[str], Path | None]]:
        """Every command, and the file that it writes."""
        graph, out = str(KARATE), self.folder / "out"
        cpu = ["--device", "cpu"]
        for name in ("count", "stats", "local", "support", "truss", "list"):
            device = [] if name == "list" else cpu
            yield name, [name, *device, graph], None
            if name not in ("count", "stats"):
                path = out.with_suffix(".csv")
                yield f"{name} --output", [name, *device, graph, "--output", str(path)], path
        yield "bench", ["bench", graph, "--devices", "cpu", "--runs", "1"], None
        for extension in ("mtx", "npz", "bin", "txt.gz", "graph"):
            path = out.with_suffix(f".{extension}")
            yield f"convert to .{extension}", ["convert", graph, str(path)], path
        path = out.with_suffix(".bin")
        yield "generate", ["generate", "rmat", "--scale", "8", "-o", str(path)], path

    def whole(self, path: Path | None, good: dict[Path, bytes]) -> Callable[[], bool]:
        """Whether a file is not there or as it is without a fault."""

        def is_whole() -> bool:
            if path is None or not path.exists():
                return True
            content = path.read_bytes()
            path.unlink()
            return content == good[path]

        return is_whole

    def streams(self) -> None:
        """Standard streams that are full or closed."""
        for name, arguments, path in self.commands():
            good = self.good(arguments, path)
            with open("/dev/full", "wb") as full:
                self.check(f"{name}, stderr full", self.run(*arguments, stderr=full), self.whole(path, good))
                run = self.run(*arguments, stdout=full)
                if self.check(f"{name}, stdout full", run, self.whole(path, good)) and path is None and run.returncode == 0:
                    self.failures += 1
                    print(f"{name}, stdout full: FAILED: exit code 0", flush=True)
                self.check(f"{name}, both full", self.run(*arguments, stdout=full, stderr=full), self.whole(path, good))
            for closed in ((0,), (1,), (2,), (0, 1, 2)):
                run = self.run(*arguments, preexec_fn=lambda closed=closed: [os.close(fd) for fd in closed])
                self.check(f"{name}, {closed} closed", run, self.whole(path, good))

    def good(self, arguments: list[str], path: Path | None) -> dict[Path, bytes]:
        """What the command writes without a fault."""
        if path is None:
            return {}
        run = self.run(*arguments)
        assert run.returncode == 0, run.stderr
        content = path.read_bytes()
        path.unlink()
        return {path: content}

    def calls(self) -> None:
        """Each call of each function fails once."""
        for name, arguments, path in self.commands():
            good = self.good(arguments, path)
            for call, most in CALLS.items():
                # Every one of the first, and then fewer and fewer: a count asks for memory a thousand times.
                # The first mapping is the standard library's, before the command begins.
                at, quiet = 1 + (call == "mmap64"), 0
                while at <= most and quiet < 3:
                    environment = {"LD_PRELOAD": self.failing, "FAIL_CALL": call, "FAIL_AT": str(at)}
                    run = self.run(*arguments, environment=environment)
                    self.check(f"{name}, {call} {at}", run, self.whole(path, good))
                    # Once the command makes fewer calls than that, none fails.
                    quiet = quiet + 1 if run.returncode == 0 else 0
                    at += 1 if at < 20 else 1 + at // 12

    def limits(self) -> None:
        """Address space, and the size of files."""
        big = self.folder / "big.txt"
        big.write_text("".join(f"{u} {u * 7 % 1_000_003}\n" for u in range(1_000_000)))
        for megabytes in (60, 80, 100, 120, 150, 200, 300, 500, 1_000):
            bound = megabytes << 20
            for arguments in (["count", "--device", "cpu"], ["local", "--device", "cpu"], ["truss", "--device", "cpu"]):
                run = self.run(
                    *arguments, str(big), preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (bound, bound))
                )
                self.check(f"{arguments[0]}, {megabytes} MB of address space", run)
        for size in (0, 1, 100, 4_096, 100_000):
            for name, arguments, path in self.commands():
                good = self.good(arguments, path)
                run = self.run(
                    *arguments, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
                )
                self.check(f"{name}, files of at most {size} bytes", run, self.whole(path, good))
        big.unlink()

    def kills(self, trials: int) -> None:
        """A process that is killed at any moment leaves no partial file under its name; one that is told to end leaves nothing."""
        out = self.folder / "killed.bin"
        arguments = ["generate", "rmat", "--scale", "17", "-o", str(out)]
        start = time.monotonic()
        good = self.good(arguments, out)
        took = time.monotonic() - start
        for trial in range(trials):
            which = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)[trial % 3]
            process = subprocess.Popen([self.tribin, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(self.draw.random() * took * 1.2)
            process.send_signal(which)
            process.wait(PATIENCE)
            self.cases += 1
            if not self.whole(out, good)():
                self.failures += 1
                print(f"killed by {which.name}: FAILED: the result is not whole", flush=True)
            left = self.left()
            if which is not signal.SIGKILL and left:
                self.failures += 1
                print(f"killed by {which.name}: FAILED: {left} was left", flush=True)

    def changes(self, trials: int) -> None:
        """An input that is cut off or written anew while it is read."""
        lines = "".join(f"{u % 5_000} {u * 7 % 4_999}\n" for u in range(2_000_000)).encode()
        for trial in range(trials):
            path = self.folder / ("changing.txt" if trial % 2 else "changing.bin")
            content = lines if trial % 2 else b"\1\0\0\0\2\0\0\0" * 4_000_000
            path.write_bytes(content)
            process = subprocess.Popen(
                [self.tribin, "count", "--device", "cpu", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
            time.sleep(self.draw.random() * 0.1)
            if trial % 4 < 2:
                os.truncate(path, self.draw.randrange(len(content)))
            else:
                with path.open("r+b") as file:
                    file.write(b"x" * self.draw.randrange(len(content)))
            stdout, stderr = process.communicate(timeout=PATIENCE)
            self.cases += 1
            self.check(
                f"input changes, trial {trial}",
                subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr),
            )
        for path in self.folder.glob("changing.*"):
            path.unlink()

    def writers(self, trials: int) -> None:
        """Two processes that write one file: it is one of the two."""
        out = self.folder / "both.bin"
        ways = [["generate", "rmat", "--scale", "14", "--seed", str(seed), "-o", str(out)] for seed in (1, 2)]
        good = [self.good(way, out)[out] for way in ways]
        for _ in range(trials):
            both = [subprocess.Popen([self.tribin, *way], stderr=subprocess.DEVNULL) for way in ways]
            codes = [process.wait(PATIENCE) for process in both]
            self.cases += 1
            if any(codes) or out.read_bytes() not in good or self.left():
                self.failures += 1
                print(f"two writers: FAILED: exit codes {codes}, left {self.left()}", flush=True)
            out.unlink(missing_ok=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tribin", type=Path, required=True)
    parser.add_argument("--failing", type=Path, required=True)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    # Whoever starts the tests in the background may have them ignore it, and what they start inherits that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="tribin-faults-") as folder:
        faults = Faults(options, Path(folder))
        for name, run in (
            ("streams", faults.streams),
            ("limits", faults.limits),
            ("kills", lambda: faults.kills(options.kills)),
            ("changes", lambda: faults.changes(options.kills)),
            ("writers", lambda: faults.writers(options.kills // 6)),
            ("calls", faults.calls),
        ):
            start, before = time.monotonic(), faults.cases
            run()
            print(f"{name}: {faults.cases - before} cases in {time.monotonic() - start:.0f} s", flush=True)
    print(f"{faults.failures} failures" if faults.failures else "no failure")
    return min(faults.failures, 1)


if __name__ == "__main__":
    sys.exit(main())
