"""The commands run, list and claims: what they leave and say, what they refuse, and how they end."""

import os
import signal
import subprocess
import sys
import time

import pandas as pd
import pytest
import tiny_notebooks
from command_line import begun, invoke

from helpers import paths
from helpers.command import swap, terminal
from helpers.studies import ledger

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
PROJECT, STORED, EFFECTS = paths.project, ledger.stored, ledger.effects


@pytest.fixture(autouse=True)
def notebooks(studies_folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    tiny_notebooks.write(studies_folder / "01_works.ipynb", tiny_notebooks.CLAIMS)
    return studies_folder


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-p", "no_such", "1"], "no parameter 'no_such', expected one of scale, draws, cost, results_dir"),
        (["99"], "no study '99', expected one of 01_works"),
        (["-p", "draws", "two"], "parameter draws is 'two', expected int like its default, 2"),
        (["-f", "absent.yml"], "absent.yml: no such file or directory"),
        (["--out", __file__], f"{__file__}: file exists"),
        (["--out", f"{__file__}/in"], f"{__file__}/in: not a directory"),
        (["-p", "cost", "1", "-p", "cost", "2"], "parameter cost is given twice, expected once"),
        (
            ["01", "-p", "judgments", "mine.csv"],
            "no parameter 'judgments' in 01_works, but in 06_yours: label-studies r",
        ),
        (["-p", "dataset", "{mine}"], "{mine}, line 2: "),
    ],
)
def test_what_cannot_be_run_as_asked_is_refused_in_one_line_before_anything_runs(notebooks, put, arguments, message):
    mine = put("mine.txt", "1 qid:1 1:0.5\n200 qid:1 1:0.5\n")
    both = 'judgments: str = ""  # of yours\ndataset: str = "x"  # of yours'
    tiny_notebooks.write(notebooks / "06_yours.ipynb", parameters=both)
    result = invoke("run", *(each.format(mine=mine) for each in arguments))
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: {message.format(mine=mine)}")
    assert result.stderr.count("\n") == 1
    assert os.listdir() == []


@pytest.mark.parametrize("name", ["helpers.py", "helpers/__init__.py"])
def test_a_module_that_would_be_imported_in_place_of_the_package_is_refused(executed, put, monkeypatch, name):
    monkeypatch.chdir(put("here/helpers.txt", "").parent)
    put(f"here/{name}", "")
    result = invoke("run", "01")
    assert result.exit_code == 2
    assert f"{name} would be imported in place of the package of label-studies: rename it, or run" in result.stderr
    assert sorted(os.listdir()) == sorted(["helpers.txt", name.partition("/")[0]])
    os.chdir(PROJECT("data").parent)  # the package does not hide itself
    assert invoke("run", "01", "--out", put("out", "").with_name("elsewhere")).exit_code == 0


def test_an_out_that_cannot_be_written_is_refused(monkeypatch):
    def read_only(*args, **options):
        raise PermissionError(13, "Permission denied", "reports/.label-studies.lock")

    monkeypatch.setattr(swap, "locked", read_only)
    result = invoke("run", "01")
    assert (result.exit_code, result.stderr) == (2, "Error: reports/.label-studies.lock: permission denied\n")


def test_a_run_prints_the_ledger_leaves_its_table_and_ends_what_an_interrupted_one_began(executed):
    os.makedirs("reports/.01_works.moving/01_works")
    result = invoke("run", "01", "-p", "draws", "3")
    assert result.exit_code == 0
    assert [name for name in os.listdir("reports") if name.startswith(".")] == [swap.LOCK]
    assert "X1    holds                 +.300 (.100 to .300)      deep beats shallow" in result.stdout
    assert pd.read_csv("reports/claims.csv")["study"].tolist() == [1]
    first, second, third = result.stderr.splitlines()
    assert (first, second.endswith(" s, reports/01_works.html")) == ("01_works: running", True)
    assert third == f"The answers, and all reports: file://{os.getcwd()}/reports/index.html"


def test_damaged_claims_of_another_study_and_a_ledger_that_cannot_be_written_are_told_and_the_results_left(
    notebooks, executed
):
    tiny_notebooks.write(notebooks / "02_other.ipynb")
    os.makedirs("reports/02_other")
    with open("reports/02_other/claims.csv", "w"):
        result = invoke("run", "01")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-2].startswith("Error: reports/02_other/claims.csv: cannot be read (No columns")
    assert "deep beats shallow" in result.stdout
    os.replace("reports/claims.csv", "reports/02_other/claims.csv")
    os.makedirs("reports/claims.csv")
    result = invoke("run", "01")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1].endswith("claims.csv: is a directory")
    assert os.path.exists("reports/01_works/claims.csv")


def test_the_command_line_overrides_the_file_and_jobs_set_n_jobs(notebooks, executed):
    lines = "n_jobs: int = 1  # at a time\ncost: float = 1.0  # each\nseed: int = 1  # any"
    tiny_notebooks.write(notebooks / "07_tells.ipynb", parameters=lines)
    with open("p.yml", "w") as file:
        file.write("cost: 1e-3\nseed: 5\n")
    result = invoke("run", "07", "-f", "p.yml", "-p", "seed", "6", "--jobs", "3", "--out", "out")
    assert result.exit_code == 0
    assert executed == [{"n_jobs": 3, "cost": 0.001, "seed": 6}]


def test_a_notebook_that_fails_is_reported_and_the_others_still_run(notebooks):
    tiny_notebooks.write(notebooks / "00_fails.ipynb", "raise ValueError('too shallow')")
    result = invoke("run", "--jobs", "1")
    assert result.exit_code == 1
    assert "Error: 00_fails: cell [3] raised ValueError: too shallow\n" in result.stderr
    assert "00_fails.html" not in os.listdir("reports")
    assert result.stderr.splitlines()[2].endswith(" s, reports/00_fails.failed.html")
    assert {"00_fails.failed.ipynb", "00_fails.failed.html", "01_works.ipynb"} <= set(os.listdir("reports"))
    assert result.stdout == "01 How deep? X1: holds.\n"


@pytest.mark.parametrize(("jobs", "number", "code"), [("1", signal.SIGTERM, 143)] * LARGE + [("2", signal.SIGINT, 130)])
def test_a_signal_ends_the_kernel_and_leaves_nothing(notebooks, tmp_path, jobs, number, code):
    pid_file = tmp_path / "pid"
    tiny_notebooks.write(
        notebooks / "02_long.ipynb",
        f"import os, time; open({str(tmp_path / 'new')!r}, 'w').write(str(os.getpid()))",
        f"os.rename({str(tmp_path / 'new')!r}, {str(pid_file)!r}); time.sleep(600)",
    )
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    env = os.environ | {"TMPDIR": str(temporary)}
    with begun(notebooks, "run", "02", "01", "--jobs", jobs, env=env) as process:
        while not pid_file.exists():
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(number)
        _, stderr = process.communicate(timeout=120)
    assert process.returncode == code
    assert os.listdir(temporary) == []
    assert "02_long: running\n" in stderr
    assert stderr.endswith("\ninterrupted\n")
    assert "Traceback" not in stderr
    left = [name for name in os.listdir("reports") if not name.startswith("01_works")]  # it may have been done before
    assert left == [swap.LOCK]
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text()), 0)


@pytest.mark.parametrize(
    ("done", "said"),
    [
        ("c.main(['--help'], standalone_mode=False)", "Usage: "),
        (
            "c.main(['run', '04', '-p', 'scale', 'stduy'])",
            "Error: scale is 'stduy', expected one of demo, study, paper",
        ),
        (
            "print(*(each.value for each in ShellComplete(c.main, {}, 'x', '_X').get_completions(WORDS, 'Li')))",
            "ListNet",
        ),
    ],
)
def test_help_a_refusal_and_the_shell_do_not_wait_for_the_numeric_libraries(done, said):
    code = f"""\
import sys, helpers.command.cli as c
from click.shell_completion import ShellComplete
WORDS, sys.stderr = ['run', '04', '-p', 'rankers'], sys.stdout
try: {done}
except SystemExit as end: assert end.code == 2
print(*sys.modules)"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert found.startswith(said)
    heavy = {"numpy", "pandas", "scipy", "sklearn", "numba", "lightgbm", "papermill", "nbformat", "nbconvert", "joblib"}
    assert not {*heavy, "rich"} & set(found.splitlines()[-1].split())


def test_a_run_of_all_is_the_guide_and_the_studies_and_an_appendix_by_its_number(notebooks, executed):
    for name in ("00_guide", "01a_judges"):
        tiny_notebooks.write(notebooks / f"{name}.ipynb", "print(draws)", tiny_notebooks.CLAIMS)
    assert invoke("run", "--jobs", "1").exit_code == 0
    reports = {name for name in os.listdir("reports") if name.endswith(".html")}
    assert reports == {"00_guide.html", "01_works.html", "index.html"}
    assert pd.read_csv("reports/claims.csv", dtype={"study": str})["study"].tolist() == ["01"]
    result = invoke("run", "01a", "-p", "draws", "two")
    assert result.stderr == "Error: parameter draws is 'two', expected int like its default, 2\n"
    assert invoke("run", "01a", "--out", "appendix").exit_code == 0
    assert {"01a_judges.html", "01a_judges"} <= set(os.listdir("appendix"))


def test_list_shows_the_guide_studies_and_appendices_and_their_parameters(notebooks):
    for name in ("00_guide", "01a_judges"):
        tiny_notebooks.write(notebooks / f"{name}.ipynb", title=f"What of {name}?", parameters="seed: int = 1  # s")
    shown = invoke("list").stdout
    assert [line for line in shown.splitlines() if "?" in line] == [
        "00_guide: What of 00_guide?",
        "01_works: How deep?",
        "01a_judges: What of 01a_judges?",
    ]
    assert "draws         2         runs of each setting" in shown
    assert "trains nothing in sweeps" in invoke("list", "01a").stdout


@pytest.fixture
def stored(monkeypatch):
    """The project's own notebooks and results."""
    monkeypatch.setattr(paths, "project", PROJECT)
    monkeypatch.setattr(ledger, "stored", STORED)


def test_claims_shows_a_row_a_claim_and_of_studies_that_are_named_their_collections(stored):
    whole = invoke("claims").stdout.splitlines()
    assert len(whole) < 100
    for row in ledger.stored().to_dict("records"):
        assert sum(line.startswith(f"{row['claim']:6}{row['verdict']}") for line in whole) == 1, row["claim"]
    named = invoke("claims", "04", "02_disagreement_bounds").stdout
    assert set(ledger.effects("04", "02")["collection"]) <= set(named.replace(",", " ").split())
    assert "Y1 " not in named


def test_of_several_rows_of_a_claim_each_says_its_ranker(capsys):
    row = {"study": "01", "claim": "Y1", "verdict": "holds", "measured": 0.0, "low": 0.0, "high": 0.0, "value": 0}
    row |= {"rests_on": "real", "words": "More is better", "measure": "NDCG@3", "rankers": "LambdaRank"}
    judged = pd.DataFrame([row, row | {"rankers": "ListNet"}, row | {"claim": "Y2"}])
    terminal.show_verdicts(judged, {})
    ends = [line.partition("[")[2] for line in capsys.readouterr().out.splitlines() if line.startswith("Y")]
    assert ends == ["NDCG@3, LambdaRank]", "NDCG@3, ListNet]", "NDCG@3]"]


def test_claims_says_what_is_damaged_and_refuses_a_study_without_claims(stored, monkeypatch):
    def effects(study):
        if study == "02":
            raise ValueError("02/effects.csv: is damaged, get it back: so")
        return EFFECTS(study)

    monkeypatch.setattr(ledger, "effects", effects)
    result = invoke("claims", "02", "04")
    assert (result.exit_code, result.stderr) == (1, "Error: 02/effects.csv: is damaged, get it back: so\n")
    assert set(EFFECTS("04")["collection"]) <= set(result.stdout.replace(",", " ").split())
    result = invoke("claims", "00")
    told = "Error: no claims of a paper in 00, expected one of 01, 02, 03, 04, 05, 06\n"
    assert (result.exit_code, result.stderr) == (2, told)
    assert invoke("claims", "77").stderr.startswith("Error: no study '77', expected one of")


def test_a_report_is_printed_when_the_run_has_ended_and_where_its_files_are(studies_folder):
    folder = studies_folder
    says = "open(results_dir + '/report.txt', 'w').write('Do they agree? Hardly.\\n')"
    tiny_notebooks.write(folder / "03_reports.ipynb", says)
    result = invoke("run", "03")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines() == ["Do they agree? Hardly.", "Files: reports/03_reports"]
