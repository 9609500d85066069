"""From an empty environment to a count: three lines, after the wheel and Polars are installed."""

import polars
import tribin

print(tribin.count(polars.DataFrame({"source": [0, 1, 2], "target": [1, 2, 0]})))
