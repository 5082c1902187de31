"""What tables say, as words: numbers, intervals, counts, verdicts, and the card that answers a study's question."""

from helpers.reporting.answers._cards import REAL, card, card_markdown, effect, expected, of_verdicts, place, sentences
from helpers.reporting.answers._words import UNKNOWN, counted, interval, listed, number, share, show, signed

__all__ = [
    "REAL",
    "UNKNOWN",
    "card",
    "card_markdown",
    "counted",
    "effect",
    "expected",
    "interval",
    "listed",
    "number",
    "of_verdicts",
    "place",
    "sentences",
    "share",
    "show",
    "signed",
]
