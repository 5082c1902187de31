"""What the parameters of the notebooks are held to before anything runs: one table, a line a parameter.

A rule says what can be known of a value at once, in little time and without the numeric libraries, and what is known
when the data that it names was read. A study that needs more says so in `check_given` of its protocol.
"""

from __future__ import annotations

import importlib
import math
import os
import string
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from helpers import checks, paths
from helpers.datasets.sources import DATA_SETS, absolute, is_list
from helpers.studies import scales

# `rankers.NAMES`, which takes seconds to import
RANKERS = ("LambdaMART", "LambdaRank", "RankSVM", "RankBoost", "ListNet", "AdaRank")
# `helpers.judging.formats.FORMATS`, which takes seconds to import
FORMATS = (
    *("opensearch", "rank-eval", "rre", "quepid-book", "label-studio", "argilla", "umbrela", "doccano", "prodigy"),
    *("potato", "qrels", "es-ltr", "quepid-case", "mturk", "wide", "long"),
)

# parameter -> the words that it takes; of a list, its members
CHOICES = {
    "scale": scales.NAMES,
    "format": FORMATS,
    "repeats": ("refuse", "first", "mean"),
    "persons": ("all", "query", "pair"),
    "rankers": RANKERS,
}

# study -> module whose `check_given` reads what the settings name, where that takes more than a rule
_CHECKS = {
    "01": "helpers.studies.overlap.people",
    "03": "helpers.studies.robustness.protocol",
    "05": "helpers.studies.budget.protocol",
}

PORTRAIT, _PORTRAIT_FILE = "-portrait", ".npz"
_HIGHEST_GRADE = 127

_Settings = Mapping[str, Any]


class Rule(NamedTuple):
    """What a parameter is held to."""

    at_once: Callable[[str, Any, _Settings], Any]
    read: Callable[[_Settings], None] | None = None


def checked(given: _Settings, defaults: _Settings) -> dict[str, Any]:
    """The given values as they are used, paths made absolute, each checked by its rule; nothing is read yet."""
    settings = {**defaults, **given}
    return {
        name: RULES[name].at_once(name, value, settings) if name in RULES and value != defaults.get(name) else value
        for name, value in given.items()
    }


def as_text(name: str, value: Any) -> Any:
    """A value of a file as its parameter takes it: grades by value or judge as a text, and nobody among the machines.

    >>> as_text("grades", {"ben": [25, 50, 75], "default": {"Good": 1, "Bad": 0}})
    'ben=25,50,75;default=Good:1,Bad:0'
    """
    if name == "machines" and value is None:
        return "none"
    if name != "grades" or not isinstance(value, Mapping):
        return value
    told = {key: _scale(scale) for key, scale in value.items()}
    if any(isinstance(scale, str) and scale.strip(string.digits) not in ("", "skip") for scale in told.values()):
        return ";".join(f"{judge}={scale}" for judge, scale in told.items())
    return _scale(value)


def _scale(value: Any) -> Any:
    """What a mapping or a list says of grades, as text."""
    if isinstance(value, Mapping):
        return ",".join(f"{text}:{'skip' if grade is None else grade}" for text, grade in value.items())
    return ",".join(map(str, value)) if isinstance(value, list) else value


def check_data(study: str, given: _Settings, defaults: _Settings) -> None:
    """Read the data that values given to a study, by its number, name, and raise what is wrong with it.

    What was read stays in the cache.
    """
    changed = [name for name, value in given.items() if name in RULES and value != defaults.get(name)]
    reading = dict.fromkeys(RULES[name].read for name in changed if RULES[name].read)
    if reading and study in _CHECKS:
        reading = [importlib.import_module(_CHECKS[study]).check_given]
    for read in reading:
        read({**defaults, **given})


# The numeric libraries are imported inside the functions: a refused number or word should not wait for them.


def _read_dataset(settings: _Settings) -> None:
    from helpers.datasets import portrait
    from helpers.studies import askable

    if settings["dataset"] and not portrait.named(settings["dataset"]):
        askable.check_dataset(settings["dataset"], settings.get("rankers", ()), settings.get("fold", 1))


def _read_judgments(settings: _Settings) -> None:
    from helpers.judging import formats
    from helpers.studies.judgments import protocol

    if settings.get("runs"):
        protocol.check_given(settings)
    elif settings.get("judgments"):
        names = ("format", "columns", "grades", "repeats", "machines")
        formats.read(settings["judgments"], **{name: settings[name] for name in names if name in settings})


def _read_matrices(settings: _Settings) -> None:
    from helpers.judging.confusion import load_confusions

    load_confusions(settings["matrices"])


def _from(lowest: float, highest: float = math.inf) -> Callable[[str, Any, _Settings], Any]:
    """A rule for numbers from lowest up to highest."""

    def number(name: str, value: Any, settings: _Settings) -> Any:
        if not lowest <= value <= highest or math.isinf(value):
            above = f"at least {lowest}" if math.isinf(highest) else f"{lowest} to {highest}"
            raise ValueError(f"{name} is {value!r}, expected {above}")
        return value

    return number


def _word(name: str, value: Any, settings: _Settings) -> Any:
    """A rule for one of the CHOICES."""
    checks.one_of(name, value, CHOICES[name])
    return value


def _anything(name: str, value: Any, settings: _Settings) -> Any:
    """A rule for what only the data can tell."""
    return value


def _n_jobs(name: str, value: int, settings: _Settings) -> int:
    if value == 0:
        raise ValueError(f"{name} is 0, expected at least 1, or as joblib has it -1 for all cores, -2 for all but one")
    return value


def _results_dir(name: str, value: str, settings: _Settings) -> str:
    raise ValueError(f"{name} is set by this command, expected `--out DIR` for the folder of all results")


def _collection(name: str, value: str, settings: _Settings) -> str:
    from helpers.engine import results
    from helpers.studies.depth.protocol import COLLECTIONS

    checks.one_of(name, value, [stored for stored in results.stored("04") if stored in COLLECTIONS])
    return value


def _fold(name: str, value: int, settings: _Settings) -> int:
    _from(1)(name, value, settings)
    if settings["dataset"].endswith((PORTRAIT, _PORTRAIT_FILE)):
        raise ValueError(f"{name} is {value}, but {settings['dataset']} is drawn from a portrait, expected 1")
    return value


def _rankers(name: str, value: Sequence[str], settings: _Settings) -> list[str]:
    for ranker in _members(name, value, f"one or more of {', '.join(RANKERS)}"):
        if ranker not in RANKERS:
            raise ValueError(
                f"{name} has {ranker!r}, expected one of {', '.join(RANKERS)}; two of them are written "
                f"{','.join(RANKERS[:2])}"
            )
    return list(value)


def _judges(name: str, value: str, settings: _Settings) -> str:
    from helpers.studies.overlap import judge_fit

    checks.one_of(name, value, list(judge_fit.known()))
    return value


def _datasets(name: str, value: Sequence[str], settings: _Settings) -> list[str]:
    return [_dataset(name, member, settings) for member in _members(name, value, "at least one data set")]


def _dataset(name: str, value: str, settings: _Settings) -> str:
    """A name as it is, a path, or each of a list of paths, made absolute; FileNotFoundError where there is neither."""
    if value.endswith(PORTRAIT):
        drawn = sorted(f"{file.stem}{PORTRAIT}" for file in (paths.project("data") / "portraits").glob("*.npz"))
        checks.one_of(name, value, drawn)
    if value in DATA_SETS or value.endswith(PORTRAIT):
        return value
    if is_list(value):
        return absolute(value)
    return _path(name, value, f"nor a data set ({', '.join(DATA_SETS)})")


def _judgments(name: str, value: str, settings: _Settings) -> str:
    """One file, or several separated by commas."""
    if value and paths.named(value).exists():
        return _path(name, value)
    return ",".join(_path(name, part.strip()) for part in value.split(","))


def _matrices(name: str, value: str, settings: _Settings) -> str:
    return _path(name, value)


def _members(name: str, value: Sequence[str], expected: str) -> Sequence[str]:
    """The members of a list that is not empty and names nothing twice."""
    if not value:
        raise ValueError(f"{name} is empty, expected {expected}")
    twice = next((member for member in value if value.count(member) > 1), None)
    if twice is not None:
        raise ValueError(f"{name} has {twice!r} twice, expected each once")
    return value


def _path(name: str, value: str, nor: str = "") -> str:
    if not value or not paths.named(value).exists():
        raise FileNotFoundError(f"{name}: {value or repr(value)}: no such file or folder{', ' * bool(nor)}{nor}")
    return os.path.abspath(paths.named(value))


# parameter -> its rule; a parameter that is not here is held to its type alone
RULES = {
    "scale": Rule(_word),
    "dataset": Rule(_dataset, _read_dataset),
    "datasets": Rule(_datasets, _read_dataset),
    "collection": Rule(_collection),
    "fold": Rule(_fold, _read_dataset),
    "rankers": Rule(_rankers),
    "judgments": Rule(_judgments, _read_judgments),
    "format": Rule(_word, _read_judgments),
    "columns": Rule(_anything, _read_judgments),
    "grades": Rule(_anything, _read_judgments),
    "repeats": Rule(_word, _read_judgments),
    "machines": Rule(_anything, _read_judgments),
    "epsilon": Rule(_from(0, 1)),
    "good": Rule(_from(1, _HIGHEST_GRADE)),
    "judges": Rule(_judges, _read_dataset),
    "matrices": Rule(_matrices, _read_matrices),
    "cutoff": Rule(_from(1), _read_judgments),
    "budget": Rule(_from(0), _read_judgments),
    "cost_query": Rule(_from(0), _read_judgments),
    "cost_judgment": Rule(_from(0), _read_judgments),
    "cost_machine": Rule(_from(0), _read_judgments),
    "pair": Rule(_anything, _read_judgments),
    "runs": Rule(_judgments, _read_judgments),
    "tested_by": Rule(_anything, _read_judgments),
    "persons": Rule(_word, _read_judgments),
    "timed": Rule(_anything, _read_judgments),
    "margin": Rule(_from(0)),
    "seed": Rule(_from(0)),
    "n_jobs": Rule(_n_jobs),
    "results_dir": Rule(_results_dir),
}

# parameters that name files or folders
PLACES = {name for name, rule in RULES.items() if rule.at_once in (_dataset, _judgments, _matrices)}
