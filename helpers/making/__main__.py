"""Makes what stands under `data/`: `python -m helpers.making WHAT [NAME …]`; short, as each module of MAKERS has TASKS.

Real collections and judges are taken from the data directory, and runs are kept in the user's cache as they end, so
that what is stopped goes on where it was. Without names all tasks are done but those of ONLY_NAMED, and real data
that are not here are left out.
"""

import importlib
import sys
from pathlib import Path

from helpers import checks, paths

MAKERS = ("baselines", "bounds", "budget", "cystic_fibrosis", "depth", "exchangeable", "fidelity", "judgments",
          "machine_labels", "overlap", "people", "portraits", "promised", "readme", "robustness", "validating",
          "verdicts")  # fmt: skip
ONLY_NAMED = {"budget": "trained", "overlap": "judges"}


def main(what: str = "", *names: str) -> None:
    """Do tasks of a maker; it has the name of its module here, also where its runs are kept, and not `__main__`."""
    checks.one_of("WHAT", what, MAKERS)
    tasks = importlib.import_module(f"helpers.making.{what}").TASKS
    for name in names:
        checks.one_of("NAME", name, tasks)
    for name in names or [name for name in tasks if name != ONLY_NAMED.get(what)]:
        try:
            tasks[name]()
        except FileNotFoundError as missing:
            if names or paths.project("data") in Path(missing.filename or "").parents:
                raise
            print(f"{name} is left out: {missing}")


if __name__ == "__main__":
    main(*sys.argv[1:])
