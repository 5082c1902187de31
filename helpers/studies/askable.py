"""What cannot be asked of data, in sentences that a notebook shows before it computes anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from helpers import checks
from helpers.datasets.collection import Collection
from helpers.judging import judged
from helpers.judging.judged import JudgedCollection
from helpers.reporting import verdicts
from helpers.reporting.answers import counted

OF_POOL = ("documents or fewer queries", "all documents or fewer")  # what study 4 asks of the depths of a pool
TEST_QUERIES = 2  # queries with a value from which an interval can be computed
CUTOFF = 10  # of the NDCG that the studies measure

# the ranker that takes no query beyond a length, and one that takes any
LIMITED, UNLIMITED = "LambdaMART", "LambdaRank"

FEW = 10  # queries below which an interval over queries says little

# claim of study 3 -> how the names begin of the data sets that it speaks of, all of which it needs
NEEDED = {"N1": ("td2003", "mslr"), "N2": ("mslr",), "N3": ("ohsumed",)}

# what study 3 asks of several data sets: of one, pNoise and dNoise are the same but for their scale
COMMON = ("N4", "N4b", "N5")


def of_collections(collections: Mapping[str, Collection]) -> list[str]:
    """What cannot be asked of collections by name: a sentence for each reason, none where everything can."""
    reasons = []
    for name, collection in collections.items():
        relevant = int((np.maximum.reduceat(collection.grades, collection.offsets[:-1]) > 0).sum())
        if relevant < FEW:
            found = f"{counted(relevant, 'query has', 'queries have')} a document above grade 0"
            reasons.append(f"{name}: {found}, fewer than {FEW}, so that an interval over queries says little.")
        if collection.group.max() <= CUTOFF:
            documents = counted(int(collection.group.max()), "document")
            reasons.append(f"{name}: no list is longer than {documents}, so that NDCG@{CUTOFF} leaves nothing out.")
    return reasons


def check(parts: Mapping[str, Collection], rankers: Sequence[str] = ()) -> None:
    """Raise ValueError where a collection has too little to be studied, or a query too long for a ranker."""
    for name, part in parts.items():
        expected = TEST_QUERIES if name == "test" else 1
        lowest, highest = (at.reduceat(part.grades, part.offsets[:-1]) for at in (np.minimum, np.maximum))
        found = int((highest > lowest).sum())
        if found < expected:
            raise ValueError(
                f"{part.name or name}: {found} of {part.n_queries} {name} queries have documents of two grades, "
                f"expected at least {expected}"
            )
        if name != "test" and LIMITED in rankers:
            _check_lengths(name, part, [ranker for ranker in rankers if ranker != LIMITED] or [UNLIMITED])


def check_dataset(
    dataset: str | JudgedCollection, rankers: Sequence[str] = (), fold: int = 1
) -> tuple[Collection, ...]:
    """The splits of a data set, as `judged.splits` reads them, after a `check` that rankers can be trained on it."""
    parts = judged.splits(dataset, fold, np.random.default_rng(0))
    check(dict(zip(("training", "validation", "test"), parts, strict=True)), rankers)
    return parts


def _check_lengths(name: str, part: Collection, others: Sequence[str]) -> None:
    from helpers.rankers.lambdamart import LONGEST_QUERY  # brings LightGBM along, which not every notebook needs

    longest = int(part.group.max())
    if longest > LONGEST_QUERY:
        raise ValueError(
            f"{part.name or name}: a {name} query has {longest:,} documents, expected at most {LONGEST_QUERY:,} for "
            f"{LIMITED}, or other rankers: {checks.advice('rankers', ','.join(others))}"
        )


def of_depth(n_docs: int) -> list[str]:
    """Which claims of study 4 cannot be asked of a pool whose queries have n_docs documents each."""
    # A depth is held against deeper judging, so that the pool must have at least twice as many documents; of several
    # depths that a claim speaks of, it cannot do without the first.
    of_pool = verdicts.claims().query(f"study == '04' and question in {OF_POOL}")
    asked = {claim.words: int(claim.at.split(", ")[0]) for claim in of_pool.itertuples()}
    return [
        f"pool: {n_docs} documents a query, expected {2 * depth} or more to ask: {words}."
        for words, depth in asked.items()
        if n_docs < 2 * depth
    ]


def of_data_sets(names: Sequence[str]) -> list[str]:
    """Which claims of study 3 cannot be asked of data sets of these names, in sentences."""
    reasons = {}
    for claim, needed in NEEDED.items():
        missing = [begin for begin in needed if not any(name.startswith(begin) for name in names)]
        reasons |= {claim: f"without {' and '.join(missing)}"} if missing else {}
    if len(names) == 1:
        reasons |= dict.fromkeys(COMMON, "of one data set")
    words = verdicts.claims().set_index("claim")["words"]
    return [f"{reason} not asked: {words[claim]}." for claim, reason in reasons.items()]
