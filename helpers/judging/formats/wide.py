"""Tables with a column a judge: ``agent_1_rating``, ``agent_2_rating``, as Chorus has them, or columns a user names."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

import numpy as np
import pandas as pd

from helpers import checks
from helpers.judging.formats import roles
from helpers.judging.formats.parsed import COLUMNS, Parsed, Wanted
from helpers.judging.formats.source import Content
from helpers.judging.formats.table import Table

NAME = "wide"
SAYS = "a table with a column a judge"
NAMED = ("query", "doc", "grade")
JUDGE = re.compile(r"(.+?)[ _.-](?:rating|grade|label|judge?ment|relevance)", re.IGNORECASE)
AGGREGATES = (
    *("final", "mean", "median", "majority", "consensus", "average", "avg", "aggregate", "gold", "truth", "overall"),
    *("max", "min"),
)


def recognise(content: Content) -> bool:
    """Whether the content has columns NAME_1_rating, NAME_2_rating (grade, label), a query and a document.

    Names without numbers may be of something else that is rated, as product_rating.
    """
    if content.is_json or not all(roles.candidates(role, content.table.header) for role in ("query", "doc")):
        return False
    names = [match[1] for name in content.table.header if (match := JUDGE.fullmatch(name))]
    judges = [name for name in names if name.casefold() not in AGGREGATES]
    return len(judges) > 1 and len({re.sub("[0-9]+", "0", name) for name in judges}) == 1


def parse(content: Content, wanted: Wanted) -> Parsed:
    """Judgments of a wide table; a column such as final_rating is apart, as it is no judge.

    The judges' columns are those that the user names as grade, or all that are called NAME_rating.

    Parameters
    ----------
    content, wanted : as every format of `helpers.judging.formats` takes them

    Raises
    ------
    ValueError
        with the file: no column of a judge, a name of a column given twice, or a column that is missing.
    """
    table = content.table.of_equal_rows()
    names = {role: roles.required(content.path, role, table.header, wanted.columns) for role in ("query", "doc")}
    chosen = [roles.present(content.path, "grade", name, table.header) for name in wanted.columns.get("grade", [])]
    chosen = chosen or [name for name in table.header if JUDGE.fullmatch(name)]
    if not chosen or len(set(table.header)) < len(table.header):
        raise ValueError(
            f"{content.path}: columns {checks.some(table.header)}, expected each once and NAME_rating for each judge: "
            f"add {roles.call({**names, 'grade': 'FIRST,grade=SECOND'})} with the names of the judges' columns"
        )
    return melted(table, names, {table.header.index(name): _judge(name) for name in chosen}, AGGREGATES)


def melted(
    table: Table, names: Mapping[str, str], judges: Mapping[int, str], aggregates: Collection[str] = ()
) -> Parsed:
    """Judgments of a table with a column a judge, row by row; an empty cell is none, nor is a row that does not count.

    Parameters
    ----------
    table : rows as long as the header
    names : the columns of query and doc
    judges : by position of the column, the name of the judge
    aggregates : names that are no judges, in lower case: their grades are apart
    """
    size = f"{len(table.rows)} {table.word}s"
    table, left_out = table.counting()
    cells = np.array([[cell.strip() for cell in table.cells(position)] for position in judges], dtype=object)
    cells = cells.reshape(len(judges), len(table.rows)).T
    rows, columns = np.nonzero(cells != "")
    assessors = np.array(list(judges.values()), dtype=object)[columns]
    pair = {role: np.array(table.ids(name), dtype=object) for role, name in names.items()}
    places = np.array([f"{table.word} {place}" for place in table.places], dtype=object)
    values = [places[rows], pair["query"][rows], pair["doc"][rows], assessors, cells[rows, columns], None, None]
    apart = [judge.casefold() in aggregates for judge in assessors]
    frame = pd.DataFrame(dict(zip(COLUMNS, [*values, np.array(apart, dtype=bool)], strict=True)))
    left_out["empty cells"] = int((cells == "").sum())
    return Parsed(frame, size, left_out, dict(names))


def _judge(name: str) -> str:
    fitting = JUDGE.fullmatch(name)
    return fitting[1] if fitting else name
