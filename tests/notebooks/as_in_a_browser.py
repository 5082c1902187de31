"""Run the code of a notebook where things are as in a browser: one process and one thread, no LightGBM and no cluster.

    python tests/notebooks/as_in_a_browser.py imports NOTEBOOK …    # only what its cells import
    python tests/notebooks/as_in_a_browser.py cells NOTEBOOK

A Python in a browser has no semaphores, which joblib finds out for itself; here it is told so. Its pool of processes,
and whatever else is not there, cannot be imported.
"""

import ast
import os
import subprocess
import sys
import threading
from importlib.abc import MetaPathFinder

import nbformat

ABSENT = ("lightgbm", "distributed", "dask", "joblib.externals.loky")


class NotThere(MetaPathFinder):
    """Finds nothing, and lets nobody else look, for what ABSENT names."""

    def find_spec(self, name, path=None, target=None):
        """Refuse a module that is absent."""
        if any(f"{name}.".startswith(f"{absent}.") for absent in ABSENT):
            raise ModuleNotFoundError(f"No module named {name!r}, as in a browser", name=name)


def not_possible(*args, **kwargs):
    """Stand for what starts a thread or a process."""
    raise RuntimeError("no thread and no process can be started, as in a browser")


def enter():
    """Make this process as it would be in a browser; nothing of the project may have been imported before."""
    os.environ["JOBLIB_MULTIPROCESSING"] = "0"
    os.environ["MPLBACKEND"] = "agg"
    sys.meta_path.insert(0, NotThere())
    threading.Thread.start = subprocess.Popen.__init__ = os.fork = not_possible


def imports(source):
    """The statements of a cell that import something, as source."""
    tree = ast.parse(source)
    tree.body = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    return ast.unparse(tree)


def main(what, *notebooks):
    """Run the imports or all of every code cell."""
    enter()
    for notebook in notebooks:
        names = {"__name__": "__main__"}
        for number, cell in enumerate(nbformat.read(notebook, as_version=4).cells):
            if cell.cell_type == "code":
                source = imports(cell.source) if what == "imports" else cell.source
                exec(compile(source, f"{notebook}, cell {number}", "exec"), names)


if __name__ == "__main__":
    main(*sys.argv[1:])
