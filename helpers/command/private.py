"""What a report does not tell: who judged, and whose machine and folders it was made with.

A user may pass a report on, and cannot take it back. Unless `names` is asked for, of the files of judgments only their
number is told beside what their notebook says of them, and of an error in reading them its kind and place.
"""

from __future__ import annotations

import os
import re
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from helpers import checks, paths, texts

if TYPE_CHECKING:
    from nbformat import NotebookNode

# What takes long to import is imported where it is used: a grid that is refused should not wait for it.

HIDDEN = ("judgments", "columns")  # parameters that may name people
_INJECTED = "injected-parameters"  # what papermill tags the cell with in which it writes the parameters
# how lines of a traceback begin that hold nothing but places in code, and code
_FRAME = re.compile(r"(File .*:\d+, in |Cell In\[\d+\], line \d+|-+> \d+ )")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def told(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as a report has them: files without their folders, and no name of a judge or a file of judgments."""
    written = {name: _without_folder(value) for name, value in settings.items()}
    if "results_dir" in written:
        written["results_dir"] = Path(written["results_dir"]).name
    if written.get("names"):
        return written
    if written.get("judgments"):
        number = len(texts.named(settings["judgments"]))
        written["judgments"] = f"{number} file{'s' * (number > 1)}"
    if written.get("columns"):
        written["columns"] = re.sub(r"=.*?(?=,\s*\w+=|$)", "=...", settings["columns"])
    return written


def said(settings: Mapping[str, Any]) -> list[str]:
    """Every text among the values, also of lists."""
    values = [each for value in settings.values() for each in (value if isinstance(value, list) else [value])]
    return [value for value in values if isinstance(value, str)]


def clear(notebook: NotebookNode, settings: Mapping[str, Any]) -> None:
    """Take out of an executed notebook what it is not to tell."""
    from papermill.translators import translate_parameters

    run, placeless = notebook.metadata.papermill, _placeless(settings)
    run.parameters.update(told(run.parameters))
    for cell in notebook.cells:
        if _INJECTED in cell.metadata.get("tags", []):
            kernel = notebook.metadata.kernelspec
            cell.source = translate_parameters(kernel.name, kernel.language, run.parameters, "Parameters")
        for output in cell.get("outputs", []):
            if output.output_type == "error" and _may_name(settings):
                _clear_error(output)
            for holder in (output, output.get("data", {})):
                for key, value in holder.items():
                    if isinstance(value, str) and not key.startswith("image/"):
                        holder[key] = placeless(value)
                    elif key == "traceback":
                        holder[key] = list(map(placeless, value))


def error(text: str, settings: Mapping[str, Any]) -> str:
    """The error that stopped a notebook, as it may be kept."""
    return text.partition(": ")[0] if _may_name(settings) else _placeless(settings)(text)


def _clear_error(output: NotebookNode) -> None:
    lines = [_COLOUR.sub("", line) for text in output.traceback for line in text.splitlines()]
    kept = checks.advice("names", "true", checks.RUN)
    output.evalue = f"(what was found is left out, as it may name people: {kept} keeps it)"
    output.traceback = [line for line in lines if _FRAME.match(line.strip())] + [f"{output.ename}: {output.evalue}"]


def _may_name(settings: Mapping[str, Any]) -> bool:
    """Whether an error in these judgments could name people who do not want it."""
    return bool(settings.get("judgments")) and not settings.get("names")


def _without_folder(value: Any) -> Any:
    """A path, each of a list of paths, or each of those that commas part, without its folder; all else as it is."""
    if isinstance(value, list):
        return [_without_folder(member) for member in value]
    if isinstance(value, str) and os.path.isabs(value):
        return ",".join(os.path.basename(part.rstrip(os.sep)) for part in value.split(","))
    return value


def _placeless(settings: Mapping[str, Any]) -> Callable[[str], str]:
    """What takes out of a text the folders of this machine in front of files, and names of files of judgments."""
    judged = [str(file) for file in texts.named(settings["judgments"])] if _may_name(settings) else []
    known = "|".join(map(re.escape, sorted(_folders(settings), key=len, reverse=True)))
    place = re.compile(rf"(?:(?<=[0-9]m)|(?<![\w.-]))(?:{known})(?:{re.escape(os.sep)}|(?![\w.-]))")

    def placeless(text: str) -> str:
        for file in judged:
            text = text.replace(file, "judgments")
        return place.sub(lambda match: "" if match[0].endswith(os.sep) else ".", text)

    return placeless


def _folders(settings: Mapping[str, Any]) -> set[str]:
    """Folders of the user, of Python, of this package and of files that settings name, in every spelling: with links
    followed, and from ~; the root itself is none."""
    library, home = sysconfig.get_paths(), str(Path.home())
    places = {Path.cwd(), Path.home(), paths.package().parent, paths.user_data(), paths.user_cache()}
    places |= {tempfile.gettempdir(), library["purelib"], library["stdlib"], sys.prefix, sys.base_prefix}
    parts = [part for text in said(settings) for part in text.split(",")]
    places |= {os.path.dirname(part.rstrip(os.sep)) for part in parts if os.path.isabs(part)}
    spelled = {spelling for place in places for spelling in (str(place), os.path.realpath(place))}
    from_home = {"~" + folder.removeprefix(home) for folder in spelled if folder.startswith(home + os.sep)}
    return {folder for folder in spelled | from_home if folder.strip(os.sep)}
