"""What study 6 leaves beside its notebook, and what its stored tables say."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

import pandas as pd

from helpers import files
from helpers.engine import results
from helpers.judging import formats
from helpers.reporting import verdicts
from helpers.reporting.answers import share
from helpers.studies.judgments import findings, tables
from helpers.studies.judgments.asked import Answers
from helpers.studies.judgments.protocol import Given

ENDINGS = {"label-studio": "json", "argilla": "json", "doccano": "jsonl"}
"""Of the file of documents to ask again, where it is no CSV."""

STUDY = "06"


def write(directory: str | Path, found: Answers, names: bool) -> None:
    """Write all tables, `answers.json` and the report, and with names as they were read the aggregate, the worst
    queries, the list of what to ask again, and this up to the place to stop as a file that the tool imports."""
    directory, given, report = Path(directory), found.given, findings.report(found)
    effects = verdicts.from_comparisons(STUDY, found.comparisons, given.data, verdicts.basis_of(given.data))
    made_by = found.settings | {"names": names, "data": given.data, "judgments": given.reading.counts}
    made_by["qrels"] = {
        "rule": "majority",
        "at a tie": "the higher grade, of three or more the middle one",
        "ties": int(found.ties[["higher", "middle"]].to_numpy().sum()),
    }
    results.write(directory, found.written() | {"findings": report, "claims": verdicts.verdicts(effects)}, made_by)
    with files.replacing(directory / "report.txt") as file:
        file.writelines(f"{row.question} {row.answer}\n" for row in report.itertuples())
    with files.replacing(directory / "qrels.txt") as file:
        file.write(qrels(given.with_texts(given.frame)))
    with files.replacing(directory / "answers.json") as file:
        file.write(found.to_json())
    again = _with_own(given, given.with_texts(found.ask_again))
    results.write(directory, {"repairs": again, "worst_queries": given.with_texts(found.worst_queries)})
    formats.write_like(
        given.reading,
        given.with_texts(found.to_ask),
        directory / f"ask_again.{ENDINGS.get(given.reading.format, 'csv')}",
    )


def _with_own(given: Given, pairs: pd.DataFrame) -> pd.DataFrame:
    """The pairs with what else their files tell of them, as titles: columns, or keys with dots."""
    records = [given.reading.tasks.get(pair, {}) for pair in zip(pairs["query"], pairs["doc"], strict=True)]
    own = pd.json_normalize(records)
    of_pair = {*pairs, *given.reading.names.values()}
    kept = [name for name in own if name not in of_pair and own[name].map(pd.api.types.is_scalar).all()]
    return pd.concat([pairs, own[kept]], axis=1)


def qrels(frame: pd.DataFrame) -> str:
    """The majority of each document's labels in the long frame `frame` as lines of TREC qrels, "query 0 doc grade"."""
    table = tables.qrels(frame)
    return "".join(f"{_solid(row.query)} 0 {_solid(row.doc)} {row.grade}\n" for row in table.itertuples())


def on_real_judges() -> str:
    """What hiding a judge showed on public judgments, from the stored tables; a line for each."""
    lines = []
    for name, kept in results.stored(STUDY).items():
        means = findings.closed(kept["hidden"]).loc[findings.FIFTH]
        lines.append(
            f"- {name}, {kept['hidden']['judge'].nunique()} judges hidden one by one: a fifth of the labels, chosen, "
            f"closes {share(means['chosen'])} of the gap, at random {share(means['random'])}."
        )
    return "\n".join(["On real judges, from `data/results/06`:", "", *lines])


def _solid(name: str) -> str:
    """The name without white space: what is white in it, and %, as UTF-8 bytes in percent signs."""
    return re.sub(r"[\s%]", lambda white: quote(white[0]), name)
