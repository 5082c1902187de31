"""The protocol of study 3: data sets and their folds, and the grids of its runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from helpers import paths, rankers
from helpers.datasets import catalog, portrait, sampling
from helpers.datasets.collection import Collection, concatenate
from helpers.judging import judged, noise
from helpers.judging.confusion import load_confusions, probabilities
from helpers.studies import askable, scales
from helpers.studies.robustness.trial import Fold

PORTRAITS = {"mslr-web10k": "mslr-sample-portrait"}  # portraits that stand for a collection of another name
QUERIES = {"mslr-sample": 10_000}  # queries of the collection that a portrait of a sample stands for

# people and a language model: the two matrices of `data/confusion` whose five grades merge into fewer
JUDGES = ("WEB5_truth_vs_worker", "RAG25_NIST_vs_UMBRELA2")
FEW_DRAWS = ("LambdaMART", "LambdaRank")  # rankers that the paper did not have, which get fewer draws

# a LETOR file under the data directory, its label that of at least four of seven workers: 3 % are relevant
PLACES = {"target-types": "multi-judge/target-types/features.txt"}


@dataclass(frozen=True)
class Scale:
    """Sizes of one scale."""

    documents: int  # the most of a collection, in training, validation and test together
    folds: int  # how many of the five are run
    levels: tuple[float, ...]  # dNoise of uniform noise
    judged: tuple[float, ...]  # shares of the documents that a real judge labels
    draws: int  # label draws a fold and level
    few_draws: int  # of FEW_DRAWS, and for real judges


STEPS = tuple(step / 100 for step in range(0, 55, 5))
# at scale "study" all collections are whole but MSLR-WEB10K, which is cut to the size of TD2003, the next largest
SCALES = {
    "demo": Scale(15_000, 3, (0.0, 0.1, 0.3, 0.5), (1.0,), 1, 1),
    "study": Scale(49_058, 5, STEPS, (0.5, 1.0), 10, 3),
    "paper": Scale(1_200_192, 5, STEPS, (0.25, 0.5, 0.75, 1.0), 10, 10),
}

scale_named = partial(scales.named, sizes=SCALES)


def stand_in(name: str) -> str:
    """The portrait that stands for a data set of that name; any other string, such as a path, is returned as it is."""
    return PORTRAITS.get(name, f"{name}{portrait.SUFFIX}") if name in catalog.names() else name


def called(dataset: str) -> str:
    """What tables call a data set: a path by its last part, as a folder is nobody's business; a portrait as it is."""
    return Path(dataset).name if Path(dataset).is_absolute() and portrait.named(dataset) is None else dataset


def at_hand(name: str) -> str:
    """The name of a data set where the set is here, its `stand_in` where it is not."""
    here = catalog.sources().set_index("name")["here"]
    return name if here.get(name, True) else stand_in(name)


def folds(dataset: str, scale: Scale, rng: np.random.Generator) -> list[Fold]:
    """Training, validation and test queries of each fold: of a portrait, drawn at the size of the original, or of a
    name or path that `judged.splits` takes; without five official folds, fifths at random take turns as in LETOR.
    """
    source = portrait.named(dataset)
    if source:
        return sampling.fifths(_drawn(source, scale, rng), rng)[: scale.folds]
    catalog.check_one_assessor(dataset, "folds drawn anew")
    five = list(range(1, catalog.N_PARTS + 1))
    if set(five) <= set(catalog.fold_numbers(dataset)):
        given = [judged.splits(dataset, fold, rng) for fold in five]
    else:
        given = sampling.fifths(concatenate(judged.splits(dataset, 1, rng)), rng)
    share = min(1.0, scale.documents / sum(part.n_docs for part in given[0]))
    return [tuple(sampling.queries(part, share, rng) for part in fold) for fold in given[: scale.folds]]


def given_folds(
    names: Sequence[str], scale: Scale, seed: int, own: bool = False
) -> tuple[dict[str, list[Fold]], list[str]]:
    """What data sets are called -> their folds, and notes on them; what is not a reader's `own` may be a portrait."""
    places = names if own else _places(names, scale is SCALES["demo"])
    notes = [note for name in places if not portrait.named(name) for note in catalog.notes(name)]
    return {called(name): folds(name, scale, np.random.default_rng(seed)) for name in places}, notes


def whole(folds: list[Fold]) -> Collection:
    """All queries of a collection, from its first fold."""
    return concatenate(folds[0])


def n_grades(folds: list[Fold]) -> int:
    """Number of grades of a collection, counted from 0 to the highest."""
    return 1 + max(int(part.grades.max()) for part in folds[0])


def confusions(judges: Sequence[str], n_grades: int) -> dict[str, np.ndarray]:
    """Confusion matrices (n_grades, n_grades) by judge: "uniform", always wrong, and matrices of `data/confusion`.

    Of a judge with more grades, the highest ones are merged; one with fewer is left out.
    """
    known = load_confusions()
    square = {name: known[name].counts for name in judges if min(known[name].counts.shape) >= n_grades}
    starts = np.arange(n_grades)  # all grades from the highest one on are taken for one
    merged = {
        name: probabilities(np.add.reduceat(np.add.reduceat(counts, starts, axis=0), starts, axis=1))
        for name, counts in square.items()
    }
    return {"uniform": noise.uniform(n_grades, 1.0), **merged}


def uniform_grid(dataset: str, names: Sequence[str], scale: Scale) -> list[dict]:
    """Runs with uniform noise: the paper's levels of dNoise, in every fold, drawn several times."""
    draws = {name: scale.few_draws if name in FEW_DRAWS else scale.draws for name in names}
    return _grid(dataset, draws, ["uniform"], scale.levels, scale.folds)


def judge_grid(dataset: str, names: Sequence[str], judges: Sequence[str], scale: Scale) -> list[dict]:
    """Runs in which a real judge labels some share of the documents, and the others keep their grade."""
    return _grid(dataset, dict.fromkeys(names, scale.few_draws), judges, scale.judged, scale.folds)


def tie_grid(dataset: str, names: Sequence[str], scale: Scale) -> list[dict]:
    """Runs of Table 2: every ranker and fold, without noise."""
    return [{"dataset": dataset, "ranker": name, "fold": fold} for name in names for fold in range(1, scale.folds + 1)]


def _places(names: Sequence[str], demo: bool) -> list[str]:
    return [(stand_in if demo else at_hand)(name) for name in names]


def trainings(scale: str, settings: Mapping[str, Any]) -> int:
    """Trainings of the sweeps with these parameters of the notebook."""
    sizes, names = scale_named(scale), settings["rankers"]
    a_data_set = len(uniform_grid("", names, sizes)) + len(tie_grid("", names, sizes))
    return len(settings["datasets"]) * a_data_set


def check_given(settings: Mapping[str, Any]) -> None:
    """Read the data that parameters of the notebook name; ValueError where they cannot be divided into folds."""
    own = [settings["dataset"]] if settings["dataset"] else _places(settings["datasets"], settings["scale"] == "demo")
    for dataset in own:
        if not portrait.named(dataset):
            catalog.check_one_assessor(dataset, "folds drawn anew")
            parts = askable.check_dataset(dataset, settings["rankers"])
            five, found = catalog.N_PARTS, sum(part.n_queries for part in parts)
            expected = five * askable.TEST_QUERIES
            if found < expected:
                raise ValueError(
                    f"{parts[0].name} has {found} queries, expected at least {expected} to make {five} folds of"
                )


def data_sets() -> pd.DataFrame:
    """The paper's Table 1 beside what ours are, as their portraits have it: index dataset, source."""
    printed = pd.read_csv(paths.project("data") / "published" / "niu2014_data_sets.csv").assign(source="printed")
    ours = []
    for name in printed["dataset"]:
        source = portrait.named(stand_in(name))
        counts = source.grade_counts.sum(axis=0)
        shares = ":".join(f"{share:.3g}" for share in 100 * counts / counts.sum())
        queries = len(source.grade_counts)
        row = (name, queries, round(counts.sum() / queries), counts.sum(), len(source.varying), shares, "ours")
        ours.append(dict(zip(printed, row, strict=True)))
    both = pd.concat([printed, pd.DataFrame(ours)])
    return both.set_index(["dataset", "source"]).sort_index(level=0, sort_remaining=False)


def thinned(part: Collection, share: float, rng: np.random.Generator) -> Collection:
    """The collection with a share of its relevant documents, at least one, and all others.

    From the same state of rng, a smaller share is a part of a larger one.
    """
    relevant = np.flatnonzero(part.grades > 0)
    left_out = rng.permutation(relevant)[max(1, round(share * len(relevant))) :]
    return part.take_rows(np.delete(np.arange(part.n_docs), left_out))


def _drawn(source: portrait.Portrait, scale: Scale, rng: np.random.Generator) -> Collection:
    portrayed, docs = len(source.grade_counts), source.grade_counts.sum()
    queries = min(QUERIES.get(source.name, portrayed), scale.documents * portrayed // docs)
    return portrait.draw(source, int(queries), rng)


def _grid(
    dataset: str, draws: dict[str, int], judges: Sequence[str], levels: Sequence[float], folds: int
) -> list[dict]:
    """Runs of one ranker and fold stand together; without noise, only what starts at random runs more than once."""
    return [
        {"dataset": dataset, "ranker": name, "fold": fold, "judge": judge, "level": level, "draw": draw}
        for name, most in draws.items()
        for fold in range(1, folds + 1)
        for judge in judges
        for level in levels
        for draw in range(most if level > 0 or rankers.starts_at_random(name) else 1)
    ]
