#!/usr/bin/env python3
"""Whole commands with `--device auto` beside `--device cpu` and `--device gpu`, on graphs of 10^3 to 10^8 edges.

    TRIBIN=path/to/tribin benches/auto_device.py [RUNS] [COMMAND]

RUNS is 5 by default, and three times as many runs are made where a command takes less than a tenth of a second. COMMAND is
`count` by default; any command that takes a file and `--device` will do. Files go to TMPDIR, one at a time, of 0.8 GB at most.
Each graph is read once before it is timed. The devices run in turn. The table has medians in milliseconds, the device that
`auto` took, and the time of `auto` divided by that of the better of the two others.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

TRIBIN = os.environ.get("TRIBIN", "target/release/tribin")
RUNS = int(sys.argv[1]) if len(sys.argv) > 1 else 5
COMMAND = sys.argv[2] if len(sys.argv) > 2 else "count"
DEVICES = ("cpu", "gpu", "auto")

GRAPHS = [(f"rmat{scale}", ["rmat", "--scale", str(scale)]) for scale in (6, 10, 14, 16, 18, 19, 20, 21, 22)]
for vertices, edges in ((1000, 5000), (100_000, 10**6), (10**6, 10**7), (4_000_000, 3 * 10**7), (8_000_000, 10**8)):
    GRAPHS.append((f"uniform {edges:.0e}", ["erdos-renyi", "--vertices", str(vertices), "--edges", str(edges)]))
for vertices, links in ((10_000, 10), (10**6, 5), (10**6, 20), (2_000_000, 25)):
    ends = ["barabasi-albert", "--vertices", str(vertices), "--links", str(links)]
    GRAPHS.append((f"ba {vertices * links:.0e}", ends))
GRAPHS.append(("ws 2e+07", ["watts-strogatz", "--vertices", "2000000", "--half-degree", "10"]))
GRAPHS.append(("dense 1e+07", ["erdos-renyi", "--vertices", "10000", "--edges", str(10**7)]))


def seconds(path, device):
    """What a whole command takes, and its output."""
    command = [TRIBIN, COMMAND, "-q", path, "--device", device]
    if COMMAND in ("count", "stats"):
        command.append("--json")
    start = time.perf_counter()
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return time.perf_counter() - start, done.stdout.decode()


print("| graph | MB | " + " | ".join(DEVICES) + " | auto took | auto / better |")
print("| --- | " + "--- | " * 6)
worst = 0.0
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "graph.bin")
    for name, ends in GRAPHS:
        subprocess.run([TRIBIN, "generate", "-q", *ends, "-o", path], check=True)
        took = {device: [] for device in DEVICES}
        first, output = seconds(path, "cpu")
        # Of milliseconds a few more are needed.
        for _ in range(RUNS if first > 0.1 else 3 * RUNS):
            for device in DEVICES:
                elapsed, output = seconds(path, device)
                took[device].append(elapsed)
        medians = {device: 1e3 * statistics.median(took[device]) for device in DEVICES}
        ratio = medians["auto"] / min(medians["cpu"], medians["gpu"])
        worst = max(worst, ratio)
        chosen = output.split('"device":"')[1].split('"')[0] if '"device":"' in output else ""
        figures = " | ".join(f"{medians[device]:.0f}" for device in DEVICES)
        print(f"| {name} | {os.path.getsize(path) / 1e6:.1f} | {figures} | {chosen} | {ratio:.2f} |", flush=True)
print(f"\nThe largest ratio is {worst:.2f}.")
