"""Notebooks of a few cells, for tests of what runs notebooks."""

import json
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode, v4

from helpers.command import html
from helpers.command.notebooks import Study

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


PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def text(source: str, *tags: str) -> NotebookNode:
    return v4.new_markdown_cell(source, metadata={"tags": list(tags)} if tags else {})


def code(source: str, *tags: str, printed: str = "", alt: str | None = None, **data: str) -> NotebookNode:
    """A cell with what it printed and data by type of content, such as image_png, with its alternative text."""
    outputs = [v4.new_output("stream", text=printed)] if printed else []
    metadata = {} if alt is None else {"image/png": {"alt": alt}}
    content = {kind.replace("_", "/"): of for kind, of in data.items()}
    outputs += [v4.new_output("display_data", content, metadata=metadata)] if data else []
    return v4.new_code_cell(source, outputs=outputs, metadata={"tags": list(tags)} if tags else {})


CLAIM = """\
claim,words,measure,value,measured,low,high,verdict,rests_on
X1,deep beats shallow,NDCG,0.0,{measured},0.1,0.3,holds,real
"""


def leave(study: Study, out: Path, given: dict, links: str, failed: bool = False, cells: Sequence[dict] = ()) -> Path:
    """The report of a run that was given those parameters, with links on its page, and its folder of tables."""
    notebook, page, tables = study.failed if failed else study.report
    run = {"parameters": given, "end_time": "2026-11-28T12:00:00+00:00", "duration": 12.4}
    (out / notebook).write_text(json.dumps({"metadata": {"papermill": run}, "cells": cells}))
    (out / page).write_text(html.framed(study.title, html.to_reports(links)))
    (out / tables).mkdir(exist_ok=True)
    return out / tables


def write(path: Path, *code: str, title: str = "How deep?", parameters: str = PARAMETERS) -> Path:
    cells = [v4.new_markdown_cell(f"# {title}\n\nA question."), v4.new_code_cell(parameters)]
    cells[1].metadata["tags"] = ["parameters"]
    cells += [v4.new_code_cell(source) for source in code]
    kernel = {"name": "python3", "language": "python", "display_name": "Python 3"}
    notebook = v4.new_notebook(cells=cells, metadata={"kernelspec": kernel, "language_info": {"name": "python"}})
    nbformat.write(notebook, path)
    return path
