"""Judgments from the files that tools write, as they are: one long frame, and what was read and left out, in words.

A format is a `frame.Format` in the registry of `reading`: recognise(content) says whether a file looks like it, and
parse(content, wanted) takes the `source.Content` of a file and what the user says of it, a `frame.Wanted`.
"""

from helpers.judging.formats.frame import pseudonyms
from helpers.judging.formats.reading import FORMATS, Reading, describe, read, write_like

__all__ = ["FORMATS", "Reading", "describe", "pseudonyms", "read", "write_like"]
