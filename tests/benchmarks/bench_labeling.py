"""Every scheme on a collection of the paper's size: 40,000 pairs of 11 labels, beside a loop over the pairs."""

import re
import time
from functools import partial

import numpy as np
from labeling_by_hand import bought_of, training_labels
from timing import best_in_turn

from helpers.judging.aggregates import majority_vote
from helpers.judging.pool import Pool
from helpers.judging.schemes import PAPER, collect
from helpers.studies.overlap import judge_fit

N_PAIRS, REPEATS, LOOP_REPEATS = 40_000, 3, 2
PROCESSOR_SECONDS, FASTER_THAN_THE_LOOP = 0.6, 3
IN_LOOPS = (*PAPER, "gain-3")


def test_the_papers_schemes_together_take_well_under_a_second_for_40_000_pairs():
    labels, judges = drawn_labels()
    schemes = {name: partial(collect_with_seed, name, labels, judges) for name in (*IN_LOOPS, "dawid-skene-3")}
    methods = schemes | {"majority_vote": partial(majority_vote, labels)}
    ours = dict(zip(methods, best_in_turn(REPEATS, *methods.values()), strict=True))
    loops = {name: partial(loop, name, labels.tolist()) for name in IN_LOOPS}
    loop_seconds = dict(zip(loops, best_in_turn(LOOP_REPEATS, *loops.values()), strict=True))
    print(f"\n{N_PAIRS} pairs of {labels.shape[1]} labels{'':10s} ms   loop [ms]   times")
    for name, seconds in ours.items():
        of_loop = loop_seconds.get(name, np.nan)
        print(f"{name:35s} {1e3 * seconds:6.1f} {1e3 * of_loop:11.1f} {of_loop / seconds:7.1f}")
    paper, paper_loop = (sum(found[name] for name in PAPER) for found in (ours, loop_seconds))
    print(f"{'the nine of the paper':35s} {1e3 * paper:6.1f} {1e3 * paper_loop:11.1f} {paper_loop / paper:7.1f}")
    busy = min(processor_seconds([schemes[name] for name in PAPER]) for _ in range(REPEATS))
    print(f"the nine in turn: {busy:.2f} s of the processor")
    assert busy < PROCESSOR_SECONDS
    assert paper_loop > FASTER_THAN_THE_LOOP * paper


def processor_seconds(functions):
    """How long calls of all keep the processor, which a busy machine hardly lengthens."""
    start = time.process_time()
    for function in functions:
        function()
    return time.process_time() - start


def drawn_labels():
    """Labels of the pool fitted to Clean07, and who gave them, 20 documents a query."""
    rng = np.random.default_rng(11)
    grades = rng.choice(5, N_PAIRS, p=judge_fit.grade_shares())
    return Pool(judge_fit.stored()["clean07"]).draw(grades, np.arange(0, N_PAIRS + 1, 20), rng)


def collect_with_seed(name, labels, judges):
    return collect(name, labels, np.random.default_rng(2), judges=judges)


def loop(name, labels):
    """The same pair by pair, the judges asked in random order."""
    scheme, k = re.sub(r"\d+", "{k}", name), int((re.findall(r"\d+", name) or [0])[0])
    rng, instances = np.random.default_rng(2), []
    for row, (given, order) in enumerate(zip(labels, rng.random(np.shape(labels)).argsort().tolist(), strict=True)):
        bought = bought_of(scheme, k, [given[judge] for judge in order])
        instances += [(row, *one) for one in training_labels(scheme, k, bought)]
    return instances
