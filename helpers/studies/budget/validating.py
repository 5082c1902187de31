"""How many documents people must judge before a model may be trusted, in words, and whether pilots keep their word."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from helpers.judging import formats, validating
from helpers.judging.judgments import MODEL, are_models
from helpers.judging.validating import BIAS, DEPTH, KAPPA, NEEDED, NEVER, TEST, UNTOLD
from helpers.reporting.answers import counted, listed, number, share, signed
from helpers.studies.budget import stored

CALLED = {KAPPA: "weighted kappa", BIAS: "bias", TEST: "alternative annotator test"}
SETS = {"dl19-people-machines": "DL19", "llmjudge": "LLMJudge"}


def needed(width: tuple[float, float], depth: int, seed: int, judgments: str, **how: str | bool) -> pd.DataFrame:
    """`judging.validating.needed` of files, which are read as `formats.read` takes it, for widths of kappa and bias."""
    if not judgments:
        raise ValueError("judgments is empty, expected those of a pilot that people and a model judged")
    everyone = formats.read(judgments, **how).everyone
    if not are_models(everyone["assessor"]).any():  # refused, with the names of the file, by which a model is told
        everyone = formats.read(judgments, **how | {"names": True}).everyone
    rng = np.random.default_rng(seed)
    return validating.needed(everyone, kappa=width[0], bias=width[1], depth=depth, rng=rng)


def answer(table: pd.DataFrame) -> str:
    """How many documents people must judge before the best model may be trusted, by `judging.validating.needed`."""
    rows = table[table["judge"] == table["judge"].iloc[0]].set_index("measure")
    kappa, bias, model = rows.loc[KAPPA], rows.loc[BIAS], _plain(rows["judge"].iloc[0])
    seen = (
        f"Now, by {kappa['documents']:,} documents of {counted(kappa['queries'], 'query', 'queries')}, its weighted "
        f"kappa is {number(kappa['value'], 2)}, known to {number(kappa['width'], 2)}, its bias "
        f"{signed(bias['value'], 2)}, known to {number(bias['width'], 2)} (how wide the 95 % interval is)."
    )
    never = " As it judges, it does not pass the alternative annotator test, by however many queries."
    return f"{_asked(rows, model)} {seen}{never * (NEVER in set(rows['state']))}"


def said(reading: formats.Reading | None, seed: int) -> str:
    """How many documents people must judge in the reader's file, where a person and a model judged the same; or in
    examples."""
    machines = are_models(reading.everyone["assessor"]) if reading else pd.Series([True])
    if machines.all() or not machines.any():
        return examples(stored.tables("validating")["needed"])
    pairs = [reading.everyone.loc[rows, ["query", "doc"]] for rows in (machines, ~machines)]
    if pairs[0].merge(pairs[1]).empty:
        return f"No model and person judged the same document. {examples(stored.tables('validating')['needed'])}"
    return answer(validating.needed(reading.everyone, rng=np.random.default_rng(seed)))


def examples(needed: pd.DataFrame) -> str:
    """What the best model of each stored collection needs."""
    parts = []
    for name, rows in needed.groupby("collection", sort=False):
        most = rows[rows["state"] == NEEDED].sort_values("needed").iloc[-1]
        parts.append(
            f"before {_plain(most['judge'])} is trusted on {SETS[name]}, people judge {most['needed']:,.0f} queries "
            f"({_ends(most)}), {most['depth']:.3g} documents of each, {most['judgments']:,.0f} judgments in all"
        )
    widths = [number(rows.loc[rows["measure"] == measure, "wanted"].iloc[0], 2) for measure in (KAPPA, BIAS)]
    known = "Then weighted kappa is known to {}, and the bias in grades to {}.".format(*widths)
    return f"Worked examples, not your data: **{'; '.join(parts)}**. {known}"


def table(needed: pd.DataFrame) -> pd.DataFrame:
    """What `judging.validating.needed` found as texts, a row a model and measure."""
    rows = []
    for row in needed.to_dict("records"):
        wide = "" if math.isnan(row["width"]) else f", {number(row['width'], 2)} wide"
        told = row["state"] == NEEDED
        state = row["state"] + (_from([row["tells_from"]]) if row["state"] == UNTOLD else "")
        rows.append(
            {
                "model": _plain(row["judge"]),
                "measure": row["measure"].removeprefix("weighted_"),
                "now": number(row["value"], 2) + wide,
                "queries": f"{row['needed']:,.0f} ({_ends(row)})" if told else state,
                "documents": f"{row['needed_documents']:,.0f}" if told else "",
                "judgments": f"{row['judgments']:,.0f}" if told else "",
            }
        )
    return pd.DataFrame(rows)


def kept(checked: pd.DataFrame) -> str:
    """Whether pilots keep what they promise of DEPTH documents a query, by the stored table `checked`."""
    rows = checked[checked["depth"] == DEPTH]
    widths, tests = rows[rows["measure"] != TEST], rows[rows["measure"] == TEST]
    said = (
        f"Pilots of {_range(widths['pilot'], 0)} queries, drawn {widths['draws'].iloc[0]:,} times from "
        f"{listed(SETS[name] for name in widths['collection'].unique())}, promise a width that is in the median "
        f"{_range(widths['over_spread'], 2)} times the one that comes by the spread of other draws, and for "
        f"{share(0.95)} of pilots {_range(widths[['over_spread_low', 'over_spread_high']].stack(), 2)} times; the "
        f"interval of the queries needed holds in {_range(100 * widths['covered'], 0)} %."
    )
    if len(tests):
        last = tests.iloc[-1]
        said += (
            f" Pilots of {last['pilot']} promise that the alternative annotator test of {last['queries']} queries is "
            f"passed in {share(last['promised'])}; it is in {share(last['kept'])} of other draws (the people of each "
            "pair taken for the same two)."
        )
    return said


def _asked(rows: pd.DataFrame, model: str) -> str:
    """What people must do, for the measure that needs most."""
    untold, needed = rows[rows["state"] == UNTOLD], rows[rows["state"] == NEEDED].sort_values("needed")
    widths = [number(rows.loc[measure, "wanted"], 2) for measure in (KAPPA, BIAS)]
    wanted = "its kappa is known to {}, its bias to {}".format(*widths)
    if len(untold):
        what = listed(CALLED[measure] for measure in untold.index)
        return (
            f"**How many people must judge before {model} may be trusted cannot be told** from "
            f"{counted(rows['queries'].iloc[0], 'query', 'queries')} ({what}){_from(untold['tells_from'])}."
        )
    if needed.empty:
        return f"**Of {model} enough is known**: {wanted}."
    most = needed.iloc[-1]
    return (
        f"**Before {model} may be trusted, people must judge {most['needed']:,.0f} queries** ({_ends(most)}), "
        f"{most['depth']:.3g} documents of each, {most['judgments']:,.0f} judgments in all: then {wanted}."
    )


def _plain(judge: str) -> str:
    return judge.removeprefix(MODEL)


def _ends(row: pd.Series | dict) -> str:
    return f"{row['low']:,.0f} to {row['high']:,.0f}"


def _from(queries: pd.Series | list[float]) -> str:
    """From how many queries on a pilot tells; nothing where one does not know."""
    most = max(queries)
    return "" if math.isnan(most) else f"; from {most:,.0f} queries on it can"


def _range(values: pd.Series, digits: int) -> str:
    low, high = (number(value, digits + (value >= 1)) for value in (values.min(), values.max()))
    return low if low == high else f"{low} to {high}"
