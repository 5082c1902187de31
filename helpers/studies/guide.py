"""The answers of all studies on one page: six things to do with their number and price, and five pictures.

Each picture is of a frame name, value, low, high (95 % intervals, NaN where a dot is one judge), and the title above
it is computed from the same frame.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np
import pandas as pd

from helpers import paths
from helpers.judging import ceilings
from helpers.judging.confusion import load_confusions
from helpers.metrics.power import pays_below
from helpers.reporting.answers import counted, interval, number, share, signed
from helpers.reporting.verdicts import effect
from helpers.studies.judgments.findings import FIFTH

Stored = Mapping[str, Mapping[str, pd.DataFrame]]  # data set -> name of a table -> table, of a study
ROWS = ["name", "value", "low", "high"]
LOSSES = {2: "R5-2", 4: "R5-4", 8: "R5-8", 16: "R4"}  # documents a query -> the claim that has what they lose
DEPTHS = (5, 10, 20)  # documents of a query to which a pilot is said to be judged
MANY = 200  # queries of the claim O2
WIDTH = 0.02  # of nDCG, to which a ceiling is to be known
AGREEING, GRADED = "DL21_NIST_vs_UMBRELA_GPT4o", "syndl-dl21"  # a matrix, and a collection of its grades


def losses(judged: pd.DataFrame) -> pd.DataFrame:
    """What a ranker loses in NDCG@10 that is trained on so few documents of a query, pooled over collections."""
    rows = judged.set_index("claim").loc[list(LOSSES.values())]
    return _rows([f"{depth} documents" for depth in LOSSES], rows["measured"], rows["low"], rows["high"])


def of_losses(rows: pd.DataFrame) -> str:
    """From how many documents of a query on a loss is no longer shown."""
    shown = rows[rows["low"] > 0].iloc[-1]
    kept = rows[rows["low"] <= 0].iloc[0]
    return (
        f"Trained on {shown['name']} of each query a ranker loses {number(shown['value'])} NDCG@10; "
        f"from {kept['name']} on no loss is shown"
    )


def worth(table: pd.DataFrame) -> pd.DataFrame:
    """What a query judged to each of DEPTHS by one person is worth, of one judged whole, to compare two rankers."""
    rows = table[table["depth"].isin(DEPTHS)].sort_values("depth", kind="stable")
    names = [f"to depth {depth}" for depth in rows["depth"]]
    return _rows(names, rows["worth"], rows["low"], rows["high"]).assign(pilot=rows["collection"].tolist())


def of_worth(rows: pd.DataFrame) -> str:
    """What a query is worth that is judged to the middle and to the last of DEPTHS."""
    _, middle, last = (_shares(rows.loc[rows["name"] == f"to depth {depth}", "value"]) for depth in DEPTHS)
    return (
        f"To compare, a query is worth {middle} of one judged whole at depth {DEPTHS[1]}, {last} at depth {DEPTHS[2]}"
    )


def opinions(effects: pd.DataFrame) -> pd.DataFrame:
    """What several labels of a pair, as one fine label, gain over one label of more queries at equal cost."""
    rows = effects[(effects["claim"] == "Y15") & (effects["ranker"] == "both rankers")]
    return _rows(rows["collection"], rows["effect"], rows["low"], rows["high"])


def of_opinions(rows: pd.DataFrame) -> str:
    """What second opinions change for the same money."""
    return (
        "For the price of more queries, several opinions of a document change NDCG@3 by "
        f"{signed(rows['value'].min())} to {signed(rows['value'].max())}"
    )


def asked(stored: Stored) -> pd.DataFrame:
    """What a fifth of a hidden judge's labels closes of the gap in nDCG, chosen and at random, a dot a judge."""
    frames = []
    for name, tables in stored.items():
        fifth = tables["hidden"].query(f"share == {FIFTH}")
        for how in ("chosen", "random"):
            frames.append(_rows(name + ", " + fifth["judge"], fifth[how], np.nan, np.nan).assign(how=how))
    return pd.concat(frames, ignore_index=True)


def of_asked(rows: pd.DataFrame) -> str:
    """What it closes, over judges."""
    closed = {how: _shares(own["value"]) for how, own in rows.groupby("how")}
    return (
        f"A fifth of a judge's labels closes {closed['chosen']} of the gap where documents are chosen, "
        f"{closed['random']} at random"
    )


def limits(effects: pd.DataFrame) -> pd.DataFrame:
    """The nDCG@10 that a ranking perfect for one assessor has with another, by collection, the lowest first."""
    lost = effects[effects["claim"] == "M1"].sort_values("effect", ascending=False)
    return _rows(lost["collection"], 1 - lost["effect"], 1 - lost["high"], 1 - lost["low"])


def of_limits(rows: pd.DataFrame) -> str:
    """How high the ceilings are."""
    return (
        f"A ranking that is perfect for one assessor has an nDCG@10 of {number(rows['value'].min(), 2)} to "
        f"{number(rows['value'].max(), 2)} with another, on {counted(len(rows), 'collection')}"
    )


def advice(judged: pd.DataFrame, stored: Mapping[str, Stored], worths: pd.DataFrame) -> pd.DataFrame:
    """Six things to do: frame of texts what to do, the number, the price, more.

    `stored` has the tables of the studies 02, 05 and 06, `worths` is the frame of `worth`.
    """
    claims = {row["claim"]: row for row in judged.to_dict("records")}
    found = {claim: f"{effect(row)} {row['measure']}" for claim, row in claims.items()}
    least = next(name for name, low in losses(judged)[["name", "low"]].itertuples(index=False) if low <= 0)
    deepest = _shares(worths.loc[worths["name"] == f"to depth {DEPTHS[-1]}", "value"])
    taught = stored["02"]["machine-labels"]["worth"].query("ranker == 'all rankers'").iloc[-1]
    rho = stored["05"]["dl21"]["judges"]["rho"].iloc[0]
    again = asked(stored["06"])
    closed = {how: _shares(own["value"]) for how, own in again.groupby("how")}
    bought = pd.concat([tables["hidden"].query(f"share == {FIFTH}")["documents"] for tables in stored["06"].values()])
    ends = ("measured", "low", "high")
    times, ceiling = {end: 1 + claims["O6"][end] for end in ends}, {end: 1 - claims["M1"][end] for end in ends}
    twice = judged_twice(stored["02"])
    rows = [
        (
            f"**To train**, judge many queries, and {least} or more of each",
            f"{found['R1-10']} gained over few whole queries, with a tenth of the judgments",
            f"with 4 documents of each, {found['R5-4'].lstrip('+')} are lost",
            "[04](04_queries_versus_depth.ipynb)",
        ),
        (
            f"**To compare** two rankers, judge {MANY} queries rather than fifty, to depth {DEPTHS[-1]}",
            f"a difference of {effect(claims['O2'])} nDCG@10 is seen, with fifty {effect(claims['O1'])}",
            f"{MANY * DEPTHS[-1]:,} judgments; a query keeps {deepest} of its worth",
            "[05](05_label_budget.ipynb)",
        ),
        (
            "**Second opinions**: skip them, and judge another query",
            f"to compare, one opinion on more queries is worth {number(times['measured'])} "
            f"({interval(times['low'], times['high'])}) times three opinions for the same money",
            f"to train, second opinions for the same money change {found['Y15']}: {claims['Y15']['verdict']}",
            "[01](01_overlapping_labels.ipynb)",
        ),
        (
            "**A language model as judge**: let it label what trains, and people what you compare by",
            f"{taught['needed']:.0f} ({taught['low']:.0f} to {taught['high']:.0f}) queries that GPT-4 labelled teach "
            f"as much as {taught['queries']:.0f} that people did, on one collection",
            f"to compare, it pays below {share(pays_below(rho))} of a person's price",
            "[05](05_label_budget.ipynb)",
        ),
        (
            "**Whom to ask again**: a second judge, where another label would change the ranking most",
            f"{closed['chosen']} of the gap closed, at random {closed['random']}",
            f"a fifth of that judge's labels, {bought.min():,} to {bought.max():,} documents",
            "[06](06_your_judgments.ipynb)",
        ),
        (
            "**How high is the ceiling?** Measure it before you tune",
            f"nDCG@10 {number(ceiling['measured'])} ({interval(ceiling['high'], ceiling['low'])}) is what a ranking "
            "perfect for one assessor has with another",
            f"{twice:,} documents judged twice tell yours to ± {number(WIDTH, 2)}",
            "[02](02_disagreement_bounds.ipynb)",
        ),
    ]
    return pd.DataFrame(rows, columns=["what to do", "the number", "the price", "more"])


def judged_twice(stored: Stored) -> int:
    """How many documents of a collection a second assessor judges for its ceiling to be known to WIDTH."""
    counts = stored[GRADED]["profiles"].to_numpy()
    matrix = load_confusions()[AGREEING].probabilities
    return int(ceilings.double_judgments(counts, matrix, 10, half_width=WIDTH).sum())


def index() -> pd.DataFrame:
    """Every numbered table and figure of the four papers: frame of texts paper, item, shows, beside ours in."""
    items = pd.read_csv(paths.project("data") / "published" / "numbered.csv")
    places: dict[str, list[str]] = {tag: [] for tag in items["tag"]}
    for file in sorted(paths.project("notebooks").glob("0[1-4]*.ipynb")):
        cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
        for cell in (cell for cell in cells if cell["cell_type"] == "code"):
            for tag in (tag for tag in cell["metadata"].get("tags", ()) if tag in places):
                places[tag].append(f"[{file.stem.partition('_')[0]}]({file.name}), In [{cell['execution_count']}]")
    there = ["; ".join(places[tag]) for tag in items["tag"]]
    return items.drop(columns="tag").assign(**{"beside ours in": there})


def _rows(*columns: object) -> pd.DataFrame:
    lists = [list(column) if isinstance(column, list | pd.Series) else column for column in columns]
    return pd.DataFrame(dict(zip(ROWS, lists, strict=True)))


def _shares(values: pd.Series) -> str:
    return f"{share(values.min())} to {share(values.max())}"
