"""The first page of a folder of reports: what is known of each study, and the reports on it with their parameters."""

from __future__ import annotations

import datetime
import html
import json
import urllib.parse
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from helpers.command import pages, swap
from helpers.command.notebooks import GUIDE, Study, available
from helpers.reporting import verdicts
from helpers.studies import ledger

TITLE = "What is a relevance label worth?"

FIXED = {"results_dir", "n_jobs"}
"""Parameters that say nothing of what was found."""

WIDEST = 80
"""Characters of a parameter's value that are shown."""


class Report(NamedTuple):
    """What a report says of its run.

    Attributes
    ----------
    given : parameter -> value, of those that were set
    ended : when, in the time of this machine, or empty
    seconds : that it took, or None
    """

    given: dict[str, Any]
    ended: str
    seconds: float | None


def write(out: Path, judged: pd.DataFrame) -> tuple[Path, list[str]]:
    """Leave `index.html` in a folder of reports, and in every report the links to the others.

    Parameters
    ----------
    out : the folder
    judged : claims of the reports there, with study and verdict, as `ledger.write` returns them

    Returns
    -------
    The page's path, and what is wrong with the settled results of studies, which are left out.

    Raises
    ------
    OSError
        when the folder cannot be written.
    ValueError
        when a report is damaged.
    """
    known, damaged = {}, []
    for study in available():  # before the lock, for no other run to wait
        try:
            known[study] = _known(study)
        except ValueError as error:
            known[study] = f"<p>{html.escape(str(error))}</p>"
            damaged.append(str(error))
    with swap.locked(out):
        there = [study for study in known if (out / f"{study.name}.html").exists()]
        links = {study.name: study.number for study in there}
        body = "\n".join(_section(study, card, out, judged) for study, card in known.items())
        page = pages.framed(TITLE, f"<h1>{TITLE}</h1>\n{_of_all(there)}\n{body}")
        pages.write(out / pages.INDEX, pages.linked(page, "", links))
        for name in [part for study in known for part in (study.name, study.failed[-1])]:
            file = out / f"{name}.html"
            if file.exists():
                pages.write(file, pages.linked(file.read_text(encoding="utf-8"), name, links))
    return out / pages.INDEX, list(dict.fromkeys(damaged))


def read(study: Study, out: Path) -> Report:
    """What the executed notebook of a study says of its run.

    Parameters
    ----------
    study : whose report stands in `out`
    out : folder of reports

    Raises
    ------
    ValueError
        when the notebook is damaged.
    """
    file = out / study.path.name
    try:
        run = json.loads(file.read_text(encoding="utf-8"))["metadata"]["papermill"]
        given = {name: value for name, value in run["parameters"].items() if name not in FIXED}
        ended = datetime.datetime.fromisoformat(run["end_time"]).astimezone()
        return Report(given, f"{ended:%Y-%m-%d %H:%M}", run["duration"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise ValueError(
            f"{file}: no executed notebook ({reason}), expected one; run study {study.number} again"
        ) from error


def _section(study: Study, known: str, out: Path, judged: pd.DataFrame) -> str:
    """What is known of a study, what its report is, and what a run left that failed."""
    there = (out / f"{study.name}.html").exists()
    title = html.escape(study.title)
    head = f'<a href="{study.name}.html">{title}</a>' if there else title
    parts = [f'<h2 id="{study.name}">{study.number} {head}</h2>', known]
    failed = next((part for part in (study.failed[1], study.failed[0]) if (out / part).exists()), None)
    if failed:
        parts.append(f'<p>The last run failed: <a href="{failed}">what it left</a></p>')
    if there:
        parts.append(_report(study, out, judged))
    elif not failed:
        parts.append(f"<p>Not run here: <code>label-studies run {study.number}</code></p>")
    return "\n".join(filter(None, parts))


def _known(study: Study) -> str:
    """The table of the stored verdicts, for a study that has claims."""
    if study.number not in ledger.NUMBERS:
        return ""
    shown = verdicts.table(ledger.stored(study.number))
    return pages.table(list(shown.columns), shown.to_numpy().tolist(), "card")


def _report(study: Study, out: Path, judged: pd.DataFrame) -> str:
    report, tables = read(study, out), out / study.name
    facts = {"run": report.ended}
    facts |= {} if report.seconds is None else {"took": f"{report.seconds:.0f} s"}
    own = judged[judged["study"] == study.number] if len(judged) else judged
    facts |= {"its verdicts": verdicts.in_words(own)} if len(own) else {}
    facts |= {name: _shown(value) for name, value in report.given.items()}
    listed = "".join(f"<dt>{html.escape(name)}</dt><dd>{html.escape(text)}</dd>" for name, text in facts.items())
    return f"<dl>{listed}</dl>\n{_files(study, tables)}"


def _files(study: Study, tables: Path) -> str:
    names = [study.path.name, *(f"{study.name}/{file.name}" for file in sorted(tables.glob("*.*")))]
    links = ", ".join(
        f'<a href="{html.escape(urllib.parse.quote(name))}">{html.escape(Path(name).name)}</a>' for name in names
    )
    return f"<details><summary>Notebook and tables</summary><p>{links}</p></details>"


def _of_all(there: list[Study]) -> str:
    guide = next((study for study in there if study.number == GUIDE), None)
    first = f'The <a href="{guide.name}.html">guide</a> says what they come to. ' if guide else ""
    return (
        f"<p>{first}Each study below has its settled results, which come with the project, and what "
        "was run here: demo runs show the method, and their verdicts are those of a small sample.</p>"
    )


def _shown(value: Any) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= WIDEST else f"{text[:WIDEST]}..."
