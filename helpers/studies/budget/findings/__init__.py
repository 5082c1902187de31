"""What study 5 found, in sentences computed from its tables."""

from __future__ import annotations

import pandas as pd

from helpers.studies.budget.findings._collections import (
    both_goals,
    coverage,
    depth_bias,
    depth_worth,
    free_machine,
    machine_on_pairs,
    opinions,
)
from helpers.studies.budget.findings._measuring import measuring, what_to_do
from helpers.studies.budget.findings._rules import habit_losses, not_asked
from helpers.studies.budget.findings._training import (
    advice_against_rules,
    best_to_train,
    how_sure,
    machine_to_train,
    training,
)

__all__ = [
    "advice_against_rules",
    "best_to_train",
    "both_goals",
    "coverage",
    "depth_bias",
    "depth_worth",
    "free_machine",
    "habit_losses",
    "how_sure",
    "machine_on_pairs",
    "machine_to_train",
    "measuring",
    "not_asked",
    "opinions",
    "text",
    "training",
    "what_to_do",
]


def text(report: pd.DataFrame) -> str:
    """The report as lines for a terminal."""
    return "".join(f"{row.question} {row.answer}\n" for row in report.itertuples())
