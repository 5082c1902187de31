# make run: every notebook at demo scale, into reports/. make test: everything checked. Python 3.11 or newer is needed.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check -c .constraints.txt
INSTALLED := .venv/.installed
BENCHMARKS := $(wildcard tests/benchmarks/bench_*.py)

.PHONY: run test lint lab notebooks bench clean

run: $(INSTALLED)
	$(BIN)/label-studies run --out reports

test: lint
	$(BIN)/pytest -q -n 2 --dist loadscope
	$(BIN)/pytest -q -p no:randomly --nbval --nbval-current-env --nbval-cell-timeout 300 notebooks

lint: $(INSTALLED)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

lab: $(INSTALLED)
	$(BIN)/jupyter lab notebooks

# Execute the committed notebooks again where they stand, and keep of their metadata only what does not change.
notebooks: $(INSTALLED)
	$(BIN)/jupyter nbconvert --log-level WARN --to notebook --execute --inplace notebooks/*.ipynb
	$(BIN)/nbstripout --keep-output --keep-count --keep-id \
		--extra-keys "metadata.papermill cell.metadata.papermill cell.metadata.execution metadata.language_info.version" \
		notebooks/*.ipynb
	$(BIN)/ruff format notebooks

bench: $(INSTALLED)
	$(PIP) -e ".[bench]"
	$(BIN)/pytest -q -s $(BENCHMARKS)

clean:
	rm -rf reports build dist .pytest_cache .ruff_cache .hypothesis .benchmarks

$(INSTALLED): pyproject.toml .constraints.txt
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Python 3.11 or newer is needed, but $(PYTHON) is %d.%d: say make PYTHON=python3.12, or where yours is" % sys.version_info[:2])'
	@echo "Installing into .venv: a few minutes the first time"
	@$(PYTHON) -m venv .venv
	@$(PIP) -e ".[test,cluster]"
	@touch $@
