"""What is to be asked of a file of judgments before anything is computed: the scale that each judge used, and how."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import pandas as pd

from helpers import checks
from helpers.judging.agreements import kappas, two_by_two
from helpers.judging.formats.names import parted
from helpers.judging.judgments import Coded, as_coded, pattern_of

ENOUGH = 10
"""Judgments, or documents of two judges, below which nothing is said of a scale."""

MANY = 100
"""Judgments from which on it is told that a judge used two grades, or that the grades go with nobody's."""

OFTEN = 0.05
"""Share of a judge's grades beyond those of the others from which on it is no slip."""

CONSTANT, COPY, INVERTED, COIN = (
    "one grade for everything",
    "all grades equal to another's",
    "inverted",
    "no more than a coin",
)
BINARY, WIDER = "two grades alone, others use more", "grades above the others'"
HIGHER, LOWER = "higher than the others throughout", "lower than the others throughout"
COLUMNS = ["judge", "judgments", "lowest", "highest", "grades", "shared", "equal", "chance", "sign", "what"]
SHOWN = 10


def by_judge(judged: pd.DataFrame | Coded) -> pd.DataFrame:
    """The scale that each judge used, and whether the grades rise with those of other people.

    With n documents shared with others a judge's grades rise with theirs where the correlation is above 2 / sqrt(n),
    and against theirs where it is below -2 / sqrt(n). Of several others the middle correlation counts, and of an even
    number the higher of the two in the middle: one inverted judge of three does not make the others so. A coin has
    neither rise nor fall, and no more equal grades than chance and two of its standard errors.

    Frame judge, judgments, lowest, highest (grade), grades (how many different), shared (documents with another
    person), equal, chance (NaN where none is), sign ("+", "-", "0" for neither, "" where that is not known), what
    (CONSTANT, COPY, ...; "" where nothing is to be asked); in the order of the judgments.
    """
    labels = as_coded(judged)
    given = np.zeros((len(labels.judges), len(labels.values)), dtype=np.int64)
    np.add.at(given, (labels.judge, labels.level), 1)
    used = given > 0
    table = pd.DataFrame({"judge": labels.judges, "judgments": given.sum(axis=1)})
    table["lowest"] = labels.values[used.argmax(axis=1)]
    table["highest"] = labels.values[used.shape[1] - 1 - used[:, ::-1].argmax(axis=1)]
    table["grades"] = used.sum(axis=1)
    table = table.join(_beside_others(labels))
    return table.assign(what=_named(table, given, labels))[COLUMNS]


def _beside_others(labels: Coded) -> pd.DataFrame:
    """Frame shared, equal, chance, sign, copies (documents of another with the same grade in all), a row a judge."""
    first, second, counts = two_by_two(labels)
    one, other = np.concatenate([first, second]), np.concatenate([second, first])
    counts = np.concatenate([counts, counts.swapaxes(1, 2)])
    same = np.trace(counts, axis1=1, axis2=2) == counts.sum(axis=(1, 2))
    same &= np.isfinite(correlations(counts, labels.values))
    copies = np.zeros(len(labels.judges), dtype=np.int64)
    np.maximum.at(copies, one[same], counts[same].sum(axis=(1, 2)))
    among = labels.people if labels.people.any() else ~labels.people
    one, counts = one[among[other]], counts[among[other]]
    pooled = np.zeros((len(labels.judges), *counts.shape[1:]), dtype=np.int64)
    np.add.at(pooled, one, counts)
    heard = np.bincount(labels.pair, among[labels.judge])[labels.pair] > among[labels.judge]
    shared = np.bincount(labels.judge, heard).astype(np.int64)
    found, of_all = correlations(counts, labels.values), correlations(pooled, labels.values)
    usable = np.isfinite(found) & (counts.sum(axis=(1, 2)) >= ENOUGH)
    middles = pd.Series(found[usable]).groupby(one[usable]).quantile(0.5, interpolation="higher")
    middle = middles.reindex(range(len(shared))).fillna(pd.Series(of_all)).to_numpy()  # of none, of all at once
    told = (shared >= ENOUGH) & np.isfinite(middle)
    sign = np.select([~told, middle**2 * shared <= 4, middle < 0], ["", "0", "-"], "+")
    alike = {name: values for name, values in kappas(pooled, labels.values).items() if name in COLUMNS}
    return pd.DataFrame({"shared": shared, **alike, "sign": sign, "copies": copies})


def correlations(counts: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(n,) Pearson's correlation of two judges' grades by counts (n, n_grades, n_grades); NaN where one is constant."""
    n = counts.sum(axis=(1, 2))
    margins = counts.sum(axis=2), counts.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = [margin @ values / n for margin in margins]
        variances = [
            margin @ values.astype(float) ** 2 / n - mean**2 for margin, mean in zip(margins, means, strict=True)
        ]
        together = values @ (counts @ values).T / n - means[0] * means[1]
        spread = np.sqrt(np.clip(variances[0], 0, None) * np.clip(variances[1], 0, None))
        return np.where(spread > 1e-9, together / spread, np.nan)


def _named(table: pd.DataFrame, given: np.ndarray, labels: Coded) -> list[str]:
    """What each judge's grades are, if anything is to be asked of them; usual is what most people's scale is."""
    people = table[(labels.people if labels.people.any() else True) & (table["grades"] > 1)]
    if people.empty:
        return [CONSTANT if row.grades == 1 and row.judgments >= ENOUGH else "" for row in table.itertuples()]
    lowest, highest = people.groupby(["lowest", "highest"])["judgments"].size().idxmax()
    beyond = given[:, labels.values > highest].sum(axis=1) > OFTEN * given.sum(axis=1)
    coin = table["chance"] + 2 * np.sqrt(table["chance"] * (1 - table["chance"]) / table["shared"])
    said = []
    for row, above, by_chance in zip(table.itertuples(), beyond, coin, strict=True):
        apart = row.lowest - lowest
        grades = "a grade" if abs(apart) == 1 else f"{abs(apart)} grades"
        names = {
            CONSTANT: row.grades == 1,
            COPY: row.copies >= ENOUGH,
            INVERTED: row.sign == "-",
            COIN: row.sign == "0" and row.shared >= MANY and row.equal <= by_chance,
            f"{grades} {HIGHER if apart > 0 else LOWER}": row.highest - highest == apart != 0,
            WIDER: above,
            BINARY: row.grades == 2 < people["grades"].median() and row.judgments >= MANY,
        }
        named = [name for name, holds in names.items() if holds] if row.judgments >= ENOUGH else []
        said.append(named[0] if named else "")
    return said


def asked(table: pd.DataFrame, as_written: bool = True) -> list[str]:
    """Sentences on a table of `by_judge`; where grades are as written in the file, with what turns them into others."""
    if (table["grades"] == 1).all() and table["lowest"].nunique() == 1 and table["judgments"].max() >= ENOUGH:
        return [f"Every judge gives one grade, {table['lowest'].iloc[0]}, to everything: nothing can be told apart."]
    lines = []
    if from_one(table, as_written):
        shift = _turned(lambda grade: grade - 1, range(1, table["highest"].max() + 1))
        lines.append(f"Grades start at 1; is 1 not relevant? Then add {checks.advice('grades', shift)}.")
    for what, some in table[table["what"] != ""].groupby("what", sort=False):
        lines.append(_asked_of(what, some, table, as_written))
    return lines


def from_one(table: pd.DataFrame, as_written: bool) -> bool:
    """Whether every judge of a table of `by_judge` begins at 1, as written in the file."""
    return as_written and bool((table["lowest"] == 1).all()) and table["judgments"].sum() >= ENOUGH


def _asked_of(what: str, some: pd.DataFrame, table: pd.DataFrame, as_written: bool) -> str:
    """What is to be asked of judges of whom the same is said, and what to add if the answer is yes."""
    names, by_chance = checks.some(some["judge"], SHOWN), ""
    if some["shared"].any() and what in (CONSTANT, INVERTED, COIN):
        equal, chance = (np.average(some[name].fillna(0), weights=some["shared"]) for name in ("equal", "chance"))
        by_chance = f", equal to the others' in {100 * equal:.0f} %, by chance in {100 * chance:.0f} %"
    if what == COPY:
        return f"{names}: the same grades on all documents in common; is one a copy?"
    against = what == INVERTED and len(some) == len(table)
    if against:
        names, some = f"{names} against each other", some.tail(1)
    if what in (CONSTANT, COIN) or not as_written or len(some) > SHOWN:
        return f"{names}: {what}{by_chance}."
    others = table[~table["judge"].isin(some["judge"])]
    usual = others.groupby(["lowest", "highest"]).size().idxmax() if len(others) else (0, 3)
    call = checks.advice("grades", ";".join(_map_of(row, what, *usual) for row in some.itertuples()))
    return f"{names}: {what}{by_chance}; if that is only the scale{f' of {some.judge.iloc[0]}' * against}, add {call}."


def _map_of(row: tuple, what: str, lowest: int, highest: int) -> str:
    """What turns a judge's grades into those of the others, from lowest to highest."""
    own = range(row.lowest, row.highest + 1)
    if what == WIDER:
        made = parted(own, highest)
    elif what == BINARY:
        made = f"{row.lowest}:{lowest},{row.highest}:{highest}"
    elif what == INVERTED:
        made = _turned(lambda grade: row.lowest + row.highest - grade, own)
    else:
        made = _turned(lambda grade: grade - row.lowest + lowest, own)
    return f"{pattern_of(row.judge)}={made}"


def _turned(turned: Callable[[int], int], grades: Iterable[int]) -> str:
    """What says that each grade is another."""
    return ",".join(f"{grade}:{turned(grade)}" for grade in grades)


def shown(table: pd.DataFrame) -> str:
    """A table of `by_judge` for a terminal, the judges of whom something is asked first."""
    first = table.assign(quiet=table["what"] == "").sort_values("quiet", kind="stable").head(SHOWN)
    text = first[["judge", "judgments", "lowest", "highest", "grades", "sign", "what"]].to_string(index=False)
    return f"{text}\nand {len(table) - SHOWN} more judges" if len(table) > SHOWN else text
