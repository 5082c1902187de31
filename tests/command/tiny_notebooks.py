"""Notebooks of a few cells, for tests of what runs notebooks."""

from pathlib import Path

import nbformat
from nbformat import v4

PARAMETERS = """\
scale: str = "demo"  # demo, study or paper
draws: int = 2  # runs of each setting
cost: float = 1.0  # judgments a query
results_dir: str = ""  # where result tables are written
"""

CLAIMS = """\
import pandas as pd
row = {"claim": "X1", "words": "deep beats shallow", "measure": "NDCG", "value": 0.0, "measured": 0.1 * draws}
row |= {"low": 0.1, "high": 0.3, "verdict": "holds", "rests_on": "real"}
pd.DataFrame([row]).to_csv(results_dir + "/claims.csv", index=False)"""


def write(path: Path, *code: str, title: str = "How deep?", parameters: str = PARAMETERS) -> Path:
    cells = [v4.new_markdown_cell(f"# {title}\n\nA question."), v4.new_code_cell(parameters)]
    cells[1].metadata["tags"] = ["parameters"]
    cells += [v4.new_code_cell(source) for source in code]
    kernel = {"name": "python3", "language": "python", "display_name": "Python 3"}
    notebook = v4.new_notebook(cells=cells, metadata={"kernelspec": kernel, "language_info": {"name": "python"}})
    nbformat.write(notebook, path)
    return path
