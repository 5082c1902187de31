"""What the parameters of the notebooks are held to before anything runs: one table, a line a parameter.

A rule says what can be known of a value at once, in little time and without the numeric libraries; `check_data` reads
what values name. A study that needs more than one of its readers says so in `check_given` of a module of its own.
"""

from __future__ import annotations

import importlib
import math
import os
import string
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from helpers import checks, paths
from helpers.datasets.sources import DATA_SETS, absolute, is_list
from helpers.studies import scales

if TYPE_CHECKING:
    from helpers.command.notebooks import Study

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

# study -> module whose `check_given` reads what the settings name, where that takes more than a reader
_CHECKS = {
    "01": "helpers.studies.overlap.people",
    "03": "helpers.studies.robustness.protocol",
    "05": "helpers.studies.budget.protocol",
}

PORTRAIT = "-portrait"
_HIGHEST_GRADE = 127
HOW = ("format", "columns", "grades", "repeats", "machines")  # judgments are read


def checked(given: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The given values as they are used, paths made absolute, each checked by its rule; nothing is read yet."""
    ruled = {name for name, value in given.items() if name in RULES and value != defaults.get(name)}
    return {name: RULES[name](name, value) if name in ruled else value for name, value in given.items()}


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


# The numeric libraries are imported inside the functions: a refused number or word should not wait for them.


def check_data(study: Study, given: Mapping[str, Any]) -> None:
    """Read the data that values given to a study name, where any of them says what is read; raise what is wrong.

    What was read stays in the cache.
    """
    settings = study.defaults | given
    if not any(name in READ and value != study.defaults.get(name) for name, value in given.items()):
        return
    if study.number in _CHECKS:
        importlib.import_module(_CHECKS[study.number]).check_given(settings)
    elif settings.get("dataset"):
        _read_dataset(settings["dataset"], settings.get("rankers", ()), settings.get("fold", 1))
    elif settings.get("runs"):
        from helpers.studies.judgments import protocol

        protocol.check_given(settings)
    elif settings.get("judgments"):
        from helpers.judging import formats

        formats.read(settings["judgments"], **{name: settings[name] for name in HOW if name in settings})
    elif settings.get("matrices"):
        from helpers.judging.confusion import load_confusions

        load_confusions(settings["matrices"])


def _read_dataset(dataset: str, rankers: Sequence[str], fold: int) -> None:
    from helpers.datasets import portrait
    from helpers.studies import askable

    if not portrait.named(dataset):
        askable.check_dataset(dataset, rankers, fold)
    elif fold != 1:
        raise ValueError(f"fold is {fold}, but {dataset} is drawn from a portrait, expected 1")


def _from(lowest: float, highest: float = math.inf) -> Callable[[str, float], float]:
    """A rule for numbers from lowest up to highest."""

    def number(name: str, value: float) -> float:
        if not lowest <= value <= highest or math.isinf(value):
            above = f"at least {lowest}" if math.isinf(highest) else f"{lowest} to {highest}"
            raise ValueError(f"{name} is {value!r}, expected {above}")
        return value

    return number


def _word(name: str, value: str) -> str:
    """A rule for one of the CHOICES."""
    checks.one_of(name, value, CHOICES[name])
    return value


def _n_jobs(name: str, value: int) -> int:
    if value == 0:
        raise ValueError(f"{name} is 0, expected at least 1, or as joblib has it -1 for all cores, -2 for all but one")
    return value


def _results_dir(name: str, value: str) -> str:
    raise ValueError(f"{name} is set by this command, expected `--out DIR` for the folder of all results")


def _collection(name: str, value: str) -> str:
    from helpers.engine import results
    from helpers.studies.depth.protocol import COLLECTIONS

    checks.one_of(name, value, [stored for stored in results.stored("04") if stored in COLLECTIONS])
    return value


def _rankers(name: str, value: Sequence[str]) -> list[str]:
    for ranker in _members(name, value, f"one or more of {', '.join(RANKERS)}"):
        if ranker not in RANKERS:
            raise ValueError(
                f"{name} has {ranker!r}, expected one of {', '.join(RANKERS)}; two of them are written "
                f"{','.join(RANKERS[:2])}"
            )
    return list(value)


def _judges(name: str, value: str) -> str:
    from helpers.studies.overlap import judge_fit

    checks.one_of(name, value, list(judge_fit.known()))
    return value


def _datasets(name: str, value: Sequence[str]) -> list[str]:
    return [_dataset(name, member) for member in _members(name, value, "at least one data set")]


def _dataset(name: str, value: str) -> str:
    """A name as it is, a path, or each of a list of paths, made absolute; FileNotFoundError where there is neither."""
    if value.endswith(PORTRAIT):
        checks.one_of(name, value, portraits())
    if value in DATA_SETS or value.endswith(PORTRAIT):
        return value
    if is_list(value):
        return absolute(value)
    return _path(name, value, f"nor a data set ({', '.join(DATA_SETS)})")


def portraits() -> list[str]:
    """The names of the data sets that are drawn from the project's portraits."""
    return sorted(f"{file.stem}{PORTRAIT}" for file in (paths.project("data") / "portraits").glob("*.npz"))


def _judgments(name: str, value: str) -> str:
    """One file, or several separated by commas."""
    if value and paths.named(value).exists():
        return _path(name, value)
    return ",".join(_path(name, part.strip()) for part in value.split(","))


def _members(name: str, value: Sequence[str], expected: str) -> Sequence[str]:
    """The members of a list that is not empty and names nothing twice."""
    if not value:
        raise ValueError(f"{name} is empty, expected {expected}")
    checks.each_once(name, value)
    return value


def _path(name: str, value: str, nor: str = "") -> str:
    if not value or not paths.named(value).exists():
        raise FileNotFoundError(f"{name}: {value or repr(value)}: no such file or folder{', ' * bool(nor)}{nor}")
    return os.path.abspath(paths.named(value))


# parameter -> its rule; a parameter that is not here is held to its type alone
RULES: dict[str, Callable[[str, Any], Any]] = {
    **dict.fromkeys(("scale", "format", "repeats", "persons"), _word),
    "dataset": _dataset,
    "datasets": _datasets,
    "collection": _collection,
    "rankers": _rankers,
    "judgments": _judgments,
    "runs": _judgments,
    "judges": _judges,
    "matrices": _path,
    "epsilon": _from(0, 1),
    "good": _from(1, _HIGHEST_GRADE),
    **dict.fromkeys(("cutoff", "fold"), _from(1)),
    **dict.fromkeys(("budget", "cost_query", "cost_judgment", "cost_machine", "margin", "seed"), _from(0)),
    "n_jobs": _n_jobs,
    "results_dir": _results_dir,
}

# parameters that name files or folders
PLACES = ("dataset", "judgments", "runs", "matrices")
# parameters that say what data is read, or what it is held to when it is read
READ = {
    *(*PLACES, *HOW, "datasets", "fold", "judges", "cutoff", "budget", "cost_query", "cost_judgment", "cost_machine"),
    *("pair", "tested_by", "persons", "timed"),
}
