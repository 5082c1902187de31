"""Every numbered table and figure of Yang et al. 2010, in the paper's form, with what is stored here beside it.

And titles of figures, those of what goes beyond the paper too: computed from the tables that are drawn.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from helpers import paths
from helpers.judging import schemes
from helpers.judging.pool import COST, RATIO
from helpers.reporting.answers import counted, listed, number, share, signed
from helpers.studies.overlap import judge_fit
from helpers.studies.overlap.crowds import best_of
from helpers.studies.overlap.effects import basis_of, gained, named
from helpers.studies.overlap.tables import TESTED, WAYS
from helpers.studies.overlap.trial import CUTOFFS

Stored = Mapping[str, Mapping[str, pd.DataFrame]]

ACCURACY = {
    "Table 1": ("clean07", "LambdaRank"),
    "Table 2": ("clean08", "LambdaRank"),
    "Table 3": ("clean07", "LambdaMART"),
    "Table 4": ("clean08", "LambdaMART"),
    "Table 5": ("clean+", "LambdaRank"),
}
COSTS = {"Table 6": "clean07", "Table 7": "clean08", "Table 8": "clean+"}
CURVES = {"Figure 4": ("clean07", 3), "Figure 5": ("clean08", 3), "Figure 6": ("clean+", 2)}
"""Table or figure of the paper -> the label set that it is of, and the ranker, or the k that it says is best."""

TRIED = (2, 3, 4, 5, 6)  # k of if-good-k in Figures 4 and 5; k = 1 is one label
ASKED = ("if-good-2", "if-good-3", "if-good-5", "good-till-bad")  # of real people

CROWDS = ("pool", "trec-rf10-crowd", "web-search-crowd")

MISSING = "–"


def accuracy(stored: Stored, table: str) -> pd.DataFrame:
    """One of Tables 1 to 5 in the paper's order, NDCG in per cent: columns (measure, printed or ours), texts, with the
    paper's stars, and ours by the same tests. NDCG@2 is printed on the slides alone.
    """
    label_set, ranker = ACCURACY[table]
    paper, slides = (_printed(source, label_set, ranker) for source in ("paper", "slides"))
    ours = stored[label_set]["accuracy"].query("ranker == @ranker").set_index("setting")
    columns = {}
    for k in (3, 1, 2, 5, 10):
        column, source = f"ndcg@{k}", slides if k == 2 else paper
        for whose, rows in (("printed", source), ("ours", ours)):
            stars = rows["stars"].astype(object).fillna("") if k == 3 else ""
            texts = (100 * rows[column]).map("{:.2f}".format) + stars
            columns[f"NDCG@{k}", whose] = texts.reindex(paper.index)
    return pd.DataFrame(columns).fillna(MISSING).rename_axis(index=table)


def gains(stored: Stored, table: str) -> pd.DataFrame:
    """What the settings of one of Tables 1 to 5 gain in NDCG@3 over its baseline, in the paper's order: frame setting,
    ours, low, high, paper, slides.
    """
    label_set, ranker = ACCURACY[table]
    found = stored[label_set]["plane"].query("ranker == @ranker").set_index("setting")
    found = found[["difference", "low", "high"]].rename(columns={"difference": "ours"})
    for source in ("paper", "slides"):
        ndcg = _printed(source, label_set, ranker)[TESTED]
        found[source] = ndcg - ndcg["baseline"]
    found.loc["baseline", ["ours", "low", "high"]] = 0.0
    ranked = found.dropna(subset=["ours", "paper"]).sort_values("paper", ascending=False, kind="stable")
    return ranked.rename_axis("setting").reset_index()


def gains_title(taus: Mapping[str, float]) -> str:
    """How alike the printed order of settings and ours are, by Kendall's tau of each table."""
    said = listed(f"{number(tau, 2)} in {table}" for table, tau in taus.items())
    return f"The printed order of schemes and ours: Kendall's tau {said}"


def costs(stored: Stored, table: str) -> pd.DataFrame:
    """One of Tables 6 to 8, columns (quantity, printed or ours): ours are means over draws, the training overhead is
    that of training instances a pair.
    """
    label_set = COSTS[table]
    printed = judge_fit.printed().query("label_set == @label_set").set_index("setting")
    runs = stored[label_set]["runs"].query("ranker == 'LambdaRank'")
    ours = runs.groupby("setting")[["labels", "instances", "fair_to_good"]].mean().reindex(printed.index)
    quantities = {COST: "labels", "training_overhead": "instances", RATIO: "fair_to_good"}
    heads = dict(zip(quantities, ("labelling overhead", "training overhead", "Fair-:Good+"), strict=True))
    columns = {
        (heads[name], whose): rows[column].map("{:.2f}".format)
        for name, own in quantities.items()
        for whose, rows, column in (("printed", printed, name), ("ours", ours, own))
    }
    return pd.DataFrame(columns).rename_axis(index=table)


def fitted_title(table: pd.DataFrame) -> str:
    """How far from the printed ratios the judges are, where they were fitted to one and where not, by the median."""
    ratios = table[table["quantity"] == RATIO]
    off = (ratios["fitted"] / ratios["printed"] - 1).abs().groupby(ratios["used"]).median()
    fitted, others = share(off[True], 1), share(off[False], 1)
    return f"In the median judges miss the ratios that they were fitted to by {fitted}, others by {others}"


def till_bad_bound() -> pd.DataFrame:
    """The highest Fair-:Good+ ratio that good-till-bad can have at its printed cost of c labels a pair, 1 / (c - 1), as
    all but its last are Good+: frame label_set, labeling_overhead, highest, fair_to_good_ratio.
    """
    rows = judge_fit.printed().query("setting == 'good-till-bad'")
    rows = rows.assign(highest=1 / (rows[COST] - 1))
    return rows[["label_set", COST, "highest", RATIO]].reset_index(drop=True)


def curves(stored: Stored, people: Stored) -> pd.DataFrame:
    """Figures 4 to 6 as gains over one label with LambdaRank, and the same of real people who were asked five times:
    frame data, k (1 is one label, inf good-till-bad), effect, low, high (NaN where nothing was measured), printed.
    """
    frames = []
    for figure, (label_set, _) in CURVES.items():
        ndcg = _printed("paper", label_set, "LambdaRank")[TESTED]
        rows = stored[label_set]["plane"].query("ranker == 'LambdaRank'").rename(columns={"difference": "effect"})
        rows = rows.assign(k=rows["setting"].map(_k), printed=rows["setting"].map(ndcg - ndcg["baseline"]))
        frames.append(_tried(rows, f"{figure}: {label_set}", TRIED if label_set != "clean+" else (2, 3)))
    for name, tables in people.items():
        rows = pd.concat([gained(tables, setting, ranker="LambdaRank") for setting in ASKED])
        if named(rows, "if-good-5").size:
            rows = rows.assign(k=rows["setting"].map(_k), printed=np.nan)
            frames.append(_tried(rows, f"{name} (real)", TRIED))
    return pd.concat(frames, ignore_index=True)


def curves_title(table: pd.DataFrame) -> str:
    """Which k gains most in each panel of those that were measured, and which the paper says is the best."""
    best = table[np.isfinite(table["k"])].dropna(subset="effect").set_index("k").groupby("data", sort=False)["effect"]
    most, stated = listed(f"{k:.0f}" for k in best.idxmax()), listed(str(k) for _, k in CURVES.values())
    return f"The k that gains most is, left to right, {most}; the paper says {stated}"


def agreement(stored: Stored) -> dict[str, tuple[pd.DataFrame, object]]:
    """Figure 1 on the synthetic pool and on real crowds: name -> agreement by the number of judges, and the best."""
    return {f"{name} ({basis_of(name)})": (stored[name]["agreement"], best_of(stored[name])) for name in CROWDS}


def agreement_title(panels: Mapping) -> str:
    """What the largest majority and the best judge reach, on the best judge's pairs."""
    said = [f"{share(best.majority['held_out'].iloc[-1])} to {share(best.honest)}" for _, best in panels.values()]
    return f"Largest majority to best judge, agreement on the latter's pairs: {listed(said)}"


def featured(stored: Stored) -> dict[str, pd.DataFrame]:
    """Figure 2 on the real web-search crowd: a, the judge who gives a grade most often, b, the majority of others."""
    found = stored["web-search-crowd"]["featured"]
    found = found.assign(who="most " + found["featured"].astype(str))
    panels = {"a: the judge": found["by"] == "judge", "b: the majority of the others": found["by"] != "judge"}
    return {name: found.loc[rows, ["grade", "who", "share"]] for name, rows in panels.items()}


def featured_title(panels: Mapping[str, pd.DataFrame]) -> str:
    """How far apart featured judges are, and how far the majorities on the same pairs."""
    spans = []
    for rows in panels.values():
        own = rows[rows["who"] == "most " + rows["grade"].astype(str)]["share"]
        spans.append(f"{share(own.min())} to {share(own.max())}")
    return f"Of their own grade featured judges give {spans[0]}, the others' majority {spans[1]}"


def distribution(stored: Stored) -> dict[str, pd.DataFrame]:
    """Figure 3 of the synthetic pool and of real crowds: one panel."""
    frames = [stored[name]["distribution"].assign(who=f"{name} ({basis_of(name)})") for name in CROWDS]
    return {"": pd.concat(frames, ignore_index=True)}


def distribution_title(panels: Mapping[str, pd.DataFrame]) -> str:
    """Which share of the labels is the lowest grade."""
    lowest = panels[""].query("grade == 0").set_index("who")["share"]
    return f"Grade 0 is {listed(f'{share(found)} of {who}' for who, found in lowest.items())}"


def bought(labels: np.ndarray, k: int, good: int = schemes.GOOD) -> str:
    """What if-good-k buys of a few documents beside k labels of each."""
    some, every = (
        schemes.collect(name, labels, None, good=good).labels_bought for name in (f"if-good-{k}", f"{k}-overlap")
    )
    return f"Of {counted(len(labels), 'document')} if-good-{k} buys {counted(some, 'label')}, {k} of each are {every}"


def judge_map(table: pd.DataFrame) -> str:
    """For how many kinds of judges one label of more queries wins."""
    wins = table[table["wins"]].drop_duplicates(["noise_irrelevant", "noise_relevant"])
    one = int((wins["setting"] == "baseline").sum())
    return f"At equal cost one label, of more queries, wins for {one} of {counted(len(wins), 'kind')} of judges"


def ways(tables: Mapping[str, pd.DataFrame]) -> str:
    """What each way of doubling a budget gains, on average over all that it is doubled from."""
    means = pd.concat(tables.values()).groupby("question")["difference"].mean()
    said = [f"{way} {signed(100 * means[way], 2)}" for way in WAYS]
    return f"Twice the budget gains on average, in points: {listed(said)}"


def _printed(source: str, label_set: str, ranker: str) -> pd.DataFrame:
    """A table of the paper or of its slides: frame ndcg@k, stars, by setting."""
    table = pd.read_csv(paths.project("data") / "published" / "yang2010_accuracy.csv", keep_default_na=False)
    rows = table.query("source == @source and label_set == @label_set and ranker == @ranker").set_index("setting")
    return rows.assign(**{f"ndcg@{k}": pd.to_numeric(rows[f"ndcg@{k}"], errors="coerce") for k in CUTOFFS})


def _k(settings: str) -> float:
    """k of the first of these settings that is on the axis of Figures 4 to 6, NaN where none is."""
    for setting in settings.split(", "):
        scheme = schemes.parse(schemes.current(setting))
        if setting == "baseline":
            return 1.0
        if scheme.kind in ("if-good", "till-bad"):
            return float(scheme.k) if scheme.kind == "if-good" else np.inf
    return np.nan


def _tried(rows: pd.DataFrame, data: str, tried: tuple[int, ...]) -> pd.DataFrame:
    """A row for one label, each k that was tried and good-till-bad, where it was."""
    own = rows.dropna(subset="k").drop_duplicates("k").set_index("k")[["effect", "low", "high", "printed"]]
    places = [1.0, *tried, *([np.inf] if np.inf in own.index else [])]
    own = own.reindex(places).rename_axis("k").reset_index().assign(data=data)
    own.loc[own["k"] == 1, ["effect", "low", "high"]] = 0.0
    return own
