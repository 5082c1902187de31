"""Starts what makes files under `data/`, and is short for that: `python -m helpers.making WHAT [NAME …]`."""

import importlib
import sys

from helpers import checks

MAKERS = ("baselines", "bounds", "budget", "cystic_fibrosis", "depth", "exchangeable", "judgments", "machine_labels",
          "overlap", "people", "portraits", "promised", "readme", "robustness", "validating", "verdicts")  # fmt: skip
"""Modules whose first lines say what they make, and of which names."""


def main(what: str = "", *names: str) -> None:
    """Run a maker; it has the name of its module here, also where its runs are kept, and not `__main__`."""
    checks.one_of("WHAT", what, MAKERS)
    importlib.import_module(f"helpers.making.{what}").main(*names)


if __name__ == "__main__":
    main(*sys.argv[1:])
