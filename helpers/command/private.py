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
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from helpers import checks, paths, texts

if TYPE_CHECKING:
    from nbformat import NotebookNode

# What takes long to import is imported where it is used: a grid that is refused should not wait for it.

_JUDGMENTS, _COLUMNS, _NAMES, _RESULTS = "judgments", "columns", "names", "results_dir"
HIDDEN = (_JUDGMENTS, _COLUMNS)  # parameters that may name people
_INJECTED = "injected-parameters"  # what papermill tags the cell with in which it writes the parameters
_FILE = "judgments"  # in the place of a file of judgments
# how lines of a traceback begin that hold nothing but places in code, and code
_FRAME = re.compile(r"(File .*:\d+, in |Cell In\[\d+\], line \d+|-+> \d+ )")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def told(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as a report has them: files without their folders, and no name of a judge or a file of judgments."""
    written = {name: _without_folder(value) for name, value in settings.items()}
    if _RESULTS in written:
        written[_RESULTS] = Path(written[_RESULTS]).name
    if written.get(_NAMES):
        return written
    if written.get(_JUDGMENTS):
        number = len(texts.named(settings[_JUDGMENTS]))
        written[_JUDGMENTS] = f"{number} file{'s' * (number > 1)}"
    if written.get(_COLUMNS):
        written[_COLUMNS] = re.sub(r"=.*?(?=,\s*\w+=|$)", "=...", settings[_COLUMNS])
    return written


def clear(notebook: NotebookNode, settings: Mapping[str, Any]) -> None:
    """Take out of an executed notebook what it is not to tell."""
    from papermill.translators import translate_parameters

    run = notebook.metadata.papermill
    run.parameters.update(told(run.parameters))
    for cell in notebook.cells:
        if _INJECTED in cell.metadata.get("tags", []):
            kernel = notebook.metadata.kernelspec
            cell.source = translate_parameters(kernel.name, kernel.language, run.parameters, "Parameters")
        for output in cell.get("outputs", []):
            _clear_output(output, settings)


def error(text: str, settings: Mapping[str, Any]) -> str:
    """The error that stopped a notebook, as it may be kept."""
    return text.partition(": ")[0] if _may_name(settings) else _placeless(text, settings)


def _clear_output(output: NotebookNode, settings: Mapping[str, Any]) -> None:
    if output.output_type == "error" and _may_name(settings):
        lines = [_COLOUR.sub("", line) for text in output.traceback for line in text.splitlines()]
        output.evalue = (
            f"(what was found is left out, as it may name people: {checks.advice(_NAMES, 'true', checks.RUN)} keeps it)"
        )
        frames = [line for line in lines if _FRAME.match(line.strip())]
        output.traceback = [*frames, f"{output.ename}: {output.evalue}"]
    for holder in (output, output.get("data", {})):
        for key, value in holder.items():
            if isinstance(value, str) and not key.startswith("image/"):
                holder[key] = _placeless(value, settings)
            elif key == "traceback":
                holder[key] = [_placeless(line, settings) for line in value]


def _may_name(settings: Mapping[str, Any]) -> bool:
    """Whether an error in these judgments could name people who do not want it."""
    return bool(settings.get(_JUDGMENTS)) and not settings.get(_NAMES)


def _without_folder(value: Any) -> Any:
    """A path, each of a list of paths, or each of those that commas part, without its folder; all else as it is."""
    if isinstance(value, list):
        return [_without_folder(member) for member in value]
    if isinstance(value, str) and os.path.isabs(value):
        return ",".join(os.path.basename(part.rstrip(os.sep)) for part in value.split(","))
    return value


def _placeless(text: str, settings: Mapping[str, Any]) -> str:
    """The text without the folders of this machine in front of files."""
    folders = sorted(_spelled({*_of_machine(), *_of_files(settings)}), key=len, reverse=True)
    known = "|".join(map(re.escape, folders))
    place = re.compile(rf"(?:(?<=[0-9]m)|(?<![\w.-]))(?:{known})(?:{re.escape(os.sep)}|(?![\w.-]))")
    for file in _judged(settings):
        text = text.replace(file, _FILE)
    return place.sub(lambda match: "" if match[0].endswith(os.sep) else ".", text)


def _judged(settings: Mapping[str, Any]) -> list[str]:
    """The files of judgments that are not to be named."""
    return [str(file) for file in texts.named(settings[_JUDGMENTS])] if _may_name(settings) else []


def _of_machine() -> Iterable[str]:
    """Folders of the user, of Python and of this package."""
    library = sysconfig.get_paths()
    places = [Path.cwd(), Path.home(), paths.package().parent, paths.user_data(), paths.user_cache()]
    return map(
        str, [*places, tempfile.gettempdir(), library["purelib"], library["stdlib"], sys.prefix, sys.base_prefix]
    )


def _of_files(settings: Mapping[str, Any]) -> Iterable[str]:
    """Folders of the files that settings name."""
    values = [each for value in settings.values() for each in (value if isinstance(value, list) else [value])]
    parts = [part for value in values if isinstance(value, str) for part in value.split(",")]
    return {os.path.dirname(part.rstrip(os.sep)) for part in parts if os.path.isabs(part)}


def _spelled(folders: Iterable[str]) -> Iterable[str]:
    """Every spelling of the folders: with links followed, and from ~; the root itself is none."""
    home = str(Path.home())
    for folder in {spelling for place in folders for spelling in (place, os.path.realpath(place))}:
        if folder.strip(os.sep):
            yield folder
            if folder.startswith(home + os.sep):
                yield "~" + folder.removeprefix(home)
