# make run: the guide and every study at demo scale, into reports/index.html. make test: everything checked. Python 3.11 or newer is needed.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check -c .constraints.txt
INSTALLED := .venv/.installed
BENCHMARKS := $(wildcard tests/benchmarks/bench_*.py)
NBVAL := $(BIN)/python -m pytest -q -p no:randomly -p tests.notebooks.compared_figures \
	--nbval --nbval-current-env --nbval-cell-timeout 300 -n 2 --dist loadfile notebooks
SAMPLES := $(BIN)/pytest -q -rs tests/datasets/test_portrait.py tests/making/test_portraits.py tests/making/test_baselines.py $(addprefix tests/studies/, \
	$(addprefix overlap/test_,overlap_runs.py judge_fit.py) \
	bounds/test_stored_bounds.py robustness/test_robustness_runs.py depth/test_depth_runs.py)
# What tests leave in the folder for temporary files goes with them.
TIDILY := export TMPDIR=$$(mktemp -d -t label-studies-XXXXXXXX) && trap 'rm -rf "$$TMPDIR"' EXIT && \
	trap 'exit 130' INT TERM;

.PHONY: run test test-all lint lab notebooks bench docs class clean

run: $(INSTALLED)
	$(BIN)/label-studies run --out reports

test: lint
	$(TIDILY) $(BIN)/pytest -q -n 2 --dist loadscope
	$(TIDILY) $(NBVAL)

# What a release has to pass, an hour or so: large fuzzers, what needs real data (LABEL_STUDIES_DATA says where it is),
# and whether notebooks and stored results come out the same on other processors. Says at the end what was skipped, and
# why.
test-all: export LABEL_STUDIES_TESTS = all
test-all: lint
	$(TIDILY) $(BIN)/pytest -q -rs -n 2 --dist loadscope
	$(TIDILY) $(NBVAL)
	$(TIDILY) OPENBLAS_CORETYPE=Haswell $(NBVAL)
	$(TIDILY) OPENBLAS_CORETYPE=Haswell $(SAMPLES)
	$(TIDILY) OPENBLAS_CORETYPE=Zen $(NBVAL)
	$(TIDILY) OPENBLAS_CORETYPE=Zen $(SAMPLES)
	$(TIDILY) NUMBA_CPU_NAME=generic $(NBVAL)
	$(TIDILY) NUMBA_CPU_NAME=generic $(SAMPLES)

lint: $(INSTALLED)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-cache

# JupyterLab on copies of the notebooks in lab/, which git ignores. A copy that you have changed, by running it too, stays
# as it is, also where the notebook that it was copied from is another one by now; delete it to get that.
lab: $(INSTALLED)
	@mkdir -p lab/.copied
	@cd notebooks && for name in *.ipynb; do \
		if [ ! -e ../lab/$$name ] || cmp -s ../lab/$$name ../lab/.copied/$$name; then \
			cp $$name ../lab/$$name && cp $$name ../lab/.copied/$$name; \
		elif ! cmp -s $$name ../lab/.copied/$$name; then \
			echo "lab/$$name stays, as you changed it; notebooks/$$name is newer, delete yours to get that"; \
		fi; \
	done
	$(BIN)/jupyter lab lab

# Execute the committed notebooks again where they stand; the README shows their first figures. What is printed comes in
# pieces as it happens: put together. Of their metadata only what does not change is kept.
notebooks: $(INSTALLED)
	$(BIN)/jupyter nbconvert --log-level WARN --to notebook --execute --inplace notebooks/*.ipynb
	$(BIN)/jupyter nbconvert --log-level WARN --coalesce-streams notebooks/*.ipynb
	$(BIN)/nbstripout --keep-output --keep-count --keep-id \
		--extra-keys "metadata.papermill cell.metadata.papermill cell.metadata.execution metadata.language_info.version" \
		notebooks/*.ipynb
	$(BIN)/ruff format notebooks
	$(BIN)/python -m helpers.making readme

bench: $(INSTALLED)
	$(PIP) -e ".[bench]"
	$(BIN)/pytest -q -s $(BENCHMARKS)

# The pages: rooms, API, notebooks, how-to. A link or a name that leads nowhere is an error.
docs: $(INSTALLED)
	$(PIP) -c .docs/constraints.txt -e ".[docs]"
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build -q -f .docs/mkdocs.yml
	@echo "Say $(BIN)/python -m http.server --directory build/site, and open http://localhost:8000: the search needs a server"

# Notebooks without solutions, for an hour and with them, slides, a page for the teacher, and the package to install.
class: $(INSTALLED)
	@rm -rf build/class
	$(BIN)/label-studies class --out build/class
	$(BIN)/python -m pip wheel -qq --disable-pip-version-check --no-deps -w build/class .
	@cp .constraints.txt build/class/constraints.txt

clean:
	rm -rf reports build dist .cache .pytest_cache .ruff_cache .hypothesis .benchmarks

$(INSTALLED): pyproject.toml .constraints.txt
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Python 3.11 or newer is needed, but $(PYTHON) is %d.%d: say make PYTHON=python3.12, or where yours is" % sys.version_info[:2])'
	@echo "Installing into .venv: a few minutes the first time"
	@$(PYTHON) -m venv .venv
	@$(PIP) -e ".[test,cluster]"
	@touch $@
