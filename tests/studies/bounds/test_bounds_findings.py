"""What study 2 answers, and sentences of it, where they turn; titles are in test_bounds_titles."""

import pandas as pd

from helpers.studies import ledger
from helpers.studies.bounds import findings


def test_the_answer_says_what_to_do_what_is_lost_what_is_saved_and_whether_it_binds_learners():
    judged = ledger.stored("02")
    said = findings.answer(judged)
    for claim in ("M1", "M4", "O14"):
        row = judged.set_index("claim").loc[claim]
        assert f"{row['measured']:.3f}".removeprefix("0") in said
    assert "loses .280 (.166 to .394) nDCG@10" in said
    assert len(said.split()) <= 95
    turned = judged.assign(verdict="opposite")
    assert "pass the ceiling: opposite" in findings.answer(turned)


def test_agreement_names_the_grades_on_which_queries_differ():
    table = pd.DataFrame({"grade": [0, 1], "agreement": [0.8, 0.4], "between_low": [0.1, -0.1]})
    assert findings.agreement(table).endswith("; queries differ in it on grade 0.")
    assert "no difference between queries is seen" in findings.agreement(table.assign(between_low=-0.1))
