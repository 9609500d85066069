"""Progress on a terminal or in a notebook."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

Progress = Callable[[str, "float | None"], object]


def progress_of(asked: bool | Progress) -> Progress | None:
    """What is called while work goes on: with the phase, and the share that is done (None if it is not known)."""
    if callable(asked):
        return asked
    return Bar() if asked else None


class Bar:
    """A bar of tqdm's for each phase, or lines on standard error without tqdm."""

    def __init__(self) -> None:
        self._phase: str | None = None
        self._bar: Any = None
        try:
            from tqdm.auto import tqdm

            self._tqdm: Any = tqdm
        except ImportError:
            self._tqdm = None

    def __call__(self, phase: str, share: float | None) -> None:
        if phase != self._phase:
            self.close()
            self._phase = phase
            if self._tqdm is None:
                print(f"tribin: {phase}", file=sys.stderr)
            else:
                self._bar = self._tqdm(desc=phase, total=1.0, leave=False, bar_format="{desc} {percentage:3.0f}%|{bar}|")
        if self._bar is not None and share is not None:
            self._bar.update(share - self._bar.n)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def __del__(self) -> None:
        self.close()
