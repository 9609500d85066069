"""The notebook runs from its first cell to its plot."""

from __future__ import annotations

from pathlib import Path

import nbclient
import nbformat

NOTEBOOK = Path(__file__).parent.parent / "notebooks/pandas-to-plot.ipynb"


def test_the_notebook_ends_with_a_plot(tmp_path: Path) -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute(cwd=str(tmp_path))
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in code)
    kinds = {kind for output in code[-1].outputs for kind in output.get("data", {})}
    assert "image/png" in kinds
