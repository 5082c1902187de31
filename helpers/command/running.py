"""Executing several notebooks with so many processes, and what is kept of how long they took."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from joblib import cpu_count

from helpers.command import crew, pace, progress, sizes
from helpers.command.jobs import Done, Job
from helpers.command.notebooks import Study


def execute(jobs: Sequence[Job], processes: int | None, unit: str = "notebooks") -> Iterator[Done]:
    """Execute notebooks, tell the user how it goes, and yield how each ended as it does.

    As many are executed at once as there are processes, those first that took longest the last time; where there are
    fewer notebooks, the sweeps in each have several workers.

    Parameters
    ----------
    jobs : what is to be executed, at least one
    processes : to be at work, one a core where None
    unit : what the jobs are called on the terminal

    Raises
    ------
    OSError
        when a report, or a file of times, cannot be written.
    ValueError
        when a file of times is damaged.
    """
    at_once, workers = crew.divided(processes or cpu_count(), len(jobs))
    jobs = [replace(job, settings=with_workers(job.study, job.settings, workers)) for job in jobs]
    with progress.Board(jobs, at_once, unit) as board:
        for done in crew.work_through(jobs if at_once == 1 else longest_first(jobs), at_once, board):
            sizes.remember(done.job.study, progress.scale_of(done.job), done.told)
            yield done


def with_workers(study: Study, settings: dict[str, Any], workers: int | None) -> dict[str, Any]:
    """The settings, with the number of workers where the study has sweeps and they do not say it.

    Parameters
    ----------
    study, settings : what is executed
    workers : in its sweeps, one a core where None
    """
    return ({"n_jobs": workers or cpu_count()} if "n_jobs" in study.parameters else {}) | settings


def longest_first(jobs: Sequence[Job]) -> list[Job]:
    """The jobs in the order in which several at once take the least time; those whose time is unknown come first.

    Parameters
    ----------
    jobs : in any order, which stays where nothing is known

    Raises
    ------
    ValueError
        when the file of times is damaged.
    """

    def seconds(job: Job) -> float:
        known = pace.left(pace.of(job.study.sections, pace.known(progress.pace_name(job))), None)
        return math.inf if known is None else known

    return sorted(jobs, key=seconds, reverse=True)
