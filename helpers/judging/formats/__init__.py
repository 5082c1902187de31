"""Judgments from the files that tools write, as they are: one long frame, and what was read and left out, in words.

A format is a declaration in formats.toml, which `layouts` reads: where query, document, judge and grade stand.
Tables of people and a batch of Mechanical Turk have code of their own in `tables`.
"""

from helpers.judging.formats.reading import FORMATS, Reading, describe, read, write_like
from helpers.judging.judgments import named, pseudonyms

__all__ = ["FORMATS", "Reading", "describe", "named", "pseudonyms", "read", "write_like"]
