"""What is executed, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from helpers.command.notebooks import Study
from helpers.command.placing import Told


class Outcome(NamedTuple):
    """How the execution of a notebook ended: its seconds, the error that stopped it, if any, and the page that it left.

    There is no page where a full disk, or the end of the process, left none.
    """

    seconds: float
    error: str | None
    page: Path | None = None


@dataclass(frozen=True)
class Job:
    """A notebook to be executed.

    Attributes
    ----------
    study : whose notebook it is
    settings : parameter name -> value
    out : folder in which its report is left
    label : what it is called on the terminal
    """

    study: Study
    settings: dict[str, Any] = field(hash=False)
    out: Path
    label: str


class Done(NamedTuple):
    """How a job ended, and what its sweeps told."""

    job: Job
    outcome: Outcome
    told: Told
